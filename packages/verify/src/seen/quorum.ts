/** What a number of observers, of which the reader knows the keys, say together of one binding. */
import type { WithEd25519 } from '../keys/curves.js';
import type { VerifierKey } from '../log/verifier-key.js';
import { claimedTime } from '../log/note.js';
import { neededOf, type Observer, type Observers } from './observers.js';
import { readStatement, seenTime, type Statement } from './statement.js';

/** The binding that is asked about. */
export interface SeenBinding {
  /** Hex SHA-256 of the text that its link signs: `linkHash`. */
  link: string;
  platform: string;
  /** Canonical identity. */
  identity: string;
  /** The account that it has to be, where the reader knows it; null: one that has no id. Absent: the same for all. */
  account?: string | null | undefined;
}

/**
 * What counts of one observer: `seen`; `not_seen`; `other_account`, where it saw another account than the others, or
 * than the reader knows; `too_old`; `from_the_future`; `contradictory`, where it signed two texts at one time;
 * `no_statement`, where none of its keys signed anything about this link.
 */
export type ObserverState =
  'seen' | 'not_seen' | 'other_account' | 'too_old' | 'from_the_future' | 'contradictory' | 'no_statement';

/** One observer of the reader's list. */
export interface ObserverView {
  operator: string;
  state: ObserverState;
  /** When it looked, UNIX seconds; null without a statement. */
  time: number | null;
}

/** What they say together. */
export interface SeenVerdict {
  /** `no_quorum`: too few agree; `no_claim`: the list has fewer than two observers and no quorum. */
  result: 'seen' | 'not_seen' | 'no_quorum' | 'no_claim';
  /** How many agree with the result; without a quorum, how many saw it. */
  count: number;
  /** How many the list has. */
  of: number;
  /** How many have to agree; null where nothing is claimed. */
  needed: number | null;
  /** The newest look of those that are counted, UNIX seconds; null if none is. */
  lastAt: number | null;
  /** The account that was seen; null where it has no id, or where nothing was seen. */
  account: string | null;
  observers: ObserverView[];
}

/** An older look does not count: bindings are looked at every day. */
const MAX_AGE_SECONDS = 7 * 24 * 3600;
/** An observer's clock may be this far ahead of the reader's. */
const FUTURE_SECONDS = 300;
/** Signatures of one key that are verified, so that nobody can make a reader verify without end. */
const LOOKS_PER_KEY = 20;

interface Look {
  text: string;
  statement: Statement;
  time: number;
}

/**
 * Statements in one list, of whoever collected them; or by the operator whose own servers showed them, who alone is
 * judged by them: so no observer can speak for another by what it kept.
 */
export type SeenNotes = readonly string[] | ReadonlyMap<string, readonly string[]>;

/**
 * Judges the statements `notes` about one binding at `now` (UNIX seconds). Notes that cannot be read or are about
 * another link, and lines of unknown keys, do not matter. Of each key the 20 lines of the newest times are verified.
 * The newest statement of each operator counts, if it is not older than a week; a result needs as many observers as
 * `neededOf` says, and more than any other result has.
 */
export function judgeSeen(
  notes: SeenNotes,
  binding: SeenBinding,
  list: Observers,
  { now, curves }: { now: number } & WithEd25519,
): SeenVerdict {
  const shared = notes instanceof Map ? null : statementsIn(notes as readonly string[], binding);
  const shownBy = (operator: string) =>
    shared ?? statementsIn((notes as ReadonlyMap<string, readonly string[]>).get(operator) ?? [], binding);
  const views = list.observers.map(({ operator, keys }: Observer) => {
    const read = shownBy(operator);
    return {
      operator,
      ...viewOf(
        keys.flatMap((key) => looksWith(key, read, { curves })),
        now,
      ),
    };
  });
  const account = binding.account === undefined ? commonAccount(views) : binding.account;
  const observers = views.map(({ operator, state, look }): ObserverView => {
    const isOther = state === 'seen' && look?.statement.account !== account;
    return { operator, state: isOther ? 'other_account' : state, time: look?.time ?? null };
  });
  return verdictOf(observers, views, account, neededOf(list));
}

type ReadStatement = NonNullable<ReturnType<typeof readStatement>>;

/** Notes come from servers, and may be anything. */
function statementsIn(notes: readonly string[], binding: SeenBinding): ReadStatement[] {
  return notes.flatMap((text) => {
    const one = typeof text === 'string' ? readStatement(text) : null;
    return one && isAbout(one.statement, binding) ? [one] : [];
  });
}

/** The looks of a key: of its different lines those of the newest times are verified. */
function looksWith(key: VerifierKey, read: ReadStatement[], options: WithEd25519): Look[] {
  const claims = new Map<string, { claimed: number } & ReadStatement>();
  for (const one of read) {
    const claimed = claimedTime(one.note, key);
    const lines = one.note.signatures.filter(({ name, keyId }) => name === key.name && keyId === key.id);
    if (claimed !== null) claims.set(`${one.note.text}${lines[0]!.line}`, { claimed, ...one });
  }
  return [...claims.values()]
    .sort((one, other) => other.claimed - one.claimed)
    .slice(0, LOOKS_PER_KEY)
    .flatMap(({ statement, note }) => {
      const time = seenTime(note, key, options);
      return time === null ? [] : [{ text: note.text, statement, time }];
    });
}

function verdictOf(
  observers: ObserverView[],
  views: View[],
  account: string | null,
  needed: number | null,
): SeenVerdict {
  const ofState = (state: ObserverState) => observers.filter((one) => one.state === state);
  const [seen, notSeen] = [ofState('seen'), ofState('not_seen')];
  const others = new Map<string, number>();
  views.forEach(({ look }, place) => {
    if (observers[place]!.state !== 'other_account') return;
    others.set(look!.text, (others.get(look!.text) ?? 0) + 1);
  });
  const wins = (own: unknown[], other: unknown[]) =>
    needed !== null && own.length >= needed && own.length > Math.max(other.length, ...others.values());
  const isSeen = wins(seen, notSeen);
  const isNotSeen = wins(notSeen, seen);
  const counted = isNotSeen ? notSeen : seen;
  return {
    result: needed === null ? 'no_claim' : isSeen ? 'seen' : isNotSeen ? 'not_seen' : 'no_quorum',
    count: counted.length,
    of: observers.length,
    needed,
    lastAt: counted.length === 0 ? null : Math.max(...counted.map(({ time }) => time!)),
    account: counted === seen && seen.length > 0 ? account : null,
    observers,
  };
}

interface View {
  state: ObserverState;
  look: Look | null;
}

/** The newest look of one operator, and whether it counts. */
function viewOf(looks: Look[], now: number): View {
  const newest = looks.filter(({ time }) => time === Math.max(...looks.map((one) => one.time)));
  const [look] = newest;
  if (!look) return { state: 'no_statement', look: null };
  if (newest.some(({ text }) => text !== look.text)) return { state: 'contradictory', look };
  if (look.time > now + FUTURE_SECONDS) return { state: 'from_the_future', look };
  if (look.time < now - MAX_AGE_SECONDS) return { state: 'too_old', look };
  return { state: look.statement.seen ? 'seen' : 'not_seen', look };
}

/** The account that most of those saw who saw it; of two that equally many saw, the one that sorts first. */
function commonAccount(views: View[]): string | null {
  const counts = new Map<string | null, number>();
  for (const { state, look } of views) {
    if (state !== 'seen') continue;
    const { account } = look!.statement;
    counts.set(account, (counts.get(account) ?? 0) + 1);
  }
  const byName = ([a]: [string | null, number], [b]: [string | null, number]) => ((a ?? '') < (b ?? '') ? -1 : 1);
  return [...counts].sort((a, b) => b[1] - a[1] || byName(a, b))[0]?.[0] ?? null;
}

function isAbout({ link, platform, identity }: Statement, binding: SeenBinding): boolean {
  return link === binding.link && platform === binding.platform && identity === binding.identity;
}
