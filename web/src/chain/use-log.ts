import type { ChainLink } from '@signet/sdk';
import { useEffect, useState } from 'preact/hooks';
import type { ShownStep } from '../parts/steps.js';
import { type CheckedList, withStep } from './use-chain.js';

/** Newest links that are held against the log by themselves: each costs a request. Older ones are once unfolded. */
const LOOKED_UP = 40;
/** Requests at the same time. */
const TOGETHER = 4;

/** A list with what the log says of its links. */
export interface LoggedList {
  /** With a step `log` for each link that was looked up, or is being. What the log does not hold has failed. */
  links: CheckedList<ChainLink>;
  /** Looks a link up next, unless it was. */
  lookUp: (link: ChainLink) => void;
  /** Whether the server has turned out to keep no log: then no link has a step `log`. */
  isWithoutLog: boolean;
}

const LOOKING: ShownStep = { name: 'log', state: 'waiting', detail: '' };

/** Holds the newest links of a list against the log once it was read whole, and others when they are asked for. */
export function useLog(list: CheckedList<ChainLink>, avatar: string): LoggedList {
  const [steps, setSteps] = useState<ReadonlyMap<string, ShownStep>>(new Map());
  const [isWithoutLog, setWithoutLog] = useState(false);
  const [queue] = useState(
    () =>
      new LookUps(
        (name, step) => setSteps((old) => new Map(old).set(name, step)),
        () => {
          setWithoutLog(true);
          setSteps(new Map());
        },
      ),
  );
  const { items, isComplete } = list;
  useEffect(() => {
    if (!isComplete) return;
    // What is wrong already needs no log to say so.
    for (const { item, ok } of items.slice(-LOOKED_UP)) if (ok) queue.add(item, avatar);
  }, [items, isComplete, avatar, queue]);
  useEffect(() => () => queue.stop(), [queue]);
  return {
    links: { ...list, items: items.map((checked) => withStep(checked, steps.get(nameOf(checked.item)))) },
    lookUp: (link) => {
      if (queue.add(link, avatar, 'next')) setSteps((old) => new Map(old).set(nameOf(link), LOOKING));
    },
    isWithoutLog,
  };
}

/** All that the log holds of a link: if any of it changes, it is looked up again. */
function nameOf(link: ChainLink): string {
  return JSON.stringify({ ...link, archive_id: '' });
}

/** Links that wait to be looked up, each once. */
class LookUps {
  private readonly asked = new Set<string>();
  private readonly waiting: { link: ChainLink; avatar: string }[] = [];
  private readonly controller = new AbortController();
  private running = 0;

  private isWithoutLog = false;

  constructor(
    private readonly found: (name: string, step: ShownStep) => void,
    private readonly foundNoLog: () => void,
  ) {}

  /** Whether it is looked up now and was not before. */
  add(link: ChainLink, avatar: string, place: 'next' | 'last' = 'last'): boolean {
    const name = nameOf(link);
    if (this.isWithoutLog || this.asked.has(name)) return false;
    this.asked.add(name);
    if (place === 'next') this.waiting.unshift({ link, avatar });
    else this.waiting.push({ link, avatar });
    if (this.running < TOGETHER) void this.work();
    return true;
  }

  stop(): void {
    this.controller.abort();
  }

  private endWithoutLog(): void {
    this.isWithoutLog = true;
    this.waiting.length = 0;
    this.foundNoLog();
  }

  private async work(): Promise<void> {
    const { signal } = this.controller;
    this.running++;
    try {
      const { logStep } = await import('../log/log-check.js');
      for (let next = this.waiting.shift(); next && !signal.aborted; next = this.waiting.shift()) {
        const step = await logStep(next.link, next.avatar, signal);
        if (signal.aborted || this.isWithoutLog) return;
        if (step === null) return this.endWithoutLog();
        this.found(nameOf(next.link), step);
      }
    } catch {
      // Without the code for it the log is not checked, and nothing claims that it was.
    } finally {
      this.running--;
    }
  }
}
