import { Injectable } from '@nestjs/common';
import type { SignedChain } from '@signet/verify';
import { AvatarKey } from '../domain/avatar-key.js';
import { NotFoundError, ProofRejectedError } from '../domain/domain-errors.js';
import { fromUnixSeconds, unixSecondsText } from '../domain/unix-time.js';
import { assertAvatarSigned } from '../ledger/avatar-signature.js';
import { PayloadSeal, type SealedFields } from '../ledger/payload.seal.js';
import {
  InvalidRequestError,
  InvalidSignatureError,
  type PlatformVerifier,
  type PostContent,
  type ProofClaim,
  SIGNATURE_PLACEHOLDER,
  type ValidVerdict,
} from '@signet/look';
import { isWallet } from '@signet/look/internal';
import { PlatformService } from '../platform/platform.service.js';
import { buildLinkPayload } from '../proof-chain/link-payload.js';
import { type NewLink, ProofChainService } from '../proof-chain/proof-chain.service.js';
import { LinkRecorder } from './link-recorder.js';
import { LookedUp } from './look-up/looked-up.js';
import type { BindingQueryDto } from './look-up/proof-lookup.dto.js';
import type { EvidenceDto } from './proof-checks.dto.js';
import type { PayloadRequestDto, PayloadResponseDto, SubmitExtraDto, SubmitRequestDto } from './proof.dto.js';
import { type Binding, type BindingName, ProofStore } from './proof.store.js';

/** A link before its platform was asked: its location, and a signature that is in a post, are not known yet. */
type LinkDraft = Omit<NewLink, 'signature' | 'proofLocation' | 'extra'>;

/**
 * The two steps of a link, and the state of the binding that follows from it (contract, Endpoints;
 * docs/design/decisions.md 3 and 5).
 */
@Injectable()
export class ProofService {
  constructor(
    private readonly platforms: PlatformService,
    private readonly chain: ProofChainService,
    private readonly seal: PayloadSeal,
    private readonly recorder: LinkRecorder,
    private readonly proofs: ProofStore,
    private readonly lookedUp: LookedUp,
  ) {}

  /**
   * Step 1: the text to sign and the texts to publish. Nothing is stored.
   * @throws InvalidRequestError for an unusable key, platform, identity or chain; PlatformMisconfiguredError for a
   *   create that cannot work here; PlatformUnavailableError where the chain did not say its newest block.
   */
  async prepare(request: PayloadRequestDto, now: Date): Promise<PayloadResponseDto> {
    const { action, platform } = request;
    const chainId = request.extra?.chain_id;
    const avatar = AvatarKey.parse(request.public_key);
    const verifier = this.platforms.get(platform);
    const identity = this.platforms.canonicalIdentity(verifier, request.identity);
    if (action === 'create') this.platforms.assertAvailable(verifier);
    const chain = action === 'create' && chainId !== undefined ? await verifier.newestBlock?.(chainId) : undefined;
    const head = await this.chain.items.head(avatar);
    const previous = head?.signature ?? null;
    const fields = { action, avatar, platform, identity, chain };
    const { uuid, createdAt } = this.seal.issue(sealedFields(fields), head, now);
    const signPayload = buildLinkPayload({ ...fields, previous, uuid, createdAt });
    const draft = { avatar, platform, identity, uuid, createdAt, previous, signPayload };
    const postContent = action === 'create' ? verifier.postContent(draft) : deleteContent(draft);
    const answer = {
      post_content: postContent,
      sign_payload: signPayload,
      uuid,
      created_at: unixSecondsText(createdAt),
    };
    return chain ? { ...answer, extra: chain } : answer;
  }

  /**
   * Step 2: checks everything in the order of docs/design/decisions.md 3, asks the platform last, and records link,
   * proof and event in one transaction, which links that are ready at the same moment share.
   * @throws InvalidRequestError, AlreadyRecordedError, StaleChainError, PayloadMismatchError, PayloadExpiredError,
   *   InvalidSignatureError, ProofRejectedError, PlatformUnavailableError, PlatformMisconfiguredError
   * @returns the link as it is recorded, and when, by the clock of the database.
   */
  async submit(request: SubmitRequestDto, now: Date): Promise<{ link: NewLink; recordedAt: Date }> {
    const { action, platform, uuid } = request;
    const avatar = AvatarKey.parse(request.public_key);
    const verifier = this.platforms.get(platform);
    const identity = this.platforms.canonicalIdentity(verifier, request.identity);
    const rel = action === 'create' ? relOf(verifier, request.extra) : undefined;
    const isSignedInRequest = action === 'delete' || isWallet(verifier) || rel !== undefined;
    const signature = isSignedInRequest ? requiredSignature(request.extra) : null;
    if (action === 'create') this.platforms.assertLocationGiven(verifier, request.proof_location);

    const heads = await this.chain.items.headsBefore(avatar, uuid);
    const createdAt = fromUnixSeconds(Number(request.created_at));
    const chain = action === 'create' && verifier.newestBlock ? chainOf(request.extra) : undefined;
    await this.seal.open(sealedFields({ avatar, action, platform, identity, chain }), { uuid, createdAt }, heads, now);
    const fields = { action, avatar, platform, identity, uuid, createdAt, previous: heads.current?.signature ?? null };
    const draft = { ...fields, signaturePayload: buildLinkPayload({ ...fields, chain }) };
    if (signature) assertAvatarSigned('extra.signature', signature, draft.signaturePayload, avatar);

    const { link, verdict } =
      action === 'delete'
        ? { link: { ...draft, signature: signature!, proofLocation: '', extra: {} }, verdict: null }
        : await this.confirm(verifier, draft, request, signature, chain);
    const previousAt = heads.current?.createdAt ?? null;
    const recordedAt = await this.recorder.record({ ...link, previousAt, verdict, checkedAt: now });
    return { link, recordedAt };
  }

  /** @throws NotFoundError that names the unknown part: the Avatar, or this identity under it */
  async getBinding(query: BindingQueryDto): Promise<Binding> {
    const { avatar, platform, identity } = this.bindingNameOf(query);
    const { binding, isAvatarKnown } = await this.proofs.find(avatar, platform, identity);
    const asked = this.platforms.get(platform).chainOf?.(query.identity) ?? null;
    if (binding && asked !== null && binding.chainId !== null && binding.chainId !== asked) {
      throw new NotFoundError(
        `This Avatar holds a binding of this wallet on chain ${binding.chainId}, and none on chain ${asked}.`,
        'identity_not_found',
      );
    }
    if (binding) {
      const { lastCheckedAt } = binding;
      this.lookedUp.bindings.next({ avatar: avatar.compressed, platform, identity, lastCheckedAt });
      return binding;
    }
    if (!isAvatarKnown) throw avatarUnknown(avatar);
    throw new NotFoundError(
      `The Avatar is known, but it holds no binding of this identity on ${platform}.`,
      'identity_not_found',
    );
  }

  /**
   * The evidence of the last successful check; kept, without the text, after the binding is deleted.
   * @throws NotFoundError (`avatar_not_found`, or `evidence_not_found` if there never was any, such as for
   *   wallets, whose only evidence is their link)
   */
  async getEvidence(query: BindingQueryDto): Promise<EvidenceDto> {
    const { avatar, platform, identity } = this.bindingNameOf(query);
    const evidence = await this.proofs.findEvidence({ avatar, platform, identity });
    if (evidence) return evidence;
    if (!(await this.proofs.find(avatar, platform, identity)).isAvatarKnown) throw avatarUnknown(avatar);
    throw new NotFoundError(
      'There is no evidence for this binding: it was never checked on a platform. A wallet binding is proved by its link alone.',
      'evidence_not_found',
    );
  }

  /**
   * No Avatar holds an empty identity. It stands for a text that is not an identity of the platform, so that the lookup
   * still finds out whether the Avatar is known.
   */
  private bindingNameOf({ platform, identity, public_key: key }: BindingQueryDto): BindingName {
    const avatar = AvatarKey.parse(key);
    return { avatar, platform, identity: this.platforms.findIdentity(this.platforms.get(platform), identity) ?? '' };
  }

  /** Asks the platform, and completes the link from its answer. @throws what `submit` throws for it */
  private async confirm(
    verifier: PlatformVerifier,
    draft: LinkDraft,
    { identity: identityAsSent, proof_location: location, extra: sent = {} }: SubmitRequestDto,
    avatarSignature: string | null,
    chain: SignedChain | undefined,
  ): Promise<{ link: NewLink; verdict: ValidVerdict }> {
    const { platform, identity, signaturePayload: signPayload } = draft;
    const walletSignature = isWallet(verifier) ? sent.wallet_signature : undefined;
    this.platforms.assertAvailable(verifier);
    const proofLocation = await this.platforms.canonicalLocation(verifier, location, identity);
    const { rel, wallet_message: walletMessage } = sent;
    const submitted = { walletSignature, walletMessage, identityAsSent, chain, rel };
    const claim: ProofClaim = { ...draft, proofLocation, signPayload, ...submitted, withProof: true };
    const verdict = await this.platforms.verify(verifier, claim);
    if (!verdict.valid) throw refusal(verifier, verdict.reason);
    assertChainSigned(chain, verdict);
    const signature = avatarSignature ?? verdict.signature;
    if (signature === undefined) throw new Error(`The verifier of ${platform} confirmed a post without a signature.`);
    const extra = {
      ...(walletSignature === undefined ? {} : { wallet_signature: walletSignature }),
      ...chain,
      ...verdict.extra,
    };
    return { link: { ...draft, signature, proofLocation, extra }, verdict };
  }
}

/** The error of a refused claim: a wallet that did not sign, or a post or record that does not prove the claim. */
function refusal(verifier: PlatformVerifier, reason: string): Error {
  return isWallet(verifier) ? new InvalidSignatureError(reason) : new ProofRejectedError(reason);
}

/**
 * A contract wallet counts on one chain, and the word of a server is not enough for it: the Avatar has to sign which.
 * @throws InvalidRequestError (`chain_required`)
 */
function assertChainSigned(chain: SignedChain | undefined, { extra }: ValidVerdict): void {
  if (chain || extra?.['chain_id'] === undefined) return;
  throw new InvalidRequestError(
    `This is a contract wallet on chain ${extra['chain_id']}, and the payload that was signed names no chain: ask for one ` +
      `with "extra": {"chain_id": ${extra['chain_id']}}, and sign that.`,
    'chain_required',
  );
}

function sealedFields({
  avatar,
  ...fields
}: Omit<SealedFields, 'kind' | 'avatar' | 'patch'> & { avatar: AvatarKey }): SealedFields {
  return { kind: 'proof', avatar: avatar.compressed, ...fields, patch: null };
}

/**
 * Choice: a delete has a text too, so that a client which shows `post_content.default` always has something to show.
 */
function deleteContent(draft: { platform: string; identity: string; uuid: string }): PostContent {
  return {
    default: `I revoke the proof of ${draft.identity} on ${draft.platform}.\nSig: ${SIGNATURE_PLACEHOLDER}\nUUID: ${draft.uuid}`,
  };
}

function avatarUnknown({ compressed }: AvatarKey): NotFoundError {
  return new NotFoundError(`This Avatar is unknown here: ${compressed} never signed a link.`, 'avatar_not_found');
}

/** @throws InvalidRequestError for a platform whose pages have to hold the signature */
function relOf({ takesRelMe, platform }: PlatformVerifier, { rel }: SubmitExtraDto = {}): 'me' | undefined {
  if (rel === undefined || takesRelMe) return rel;
  throw new InvalidRequestError(`extra.rel is for websites: what is published on ${platform} holds the signature.`);
}

/**
 * The chain that is sent back at submit. One member alone names none, so the seal of a payload with a chain refuses it.
 */
function chainOf({ block_number, chain_id }: SubmitExtraDto = {}): SignedChain | undefined {
  return block_number === undefined || chain_id === undefined ? undefined : { block_number, chain_id };
}

function requiredSignature({ signature }: SubmitExtraDto = {}): string {
  if (signature) return signature;
  throw new InvalidSignatureError('extra.signature is missing: the Avatar has to sign this link.');
}
