import type { ChainLink } from '@signet/sdk';
import { useEffect, useState } from 'preact/hooks';
import type { ShownStep } from '../parts/steps.js';
import type { CheckedList } from './use-chain.js';

/**
 * Whether the map over the log says that no link of this Avatar is left out, once the list was read whole and the log
 * has shown one of its links; null before, and where nothing can be said.
 */
export function useComplete({ items, isComplete }: CheckedList<ChainLink>, avatar: string): ShownStep | null {
  const [step, setStep] = useState<ShownStep | null>(null);
  const hasLog = items.some(({ steps }) => steps.some(({ name, state }) => name === 'log' && state === 'ok'));
  const isGood = isComplete && hasLog && items.every(({ ok }) => ok);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setStep(null);
    if (isGood) {
      const links = items.map(({ item }) => item);
      void import('../log/log-check.js')
        .then(({ completeStep }) => completeStep(links, avatar, signal))
        // Without the code for it nothing claims that it was checked.
        .catch(() => null)
        .then((found) => signal.aborted || setStep(found));
    }
    return () => controller.abort();
  }, [isGood, items.length, avatar]);
  return step;
}
