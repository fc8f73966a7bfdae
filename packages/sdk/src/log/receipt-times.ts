/** Whether the times of a receipt are those of a promise that was made now. */
import { CLOCK_SPREAD_SECONDS } from '@signet/verify/internal';
import type { Receipt } from '@signet/verify/log';

/** No promise is good for longer: one for a hundred years is none. */
const LONGEST_PROMISE_SECONDS = 172_800;

/** UNIX seconds as people read them. */
export const instant = (seconds: number) => new Date(Math.min(seconds, 8.64e12) * 1000).toISOString();

/** The end of a sentence where a receipt is of another moment than the write, or promises nothing; else null. */
export function problemOfTimes({ time, deadline }: Receipt, createdAt: number, isFresh: boolean): string | null {
  const now = Date.now() / 1000;
  // The answer to a write that was made before says when that was.
  const earliest = isFresh ? now : Math.min(now, createdAt);
  if (time > now + CLOCK_SPREAD_SECONDS || time < earliest - CLOCK_SPREAD_SECONDS) {
    return `its receipt is of ${instant(time)}, and the clock of this machine says ${instant(now)}.`;
  }
  if (deadline > time + LONGEST_PROMISE_SECONDS) {
    return `its receipt promises it until ${instant(deadline)}: more than two days are no promise.`;
  }
  return isFresh && deadline < now - CLOCK_SPREAD_SECONDS ? `its receipt was over at ${instant(deadline)}.` : null;
}
