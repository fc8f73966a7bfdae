import { type Bound, BOUNDS } from '../../src/bounds/bounds.js';
import type { RunningApp } from './app.js';
import { until } from './until.js';

/** What each bound of a server has refused so far, as Prometheus reads it: up to half a second old. */
export async function refusedBy({ baseUrl }: Pick<RunningApp, 'baseUrl'>): Promise<Record<Bound, number>> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const samples = [...text.matchAll(/^signet_refused_total\{by="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(samples.map(([, by, count]) => [by, Number(count)])) as Record<Bound, number>;
}

/** Waits until the counter of a server names these bounds, and no other, as those that have refused something. */
export async function untilOnlyRefusedBy(running: Pick<RunningApp, 'baseUrl'>, ...bounds: Bound[]): Promise<void> {
  const wanted = Object.keys(BOUNDS).filter((by) => bounds.includes(by as Bound));
  await until(async () => {
    const counts = await refusedBy(running);
    const seen = Object.keys(BOUNDS).filter((by) => counts[by as Bound] > 0);
    return seen.join() === wanted.join();
  });
}
