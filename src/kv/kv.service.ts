import { Injectable } from '@nestjs/common';
import { InvalidRequestError, InvalidSignatureError } from '@signet/look';
import { isAppKey, problemOfAppSignature } from '@signet/verify/internal/key-events';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { serviceCurves } from '../crypto/ecdsa.js';
import { readRows } from '../database/connections/prepared.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { fromUnixSeconds, unixSeconds } from '../domain/unix-time.js';
import {
  APP_KEYS_SQL,
  APP_KEYS_TABLE,
  appKeyError,
  type AppKeyRow,
  type AppKeyState,
  toAppKeyState,
} from '../holds/app-keys.js';
import { PayloadSeal, type SealedFields } from '../ledger/payload.seal.js';
import { ProofStore } from '../proof/proof.store.js';
import { type AppSigner, KvFeed, type NewPatch } from './kv-feed.js';
import { KvIdentity } from './kv-identity.js';
import type { KvPayloadRequestDto, KvPayloadResponseDto, KvSubmitRequestDto } from './kv.dto.js';
import { buildKvPayload, signedKvPayload } from './patches/kv-payload.js';
import { KvRecorder } from './patches/kv-recorder.js';
import type { OwnEntry } from './kv.queries.js';
import { notBound } from './patches/patch-rules.js';
import { patchText } from './patches/patch-text.js';

/** A request whose every field is in its canonical form. */
type CheckedPatch = Pick<NewPatch, 'avatar' | 'platform' | 'identity' | 'patch' | 'patchText'> & {
  /** The key of an app that is to sign it; absent where the Avatar is. */
  signer?: string;
};

/**
 * The two steps of a patch, and the content that follows from it (contract, key-value endpoints;
 * docs/design/decisions.md 3 and 7).
 */
@Injectable()
export class KvService {
  constructor(
    private readonly source: DataSource,
    private readonly environment: Environment,
    private readonly identities: KvIdentity,
    private readonly feed: KvFeed,
    private readonly recorder: KvRecorder,
    private readonly seal: PayloadSeal,
    private readonly proofs: ProofStore,
  ) {}

  /**
   * Step 1: the text to sign. Nothing is stored.
   * @throws InvalidRequestError for an unusable key, platform, identity or patch; LimitExceededError for a patch that
   *   is too large or too deep; ProofRejectedError (`not_bound`, and those of `appKeyError`)
   */
  async prepare(request: KvPayloadRequestDto, now: Date): Promise<KvPayloadResponseDto> {
    const checked = this.check(request);
    const { avatar, platform, identity } = checked;
    if (this.identities.asksForProof(platform)) {
      const { binding } = await this.proofs.find(avatar, platform, identity, 'writes');
      if (!binding?.isValid) throw notBound(checked);
    }
    const head = await this.feed.items.head(avatar);
    const { uuid, createdAt } = this.seal.issue(sealedFields(checked), head, now);
    if (checked.signer !== undefined) await this.getAppKey(checked, checked.signer, createdAt);
    const signPayload = buildKvPayload({ ...checked, uuid, createdAt, previous: head?.signature ?? null });
    return { uuid, created_at: unixSeconds(createdAt), sign_payload: signPayload };
  }

  /**
   * Step 2: checks everything in the order of docs/design/decisions.md 3 and records patch, content and event in one
   * transaction, which patches that are ready at the same moment share.
   * @returns the patch as it is recorded, when, by the clock of the database, and all entries of its Avatar as the
   *   transaction left them: once it is committed nothing can fail any more.
   * @throws what `prepare` throws; AlreadyRecordedError, StaleChainError, PayloadMismatchError, PayloadExpiredError,
   *   InvalidSignatureError; LimitExceededError for content that would become too large
   */
  async submit(
    request: KvSubmitRequestDto,
    now: Date,
  ): Promise<{ avatar: AvatarKey; entries: OwnEntry[]; patch: NewPatch; recordedAt: Date }> {
    const checked = this.check(request);
    const { avatar } = checked;
    const { uuid, signature } = request;

    const heads = await this.feed.items.headsBefore(avatar, uuid);
    const createdAt = fromUnixSeconds(request.created_at);
    await this.seal.open(sealedFields(checked), { uuid, createdAt }, heads, now);
    const fields = { ...checked, uuid, createdAt, previous: heads.current?.signature ?? null };
    const issued = buildKvPayload(fields);
    if (checked.signer === undefined) {
      const patch = { ...fields, signature, signaturePayload: signedKvPayload(issued, signature, avatar) };
      return { avatar, patch, ...(await this.recorder.record(patch)) };
    }
    const said = { text: issued, signature };
    const app = await this.signedByApp(checked, checked.signer, createdAt, said);
    const patch = { ...fields, signature, signaturePayload: issued, app };
    return { avatar, patch, ...(await this.recorder.record(patch)) };
  }

  private check({ avatar: key, platform, identity: text, patch, signer }: KvPayloadRequestDto): CheckedPatch {
    if (signer !== undefined && !isAppKey(signer)) {
      throw new InvalidRequestError(
        'signer must be secp256k1:, es256: or ed25519: and a compressed key in hex behind 0x.',
        'invalid_public_key',
      );
    }
    const avatar = AvatarKey.parseLoose(key);
    const identity = this.identities.canonical(avatar, platform, text);
    return {
      avatar,
      platform,
      identity,
      patch,
      patchText: patchText(patch, this.environment),
      ...(signer !== undefined && { signer }),
    };
  }

  /**
   * A key of an app that may write this now; the lock of the chain decides once more.
   * @throws ProofRejectedError, see `appKeyError`
   */
  private async getAppKey(patch: CheckedPatch, signer: string, createdAt: Date): Promise<AppKeyRow> {
    const values = [[patch.avatar.compressed], [signer]];
    const rows = await readRows<AppKeyRow & { now: Date }>(this.source, [APP_KEYS_TABLE], APP_KEYS_SQL, values);
    const state: AppKeyState = toAppKeyState(rows[0]!);
    const refusal = appKeyError(state, patch, createdAt);
    if (refusal) throw refusal;
    return state.key!;
  }

  /** @throws InvalidSignatureError, and what `getAppKey` throws */
  private async signedByApp(
    patch: CheckedPatch,
    name: string,
    createdAt: Date,
    { text, signature }: { text: string; signature: string },
  ): Promise<AppSigner> {
    const { origin } = await this.getAppKey(patch, name, createdAt);
    const problem = problemOfAppSignature(text, { key: name, signature, origin }, serviceCurves);
    if (problem !== null) throw new InvalidSignatureError(problem);
    return { name, origin };
  }
}

function sealedFields({ avatar, platform, identity, patchText: patch, signer }: CheckedPatch): SealedFields {
  const fields = { kind: 'kv', avatar: avatar.compressed, action: 'kv', platform, identity, patch };
  return signer === undefined ? fields : { ...fields, signer };
}
