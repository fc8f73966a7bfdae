import { useEffect, useState } from 'preact/hooks';
import { currentLanguage, t, type TextKey } from '../i18n/i18n.js';
import { API_URL } from '../shell/service.js';
import { type Rates, ratesBetween, type Reading, readMetrics } from './metrics.js';

/** Milliseconds between two readings, and how many are drawn: ten minutes. */
const EVERY_MS = 5000;
const KEPT = 120;
const WIDTH = 240;
const HEIGHT = 64;

const PLOTS: [TextKey, (rates: Rates) => number | null][] = [
  ['console.requests_per_second', ({ requestsPerSecond }) => requestsPerSecond],
  ['console.latency_ms', ({ latencyMs }) => latencyMs],
  ['console.rechecks_per_minute', ({ rechecksPerMinute }) => rechecksPerMinute],
  ['console.events_per_minute', ({ eventsPerMinute }) => eventsPerMinute],
];

/** What this server does, from `/metrics`: four lines over the last ten minutes. */
export function Plots() {
  const { rates, problem } = useRates();
  return (
    <section class="plots" aria-label={t('console.load')}>
      <h2>{t('console.load')}</h2>
      {problem !== '' && <p class="trouble">{problem}</p>}
      <div class="plot-grid">
        {PLOTS.map(([name, valueOf]) => (
          <Plot key={name} name={t(name)} values={rates.map(valueOf)} />
        ))}
      </div>
    </section>
  );
}

function useRates(): { rates: Rates[]; problem: string } {
  const [rates, setRates] = useState<Rates[]>([]);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let before: Reading | null = null;
    const controller = new AbortController();
    const read = async () => {
      const response = await fetch(`${API_URL}/metrics`, { signal: controller.signal });
      if (!response.ok) throw new Error(t('console.no_metrics'));
      const now = readMetrics(await response.text(), Date.now());
      if (before) {
        const next = ratesBetween(before, now);
        setRates((old) => [...old, next].slice(-KEPT));
      }
      before = now;
      setProblem('');
    };
    const look = () => {
      read().catch((error: unknown) => {
        if (!controller.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
      });
    };
    look();
    const timer = setInterval(look, EVERY_MS);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, []);
  return { rates, problem };
}

function Plot({ name, values }: { name: string; values: (number | null)[] }) {
  const known = values.filter((value) => value !== null);
  const top = Math.max(1, ...known);
  const write = (value: number) => value.toLocaleString(currentLanguage(), { maximumFractionDigits: 1 });
  const points = values.flatMap((value, index) => {
    if (value === null) return [];
    const x = WIDTH - (values.length - 1 - index) * (WIDTH / (KEPT - 1));
    return [`${x.toFixed(1)},${(HEIGHT - 2 - (value / top) * (HEIGHT - 6)).toFixed(1)}`];
  });
  const last = known.at(-1);
  const shown = last === undefined ? '–' : write(last);
  return (
    <figure class="plot">
      <figcaption>
        {name} <strong>{shown}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${name}: ${shown}`} preserveAspectRatio="none">
        <line x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
        <polyline points={points.join(' ')} />
      </svg>
      <span class="quiet small">
        {known.length > 0 ? t('console.highest', { value: write(Math.max(...known)) }) : t('console.no_data')}
      </span>
    </figure>
  );
}
