import { useEffect, useRef, useState } from 'preact/hooks';
import { useLatest, useUnchanged } from './stable.js';

/** What is known of something that was asked for. */
export type Asked<Value> =
  { state: 'waiting' } | { state: 'there'; value: Value } | { state: 'failed'; error: unknown };

/**
 * Asks once for each set of `inputs`; what was asked for before is given up. With another `version` it asks again and
 * shows what there was meanwhile. `again` asks once more, after a failure.
 */
export function useAnswer<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
  version = 0,
): Asked<Value> & { again: () => void } {
  const [count, setCount] = useState(0);
  const [answer, setAnswer] = useState<Asked<Value>>({ state: 'waiting' });
  const shownFor = useRef<readonly unknown[] | null>(null);
  const asked = useUnchanged(inputs);
  const latest = useLatest(ask);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const isRefresh = shownFor.current === asked;
    if (!isRefresh) setAnswer({ state: 'waiting' });
    latest.current(signal).then(
      (value) => {
        if (signal.aborted) return;
        shownFor.current = asked;
        setAnswer({ state: 'there', value });
      },
      (error: unknown) => {
        if (!signal.aborted && !isRefresh) setAnswer({ state: 'failed', error });
      },
    );
    return () => controller.abort();
  }, [asked, version, count, latest]);
  return { ...answer, again: () => setCount(count + 1) };
}
