import type { ChainLink, KvPatch } from '@signet/sdk';
import type { Erasure, SignedLink, SignedPatch } from '@signet/verify';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { date } from '../i18n/format.js';
import { t } from '../i18n/i18n.js';
import { Identity, platformName, Seen } from '../parts/names.js';
import { SpeechMark, Stamp, type CheckState } from '../parts/signs.js';
import { type ShownStep, StepList } from '../parts/steps.js';
import { Time } from '../parts/time.js';
import type { SigningApp } from './app-keys.js';
import type { Checked } from './use-chain.js';

/** Where content of the key itself stands, by whose name it is. */
const OWN = 'self';

/** Items that are drawn at once; the next ones come by a button. */
const SHOWN = 100;

type AnyLink = Pick<ChainLink, Exclude<keyof SignedLink & keyof ChainLink, 'erased'>> & {
  proof_location?: string;
  archive_id?: string;
  erased?: Erasure;
};

/** A chain, drawn oldest to newest; each link unfolds into what the server says and what was checked here. */
export function LinkChain<Link extends AnyLink>({
  links,
  onUnfold,
}: {
  links: Checked<Link>[];
  onUnfold?: (link: Link) => void;
}) {
  return (
    <Chain
      items={links}
      onUnfold={onUnfold}
      title={({ item }) => (
        <>
          <strong>{t(item.action === 'delete' ? 'look.revoked' : 'look.bound')}</strong> <Name of={item} />
        </>
      )}
      facts={({ item }) => (
        <>
          <Fact name={t('look.bound_on')} text={<Time seconds={item.created_at} exact />} />
          {item.proof_location ? (
            <Fact
              name={t('look.location')}
              text={
                <bdi>
                  <Seen text={item.proof_location} />
                </bdi>
              }
            />
          ) : null}
          <Fact name="UUID" text={<code>{item.uuid}</code>} />
          {item.archive_id ? <Fact name={t('look.archive_id')} text={<code>{item.archive_id}</code>} /> : null}
          <SignedText of={item} />
          <Fact name={t('look.signature')} text={<code>{item.signature}</code>} />
        </>
      )}
    />
  );
}

/** A chain of signed patches. */
export function PatchChain({ patches }: { patches: Checked<Pick<KvPatch, keyof SignedPatch & keyof KvPatch>>[] }) {
  return (
    <Chain
      items={patches}
      title={({ item }) => (
        <>
          <Name of={item} />
        </>
      )}
      facts={({ item, app }) => (
        <>
          {app && <Fact name={t('look.signed_by')} text={<App app={app} />} />}
          <Fact name={t('look.written_on')} text={<Time seconds={item.created_at} exact />} />
          {item.erased ? null : (
            <Fact
              name={t('look.patch')}
              text={
                <pre dir="auto">
                  <Seen text={JSON.stringify(item.patch, null, 2)} isLong />
                </pre>
              }
            />
          )}
          <Fact name="UUID" text={<code>{item.uuid}</code>} />
          <SignedText of={item} />
          <Fact name={t('look.signature')} text={<code>{item.signature}</code>} />
        </>
      )}
    />
  );
}

/** The steps of what the key of an app signed, in the words for that. */
function stepsByApp(steps: readonly ShownStep[]): ShownStep[] {
  return steps.map((step) =>
    step.name === 'signature' && step.state === 'ok' ? { ...step, text: t('look.app_signature_ok') } : step,
  );
}

/** The app whose key signed something, by the origin of its pages where it has one. */
function App({ app: { key, origin } }: { app: SigningApp }) {
  return (
    <>
      {origin ? <bdi>{origin}</bdi> : t('look.an_app')} <code>{key}</code>
    </>
  );
}

interface Signed {
  uuid: string;
  created_at: string | number;
  signature_payload: string;
  erased?: Erasure | undefined;
}

/** What a link or patch is about; an erased one has a platform alone. */
function Name({ of: { platform, identity, erased } }: { of: Signed & { platform: string; identity: string } }) {
  if (platform === OWN && !erased) return <>{t('look.key_itself')}</>;
  return (
    <>
      {platformName(platform)} {erased ? <em>{t('look.erased')}</em> : <Identity name={identity} />}
    </>
  );
}

/** The signed text, or when and why it was erased. */
function SignedText({ of: { signature_payload: text, erased } }: { of: Signed }) {
  if (!erased)
    return (
      <Fact
        name={t('look.signed_text')}
        text={
          <pre dir="auto">
            <Seen text={text} isLong />
          </pre>
        }
      />
    );
  return (
    <>
      <Fact name={t('look.erased_on')} text={<Time seconds={erased.at} exact />} />
      <Fact
        name={t('look.erased_reason')}
        text={
          <bdi>
            <Seen text={erased.reason} />
          </bdi>
        }
      />
    </>
  );
}

interface ChainProps<Item> {
  items: Checked<Item>[];
  onUnfold?: ((item: Item) => void) | undefined;
  title: (item: Checked<Item>) => ComponentChildren;
  facts: (item: Checked<Item>) => ComponentChildren;
}

function Chain<Item extends Signed>({ items, onUnfold, title, facts }: ChainProps<Item>) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <>
      <ol class="chain">
        {items.slice(0, shown).map((checked, index) => (
          <li key={index} class={stateOf(checked)}>
            <details onToggle={(event) => event.currentTarget.open && onUnfold?.(checked.item)}>
              <summary>
                <Stamp state={stateOf(checked)} />
                <span class="chain-title">{title(checked)}</span>
                <span class="quiet small">{date(checked.item.created_at)}</span>
              </summary>
              <div class="two-sides">
                <section class="said">
                  <h3>
                    <SpeechMark /> {t('look.server_says')}
                  </h3>
                  <dl class="facts">{facts(checked)}</dl>
                </section>
                <section class="checked">
                  <h3>{t('look.checked_here')}</h3>
                  <StepList steps={checked.app ? stepsByApp(checked.steps) : checked.steps} />
                </section>
              </div>
            </details>
          </li>
        ))}
      </ol>
      {items.length > shown && (
        <button type="button" onClick={() => setShown(shown + SHOWN)}>
          {t('look.show_more', { count: items.length - shown })}
        </button>
      )}
    </>
  );
}

/**
 * A link whose post only its platform can show is still signed and in its place: that is what the stamp says. Of an
 * erased one nothing shows that it was signed, nor of what the key of an app signed that nothing is known of.
 */
function stateOf({ ok, item, steps }: Checked<Signed>): CheckState {
  if (!ok) return 'failed';
  return item.erased || isUnsigned({ steps }) ? 'not_checkable' : 'ok';
}

/** Whether the signature itself could not be checked. */
export function isUnsigned({ steps }: { steps: readonly ShownStep[] }): boolean {
  return steps.some(({ name, state }) => name === 'signature' && state === 'not_checkable');
}

function Fact({ name, text }: { name: string; text: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </>
  );
}
