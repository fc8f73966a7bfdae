/**
 * What a repository of the AT Protocol (Bluesky) shows by itself: that an account's server has signed that a record
 * stands in it, or that none does (docs/verify.md, section 16). No input, no output, nothing that only Node has.
 *
 * The server of the account signs, not the person: the same server that holds the password. A person who does not trust
 * it can move the account, and its operations show that.
 */
import type { ExportFile } from '../chains/export-file.js';
import type { WithCurves } from '../keys/curves.js';
import { nobleCurves } from '../keys/noble-curves.js';
import { decodeBase64 } from '../text/encoding.js';
import { isObject } from '../text/signed-text.js';
import { checked, failed, notCheckable, ok, show, type Step, type Verification, verificationOf } from '../steps.js';
import { AtprotoError } from './atproto-error.js';
import { checkExportProofs, type ExportedProof } from './export-proofs.js';
import { type CommittedRecord, MAX_CAR_BYTES, readCommittedRecord, type RecordPlace } from './committed-record.js';
import { isPlc, type PlcAccount, type PlcEntry, readPlcOperations } from './plc-operations.js';

export type { ExportedProof } from './export-proofs.js';
export type { RecordPlace } from './committed-record.js';
export type { PlcAccount, PlcEntry } from './plc-operations.js';
export { MAX_CAR_BYTES };

/** The proof that a server keeps of what it saw: bytes of the account's server and of the directory, unchanged. */
export interface AtprotoProof {
  type: 'atproto';
  /** Standard Base64 of the CAR file, at most 64 KiB, that `com.atproto.sync.getRecord` answered. */
  car: string;
  /** What `<directory>/<did>/log/audit` answered for a did:plc; null for a did:web, which has no operations. */
  operations: PlcEntry[] | null;
}

/** What came of a proof. */
export interface AtprotoVerification extends Verification {
  /** What the newest operation says of the account; null for a did:web, and where the operations do not verify. */
  account: PlcAccount | null;
  /** The record, as JSON; null where the proof shows that there is none. Only of worth if `ok`. */
  record: unknown;
  /** Revision of the repository, which grows with each commit; `''` if the file cannot be read. */
  rev: string;
  /** UNIX seconds that the revision names, by the clock of the account's server. */
  committedAt: number;
}

/**
 * The account of a did:plc by its operations. Steps: `did`. Never throws.
 * @param entries as the directory answers them, oldest first
 */
export async function verifyPlcOperations(
  did: string,
  entries: readonly PlcEntry[],
): Promise<Verification & { account: PlcAccount | null }> {
  const { step, account } = await checkOperations(did, entries);
  return { account, ...verificationOf([step]) };
}

/**
 * What stands at a place of a repository. Steps: `shape`, `did` (the operations give the DID, each signed by a key of
 * the one before; not checkable for a did:web), `commit` (of this account, signed by the key that its operations end
 * with), `record` (it is there, or the tree shows that none is). A list of operations that is cut shows the key of its
 * time. Never throws.
 */
export async function verifyAtprotoProof(proof: AtprotoProof, place: RecordPlace): Promise<AtprotoVerification> {
  const nothing = { account: null, record: null, rev: '', committedAt: 0 };
  try {
    const car = isObject(proof) && typeof proof.car === 'string' ? decodeBase64(proof.car) : null;
    if (!car) throw new AtprotoError('It has no CAR file in Base64.');
    const found = await readCommittedRecord(car, place);
    const { step, account } = await checkOperations(place.did, proof.operations);
    const steps = [ok('shape', 'It is a CAR file of one record, and each block has its hash.'), step];
    steps.push(await checkCommit(found, place.did, account), recordStep(found, place));
    return { account, record: found.value, rev: found.rev, committedAt: found.committedAt, ...verificationOf(steps) };
  } catch (error) {
    const reason = error instanceof AtprotoError ? error.message : 'It cannot be read.';
    return { ...nothing, ...verificationOf([failed('shape', reason)]) };
  }
}

/**
 * The proofs that an export holds: that the account's server has signed the very post that a binding rests on
 * (`evidence.proof`), and that it stands there no more (`evidence.gone_proof`). One for each; empty where there is
 * none, or the file is no export. Steps: those of `verifyAtprotoProof`, then of a proof that holds `expected` (it is
 * one of the account that is bound, and no end of a binding that the server calls valid), of an end `time` (it is newer
 * than the post), and `evidence` (the Avatar's signature over the link stands there, or no more). Signatures of links
 * are checked by `verifyExport`. Never throws.
 */
export async function verifyExportProofs(
  file: Pick<ExportFile, 'avatar' | 'bindings' | 'links'>,
  options: WithCurves = {},
): Promise<ExportedProof[]> {
  try {
    const { curves = nobleCurves } = options;
    return await checkExportProofs(file, curves, verifyAtprotoProof);
  } catch {
    return [];
  }
}

async function checkOperations(
  did: string,
  entries: readonly PlcEntry[] | null,
): Promise<{ step: Step; account: PlcAccount | null }> {
  try {
    if (!isPlc(did) && entries === null) {
      return { step: notCheckable('did', 'A DID without operations: its key is what its host says.'), account: null };
    }
    const account = await readPlcOperations(did, entries ?? []);
    return { step: ok('did', 'Its operations give this DID, and each is signed by a key of the one before.'), account };
  } catch (error) {
    const reason = error instanceof AtprotoError ? error.message : 'The operations cannot be read.';
    return { step: failed('did', reason), account: null };
  }
}

async function checkCommit(found: CommittedRecord, did: string, account: PlcAccount | null): Promise<Step> {
  if (found.did !== did) return failed('commit', `The commit is of another account, ${show(found.did)}.`);
  if (!account) return notCheckable('commit', 'The key that has to have signed the commit is not known.');
  if (account.signingKey === null) return failed('commit', 'The account has no key that signs commits.');
  return checked(
    'commit',
    await found.isSignedBy(account.signingKey),
    `The account's server signed the commit ${found.rev}.`,
    'The commit is not signed by the key that the operations end with.',
  );
}

function recordStep({ cid, rev }: CommittedRecord, { collection, rkey }: RecordPlace): Step {
  const place = show(`${collection}/${rkey}`);
  return ok('record', cid === null ? `There is no record ${place} in ${rev}.` : `The record ${place} is in ${rev}.`);
}
