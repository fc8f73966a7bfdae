import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import type { RecordedLinkItem } from '@signet/verify/internal/log';
import { AVATAR_KEY_FORM } from '../domain/avatar-key.js';
import type { PageOf } from '../domain/page.js';
import { unixSecondsText } from '../domain/unix-time.js';
import { ERASED_DESCRIPTION, ErasureDto } from '../ledger/erasure.dto.js';
import type { StoredJson, Written } from '../http/stored-json.js';
import { PageParameter, PagedDto, toPagination } from '../http/validation/paging.js';
import LINK_EXAMPLE from './chain-link.example.json' with { type: 'json' };
import type { StoredLink } from './link-rows.js';
import type { NewLink } from './proof-chain.service.js';

/** Contract, GET /v1/proofchain, query parameters. */
export class ProofChainQueryDto {
  @ApiProperty({
    description: 'Avatar public key: 0x and 66 or 130 hex digits. The name `avatar` is accepted in its place.',
    pattern: AVATAR_KEY_FORM,
    example: LINK_EXAMPLE.avatar,
  })
  @IsOptional()
  @IsString({ message: 'public_key must be one key' })
  public_key?: string;

  /** Another name of `public_key`, which counts where both are given; not described, so that one name is required. */
  @IsOptional()
  @IsString({ message: 'avatar must be one key' })
  avatar?: string;

  @PageParameter()
  page: number = 1;
}

/**
 * Contract, Chain link, as items of GET /v1/proofchain. The example is the first link of a real chain, made by
 * `npm run demo` with throw-away keys, so that a reader can verify what the API page shows. A test does.
 */
export class ChainLinkDto {
  @ApiProperty({
    description: '`create` binds the identity, `delete` revokes the binding.',
    enum: ['create', 'delete'],
    enumName: 'LinkAction',
    example: LINK_EXAMPLE.action,
  })
  action: string;

  @ApiProperty({ description: 'Platform value.', example: LINK_EXAMPLE.platform })
  platform: string;

  @ApiProperty({ description: 'Canonical identity on the platform.', example: LINK_EXAMPLE.identity })
  identity: string;

  @ApiProperty({ description: 'Location of the public proof post; empty where there is none.', example: '' })
  proof_location: string;

  @ApiProperty({ description: 'UNIX seconds.', example: LINK_EXAMPLE.created_at })
  created_at: string;

  @ApiProperty({
    description: 'Base64 signature of the Avatar over signature_payload.',
    example: LINK_EXAMPLE.signature,
  })
  signature: string;

  @ApiProperty({ description: 'The exact text that was signed.', example: LINK_EXAMPLE.signature_payload })
  signature_payload: string;

  @ApiProperty({
    description:
      'What else belongs to the link: `wallet_signature` of a wallet binding; `wallet_message`, the bytes that a Solana wallet signed (Base64), where they are more than signature_payload; `chain_id` and `block_number` of a contract wallet.',
    type: 'object',
    additionalProperties: true,
    example: LINK_EXAMPLE.extra,
  })
  extra: object;

  @ApiProperty({
    description: 'UUID of the link, which no other link has.',
    format: 'uuid',
    example: LINK_EXAMPLE.uuid,
  })
  uuid: string;

  @ApiProperty({ description: 'Transaction id in the permanent storage; empty until it is confirmed.', example: '' })
  archive_id: string;

  @ApiPropertyOptional({ type: ErasureDto, description: ERASED_DESCRIPTION })
  erased?: ErasureDto;
}

/** Contract, Chain link, as items of the feed. */
export class FeedLinkDto extends ChainLinkDto {
  @ApiProperty({ description: 'Cursor of this link.', example: 1 })
  id: number;

  @ApiProperty({ description: 'Compressed public key.', example: LINK_EXAMPLE.avatar })
  avatar: string;
}

/** Contract, GET /v1/proofchain, response. */
export class ProofChainResponseDto extends PagedDto {
  @ApiProperty({ type: [ChainLinkDto], description: 'Oldest link first.' })
  proof_chain: ChainLinkDto[];
}

/** Contract, GET /v1/proofchain/changes, response. */
export class ChangesResponseDto {
  @ApiProperty({ type: [FeedLinkDto], description: 'Ascending by `id`.' })
  links: FeedLinkDto[];
}

/** A link as `LINK_FEED` writes it. */
export function toFeedLink(link: StoredLink): FeedLinkDto {
  return {
    id: link.id,
    avatar: link.avatar,
    action: link.action,
    platform: link.platform,
    identity: link.identity,
    proof_location: link.proofLocation,
    created_at: unixSecondsText(link.createdAt),
    signature: link.signature,
    signature_payload: link.signaturePayload,
    extra: link.extra,
    uuid: link.uuid,
    archive_id: link.archiveId,
    ...(link.erased && { erased: link.erased }),
  };
}

/** A link that was recorded just now, as the feed will answer it, but for its number. */
export function toRecordedLink({ avatar, action, extra, ...fields }: NewLink): RecordedLinkItem {
  const link = { ...fields, id: 0, avatar: avatar.compressed, action, extra, archiveId: '', erased: null };
  // Without members that the database does not keep.
  return { ...toFeedLink(link), action, extra: JSON.parse(JSON.stringify(extra)) as RecordedLinkItem['extra'] };
}

/** @param page of links as JSON texts */
export function toProofChainResponse(page: PageOf<StoredJson>): Written<ProofChainResponseDto, 'proof_chain'> {
  return { pagination: toPagination(page), proof_chain: page.items };
}
