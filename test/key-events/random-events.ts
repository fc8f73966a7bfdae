/** Random key events of one Avatar, many of them at the second of a deadline. */
import type { KeyFact } from '@signet/verify/key-events';
import type { SeededRandom } from '../crypto/seeded-random.js';

export const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `key:${letter.repeat(64)}`);
export const APP_KEYS = ['1', '2', '3'].map((digit) => `ed25519:0x${digit.repeat(64)}`);
export const START = 1_800_000_000;
const ACTIONS = [
  'key.commit',
  'key.commit',
  'key.freeze',
  'key.thaw',
  'key.succeed',
  'key.succeed',
  'key.veto',
  'key.veto',
  'key.add',
  'key.add',
  'key.revoke',
] as const;
const SCOPES = [['kv'], ['kv:github:alice'], ['kv:github:alice', 'kv:dns:example.com']];
/** Seconds from the time of an event to the end of the key that it adds. */
const LIFETIMES = [0, 1, 3_600, 86_400, 30 * 86_400, 730 * 86_400, 730 * 86_400 + 1];
const STEPS = [0, 1, 60, 3_600, 86_399, 86_400, 7 * 86_400, 30 * 86_400];

/** What an event may refer to. */
export interface Known {
  /** The time of the last event. */
  at: number;
  deadlines: number[];
  /** Recovery keys in force. */
  keys: string[];
  /** Uuids of what is pending. */
  pending: string[];
  links: number;
}

export function pick<Item>(random: SeededRandom, items: readonly Item[]): Item {
  return items[random.below(items.length)]!;
}

/** A time behind the last event: near a deadline, or some usual time later. */
export function nextTime(random: SeededRandom, { at, deadlines }: Pick<Known, 'at' | 'deadlines'>): number {
  const near = deadlines
    .map((time) => time + random.below(3) - 1)
    .filter((time) => time >= at && time < at + 100 * 86_400);
  return near.length > 0 && random.below(3) === 0 ? pick(random, near) : at + pick(random, STEPS);
}

/** The uuid of the event of this number. */
export function uuidOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** A statement of an event that is recorded at `known.at`. */
export function aStatement(random: SeededRandom, action: (typeof ACTIONS)[number], known: Known) {
  if (action === 'key.add') {
    const [key, scopes] = [pick(random, APP_KEYS), pick(random, SCOPES)];
    return { action, fields: { key, scopes, origin: null, expires_at: known.at + pick(random, LIFETIMES) } };
  }
  if (action === 'key.revoke') return { action, fields: { key: pick(random, APP_KEYS) } };
  if (action === 'key.commit') {
    const recovery = KEYS.filter(() => random.below(2) === 0).slice(0, 1 + random.below(4));
    if (random.below(2) === 0) recovery.reverse();
    const delay_hours = pick(random, [24, 72, 168]);
    return { action, fields: { recovery: recovery.length > 0 ? recovery : [KEYS[0]!], delay_hours } };
  }
  if (action === 'key.succeed') {
    const successor = `0x02${String(random.below(9)).repeat(64)}`;
    return { action, fields: { successor, since_link: null, since_patch: null } };
  }
  if (action === 'key.veto') {
    const event =
      known.pending.length > 0 && random.below(5) > 0 ? pick(random, known.pending) : uuidOf(random.below(9));
    return { action, fields: { event } };
  }
  return { action, fields: {} };
}

/** Any event, allowed or not. */
export function anEvent(random: SeededRandom, number: number, known: Known): KeyFact {
  const recorded_at = nextTime(random, known);
  const statement = aStatement(random, pick(random, ACTIONS), { ...known, at: recorded_at }) as KeyFact;
  const signers = ['main', 'main', ...known.keys, pick(random, KEYS), pick(random, APP_KEYS)];
  const cosigners = [null, null, null, known.keys[0] ?? null, pick(random, KEYS)];
  const isAdd = statement.action === 'key.add' && random.below(8) > 0;
  return {
    ...statement,
    ...{ uuid: uuidOf(number), signer: isAdd ? 'main' : pick(random, signers) },
    ...{ cosigner: isAdd ? statement.fields.key : pick(random, cosigners), links: known.links, recorded_at },
  };
}
