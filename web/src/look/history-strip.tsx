import type { Check } from '@signet/sdk';
import { dateTime } from '../i18n/format.js';
import { t } from '../i18n/i18n.js';
import { Time } from '../parts/time.js';

/** Newest checks that fit. */
const SHOWN = 40;
const WIDTH = 6;
const HEIGHT = 24;
/** Height of a bar by what came of the check, so that colour is not the only sign. */
const HEIGHTS: Record<Check['outcome'], number> = { valid: 20, gone: 9, unavailable: 4, misconfigured: 4 };

/** The checks of a binding by the server, oldest to newest: a bar for each, and all of them as a list. */
export function HistoryStrip({ checks }: { checks: Check[] }) {
  if (checks.length === 0) return <p class="quiet small">{t('look.no_checks')}</p>;
  const shown = checks.slice(0, SHOWN).reverse();
  const count = (outcome: Check['outcome']) => checks.filter((check) => check.outcome === outcome).length;
  const summary = t('look.strip_summary', {
    count: checks.length,
    valid: count('valid'),
    gone: count('gone'),
    unknown: count('unavailable') + count('misconfigured'),
  });
  return (
    <figure class="strip">
      <svg
        viewBox={`0 0 ${shown.length * WIDTH} ${HEIGHT}`}
        width={shown.length * WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={summary}
      >
        {shown.map(({ outcome, checked_at }, index) => (
          <rect
            key={`${checked_at} ${index}`}
            class={outcome}
            x={index * WIDTH + 1}
            y={HEIGHT - 2 - (HEIGHTS[outcome] ?? 4)}
            width={WIDTH - 2}
            height={HEIGHTS[outcome] ?? 4}
          >
            <title>{`${dateTime(checked_at)}: ${t(`look.outcome_${outcome}`)}`}</title>
          </rect>
        ))}
        <line x1="0" x2={shown.length * WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
      </svg>
      <figcaption>
        <details>
          <summary>{summary}</summary>
          <ol class="checks">
            {checks.map(({ outcome, checked_at, reason }, index) => (
              <li key={`${checked_at} ${index}`} class={outcome}>
                <Time seconds={checked_at} exact /> <strong>{t(`look.outcome_${outcome}`)}</strong>{' '}
                <span lang="en">{reason}</span>
              </li>
            ))}
          </ol>
        </details>
      </figcaption>
    </figure>
  );
}
