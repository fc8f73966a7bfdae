import { useEffect, useState } from 'preact/hooks';

/** What is known of something that was asked for. */
export type Asked<Value> =
  { state: 'waiting' } | { state: 'there'; value: Value } | { state: 'failed'; error: unknown };

/** Asks once for each set of `inputs`; what was asked for before is given up. `again` asks once more. */
export function useAnswer<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
): Asked<Value> & { again: () => void } {
  const [count, setCount] = useState(0);
  const [answer, setAnswer] = useState<Asked<Value>>({ state: 'waiting' });
  useEffect(() => {
    const controller = new AbortController();
    setAnswer({ state: 'waiting' });
    ask(controller.signal).then(
      (value) => controller.signal.aborted || setAnswer({ state: 'there', value }),
      (error: unknown) => controller.signal.aborted || setAnswer({ state: 'failed', error }),
    );
    return () => controller.abort();
  }, [...inputs, count]);
  return { ...answer, again: () => setCount(count + 1) };
}
