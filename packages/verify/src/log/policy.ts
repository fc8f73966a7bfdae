/**
 * Which logs a reader accepts and whose cosignatures it asks for (C2SP tlog-policy, as Sigsum and Tessera read it; not
 * yet tagged, so what is pinned here is the text of 2026-07).
 */
import type { WithEd25519 } from '../keys/curves.js';
import { type Checkpoint } from './checkpoint.js';
import { cosignatureTime, isSignedBy } from './note.js';
import { SignetError } from '../errors/errors.js';
import { hasControls, linesOf, withUnseen } from '../files/text-lines.js';
import { COSIGNATURE_KEY, ED25519_KEY, readVerifierKey, type VerifierKey } from './verifier-key.js';

/** A log, by its key; the name of the key is the origin. */
export interface PolicyLog {
  key: VerifierKey;
  url: string | null;
}

/** A witness; its name means nothing outside of the policy. */
export interface PolicyWitness {
  name: string;
  key: VerifierKey;
  /** The prefix of `add-checkpoint`. */
  url: string | null;
}

/** Witnesses and groups of which `threshold` have to agree. */
interface Group {
  threshold: number;
  members: string[];
}

/** A policy that was read. */
export interface Policy {
  logs: PolicyLog[];
  witnesses: PolicyWitness[];
  groups: Map<string, Group>;
  /** A witness, a group, or null where no cosignature is asked for. */
  quorum: string | null;
}

/** A text is not a policy. The message says why, with the number of the line; code `invalid_policy`. */
export class PolicyError extends SignetError {
  override name = 'PolicyError';

  constructor(message: string) {
    super(message, 'invalid_policy');
  }
}

/** A longer policy is refused unread. */
const MAX_POLICY_CHARACTERS = 256 * 1024;

/**
 * Reads a policy. A byte order mark in front and the line ends of Windows do not matter.
 * @throws PolicyError that names the line and what is wrong with it
 */
export function readPolicy(text: string, options: WithEd25519 = {}): Policy {
  if (text.length > MAX_POLICY_CHARACTERS) throw new PolicyError('A policy has at most 256 KiB.');
  const reader = new PolicyReader(options);
  linesOf(text).forEach((line, index) => {
    try {
      reader.add(line);
    } catch (error) {
      if (!(error instanceof PolicyError)) throw error;
      throw new PolicyError(`line ${index + 1}: ${withUnseen(error.message, line)}`);
    }
  });
  return reader.finish();
}

/**
 * Reads the lines `log <verifier key> [<url>]` of a list of logs, with comments as in a policy. Several lines of one
 * name are several keys of one log.
 * @throws PolicyError that names the line and what is wrong with it
 */
export function readLogList(text: string, options: WithEd25519 = {}): PolicyLog[] {
  const { logs, witnesses, groups } = readPolicy(`${text}\nquorum none\n`, options);
  if (witnesses.length > 0 || groups.size > 0) throw new PolicyError('A list of logs has lines "log" only.');
  return logs;
}

/** A policy that knows one log and asks for no cosignatures. */
export function logOnlyPolicy(key: VerifierKey): Policy {
  return { logs: [{ key, url: null }], witnesses: [], groups: new Map(), quorum: null };
}

/** True if these witnesses, by the names that the policy gives them, are enough. */
export function isQuorumMet({ groups, quorum }: Policy, witnesses: ReadonlySet<string>): boolean {
  const agrees = (name: string): boolean => {
    const group = groups.get(name);
    return group ? group.members.filter(agrees).length >= group.threshold : witnesses.has(name);
  };
  return quorum === null || agrees(quorum);
}

/**
 * True if two sets of witnesses without a common member could both meet the quorum. Then a log can show two histories,
 * each cosigned by honest witnesses alone: a quorum has to be more than half of them.
 */
export function hasDisjointQuorums({ groups, quorum }: Policy): boolean {
  // Each witness is in one group, so the groups are a tree. A member that can agree with both sides counts for both.
  const canAgreeTwice = (name: string): boolean => {
    const group = groups.get(name);
    if (!group) return false;
    const both = group.members.filter(canAgreeTwice).length;
    const missing = Math.max(0, group.threshold - both);
    return 2 * missing <= group.members.length - both;
  };
  return quorum !== null && canAgreeTwice(quorum);
}

/** What a policy says of a checkpoint. */
export interface CheckpointVerdict {
  /** The log that signed it, or null. */
  log: PolicyLog | null;
  /** Witnesses of the policy that signed it, by the names that the policy gives them. */
  cosignatures: { witness: string; time: number }[];
  isQuorumMet: boolean;
}

/** A witness' clock may be this far ahead of the reader's. */
const FUTURE_SECONDS = 300;

/**
 * Says which log and which witnesses of a policy signed a checkpoint. With `now` (UNIX seconds), cosignatures from the
 * future do not count. Lines of keys that the policy does not know do not matter; a log of the policy whose line does
 * not verify did not sign.
 */
export function judgeCheckpoint(
  { origin, note }: Checkpoint,
  policy: Policy,
  { now = Infinity, curves }: { now?: number | undefined } & WithEd25519 = {},
): CheckpointVerdict {
  const log = policy.logs.find(({ key }) => key.name === origin && isSignedBy(note, key, { curves })) ?? null;
  const cosignatures = policy.witnesses.flatMap(({ name, key }) => {
    const time = cosignatureTime(note, key, { curves });
    return time !== null && time <= now + FUTURE_SECONDS ? [{ witness: name, time }] : [];
  });
  const names = new Set(cosignatures.map(({ witness }) => witness));
  return { log, cosignatures, isQuorumMet: isQuorumMet(policy, names) };
}

/** Takes the lines of a policy one by one. */
class PolicyReader {
  private readonly logs: PolicyLog[] = [];
  private readonly witnesses: PolicyWitness[] = [];
  private readonly groups = new Map<string, Group>();
  private readonly members = new Set<string>();
  private readonly keys = new Set<string>();
  private quorum: string | null | undefined;

  constructor(private readonly options: WithEd25519) {}

  add(line: string): void {
    if (hasControls(line)) throw new PolicyError('it holds a control character');
    const [keyword, ...words] = line.split(/[ \t]+/).filter((word) => word !== '');
    if (keyword === undefined || keyword.startsWith('#')) return;
    if (keyword === 'log') return this.addLog(words);
    if (keyword === 'witness') return this.addWitness(words);
    if (keyword === 'group') return this.addGroup(words);
    if (keyword === 'quorum') return this.setQuorum(words);
    throw new PolicyError(`"${keyword}" is neither log, witness, group nor quorum`);
  }

  finish(): Policy {
    const { logs, witnesses, groups, quorum } = this;
    if (quorum === undefined) throw new PolicyError('A policy has a line "quorum <name>" or "quorum none".');
    return { logs, witnesses, groups, quorum };
  }

  private addLog([vkey, url, ...more]: string[]): void {
    if (more.length > 0) throw new PolicyError('a log has a key and a URL');
    this.logs.push({ key: this.readKey(vkey, ED25519_KEY, 'log'), url: url ?? null });
  }

  private addWitness([name, vkey, url, ...more]: string[]): void {
    if (more.length > 0) throw new PolicyError('a witness has a name, a key and a URL');
    this.claimName(name);
    this.witnesses.push({ name: name!, key: this.readKey(vkey, COSIGNATURE_KEY, 'witness'), url: url ?? null });
  }

  private addGroup([name, threshold, ...members]: string[]): void {
    for (const member of members) {
      if (!this.isDefined(member)) throw new PolicyError(`"${member}" is not defined above`);
      if (this.members.has(member)) throw new PolicyError(`"${member}" is a member already`);
      this.members.add(member);
    }
    const count = { all: members.length, any: 1 }[threshold ?? ''] ?? decimal(threshold);
    if (!(count >= 1 && count <= members.length)) {
      throw new PolicyError('a group has a name, then all, any or a number, and at least that many members');
    }
    this.claimName(name);
    this.groups.set(name!, { threshold: count, members });
  }

  private setQuorum([name, ...more]: string[]): void {
    if (name === undefined || more.length > 0) throw new PolicyError('a quorum is one name, or none');
    if (this.quorum !== undefined) throw new PolicyError('there is a quorum already');
    if (name !== 'none' && !this.isDefined(name)) throw new PolicyError(`"${name}" is not defined above`);
    this.quorum = name === 'none' ? null : name;
  }

  private readKey(vkey: string | undefined, type: number, role: string): VerifierKey {
    const key = readVerifierKey(vkey ?? '', this.options);
    if (key?.type !== type) throw new PolicyError(`the key of a ${role} is <name>+<id>+<Base64> of type ${type}`);
    const bytes = `${role} ${key.publicKey.join()}`;
    if (this.keys.has(bytes)) throw new PolicyError(`this key belongs to another ${role} already`);
    this.keys.add(bytes);
    return key;
  }

  private claimName(name: string | undefined): void {
    if (name === undefined || name === 'none') throw new PolicyError('a name is missing, or is "none"');
    if (this.isDefined(name)) throw new PolicyError(`"${name}" is defined already`);
  }

  private isDefined(name: string): boolean {
    return this.groups.has(name) || this.witnesses.some((witness) => witness.name === name);
  }
}

function decimal(text: string | undefined): number {
  return /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : NaN;
}
