/**
 * Finds links and patches that were recorded while the keys of their Avatar had stopped its writes, as an operator can
 * who takes the refusal of the database away. Between two entries of the map the log has links, patches and key events
 * kind by kind, whatever was recorded first: so all is judged at the next entry of the map, by the counts of the
 * events.
 */
import { HOLD_TOLERANCE_SECONDS, heldUntil } from '@signet/verify/internal/key-events';
import type { KeyState, SignedKeyEvent } from '@signet/verify/key-events';
import type { AvatarState } from '@signet/verify/internal/map';
import { type Alarm, alarm } from './monitor-events.js';

const LISTS = ['links', 'patches'] as const;

/** How many records of each kind an Avatar has. */
interface Counts {
  links: number;
  patches: number;
}

/** What a key event counts, and until when it stops writes: UNIX seconds, `ever`, or null where it does not. */
interface Point extends Counts {
  uuid: string;
  /** UNIX seconds. */
  at: number;
  until: number | 'ever' | null;
}

/** What is kept of an Avatar whose writes are stopped, or were as the log goes on; plain JSON. */
export interface HeldAvatar {
  /** The event behind which the newest records stand that were read, and those later. */
  points: Point[];
  /** What was judged already. */
  judged: Counts;
}

/** By Avatar. */
export interface HeldState {
  [avatar: string]: HeldAvatar;
}

/** Goes on from `state.held`, which it keeps up to date. */
export class HeldWrites {
  /** Avatars of which there is something to judge; after a restart, all that are kept. */
  private changed: Set<string>;

  constructor(private readonly state: { held?: HeldState }) {
    this.changed = new Set(Object.keys(state.held ?? {}));
  }

  /** Takes in that an Avatar has one record more. */
  note(avatar: string): void {
    if (this.state.held && Object.hasOwn(this.state.held, avatar)) this.changed.add(avatar);
  }

  /** Takes a key event that verifies, and the state behind it. */
  learn({ uuid, recorded_at: at, links, patches }: SignedKeyEvent, avatar: string, keys: KeyState): void {
    const end = heldUntil(keys);
    const held = (this.state.held ??= {});
    const known = Object.hasOwn(held, avatar) ? held[avatar]! : null;
    if (!known && end === null) return;
    const { points } = (held[avatar] = known ?? { points: [], judged: { links, patches } });
    points.push({ uuid, at, links, patches, until: end === Infinity ? 'ever' : end });
    this.changed.add(avatar);
  }

  /**
   * At an entry of the map: the alarms of what was recorded behind an event that had stopped it.
   * @param now UNIX seconds of that entry
   * @param countsOf what the log has of an Avatar so far
   */
  settle(now: number, countsOf: (avatar: string) => AvatarState | null): Alarm[] {
    const { held } = this.state;
    const alarms: Alarm[] = [];
    for (const avatar of this.changed) {
      const counts = countsOf(avatar)!;
      alarms.push(...LISTS.flatMap((list) => problemOf(avatar, held![avatar]!, list, counts, now)));
      const points = pointsOf(held![avatar]!.points, counts);
      const { links, patches } = counts;
      if (points.every((point) => isOver(point, now))) delete held![avatar];
      else held![avatar] = { points, judged: { links, patches } };
    }
    this.changed.clear();
    return alarms;
  }
}

/** The events that say something of records to come: a log that is behind with some has later events before them. */
function pointsOf(points: Point[], counts: AvatarState): Point[] {
  const newest = LISTS.map((list) => points.findLastIndex((point) => point[list] <= counts[list]!));
  return points.slice(Math.max(0, Math.min(...newest)));
}

function isOver({ until }: Point, now: number): boolean {
  return until === null || (until !== 'ever' && until <= now);
}

/** The first record of a list that was stopped, and was recorded all the same. */
function problemOf(
  avatar: string,
  { points, judged }: HeldAvatar,
  list: 'links' | 'patches',
  counts: AvatarState,
  now: number,
): Alarm[] {
  const all = counts[list] ?? 0;
  for (const [place, { until, uuid, ...point }] of points.entries()) {
    const next = points[place + 1];
    const from = Math.max(point[list], judged[list]);
    const latest = next?.at ?? now;
    const isHeld = until === 'ever' || (until !== null && latest + HOLD_TOLERANCE_SECONDS < until);
    if (!isHeld || Math.min(next?.[list] ?? all, all) <= from) continue;
    const [word, newest] = list === 'links' ? ['Link', counts.link] : ['Patch', counts.patch];
    const message = `${word} ${from + 1} of ${avatar} was recorded while key event ${uuid} had stopped its writes.`;
    return [alarm('held', message, all === from + 1 && newest !== null ? { index: newest } : {})];
  }
  return [];
}
