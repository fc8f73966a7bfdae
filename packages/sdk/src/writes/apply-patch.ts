/** Signs and applies a patch of content: loaded when it is used. */
import type { KvContent, KvPayload } from '../answers.js';
import type { PatchRequest } from '../client/call-options.js';
import type { CheckedReads } from '../client/checked-reads.js';
import type { AppliedPatch } from '../client/content.js';
import { ON_THE_SERVER } from '../client/resting.js';
import { StaleChainError } from '../errors.js';
import type { AppSigner } from '../keys/app-signers.js';
import { stayingIdentity } from '../names/account-names.js';
import type { Signer } from '../signers/signer.js';
import type { Wallet } from '../signers/wallets.js';
import { submit } from './submit.js';

/** See `kv.patch`. */
export async function applyPatch(reads: CheckedReads, request: PatchRequest): Promise<AppliedPatch> {
  try {
    return await applyOnce(reads, request);
  } catch (error) {
    if (!(error instanceof StaleChainError)) throw error;
    return applyOnce(reads, request);
  }
}

async function applyOnce(reads: CheckedReads, request: PatchRequest): Promise<AppliedPatch> {
  const { platform, identity: named, patch, signer: given, signal } = request ?? {};
  const { transport } = reads;
  const { checkPatchPayload, demandPatch, fromWallet } = await reads.rules();
  // A signer that names its Avatar comes back as it is: that of an app has a key besides.
  const signer: Signer & Partial<AppSigner> = await fromWallet(given as Wallet);
  demandPatch(patch);
  const { avatar } = signer;
  const identity = await stayingIdentity(transport, platform, named, signal);
  const byApp = signer.key === undefined ? {} : { signer: signer.key };
  const fields = { avatar, platform, identity, patch, ...byApp };
  const payload = await transport.call<KvPayload>({
    method: 'POST',
    path: '/v1/kv/payload',
    body: fields,
    isRepeatable: true,
    text: 'sign_payload',
    signal,
  });
  const { uuid, created_at, sign_payload } = payload;
  checkPatchPayload(sign_payload, fields, { uuid, created_at });
  const body = { ...fields, uuid, created_at, signature: await signer.sign(sign_payload) };
  const isRecorded = async () => (await reads.patchesOf(avatar, signal)).some((item) => item.uuid === uuid);
  const call = { method: 'POST', path: '/v1/kv', body, signal } as const;
  const answer = await submit<KvContent & { receipt?: string }>(transport, call, isRecorded);
  // The canonical identity is the one that was signed.
  const { identity: canonical } = JSON.parse(sign_payload) as { identity: string };
  const { signature } = body;
  const record = { avatar, platform, identity: canonical, patch, uuid, created_at, signature, ...byApp };
  const item = async () => ({ ...record, signature_payload: sign_payload });
  const written = { kind: 'kv', avatar, uuid, createdAt: created_at, item } as const;
  const receipt = await reads.takeReceipt(answer?.receipt, written, signal);
  const content = answer ?? (await transport.call<KvContent>({ path: '/v1/kv', query: { avatar }, signal }));
  return { ...content, resting: ON_THE_SERVER, receipt };
}
