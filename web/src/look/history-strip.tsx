import type { Check } from '@signet/sdk';
import { dateTime } from '../i18n/format.js';
import { currentLanguage, t } from '../i18n/i18n.js';
import { Time } from '../parts/time.js';

/** Fewer bars show no course of time. */
const FEWEST = 3;
/** Newest checks that fit. */
const SHOWN = 40;
const WIDTH = 6;
const HEIGHT = 24;
/** Height of a bar by what came of the check, so that colour is not the only sign. */
const HEIGHTS: Record<Check['outcome'], number> = { valid: 20, gone: 9, unavailable: 4, misconfigured: 4 };

/** What came of checks, each outcome with its number where there are several. */
function outcomesOf(checks: Check[]): string {
  const outcomes = Object.keys(HEIGHTS) as Check['outcome'][];
  const counts = outcomes.map((outcome) => [outcome, checks.filter((one) => one.outcome === outcome).length] as const);
  const words = counts
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${t(`look.outcome_${outcome}`)}${checks.length > 1 ? ` ${count}` : ''}`);
  return new Intl.ListFormat(currentLanguage(), { type: 'unit' }).format(words);
}

/** The checks of a binding by the server, oldest to newest: a bar for each, and all of them as a list. */
export function HistoryStrip({ checks }: { checks: Check[] }) {
  if (checks.length === 0) return <p class="quiet small">{t('look.no_checks')}</p>;
  const shown = checks.slice(0, SHOWN).reverse();
  const summary = t('look.strip_summary', { count: checks.length, outcomes: outcomesOf(checks) });
  return (
    <figure class="strip">
      {shown.length >= FEWEST && (
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
      )}
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
