/**
 * The rules by which a client trusts what a log shows: who signed a checkpoint, and whether two checkpoints belong to
 * one history. `LogMonitor`, `LogChecker` and the page all judge by these functions.
 */
import { equalBytes } from '@signet/verify/internal';
import { isQuorumMet } from '@signet/verify/internal/log';
import {
  type Checkpoint,
  judgeCheckpoint,
  logOnlyPolicy,
  type Policy,
  readCheckpoint,
  readLogKey,
} from '@signet/verify/log';
import { NotFoundError } from '../errors.js';
import type { LogReader } from './log-reader.js';

/** A checkpoint with what a policy says of its signatures. */
export type JudgedHead =
  /** The text is not a checkpoint. */
  | { state: 'malformed'; note: string }
  | {
      /**
       * `unsigned`: no key that the policy accepts for this origin signed it. `lacks_witnesses`: the log signed it, and
       * too few witnesses did. `accepted`: the log signed it, and as many witnesses as the policy asks for.
       */
      state: 'unsigned' | 'lacks_witnesses' | 'accepted';
      note: string;
      checkpoint: Checkpoint;
      /**
       * UNIX seconds since which as many witnesses as the policy asks for have signed the checkpoint; null where they
       * have not, and where the policy asks for none. A witness that signs again cannot make those of others younger.
       */
      cosignedAt: number | null;
    };

/**
 * How two checkpoints relate. `one_history`: the larger continues the smaller, or both are the same tree. `other_log`:
 * their origins differ. `fork`: nothing shows that they are one history; signed by one key, they prove that it is not
 * kept honestly, or that its server withholds the proof.
 */
export type Relation = 'one_history' | 'other_log' | 'fork';

/** The policy that accepts one log, without witnesses, by its verifier key. Accepts none if the text is no such key. */
export function policyOfKey(verifierKey: string): Policy {
  const key = readLogKey(verifierKey);
  return key ? logOnlyPolicy(key) : { logs: [], witnesses: [], groups: new Map(), quorum: null };
}

/** Judges the signatures below a checkpoint. `now` is in UNIX seconds: cosignatures from the future do not count. */
export function judgeHead(note: string, policy: Policy, now = Date.now() / 1000): JudgedHead {
  const checkpoint = readCheckpoint(note);
  if (!checkpoint) return { state: 'malformed', note };
  const { log, cosignatures, isQuorumMet } = judgeCheckpoint(checkpoint, policy, { now });
  const cosignedAt = quorumTime(policy, cosignatures);
  const state = !log ? 'unsigned' : isQuorumMet ? 'accepted' : 'lacks_witnesses';
  return { state, note, checkpoint, cosignedAt };
}

/**
 * Returns the sentence that says why a checkpoint is too old to be believed, or null if it is not. Without a limit for
 * its age, a reader could be shown one old state of the log for ever, with all its cosignatures.
 * @param limitSeconds how old `cosignedAt` may be @param now UNIX seconds
 */
export function problemOfAge(cosignedAt: number | null, limitSeconds: number, now: number): string | null {
  const age = cosignedAt === null ? 0 : now - cosignedAt;
  if (age <= limitSeconds) return null;
  const span = age < 120 ? `${Math.floor(age)} seconds` : `${Math.floor(age / 60)} minutes`;
  return `For ${span} no checkpoint was signed by enough witnesses of the policy.`;
}

function quorumTime(policy: Policy, cosignatures: { witness: string; time: number }[]): number | null {
  if (policy.quorum === null) return null;
  const names = new Set<string>();
  for (const { witness, time } of [...cosignatures].sort((one, other) => other.time - one.time)) {
    names.add(witness);
    if (isQuorumMet(policy, names)) return time;
  }
  return null;
}

/**
 * Reads the newest checkpoint that carries the cosignatures of the log's own policy, and judges it by `policy`. Null
 * where there is none yet, and where the server does not serve this path.
 * @throws SignetError if the server cannot be asked
 */
export async function readCosignedHead(
  reader: Pick<LogReader, 'cosignedCheckpoint'>,
  policy: Policy,
  now?: number,
): Promise<JudgedHead | null> {
  try {
    return judgeHead(await reader.cosignedCheckpoint(), policy, now);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/**
 * Relates two checkpoints, in either order, by the consistency proof that the server's own tiles make. A missing or
 * wrong proof is a fork. Checks no signature: see `judgeHead`.
 * @throws SignetError if the server cannot be asked, which says nothing about the log
 */
export async function relate(
  one: Checkpoint,
  other: Checkpoint,
  reader: Pick<LogReader, 'isContinued'>,
): Promise<Relation> {
  if (one.origin !== other.origin) return 'other_log';
  const [older, newer] = one.size <= other.size ? [one, other] : [other, one];
  const isOne = older.size === newer.size ? equalBytes(older.root, newer.root) : await reader.isContinued(older, newer);
  return isOne ? 'one_history' : 'fork';
}
