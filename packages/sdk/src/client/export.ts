/** All that is known of one Avatar, read into one object that can be checked without the server (docs/export.md). */
import {
  type ExportedBinding,
  type ExportedLog,
  type ExportFile,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type SignedLink,
  type SignedPatch,
  verifyExport,
  WALLET_PLATFORMS,
} from '@signet/verify';
import type { Evidence, ProofRecord } from '../answers.js';
import { demand } from '../checks.js';
import type { Client } from './client.js';
import { NotFoundError, nullWhereNotFound, SignetError } from '../errors.js';
import type { ObserverOptions } from '../observers/observer-options.js';
import { pause, type Transport } from '../transport.js';

/** What is written while it is read does not fit together; then it is read again. */
const TRIES = 3;
/** Requests for evidence, and for proofs of the log, at the same time. */
const TOGETHER = 4;
/** A checkpoint behind 64 hashes and an entry. */
const MAX_PROOF_BYTES = 256 * 1024;
/** For how long all that is not in the log yet is waited for; the log takes in what is new once a second. */
const LOG_WAIT_MS = 10_000;
const LOOK_MS = 500;

/** What a caller may choose. */
export interface ExportOptions {
  signal?: AbortSignal | undefined;
  /** For how long links and patches that are not in the log yet are waited for, milliseconds; 10,000 when absent. */
  logWaitMs?: number | undefined;
  /** Servers whose statements about the bindings the file is to carry, beside those that the server itself shows. */
  observers?: ObserverOptions | undefined;
}

/** @throws NotFoundError where there is nothing; VerificationError where what the server answers does not verify */
export async function readExport(
  client: Client,
  transport: Transport,
  avatar: string,
  options: ExportOptions,
): Promise<ExportFile> {
  const { signal, logWaitMs = LOG_WAIT_MS, observers } = options;
  for (let tries = 1; ; tries++) {
    const records = await readRecords(client, transport, avatar, signal);
    const { statementsAbout } = await import('../observers/export-statements.js');
    const seen = await statementsAbout(records, transport, observers, signal);
    const file = seen.length > 0 ? { ...records, seen } : records;
    const log = await readLog(transport, file, Date.now() + logWaitMs, signal);
    if (!log) return file;
    const whole = { ...file, log };
    // Loaded when it is used, so that other clients stay small.
    const { verifyExportLog } = await import('@signet/verify/log');
    const result = verifyExportLog(whole, { now: Date.now() / 1000 });
    // The map may have what was signed since the records were read.
    const isOvertaken = result.steps.every(({ name, state }) => name === 'complete' || state !== 'failed');
    if (!result.ok && isOvertaken && tries < TRIES) continue;
    demand(result, 'The export');
    return whole;
  }
}

async function readRecords(
  client: Client,
  { baseUrl }: Transport,
  avatar: string,
  signal: AbortSignal | undefined,
): Promise<ExportFile> {
  for (let tries = 1; ; tries++) {
    const file = await readOnce(client, baseUrl, avatar, signal);
    if (file.links.length + file.patches.length === 0) {
      const facts = { code: 'avatar_not_found', status: 404 } as const;
      throw new NotFoundError(`The Avatar ${avatar} has signed nothing on this server.`, facts);
    }
    const result = verifyExport(file);
    if (!result.ok && tries < TRIES) continue;
    demand(result, 'The export');
    return file;
  }
}

async function readOnce(
  client: Client,
  server: string,
  avatar: string,
  signal: AbortSignal | undefined,
): Promise<ExportFile> {
  const links = (await client.chain(avatar, { signal }).toArray()) as SignedLink[];
  const patches = (await client.kv.chain(avatar, { signal }).toArray()) as SignedPatch[];
  const proofs = (await client.proofs.of(avatar, { signal }))?.proofs ?? [];
  const bindings: ExportedBinding[] = [];
  for (let start = 0; start < proofs.length; start += TOGETHER) {
    const some = proofs.slice(start, start + TOGETHER);
    bindings.push(...(await Promise.all(some.map((proof) => withEvidence(client, avatar, proof, signal)))));
  }
  const exported_at = String(Math.floor(Date.now() / 1000));
  return { format: EXPORT_FORMAT, version: EXPORT_VERSION, exported_at, server, avatar, links, patches, bindings };
}

/** The proofs that the log of the server has, without those of what still waits at `endsAt`; null without a log. */
async function readLog(
  transport: Transport,
  { avatar, links, patches }: ExportFile,
  endsAt: number,
  signal: AbortSignal | undefined,
): Promise<ExportedLog | null> {
  const info = await transport.call<{ verifier_key: string }>({ path: '/v1/log', signal }).catch(nullWhereNotFound);
  if (!info) return null;
  const uuids = [...links, ...patches].map(({ uuid }) => uuid);
  const proofs: ExportedLog['proofs'] = {};
  for (let start = 0; start < uuids.length; start += TOGETHER) {
    const some = uuids.slice(start, start + TOGETHER);
    const read = await Promise.all(some.map((uuid) => readProof(transport, uuid, endsAt, signal)));
    read.forEach((proof, place) => {
      if (proof !== null) proofs[some[place]!] = proof;
    });
  }
  const map = await readMap(transport, avatar, signal);
  return { verifier_key: info.verifier_key, proofs, ...(map !== null && { map }) };
}

/** What the map has of the Avatar; null where the server keeps none, or none yet. */
async function readMap(transport: Transport, avatar: string, signal: AbortSignal | undefined): Promise<unknown> {
  const call = { path: '/v1/log/map', query: { avatar }, isFresh: true, signal };
  return transport.call(call).catch((error: unknown) => {
    if (error instanceof SignetError && error.code === 'map_catching_up') return null;
    return nullWhereNotFound(error);
  });
}

async function readProof(
  transport: Transport,
  uuid: string,
  endsAt: number,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  for (;;) {
    const call = { path: '/v1/log/proof', query: { uuid }, maxBytes: MAX_PROOF_BYTES, signal };
    const bytes = await transport.bytes(call).catch(nullWhereNotFound);
    if (bytes) return new TextDecoder().decode(bytes);
    const left = endsAt - Date.now();
    if (left <= 0) return null;
    await pause(Math.min(LOOK_MS, left), signal);
  }
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
