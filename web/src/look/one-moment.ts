/**
 * Two answers of a server that changes meanwhile contradict each other without anybody lying: a binding may be made
 * after its list was read and before its chain is. So what contradicts is read again, one between two equal readings of
 * the other, before the page shows anything in red.
 */
import { useEffect, useState } from 'preact/hooks';
import { useLatest } from '../shell/stable.js';

/** Two answers that are held against each other. */
export interface Pair<Outer, Inner> {
  outer: Outer;
  inner: Inner;
}

/** How both are read, and when they do not fit together. */
export interface Reading<Outer, Inner> {
  outer: (signal: AbortSignal) => Promise<Outer>;
  inner: (signal: AbortSignal) => Promise<Inner>;
  isSame: (one: Outer, other: Outer) => boolean;
  contradicts: (pair: Pair<Outer, Inner>) => boolean;
}

/** `reading`: they contradict each other and are being read again; `unread`: that failed, so nothing is known. */
export type Moment = 'settled' | 'reading' | 'unread';

/** A server whose answer differs each time is believed no longer. */
const MAX_TRIES = 5;

/**
 * `pair` if its parts fit together, else what was read of one moment. `name` says what is read, with the version of it;
 * `isFresh` whether the pair is of that version.
 */
export function useOneMoment<Outer, Inner>(
  pair: Pair<Outer, Inner> | null,
  reading: Reading<Outer, Inner>,
  { name, isFresh }: { name: string; isFresh: boolean },
): { pair: Pair<Outer, Inner> | null; moment: Moment } {
  const [read, setRead] = useState<{ name: string; pair: Pair<Outer, Inner> | null } | null>(null);
  const own = read?.name === name ? read : null;
  const isDoubtful = pair !== null && reading.contradicts(pair);
  const isOpen = own === null && isDoubtful && isFresh;
  const latest = useLatest(reading);
  useEffect(() => {
    if (!isOpen) return;
    const controller = new AbortController();
    const show = (found: Pair<Outer, Inner> | null) => {
      if (!controller.signal.aborted) setRead({ name, pair: found });
    };
    readOneMoment(latest.current, controller.signal).then(show, () => show(null));
    return () => controller.abort();
  }, [name, isOpen, latest]);
  if (own)
    return own.pair ? { pair: own.pair, moment: 'settled' } : { pair, moment: isDoubtful ? 'unread' : 'settled' };
  return { pair, moment: isDoubtful ? 'reading' : 'settled' };
}

/** Reads `inner` between two equal readings of `outer`, which then are of one moment; at last whatever comes. */
async function readOneMoment<Outer, Inner>(
  { outer, inner, isSame }: Reading<Outer, Inner>,
  signal: AbortSignal,
): Promise<Pair<Outer, Inner>> {
  let before = await outer(signal);
  for (let tries = 1; ; tries++) {
    const found = await inner(signal);
    const after = await outer(signal);
    if (isSame(before, after) || tries === MAX_TRIES) return { outer: after, inner: found };
    before = after;
  }
}
