import { t } from '../i18n/i18n.js';
import type { Expected } from './check-file.js';

interface Props {
  expected: Expected;
  onChange: (expected: Expected) => void;
  /** Why the text for the log cannot be used, in the words of the verifier (English); null where it can. */
  logProblem: string | null;
}

/** What a person knows of a file beforehand: without it, a file can be correct and of somebody else. */
export function ExpectedFields({ expected, onChange, logProblem }: Props) {
  return (
    <details class="expected">
      <summary>{t('look.expect')}</summary>
      <div class="fields">
        <p class="quiet">{t('look.expect_text')}</p>
        <label for="expected-key">{t('look.expected_key')}</label>
        <input
          id="expected-key"
          value={expected.avatar}
          placeholder="0x02…"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          dir="ltr"
          onInput={(event) => onChange({ ...expected, avatar: event.currentTarget.value })}
        />
        <label for="expected-log">{t('look.expected_log')}</label>
        <textarea
          id="expected-log"
          rows={4}
          value={expected.log}
          autocomplete="off"
          spellcheck={false}
          dir="ltr"
          aria-invalid={logProblem !== null}
          aria-describedby="expected-log-problem"
          onInput={(event) => onChange({ ...expected, log: event.currentTarget.value })}
        />
        <p id="expected-log-problem" class="problem-text" role="status">
          {logProblem !== null && (
            <>
              {t('look.not_a_log')} <span lang="en">{logProblem}</span>
            </>
          )}
        </p>
      </div>
    </details>
  );
}
