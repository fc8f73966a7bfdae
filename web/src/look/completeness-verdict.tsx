import { t } from '../i18n/i18n.js';
import { CheckedHere } from '../parts/signs.js';
import type { ShownStep } from '../parts/steps.js';
import { useAnnounced } from '../shell/announce.js';

/** What came of a check against the map over the log, in one sentence, and below it exactly what was wrong. */
export function CompletenessVerdict({
  step: { state, detail, text: own },
  ok,
  failed,
}: {
  step: ShownStep;
  ok: string;
  failed: string;
}) {
  const text =
    own ?? { ok, failed, not_checkable: t('look.completeness_not_checked'), waiting: t('look.checking_log') }[state];
  useAnnounced(state === 'waiting' ? null : text);
  return (
    <CheckedHere state={state}>
      {text}
      {detail !== '' && (
        <span class="exactly small" lang="en">
          {detail}
        </span>
      )}
    </CheckedHere>
  );
}
