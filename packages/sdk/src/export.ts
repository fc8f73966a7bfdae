/** All that is known of one Avatar, read into one object that can be checked without the server (docs/export.md). */
import {
  type ExportedBinding,
  type ExportFile,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type SignedLink,
  type SignedPatch,
  verifyExport,
  WALLET_PLATFORMS,
} from '@signet/verify';
import type { Evidence, ProofRecord } from './answers.js';
import { demand } from './checks.js';
import type { Client } from './client.js';
import { NotFoundError } from './errors.js';
import type { Transport } from './transport.js';

/** What is written while it is read does not fit together; then it is read again. */
const TRIES = 3;
/** Requests for evidence at the same time. */
const TOGETHER = 4;

/** @throws NotFoundError where there is nothing; VerificationError where what the server answers does not verify */
export async function readExport(
  client: Client,
  { baseUrl }: Pick<Transport, 'baseUrl'>,
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

/** Wallets have no evidence but their link. */
async function withEvidence(
  client: Client,
  avatar: string,
  { platform, identity, created_at, last_checked_at, is_valid, invalid_reason }: ProofRecord,
  signal: AbortSignal | undefined,
): Promise<ExportedBinding> {
  let evidence: Evidence | null = null;
  if (!WALLET_PLATFORMS.includes(platform)) {
    evidence = await client.proofs.evidence({ platform, identity, avatar }, { signal }).catch((error: unknown) => {
      if (error instanceof NotFoundError) return null;
      throw error;
    });
  }
  return { platform, identity, created_at, last_checked_at, is_valid, invalid_reason, evidence };
}
