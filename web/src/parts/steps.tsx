import type { Step, StepName } from '@signet/verify';
import { keyFor, t } from '../i18n/i18n.js';
import { type CheckState, Stamp, worstOf } from './signs.js';

/** One check that this browser made, or is making. */
export interface ShownStep extends Omit<Step, 'state'> {
  state: CheckState;
  /** What is said in place of the page's text for this state, in the language of the page. */
  text?: string;
}

/** Steps whose sentence of the verifier tells more than the text of the page, even if all is well. */
const TELLING = ['complete', 'logged', 'witnesses'];
/** The step of a whole list, which its sentence names. */
const WHOLE = 'all';
/** Steps that cannot be made here by their nature: the text of the page says why. */
const PLAIN = ['post', 'log_key'];

/**
 * The checks that this browser made, one a line: stamp, name, what that means in the language of the page, and, where
 * it tells more, what exactly was seen, in the words of the verifier (English), which are explained where they come up.
 */
export function StepList({ steps }: { steps: readonly ShownStep[] }) {
  return (
    <>
      <ul class="steps">
        {steps.map((step, index) => (
          <li key={index} class={step.state}>
            <Stamp state={step.state} />
            <div>
              {step.name !== WHOLE && <strong>{stepName(step.name)} </strong>}
              <StepText step={step} />
            </div>
          </li>
        ))}
      </ul>
      {steps.some((step) => OWN_WORDS.test(exactly(step))) && <p class="quiet small">{t('steps.exact_words')}</p>}
    </>
  );
}

/** Steps of a binding that cannot be made here by their nature, which is said apart from them. */
const SAID_APART = ['post', 'wallet_signature'];

/**
 * The checks of a binding under one sentence, which holds for those that could be made here: folded while all of them
 * came out right, and open where one did not.
 */
export function FoldedSteps({ steps }: { steps: readonly ShownStep[] }) {
  const made = steps.filter(({ name, state }) => state !== 'not_checkable' || !SAID_APART.includes(name));
  const state = worstOf(made.map((step) => step.state));
  const count = state === 'ok' ? made.length : made.filter((step) => step.state === state).length;
  return (
    <details class="folded-steps" open={state === 'failed' || state === 'not_checkable'}>
      <summary>
        <Stamp state={state} isNamed={false} /> <span>{t(`steps.fold_${state}`, { count })}</span>
      </summary>
      <StepList steps={steps} />
    </details>
  );
}

/** Words of the verifier that programs know, and that mean something else, or nothing, to people. */
const OWN_WORDS = /\b(links?|patch(es)?)\b/;

/** The sentence of the verifier where it is shown; else empty. */
function exactly({ name, state, detail, text }: ShownStep): string {
  if (text !== undefined) return '';
  const isExact = state === 'ok' ? TELLING.includes(name) : !PLAIN.includes(name) || state === 'failed';
  return isExact || keyFor('steps.', `${name}_${state}`) === null ? detail : '';
}

function StepText({ step }: { step: ShownStep }) {
  const { name, state, text } = step;
  if (text !== undefined) return <>{text}</>;
  const key = keyFor('steps.', `${name}_${state}`);
  const detail = exactly(step);
  return (
    <>
      {key !== null && t(key)}
      {name === 'log' && (
        <>
          {' '}
          <a href="/transparency">{t('steps.about_log')}</a>
        </>
      )}
      {detail !== '' && (
        <span class={key !== null ? 'exactly small' : ''} lang="en">
          {detail}
        </span>
      )}
    </>
  );
}

function stepName(name: StepName): string {
  const key = keyFor('steps.', name);
  return key === null ? name : t(key);
}
