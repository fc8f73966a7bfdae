/** JSON content of Avatars: `client.kv`. */
import type { SignedPatch } from '@signet/verify';
import type { KvContent, KvPatch, KvPayload } from '../answers.js';
import type { CheckedReads } from './checked-reads.js';
import type { AppSigner } from '../keys/app-signers.js';
import type { Signer } from '../signers/signer.js';
import type { Wallet } from '../signers/wallets.js';
import { askedKey, findKey, inOrder, keyProblem, orderChecker, refuse } from '../checks.js';
import type { AnswerOptions, CallOptions, PatchRequest } from './call-options.js';
import { StaleChainError, nullWhereNotFound } from '../errors.js';
import type { PagedList } from './paged-list.js';
import { ON_THE_SERVER, type Resting } from './resting.js';
import { submit } from '../writes/submit.js';

/** All content of an Avatar behind a patch: what the server answers, which no check is made of (see `kv.get`). */
export interface AppliedPatch extends KvContent {
  /** The promise of the log to hold the patch, as its key signed it; null where the server gave none. */
  receipt: string | null;
}

/** The calls below `client.kv`. */
export function contentCalls(reads: CheckedReads) {
  return {
    /** All content of an Avatar, or null where there was never any. */
    get: (avatar: string, options: AnswerOptions = {}): Promise<KvContent | null> =>
      readContent(reads, avatar, options),
    /**
     * Signs and applies a patch, with the Avatar's key or with the key of an app that it has added; answers all content
     * of the Avatar. Takes a new payload once on `stale_chain`.
     */
    patch: (request: PatchRequest): Promise<AppliedPatch> => applyPatch(reads, request),
    /** The signed patches of an Avatar, oldest first. */
    chain: (avatar: string, options: CallOptions = {}): PagedList<KvPatch> => patchChain(reads, avatar, options),
  };
}

function patchChain(reads: CheckedReads, avatar: string, { signal }: CallOptions): PagedList<KvPatch> {
  const key = findKey(avatar) ?? '';
  return reads.list<KvPatch>({
    path: '/v1/kv/chain',
    query: { avatar: key },
    member: 'kv_chain',
    signal,
    wrong: keyProblem(avatar),
    check: (isFromFirst, { patchCheck }) =>
      inOrder(patchCheck(reads, key, isFromFirst, signal), (patch) =>
        reads.prove({ patch: patch as SignedPatch, avatar: key }, signal),
      ),
    completes: (complete) => complete.patches(key, signal),
  });
}

async function readContent(
  reads: CheckedReads,
  of: string,
  { signal, onResting }: AnswerOptions,
): Promise<KvContent | null> {
  const avatar = askedKey(of);
  const completion = await (await reads.complete())?.patches(avatar, signal);
  for (let tries = 0; ; tries++) {
    const content = await reads.transport
      .call<KvContent>({ path: '/v1/kv', query: { avatar }, signal })
      .catch(nullWhereNotFound);
    const answer = (found: KvContent | null, resting: Resting) => {
      onResting?.(resting);
      return found && { ...found, resting };
    };
    if (!reads.verifies || (!content && !completion)) return answer(content, ON_THE_SERVER);
    const [patches, { addsUp, isErased }] = await Promise.all([reads.patchesOf(avatar, signal), reads.rules()]);
    if (await addsUp(reads, avatar, patches, content ?? { proofs: [] }, signal)) {
      const newest = patches.at(-1);
      const checkOrder = orderChecker();
      for (const patch of patches as SignedPatch[]) {
        // The signature of the newest covers all before it, but not that a text was erased.
        if (patch !== newest && !isErased(patch)) continue;
        checkOrder(patch.uuid, await reads.prove({ patch, avatar }, signal));
      }
      for (const patch of patches) completion?.add(patch);
      const map = (await completion?.end()) ?? null;
      return answer(content, content ? reads.resting(map) : reads.restingOfNone(map));
    }
    if (tries > 0) refuse('The content', 'It is not what the signed patches add up to.');
  }
}

async function applyPatch(reads: CheckedReads, request: PatchRequest): Promise<AppliedPatch> {
  try {
    return await applyOnce(reads, request);
  } catch (error) {
    if (!(error instanceof StaleChainError)) throw error;
    return applyOnce(reads, request);
  }
}

async function applyOnce(
  reads: CheckedReads,
  { platform, identity, patch, signer: given, signal }: PatchRequest,
): Promise<AppliedPatch> {
  const { transport } = reads;
  const { checkPatchPayload, fromWallet } = await reads.rules();
  // A signer that names its Avatar comes back as it is: that of an app has a key besides.
  const signer: Signer & Partial<AppSigner> = await fromWallet(given as Wallet);
  const { avatar } = signer;
  const byApp = signer.key === undefined ? {} : { signer: signer.key };
  const fields = { avatar, platform, identity, patch, ...byApp };
  const payload = await transport.call<KvPayload>({
    method: 'POST',
    path: '/v1/kv/payload',
    body: fields,
    isRepeatable: true,
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
