/** Where the primary was at a moment of this process's own clock. */
export interface HeadSeen {
  id: number;
  /** Milliseconds of `performance.now()`, which no step of the system's clock changes. */
  seenAt: number;
}

/**
 * How far a replica has to be if it is at most so far behind that it knows what was there at `endOfLag`: the newest
 * head seen no later. Before the service has run for that long, the first head it saw counts. `kept` leaves out what
 * can never be needed again.
 * @param heads oldest first, at least one.
 */
export function chooseEndOfLag(heads: HeadSeen[], endOfLag: number): { expected: number; kept: HeadSeen[] } {
  const later = heads.findIndex(({ seenAt }) => seenAt > endOfLag);
  const chosen = Math.max(0, (later < 0 ? heads.length : later) - 1);
  return { expected: heads[chosen]!.id, kept: heads.slice(chosen) };
}
