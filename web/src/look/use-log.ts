import type { ChainLink } from '@signet/sdk';
import type { Step } from '@signet/verify';
import { useEffect, useState } from 'preact/hooks';
import { type CheckedList, withStep } from './use-chain.js';

/** Newest links that are held against the log by themselves: each costs a request. */
const LOOKED_UP = 60;
/** Requests at the same time. */
const TOGETHER = 4;

/** The list with a step `log` for each of its newest links, as it comes. What the log does not hold has failed. */
export function useLogSteps(list: CheckedList<ChainLink>, avatar: string): CheckedList<ChainLink> {
  const [steps, setSteps] = useState(new Map<ChainLink, Step>());
  const { items, isComplete } = list;
  useEffect(() => {
    if (!isComplete || items.length === 0) return;
    const controller = new AbortController();
    const { signal } = controller;
    // What is wrong already needs no log to say so.
    const waiting = items.slice(-LOOKED_UP).flatMap(({ item, ok }) => (ok ? [item] : []));
    const work = async () => {
      const { logStep } = await import('./log-check.js');
      for (let link = waiting.shift(); link && !signal.aborted; link = waiting.shift()) {
        const current = link;
        const step = await logStep(current, avatar, signal);
        if (!signal.aborted) setSteps((old) => new Map(old).set(current, step));
      }
    };
    // Without the code for it the log is not checked, and nothing claims that it was.
    for (let worker = 0; worker < TOGETHER; worker++) work().catch(() => undefined);
    return () => controller.abort();
  }, [items, isComplete, avatar]);
  return { ...list, items: items.map((checked) => withStep(checked, steps.get(checked.item))) };
}
