/** What an export carries of the log: a proof for each record, and what the map has (docs/export.md). */
import { type ExportedLog, type ExportFile, isErased, type Verification } from '@signet/verify';
import {
  ENTRY_KINDS,
  type EntryKind,
  judgeCheckpoint,
  logOnlyPolicy,
  type Policy,
  readCheckpoint,
  readLogKey,
  readLogProof,
  verifyExportLog,
  readPolicy,
} from '@signet/verify/log';
import { refuse } from '../checks.js';
import { nullWhereNotFound, SignetError } from '../errors.js';
import type { LogOptions } from './log-options.js';
import { pause, type Transport } from '../transport.js';

/** Requests for proofs at the same time. */
const TOGETHER = 4;
/** A checkpoint behind 64 hashes and an entry. */
const MAX_PROOF_BYTES = 256 * 1024;
const LOOK_MS = 500;

/** An entry of the log, as its proof is asked for. */
interface NamedEntry {
  uuid: string;
  kind: string;
}

type Trust = Pick<LogOptions, 'policy' | 'logKey'>;

/** Reads the part of a file that is of the log, and checks it by the keys that the client trusts, if it names any. */
export class ExportLogReader {
  private readonly policy: Policy | undefined;

  /**
   * @param kinds of records that the file has lists of
   * @throws PolicyError; VerificationError for a key that is not one of a log
   */
  constructor(
    private readonly transport: Transport,
    trust: Trust,
    private readonly signal: AbortSignal | undefined,
    private readonly kinds: readonly EntryKind[] = ENTRY_KINDS,
  ) {
    this.policy = trustedPolicy(trust);
  }

  /**
   * The proofs, and then the map, so that it is not older than they are; null where the server keeps no log. What is
   * not in the log yet, and what the witnesses of the policy have not signed, is waited for until `endsAt`, and a map
   * as new as the proofs until `mapEndsAt` (milliseconds of the clock).
   */
  async read(
    file: Pick<ExportFile, 'avatar'>,
    { endsAt, mapEndsAt }: { endsAt: number; mapEndsAt: number },
  ): Promise<ExportedLog | null> {
    const { transport, signal } = this;
    const info = await transport.call<{ verifier_key: string }>({ path: '/v1/log', signal }).catch(nullWhereNotFound);
    if (!info) return null;
    const records = this.kinds.map(({ name, list, exportedProofs = 'proofs' }) => {
      return { name, items: itemsIn(file, list), member: exportedProofs };
    });
    const apart: Pick<ExportedLog, 'proofs' | 'key_proofs'> = { proofs: {} };
    for (const { name, items, member } of records) {
      const read = await this.proofs(named(items, name), endsAt);
      if (items.length > 0) Object.assign(apart, { [member]: { ...apart[member as 'proofs'], ...read } });
    }
    const gone = records.flatMap(({ name, items }) => named(items.filter(isErased), `erased_${name}`));
    const erasures = await this.proofs(gone, endsAt);
    const all = [...Object.values(apart), erasures].flatMap((proofs) => Object.values(proofs ?? {}));
    const newest = all.reduce((size, proof) => Math.max(size, headOf(proof)?.size ?? 0), 0);
    const map = await this.map(file.avatar, newest, mapEndsAt);
    const own = { verifier_key: info.verifier_key, ...apart };
    return { ...own, ...(gone.length > 0 && { erasures }), ...(map !== null && { map }) };
  }

  /** The proofs of entries, by the uuid of what they are about, but for those that still wait at `endsAt`. */
  private async proofs(entries: NamedEntry[], endsAt: number): Promise<ExportedLog['proofs']> {
    const proofs: ExportedLog['proofs'] = {};
    for (let start = 0; start < entries.length; start += TOGETHER) {
      const some = entries.slice(start, start + TOGETHER);
      const read = await Promise.all(some.map((entry) => this.proof(entry, endsAt)));
      read.forEach((proof, place) => {
        if (proof !== null) proofs[some[place]!.uuid] = proof;
      });
    }
    return proofs;
  }

  /** Checks what was read: see `verifyExportLog`. */
  check(file: ExportFile): Verification {
    return verifyExportLog(file, { policy: this.policy, now: Date.now() / 1000, kinds: this.kinds });
  }

  /** Null for what still waits at `endsAt`. */
  private proof({ uuid, kind }: NamedEntry, endsAt: number): Promise<string | null> {
    const { transport, signal } = this;
    const call = { path: '/v1/log/proof', query: { uuid, kind }, maxBytes: MAX_PROOF_BYTES, signal };
    const read = async () => {
      const bytes = await transport.bytes(call).catch(nullWhereNotFound);
      return bytes && new TextDecoder().decode(bytes);
    };
    return this.awaited(read, (proof) => proof !== null && this.isSigned(proof), endsAt);
  }

  /** What the map has of the Avatar, of a tree of `least` entries or more; null where there is no map, or none yet. */
  private map(avatar: string, least: number, endsAt: number): Promise<unknown> {
    const { transport, signal } = this;
    const call = { path: '/v1/log/map', query: { avatar }, isFresh: true, signal };
    const read = () =>
      transport.call<{ log_proof?: unknown }>(call).catch((error: unknown) => {
        if (error instanceof SignetError && error.code === 'map_catching_up') return null;
        return nullWhereNotFound(error);
      });
    const isGood = (map: { log_proof?: unknown } | null) => {
      const proof = String(map?.log_proof);
      return map === null || ((headOf(proof)?.size ?? Infinity) >= least && this.isSigned(proof));
    };
    return this.awaited(read, isGood, endsAt);
  }

  /** Whether enough witnesses have signed what a proof leads to. What is not a proof is refused by `check`. */
  private isSigned(proof: string): boolean {
    const head = headOf(proof);
    return !head || !this.policy || judgeCheckpoint(head, this.policy, { now: Date.now() / 1000 }).isQuorumMet;
  }

  /** The first answer that is good, or what there is at `endsAt`. */
  private async awaited<Answer>(
    read: () => Promise<Answer>,
    isGood: (answer: Answer) => boolean,
    endsAt: number,
  ): Promise<Answer> {
    for (;;) {
      const answer = await read();
      const left = endsAt - Date.now();
      if (isGood(answer) || left <= 0) return answer;
      await pause(Math.min(LOOK_MS, left), this.signal);
    }
  }
}

/** @throws PolicyError; VerificationError */
function trustedPolicy({ policy, logKey }: Trust): Policy | undefined {
  if (policy !== undefined) return readPolicy(policy);
  if (logKey === undefined) return undefined;
  const key = readLogKey(logKey);
  return key ? logOnlyPolicy(key) : refuse('The key of the log', `${JSON.stringify(logKey)} is not one of a log.`);
}

function itemsIn(file: object, list: string): { uuid: string; erased?: unknown }[] {
  return file[list as keyof typeof file] ?? [];
}

function named(items: { uuid: string }[], kind: string): NamedEntry[] {
  return items.map(({ uuid }) => ({ uuid, kind }));
}

/** The tree head of a proof file; null for other texts. */
function headOf(proof: string) {
  return readCheckpoint(readLogProof(proof)?.checkpoint ?? '');
}
