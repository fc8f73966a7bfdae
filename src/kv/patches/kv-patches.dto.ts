import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { RecordedPatchItem } from '@signet/verify/internal/log';
import type { PageOf } from '../../domain/page.js';
import { unixSeconds } from '../../domain/unix-time.js';
import { PagedDto, toPagination } from '../../http/validation/paging.js';
import { StoredJson, type Written, writeJson } from '../../http/stored-json.js';
import { ERASED_DESCRIPTION, ErasureDto } from '../../ledger/erasure.dto.js';
import EXAMPLE from '../kv.example.json' with { type: 'json' };
import type { NewPatch, NumberedPatch } from '../kv-feed.js';
import { IDENTITY, PLATFORM, SIGNER } from '../kv.dto.js';

/**
 * One signed patch, as an item of GET /v1/kv/chain. The example is the first patch of a throw-away key, so that a
 * reader can verify what the API page shows. A test does.
 */
export class KvPatchDto {
  @ApiProperty({ description: 'UUID of the patch, which no other patch has.', format: 'uuid', example: EXAMPLE.uuid })
  uuid: string;

  @ApiProperty({ description: PLATFORM, example: EXAMPLE.platform })
  platform: string;

  @ApiProperty({ description: IDENTITY, example: EXAMPLE.identity })
  identity: string;

  @ApiProperty({
    description: 'The merge patch that was signed.',
    type: 'object',
    additionalProperties: true,
    example: EXAMPLE.patch,
  })
  patch: object;

  @ApiProperty({ description: 'UNIX seconds.', example: EXAMPLE.createdAt })
  created_at: number;

  @ApiPropertyOptional({ description: SIGNER, type: String })
  signer?: string;

  @ApiProperty({
    description: 'Base64 signature of the Avatar, or of `signer`, over signature_payload.',
    example: EXAMPLE.signature,
  })
  signature: string;

  @ApiProperty({
    description: 'The exact text that was signed; its `prev` is the signature of the patch before.',
    example: EXAMPLE.signPayload,
  })
  signature_payload: string;

  @ApiPropertyOptional({ type: ErasureDto, description: ERASED_DESCRIPTION })
  erased?: ErasureDto;
}

/** GET /v1/kv/chain, response; shaped like that of GET /v1/proofchain. */
export class KvChainResponseDto extends PagedDto {
  @ApiProperty({ type: [KvPatchDto], description: 'Oldest patch first.' })
  kv_chain: KvPatchDto[];
}

/** One signed patch, as an item of GET /v1/kv/changes. */
export class FeedPatchDto extends KvPatchDto {
  @ApiProperty({ description: 'Cursor of this patch: its number in the feed, without gaps.', example: 1 })
  id: number;

  @ApiProperty({ description: 'Compressed public key.', example: EXAMPLE.avatar })
  avatar: string;
}

/** GET /v1/kv/changes, response; shaped like that of GET /v1/proofchain/changes. */
export class KvChangesResponseDto {
  @ApiProperty({ type: [FeedPatchDto], description: 'Ascending by `id`.' })
  patches: FeedPatchDto[];
}

export function toKvChainResponse(page: PageOf<StoredJson>): Written<KvChainResponseDto, 'kv_chain'> {
  return { pagination: toPagination(page), kv_chain: page.items };
}

/** A patch as `PATCH_FEED` writes it. */
export function toFeedPatch(item: Omit<NumberedPatch, 'recordedAt'>): FeedPatchDto {
  return { id: item.id, avatar: item.avatar, ...toPatch(item) };
}

/** A patch that was recorded just now, as the feed will answer it, but for its number. */
export function toRecordedPatch({ avatar, patchText, ...fields }: NewPatch): RecordedPatchItem {
  const signer = fields.app?.name ?? null;
  const patch = toFeedPatch({ ...fields, signer, id: 0, avatar: avatar.compressed, patch: patchText, erased: null });
  return JSON.parse(writeJson(patch)) as RecordedPatchItem;
}

function toPatch(item: Omit<NumberedPatch, 'id' | 'avatar' | 'recordedAt'>): KvPatchDto {
  const { uuid, platform, identity, patch, createdAt, signer, signature, signaturePayload, erased } = item;
  return {
    uuid,
    platform,
    identity,
    patch: new StoredJson(patch),
    created_at: unixSeconds(createdAt),
    ...(signer !== null && { signer }),
    signature,
    signature_payload: signaturePayload,
    ...(erased && { erased }),
  };
}
