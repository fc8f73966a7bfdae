/**
 * What a zone of the DNS has signed (DNSSEC): that a TXT record stood at a name, from a key of the root down to the
 * zone, without the word of a resolver or server, and for ever (docs/verify.md, section 17). No input, no output,
 * nothing that only Node has; nothing waits.
 *
 * The zone signs, not a person: who holds the zone, or a zone above it, can have signed something else.
 */
import { concatBytes } from '@noble/hashes/utils.js';
import type { ExportFile } from '../chains/export-file.js';
import type { WithCurves, WithNistCurves } from '../keys/curves.js';
import { nobleCurves } from '../keys/noble-curves.js';
import { failed, notCheckable, ok, show, type Step, type Verification, verificationOf } from '../steps.js';
import { decodeBase64, encodeBase64 } from '../text/encoding.js';
import { isObject } from '../text/signed-text.js';
import { newBudget } from './budget.js';
import { MAX_CHAIN_BYTES, readChain, textOf, TYPES, writeSet } from './chain.js';
import { DnssecError } from './dnssec-error.js';
import { type DomainName, nameOf, nameText } from './domain-name.js';
import { checkExportDnssec, type ExportedDnssec } from './export-dnssec.js';
import { type FoundRecords, findRecords, newestInception } from './found-records.js';
import { readRootKey, ROOT_KEYS, rootDigests, type RootKey } from './zone-keys.js';

export type { ExportedDnssec } from './export-dnssec.js';
export type { RootKey } from './zone-keys.js';
export { MAX_CHAIN_BYTES, readRootKey, ROOT_KEYS };

/** The proof that a server keeps of what it saw. */
export interface DnssecProof {
  type: 'dnssec';
  /**
   * Standard Base64 of records in the form of RFC 9102 (AuthenticationChain), at most 16 KiB: the TXT records and what
   * leads to them, each set with its signature, and the keys of all zones up to the root.
   */
  chain: string;
}

/** When a proof has to hold, and by which keys of the root. */
export interface DnssecOptions extends WithNistCurves {
  /** UNIX seconds, such as the time of the entry of the log; null where no time is known, which is then a step. */
  at: number | null;
  /** Keys of the root in place of `ROOT_KEYS`, such as further ones: `[...ROOT_KEYS, key]`. */
  rootKeys?: readonly RootKey[] | undefined;
}

/** How proofs in an export are checked. */
export interface ExportDnssecOptions extends Pick<DnssecOptions, 'rootKeys'> {
  /**
   * UNIX seconds of entries of the log, by the uuid of their link, where they were checked elsewhere; absent: those of
   * the proofs in the file.
   */
  times?: Readonly<Record<string, number>> | undefined;
}

/** What came of a proof. */
export interface DnssecVerification extends Verification {
  /** The TXT records, the strings of each joined, bytes as Latin-1. Only of worth if `ok`. */
  texts: string[];
  /** The zone that signs them, such as `example.org`; `''` where nothing is shown. */
  zone: string;
  /** UNIX seconds: from when until when all signatures hold; 0 where nothing is shown. */
  from: number;
  until: number;
}

/** What a resolver answered, before what is not needed is left out. */
const MAX_RECORDS_BYTES = 64 * 1024;

const NOTHING = { texts: [], zone: '', from: 0, until: 0 };

/**
 * The TXT records at a name. Steps: `shape` (records of a chain), `signature` (each set is signed by its zone, up to a
 * key of the root; aliases are followed, and where a wildcard stands for a name, nothing stands at it), `time` (it lies
 * within the time of each signature; not checkable without one), `record` (they are TXT records). Never throws.
 * @param name as `alice.example.org`, in ASCII
 */
export function verifyDnssecProof(proof: DnssecProof, name: string, options: DnssecOptions): DnssecVerification {
  const steps: Step[] = [];
  try {
    const { at = null, rootKeys = ROOT_KEYS, curves } = options;
    const bytes = isObject(proof) && typeof proof.chain === 'string' ? decodeBase64(proof.chain) : null;
    const asked = typeof name === 'string' ? nameOf(name) : null;
    if (!bytes) throw new DnssecError('It has no chain in Base64.', 'shape');
    if (!asked) throw new DnssecError(`${show(name)} is not a domain name.`, 'shape');
    const chain = readChain(bytes);
    steps.push(ok('shape', 'It is a chain of DNS records.'));
    const moment = at ?? newestInception(chain);
    const context = { chain, at: moment, roots: rootDigests(rootKeys, moment), budget: newBudget(), curves };
    const found = findRecords(context, asked, TYPES.TXT);
    const texts = found.set.data.map(textOf);
    const { from, until } = found;
    const zone = nameText(found.zone);
    steps.push(
      ok('signature', `The zone ${zone} signs, and each zone above it the keys of the next, from the root on.`),
    );
    steps.push(timeStep(at, found), recordStep(asked, found));
    return { texts, zone, from, until, ...verificationOf(steps) };
  } catch (error) {
    const [reason, step] = error instanceof DnssecError ? [error.message, error.step] : ['It cannot be read.', null];
    return { ...NOTHING, ...verificationOf([...steps, failed(step ?? 'shape', reason)]) };
  }
}

/**
 * The proofs of DNSSEC that an export holds (`evidence.proof` of a binding): that the zone has signed the very record
 * that a binding rests on, at the time at which the log of the file has the link. One for each binding with such a
 * proof; empty where there is none, or the file is no export. Steps: those of `verifyDnssecProof`, then `expected` (it
 * is a binding of the platform dns) and `evidence` (a record holds the Avatar's signature over the link). Signatures of
 * links are checked by `verifyExport`, the entries of the log by `verifyExportLog`. Never throws.
 */
export function verifyExportDnssec(
  file: Pick<ExportFile, 'avatar' | 'bindings' | 'links' | 'log'>,
  options: WithCurves & ExportDnssecOptions = {},
): ExportedDnssec[] {
  try {
    const { curves = nobleCurves, rootKeys, times } = options;
    return checkExportDnssec(file, { curves, times }, (proof, name, at) =>
      verifyDnssecProof(proof, name, { at, rootKeys, curves }),
    );
  } catch {
    return [];
  }
}

/** A proof that was made of records, and what it shows. */
export interface MadeDnssecProof extends Pick<DnssecVerification, 'texts' | 'zone' | 'from' | 'until'> {
  proof: DnssecProof;
}

/**
 * The proof that records at hand give, without those that it does not need, such as signatures by further keys; null
 * where they do not show TXT records at that name, or a proof would be too large. Never throws.
 * @param records in the form of RFC 9102, at most 64 KiB
 */
export function dnssecProofOf(
  records: Uint8Array,
  name: string,
  { at, rootKeys = ROOT_KEYS, curves }: DnssecOptions & { at: number },
): MadeDnssecProof | null {
  try {
    const chain = readChain(records, MAX_RECORDS_BYTES);
    const context = { chain, at, roots: rootDigests(rootKeys, at), budget: newBudget(), curves };
    const { set, zone, from, until, used } = findRecords(context, nameOf(name)!, TYPES.TXT);
    const bytes = writeUsed(used);
    if (bytes.length > MAX_CHAIN_BYTES) return null;
    const proof = { type: 'dnssec', chain: encodeBase64(bytes) } as const;
    return { proof, texts: set.data.map(textOf), zone: nameText(zone), from, until };
  } catch {
    return null;
  }
}

/** The records of a name first, then those of its zone, and so on up to the root, as RFC 9102 has them. */
function writeUsed(used: FoundRecords['used']): Uint8Array {
  const asked = (type: number) => type === TYPES.TXT || type === TYPES.CNAME;
  const bySet = new Map([...used].reverse().map((one) => [one.set, one]));
  const ordered = [
    ...used.filter(({ set }) => asked(set.type)),
    ...[...bySet.values()].filter(({ set }) => !asked(set.type)),
  ];
  return concatBytes(...ordered.flatMap(({ set, signature }) => writeSet(set, signature)));
}

function timeStep(at: number | null, { from, until }: FoundRecords): Step {
  if (at === null)
    return notCheckable('time', `No time is known at which it has to hold: from ${from} until ${until}.`);
  return ok('time', `The time ${at} lies within that of each signature, from ${from} until ${until}.`);
}

function recordStep(asked: DomainName, { set }: FoundRecords): Step {
  const records = `${set.data.length} TXT record${set.data.length === 1 ? '' : 's'}`;
  return ok('record', `There is a set of ${records} at ${nameText(asked)}, signed by its zone.`);
}
