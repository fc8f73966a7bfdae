import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Matches, Max, Min } from 'class-validator';
import { AVATAR_KEY_FORM, AvatarKey, LOOSE_KEY_FORM } from '../domain/avatar-key.js';
import type { Page } from '../domain/page.js';
import { FreeJsonObject, OptionalText, ReadWith, RequiredText } from '../http/validation/fields.js';
import { PageParameter, PagedDto, toPagination } from '../http/validation/paging.js';
import { StoredJson } from '../http/stored-json.js';
import { SignatureField } from '../ledger/avatar-signature.js';
import RECEIPT from '../ledger/receipt.example.json' with { type: 'json' };
import { UNIX_TEXT_PATTERN, UUID_PATTERN } from '@signet/verify/internal';
import { MAX_IDENTITY_LENGTH } from '../platform/identity-text.js';
import { NOT_BLANK } from '../platform/platform.service.js';
import EXAMPLE from './kv.example.json' with { type: 'json' };
import type { IdentityValue, OwnEntry } from './kv.queries.js';

/** The largest time that `UNIX_TEXT_PATTERN` accepts. */
const MAX_UNIX_SECONDS = 999_999_999_999;

export const PLATFORM =
  'A platform value, or the name of the service (`self` by default), which stands for the key itself.';
export const IDENTITY = 'Identity on the platform; for `self`, the public key.';
export const SIGNER =
  'Only where a key of an app signs (docs/keys.md): `<algorithm>:0x<compressed key>`, with secp256k1, es256 or ed25519.';
const INCOMPLETE =
  'Only where the text of a patch of this entry was erased: the content is what the patches behind it add up to, and may lack members.';
const IS_BOUND = 'Whether the Avatar holds a valid proof of this identity now; true for `self`.';

/** Contract, POST /v1/kv/payload, request. */
export class KvPayloadRequestDto {
  @RequiredText({
    description: 'Avatar public key: 66 or 130 hex digits, with or without 0x.',
    pattern: LOOSE_KEY_FORM,
    example: EXAMPLE.avatar,
  })
  avatar: string;

  @RequiredText({ description: PLATFORM, example: EXAMPLE.platform })
  platform: string;

  @RequiredText({
    description: IDENTITY,
    pattern: NOT_BLANK.source,
    maxLength: MAX_IDENTITY_LENGTH,
    example: EXAMPLE.identity,
  })
  identity: string;

  @FreeJsonObject({
    description:
      'JSON merge patch (RFC 7396) to the current content: null deletes, an array is replaced as a whole. As canonical JSON up to ' +
      '64 KiB (KV_MAX_PATCH_BYTES) and 64 levels deep (KV_MAX_DEPTH), without U+0000 and halves of surrogate pairs.',
    example: EXAMPLE.patch,
  })
  patch: object;

  @OptionalText('must be text', { description: SIGNER })
  signer?: string;
}

/** Contract, POST /v1/kv/payload, response. */
export class KvPayloadResponseDto {
  @ApiProperty({ description: 'Send unchanged to POST /v1/kv.', example: EXAMPLE.uuid })
  uuid: string;

  @ApiProperty({ description: 'UNIX seconds; send unchanged to POST /v1/kv.', example: EXAMPLE.createdAt })
  created_at: number;

  @ApiProperty({ description: 'The exact text to sign with personal_sign.', example: EXAMPLE.signPayload })
  sign_payload: string;
}

/** Contract, POST /v1/kv, request. */
export class KvSubmitRequestDto extends KvPayloadRequestDto {
  // Checks run upwards from the property, and the first that fails gives the message.
  @Matches(UUID_PATTERN, { message: 'uuid must be the uuid that the payload endpoint gave' })
  @RequiredText({ description: 'Exactly as the payload endpoint gave it.', example: EXAMPLE.uuid })
  uuid: string;

  @ApiProperty({
    description: 'As the payload endpoint gave it; its decimal text is accepted too.',
    example: EXAMPLE.createdAt,
  })
  @ReadWith((value) => (typeof value === 'string' && UNIX_TEXT_PATTERN.test(value) ? Number(value) : value))
  @Min(0, { message: 'created_at must not be negative' })
  @Max(MAX_UNIX_SECONDS, { message: 'created_at must be UNIX seconds: it is too large' })
  @IsInt({ message: 'created_at must be UNIX seconds, as a number or its decimal text' })
  created_at: number;

  @SignatureField()
  @RequiredText({
    description:
      'Signature of the Avatar over sign_payload (Base64, or hex behind 0x, which is kept as Base64); with `signer`, that of this key in Base64.',
    example: EXAMPLE.signature,
  })
  signature: string;
}

/** Contract, GET /v1/kv, query parameters. */
export class KvQueryDto {
  @RequiredText({
    description: 'Avatar public key: 0x and 66 or 130 hex digits.',
    pattern: AVATAR_KEY_FORM,
    example: EXAMPLE.avatar,
  })
  avatar: string;
}

/** GET /v1/kv/chain, query parameters. */
export class KvChainQueryDto extends KvQueryDto {
  @PageParameter()
  page: number = 1;
}

/** GET /v1/kv/by_identity, query parameters. */
export class KvByIdentityQueryDto {
  @RequiredText({ description: PLATFORM, example: EXAMPLE.platform })
  platform: string;

  @RequiredText({ description: IDENTITY, example: EXAMPLE.identity })
  identity: string;

  @PageParameter()
  page: number = 1;
}

/** Contract, Key-value entry. */
export class KvEntryDto {
  @ApiProperty({ description: PLATFORM, example: EXAMPLE.platform })
  platform: string;

  @ApiProperty({ description: IDENTITY, example: EXAMPLE.identity })
  identity: string;

  @ApiProperty({
    description: 'The content: all patches of the entry, applied one after the other.',
    type: 'object',
    additionalProperties: true,
    example: EXAMPLE.patch,
  })
  content: object;

  @ApiProperty({ description: IS_BOUND, example: true })
  is_bound: boolean;

  @ApiPropertyOptional({ description: INCOMPLETE, type: Boolean, example: true })
  incomplete?: boolean;
}

/** Contract, GET /v1/kv and POST /v1/kv, response. */
export class KvResponseDto {
  @ApiProperty({ description: 'Uncompressed public key.', example: EXAMPLE.identity })
  avatar: string;

  @ApiProperty({ type: [KvEntryDto], description: 'One entry for each identity with content.' })
  proofs: KvEntryDto[];
}

/** Contract, POST /v1/kv, response. */
export class KvSubmitResponseDto extends KvResponseDto {
  @ApiPropertyOptional(RECEIPT)
  receipt?: string;
}

/** The content of one Avatar under an identity. */
export class KvValueDto {
  @ApiProperty({ description: 'Uncompressed public key.', example: EXAMPLE.identity })
  avatar: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Null where it has more than 64 KiB; GET /v1/kv of that Avatar has it then.',
    example: EXAMPLE.patch,
  })
  content: object | null;

  @ApiProperty({ description: 'Bytes of the content as canonical JSON.', type: 'integer', example: 49 })
  content_bytes: number;

  @ApiProperty({ description: IS_BOUND, example: true })
  is_bound: boolean;

  @ApiPropertyOptional({ description: INCOMPLETE, type: Boolean, example: true })
  incomplete?: boolean;
}

/** GET /v1/kv/by_identity, response. */
export class KvByIdentityResponseDto extends PagedDto {
  @ApiProperty({ type: [KvValueDto], description: 'Who holds a valid proof first, then the newest; 1,000 in all.' })
  values: KvValueDto[];
}

export function toKvResponse(avatar: AvatarKey, entries: OwnEntry[]): KvResponseDto {
  const proofs = entries.map(({ platform, identity, content, isBound, isIncomplete }) => ({
    platform,
    identity,
    content: new StoredJson(content),
    is_bound: isBound,
    ...(isIncomplete && { incomplete: true }),
  }));
  return { avatar: avatar.uncompressed, proofs };
}

export function toKvByIdentityResponse(page: Page<IdentityValue>): KvByIdentityResponseDto {
  const values = page.items.map(({ avatar, content, contentBytes, isBound, isIncomplete }) => ({
    avatar: AvatarKey.parse(avatar).uncompressed,
    content: content === null ? null : new StoredJson(content),
    content_bytes: contentBytes,
    is_bound: isBound,
    ...(isIncomplete && { incomplete: true }),
  }));
  return { pagination: toPagination(page), values };
}
