/** The options of a monitor of a log, its state, and its events. */
import type { LogEntry } from '@signet/verify/log';
import type { SavedMap } from '@signet/verify/internal/map';
import type { FeedLink } from '../../answers.js';
import { WrongUsageError } from '../../errors.js';
import type { TransportOptions } from '../../transport.js';
import type { AppState } from './app-patches.js';
import type { CosignedSize } from './entry-times.js';
import type { HeldState } from './held-writes.js';
import type { AnyRecord, FollowedKind } from '../record-kinds.js';

/** A head that the log signed, a witness shows, and the log does not. */
export interface MissedHead {
  /** The witness that shows it, by the name that the policy gives it. */
  witness: string;
  note: string;
  /** UNIX seconds at which the witness signed it, as it says, and not behind those at which the monitor saw it. */
  since: number;
}

/** The first record of a feed that is not in the log. */
export interface WaitingRecord {
  uuid: string;
  /** UNIX seconds since which it waits: when it was first seen, or what its receipt says. */
  since: number;
  /** Whether there was an alarm. */
  isTold: boolean;
}

/** Where a monitor stands; plain JSON, so that it can be kept in a file. */
export interface MonitorState {
  v: 1;
  verifierKey: string;
  /** The last checkpoint that was looked at; empty before the first. */
  note: string;
  /** Entries that were checked: all of that checkpoint, or fewer while a long log is read for the first time. */
  size: number;
  /** Of the tree so far, Base64, the largest subtree first. */
  frontier: string[];
  /** The last number in the feed of each kind. */
  lastLinkId: number;
  lastPatchId: number;
  [last: `last${string}Id`]: number;
  /** Tiles at the end of that tree, `<level>/<number>`, of which there was an alarm. */
  reportedTiles?: string[];
  /** UNIX seconds of the last entry of each kind, as it says itself; absent before the first. */
  lastLinkAt?: number;
  lastPatchAt?: number;
  lastErasureAt?: number;
  [last: `last${string}At`]: number | undefined;
  /** The newest checkpoint that met a policy with witnesses; absent before the first. */
  cosigned?: CosignedSize;
  /** What a witness showed at the last look and the log did not; absent where the log shows all. */
  missed?: MissedHead;
  /** The first record of each feed that was not in the log at the last look. */
  waiting?: { [kind: string]: WaitingRecord };
  /**
   * Records that were shown as erased, `link 5` or `kv 5`, and no entry so far says so; true after an alarm. Absent
   * before the first.
   */
  erased?: { [record: string]: boolean };
  /** The map over the entries that were checked; absent before the first. */
  map?: SavedMap;
  /** Whether there was an entry of the map. */
  hasMap?: boolean;
  /** The size of the last tree head of which there was an alarm `map_missing`. */
  reportedMapMissing?: number;
  /** Kinds of entries that the version which read them did not know, and that were told of. */
  otherKinds?: string[];
  /** What the rules need of the records of each Avatar, of kinds that have such rules. */
  kept?: { [item: string]: { [avatar: string]: unknown } };
  /** Keys of apps, and patches of theirs that wait for the next entry of the map; absent where there are none. */
  apps?: AppState;
  /** Avatars whose writes their keys have stopped; absent where there were none. */
  held?: HeldState;
  /** The signatures of the last record of each kind of each Avatar. */
  chains: { [avatar: string]: { [item: string]: string } };
  /** Alarms so far. */
  alarms: number;
}

/** What a monitor looks at. */
export interface MonitorOptions extends TransportOptions {
  /** The verifier key of the log; without it and a policy, the one that the server reports first. */
  logKey?: string | undefined;
  /**
   * The text of a policy: keys of logs, and witnesses that have to sign. What each witness signed last is read at its
   * URL in the policy, and compared with what the log shows.
   */
  policy?: string | undefined;
  /** Where to go on; from the first entry when absent. */
  state?: MonitorState | undefined;
  /** True: ends when it has caught up. */
  once?: boolean | undefined;
  /** Between two looks, milliseconds; 5,000 when absent. */
  intervalMs?: number | undefined;
  /**
   * For how long a smaller checkpoint than before is taken for an old copy, and for how long records may wait while the
   * log does not grow, milliseconds; 10,000 when absent.
   */
  patienceMs?: number | undefined;
  /** How old the last cosignature of a checkpoint that meets the policy may be, seconds; 3,600 when absent. */
  witnessSeconds?: number | undefined;
  /** Between two looks at what the witnesses of the policy show, milliseconds; 60,000 when absent. */
  witnessIntervalMs?: number | undefined;
  /** For how long a record that the feeds show may be missing from the log, seconds; 3,600 when absent. */
  loggedSeconds?: number | undefined;
  /** Entries after which the state may be stored in a long log, from one time to the next; 10,240 when absent. */
  stepEntries?: number | undefined;
  /** Compressed keys of Avatars. */
  avatars?: string[] | undefined;
  /** `platform:identity`, or an identity on any platform. */
  identities?: string[] | undefined;
  signal?: AbortSignal | undefined;
}

/** Why a monitor raises an alarm. */
export type AlarmCode =
  | 'log_signature'
  | 'witnesses'
  | 'origin_changed'
  | 'fork'
  | 'rollback'
  /** For more than five minutes the log has not shown a head that it signed and a witness shows. */
  | 'withheld'
  | 'history_rewritten'
  | 'tile'
  | 'not_logged'
  | 'malformed_entry'
  | 'order'
  | 'standstill'
  | 'time'
  | 'content_missing'
  | 'content_changed'
  /** The server shows a record as erased, and the log has no entry of that. */
  | 'erasure_not_logged'
  /**
   * A map entry has another root than the entries before it make: answers by this map may lack something. One alarm for
   * each look, about the first.
   */
  | 'map'
  /** A map entry is not about the entries before it. */
  | 'map_size'
  /** A tree head behind the first map entry ends with another entry. */
  | 'map_missing'
  /** What an Avatar signed was recorded while its keys had stopped its writes. */
  | 'held'
  | 'signature';

/** What a monitor reports. */
export type MonitorEvent =
  /** Ends a look. */
  | { type: 'checkpoint'; origin: string; size: number; root: string; alarms: number }
  /** `canStore`: the state may be stored now, to go on from here. */
  | { type: 'progress'; done: number; size: number; canStore: boolean }
  /** What is odd about a witness of the policy, by its name there; no alarm, since it says nothing about the log. */
  | { type: 'witness'; witness: string; message: string }
  | { type: 'watched'; index: number; entry: LogEntry; record: AnyRecord }
  /** A link binds a wallet of which only the server says that it agreed, as it is with contract wallets. No alarm. */
  | { type: 'by_the_server'; index: number; entry: LogEntry; record: FeedLink; message: string }
  /** The first entry of a kind that this version does not know, as later ones may write it. No alarm. */
  | { type: 'unknown_kind'; index: number; kind: string; message: string }
  /**
   * The state is that of an earlier version, which read entries of this kind without knowing it: all entries are read
   * again. No alarm.
   */
  | { type: 'read_again'; kind: string; message: string }
  /** The text of a record was erased, as the operator says in the log, with a reason. No alarm. */
  | { type: 'erased'; index: number; entry: LogEntry; record: AnyRecord; message: string }
  | {
      type: 'alarm';
      code: AlarmCode;
      message: string;
      index?: number;
      entry?: LogEntry;
      /** Both notes, where the log contradicts itself: together they prove it. */
      remembered?: string;
      shown?: string;
      /** For `not_logged`: what the log promised, where its server has signed it. */
      receipt?: string;
    };

/** What a monitor that begins knows. */
export function newMonitorState(): MonitorState {
  return {
    v: 1,
    verifierKey: '',
    note: '',
    size: 0,
    frontier: [],
    lastLinkId: 0,
    lastPatchId: 0,
    chains: {},
    alarms: 0,
  };
}

/** What every state has beside its version and frontier, by `typeof`. */
const MEMBERS = {
  ...{ verifierKey: 'string', note: 'string', size: 'number', lastLinkId: 'number', lastPatchId: 'number' },
  ...{ chains: 'object', alarms: 'number' },
} as const satisfies Partial<Record<keyof MonitorState, string>>;

/** Refuses a state that no monitor has kept, or of which a part is missing. @throws WrongUsageError */
function assertState(state: MonitorState): void {
  const { v, frontier, ...rest } = (state ?? {}) as Partial<MonitorState> & Record<string, unknown>;
  const isWhole = Object.entries(MEMBERS).every(([name, type]) => typeof rest[name] === type && rest[name] !== null);
  const isFrontier = Array.isArray(frontier) && frontier.every((hash) => typeof hash === 'string');
  if (v === 1 && isWhole && isFrontier) return;
  throw new WrongUsageError('The state is not one that a monitor has kept: begin again without it.');
}

/**
 * A state from which all entries are read again, since those of a kind that is followed now were passed over, and what
 * rests on them was not checked; null where there were none. What is known of the log and its heads stays.
 */
export function readAgain(
  state: MonitorState,
  kinds: readonly FollowedKind[],
): { state: MonitorState; event: MonitorEvent } | null {
  assertState(state);
  const { otherKinds = [], verifierKey, note, cosigned, missed, alarms } = state;
  const kind = kinds.map(({ entry }) => entry.name).find((name) => otherKinds.includes(name));
  if (kind === undefined) return null;
  const message = `An earlier version has read entries of the kind ${kind} without checking them: all entries are read again, and alarms that were told are told again.`;
  return {
    state: {
      ...{ ...newMonitorState(), verifierKey, note, alarms },
      ...(cosigned && { cosigned }),
      ...(missed && { missed }),
    },
    event: { type: 'read_again', kind, message },
  };
}

export type Alarm = Extract<MonitorEvent, { type: 'alarm' }>;

/** An event of type `alarm`. */
export function alarm(code: AlarmCode, message: string, about: Omit<Partial<Alarm>, 'type' | 'code'> = {}): Alarm {
  return { type: 'alarm', code, message, ...about };
}

/** The log contradicts itself, or is not the one that is followed. */
export function isAboutLog(code: AlarmCode): boolean {
  return ['log_signature', 'origin_changed', 'fork', 'rollback', 'history_rewritten'].includes(code);
}

/** The alarm of entries that do not lead to the root of a checkpoint of `size` entries; `notes` are both of them. */
export function rewritten(size: number, notes: { remembered: string; shown: string }): Alarm {
  return alarm('history_rewritten', `The entries do not lead to the root of the checkpoint of ${size} entries.`, notes);
}
