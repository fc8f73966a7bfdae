/** All that is known of one Avatar, read into one object that can be checked without the server (docs/export.md). */
import {
  type ExportedBinding,
  type ExportFile,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type OtherRecords,
  verifyExport,
  WALLET_PLATFORMS,
} from '@signet/verify';
import type { Evidence, ProofRecord } from '../answers.js';
import { demand } from '../checks.js';
import type { Client } from './client.js';
import { NotFoundError, nullWhereNotFound } from '../errors.js';
import type { LogOptions } from '../log/log-options.js';
import type { AskedServer, ChainRecord, FollowedKind } from '../log/record-kinds.js';
import type { UnreadStatements } from '../observers/export-statements.js';
import type { ObserverOptions } from '../observers/observer-options.js';

/** What is written while it is read does not fit together; then it is read again. */
const TRIES = 3;
/** Requests for evidence at the same time. */
const TOGETHER = 4;
/** For how long all that is not in the log yet is waited for; the log takes in what is new once a second. */
const LOG_WAIT_MS = 10_000;
/** For how long a map as new as the proofs is waited for: a log asks its witnesses once a minute. */
const MAP_WAIT_MS = 70_000;

/** What a caller may choose. */
export interface ExportOptions {
  signal?: AbortSignal | undefined;
  /**
   * For how long records are waited for that are not in the log yet, or not signed by the witnesses of the
   * client's policy, and a map that is as new as the proofs, milliseconds; 10,000 and 70,000 when absent.
   */
  logWaitMs?: number | undefined;
  /** Servers whose statements about the bindings the file is to carry, beside those that the server itself shows. */
  observers?: ObserverOptions | undefined;
  /**
   * Called with the observers, and the server itself, of whose statements not all were read: the file may lack some.
   * Not called where all were.
   */
  onUnread?: ((servers: UnreadStatements[]) => void) | undefined;
}

/**
 * @param server that is asked, by the client that checks its answers
 * @param trust which log and witnesses are believed; the log that the server names when it says nothing of them
 * @param given the kinds of records that the file gets lists of; those that this version knows when absent
 * @throws NotFoundError where there is nothing; VerificationError where what the server answers does not verify
 */
export async function readExport(
  server: AskedServer,
  avatar: string,
  options: ExportOptions,
  trust: LogOptions,
  given?: readonly FollowedKind[],
): Promise<ExportFile> {
  const { transport } = server;
  const { signal, logWaitMs: waitMs, observers, onUnread } = options;
  // Loaded when they are used, so that other clients stay small.
  const { FOLLOWED_KINDS, othersOf } = await import('../log/record-kinds.js');
  const { ExportLogReader } = await import('../log/export-log.js');
  const kinds = given ?? FOLLOWED_KINDS;
  const entries = kinds.map(({ entry }) => entry);
  for (let tries = 1; ; tries++) {
    const records = await readRecords(server, avatar, kinds, othersOf(kinds), signal);
    const { statementsAbout } = await import('../observers/export-statements.js');
    const { notes: seen, unread } = await statementsAbout(records, transport, observers, signal);
    const told = (whole: ExportFile) => {
      if (unread.length > 0) onUnread?.(unread);
      return whole;
    };
    const file = seen.length > 0 ? { ...records, seen } : records;
    const reader = new ExportLogReader(transport, trust, signal, entries);
    const endsAt = Date.now() + (waitMs ?? LOG_WAIT_MS);
    // A map that is waited for may have what was signed meanwhile: the last one may be older than the proofs.
    const mapEndsAt = tries < TRIES ? Date.now() + (waitMs ?? MAP_WAIT_MS) : 0;
    const log = await reader.read(file, { endsAt, mapEndsAt });
    if (!log) return told(file);
    const whole = { ...file, log };
    const result = reader.check(whole);
    // The map may have what was signed since the records were read.
    const isOvertaken = result.steps.every(({ name, state }) => name === 'complete' || state !== 'failed');
    if (!result.ok && isOvertaken && tries < TRIES) continue;
    demand(result, 'The export');
    return told(whole);
  }
}

async function readRecords(
  server: AskedServer,
  avatar: string,
  kinds: readonly FollowedKind[],
  others: OtherRecords,
  signal: AbortSignal | undefined,
): Promise<ExportFile> {
  for (let tries = 1; ; tries++) {
    const lists: Record<string, ChainRecord[]> = {};
    for (const kind of kinds) {
      const records = await kind.chainOf(server, avatar, signal);
      // A file without a list of a kind that came later is one that earlier readers know.
      if (records.length > 0 || kind.entry.exportedProofs === undefined) lists[kind.entry.list] = records;
    }
    if (Object.values(lists).every(({ length }) => length === 0)) {
      const facts = { code: 'avatar_not_found', status: 404 } as const;
      throw new NotFoundError(`The Avatar ${avatar} has signed nothing on this server.`, facts);
    }
    const bindings = await readBindings(server.client, avatar, signal);
    const exported_at = String(Math.floor(Date.now() / 1000));
    const about = {
      format: EXPORT_FORMAT,
      version: EXPORT_VERSION,
      exported_at,
      server: server.transport.baseUrl,
      avatar,
    };
    const file = { ...about, ...lists, bindings } as unknown as ExportFile;
    const { patchSignersOf } = await import('@signet/verify/key-events');
    const result = verifyExport(file, { others, signersOf: (keys, of) => patchSignersOf(keys, { avatar: of }) });
    if (!result.ok && tries < TRIES) continue;
    demand(result, 'The export');
    return file;
  }
}

async function readBindings(
  client: Client,
  avatar: string,
  signal: AbortSignal | undefined,
): Promise<ExportedBinding[]> {
  const proofs = (await client.proofs.of(avatar, { signal }))?.proofs ?? [];
  const bindings: ExportedBinding[] = [];
  for (let start = 0; start < proofs.length; start += TOGETHER) {
    const some = proofs.slice(start, start + TOGETHER);
    bindings.push(...(await Promise.all(some.map((proof) => withEvidence(client, avatar, proof, signal)))));
  }
  return bindings;
}

/** Wallets have no evidence but their link. */
async function withEvidence(
  client: Client,
  avatar: string,
  { platform, identity, created_at, last_checked_at, is_valid, invalid_reason }: ProofRecord,
  signal: AbortSignal | undefined,
): Promise<ExportedBinding> {
  let evidence: Evidence | null = null;
  if (!WALLET_PLATFORMS.includes(platform)) {
    evidence = await client.proofs.evidence({ platform, identity, avatar }, { signal }).catch(nullWhereNotFound);
  }
  return { platform, identity, created_at, last_checked_at, is_valid, invalid_reason, evidence };
}
