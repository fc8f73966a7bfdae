import { useEffect, useState } from 'preact/hooks';
import type { ShownStep } from '../parts/steps.js';
import { useLatest, useUnchanged } from '../shell/stable.js';

const WAITING: ShownStep = { name: 'complete', state: 'waiting', detail: '' };
const NOT_LOADED: ShownStep = { name: 'complete', state: 'not_checkable', detail: '' };

/**
 * Makes a check against the map over the log once for each set of `inputs`. The step of it, which waits until it was
 * made; null without a check, and where the server keeps no map. A check loads log-check.ts, so that no view waits for
 * that.
 */
export function useCompleteness(
  check: ((signal: AbortSignal) => Promise<ShownStep | null>) | null,
  inputs: readonly unknown[],
): ShownStep | null {
  const [made, setMade] = useState<{ inputs: readonly unknown[]; step: ShownStep | null } | null>(null);
  const isChecked = check !== null;
  const checked = useUnchanged(inputs);
  const latest = useLatest(check);
  useEffect(() => {
    if (!isChecked) return;
    const controller = new AbortController();
    const { signal } = controller;
    void latest.current!(signal)
      // Without the code for it nothing claims that it was checked.
      .catch(() => NOT_LOADED)
      .then((step) => signal.aborted || setMade({ inputs: checked, step }));
    return () => controller.abort();
  }, [isChecked, checked, latest]);
  if (!isChecked) return null;
  return made?.inputs === checked ? made.step : WAITING;
}
