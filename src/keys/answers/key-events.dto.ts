import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { UUID_PATTERN } from '@signet/verify/internal';
import { KEY_TABLE, type KeyStatement } from '@signet/verify/key-events';
import { SIGNATURE_PATTERN } from '@signet/verify/internal/signatures';
import { IsIn, IsInt, IsObject, IsOptional, Matches, Max, Min } from 'class-validator';
import { AVATAR_KEY_FORM } from '../../domain/avatar-key.js';
import { OptionalText, RequiredText } from '../../http/validation/fields.js';
import { PagedDto, PageParameter } from '../../http/validation/paging.js';
import { SignatureField } from '../../ledger/avatar-signature.js';
import RECEIPT from '../../ledger/receipt.example.json' with { type: 'json' };
import EXAMPLE from '../keys.example.json' with { type: 'json' };

/** The largest time that a payload can have. */
const MAX_UNIX_SECONDS = 999_999_999_999;
const ACTIONS = KEY_TABLE.map(({ action }) => action);
export const ACTION = { description: 'What is said of the keys (docs/keys.md).', enum: ACTIONS, enumName: 'KeyAction' };
export const FIELDS =
  'What is signed for this action. `key.commit`: `recovery` (1 to 5 names of keys, highest first) and `delay_hours` (24 to 168); ' +
  '`key.succeed`: `successor` (compressed key), `since_link` and `since_patch` (the uuid of the last link and patch that the owner made, or null); ' +
  '`key.veto`: `event` (the uuid of the pending event); ' +
  '`key.add`: `key` (`<algorithm>:0x<compressed key>`, with secp256k1, es256 or ed25519), `scopes` (1 to 16 of `kv` and `kv:<platform>:<identity>`, of 1,200 bytes together), ' +
  '`expires_at` (UNIX seconds, at most two years later) and `origin` (of the pages on which a passkey signs, or null); ' +
  '`key.revoke`: `key`; nothing for the others.';
const KEY = { description: 'Avatar public key: 0x and 66 or 130 hex digits.', pattern: AVATAR_KEY_FORM };
export const KEY_NAME = '`main`, the name of a recovery key, or the key of an app that revokes itself.';

/** POST /v1/keys/payload, request. */
export class KeyPayloadRequestDto {
  @RequiredText({ ...KEY, example: EXAMPLE.avatar })
  avatar: string;

  @ApiProperty({ ...ACTION, example: EXAMPLE.action })
  @IsIn(ACTIONS, { message: `action must be one of ${ACTIONS.join(', ')}` })
  action: string;

  @ApiPropertyOptional({
    description: `${FIELDS} Step 1 fills in what is left out: 72 hours, the newest link and patch, a year, and no origin.`,
    type: 'object',
    additionalProperties: true,
    example: EXAMPLE.fields,
  })
  @IsOptional()
  @IsObject({ message: 'fields must be a JSON object' })
  fields?: object;
}

/** POST /v1/keys/payload, response. */
export class KeyPayloadResponseDto {
  @ApiProperty({ description: 'Send unchanged to POST /v1/keys.', example: EXAMPLE.uuid })
  uuid: string;

  @ApiProperty({ description: 'UNIX seconds; send unchanged to POST /v1/keys.', example: EXAMPLE.created_at })
  created_at: number;

  @ApiProperty({
    description: 'All fields of the action; send unchanged to POST /v1/keys.',
    type: 'object',
    additionalProperties: true,
    example: EXAMPLE.fields,
  })
  fields: object;

  @ApiProperty({
    description: 'The exact text that each key signs with personal_sign.',
    example: EXAMPLE.signature_payload,
  })
  sign_payload: string;
}

/** POST /v1/keys, request. */
export class KeySubmitRequestDto extends KeyPayloadRequestDto {
  // Checks run upwards from the property, and the first that fails gives the message.
  @Matches(UUID_PATTERN, { message: 'uuid must be the uuid that the payload endpoint gave' })
  @RequiredText({ description: 'Exactly as the payload endpoint gave it.', example: EXAMPLE.uuid })
  uuid: string;

  @ApiProperty({ description: 'As the payload endpoint gave it.', example: EXAMPLE.created_at })
  @Min(0, { message: 'created_at must not be negative' })
  @Max(MAX_UNIX_SECONDS, { message: 'created_at must be UNIX seconds: it is too large' })
  @IsInt({ message: 'created_at must be UNIX seconds, a number' })
  created_at: number;

  @SignatureField()
  @RequiredText({
    description:
      'Signature over sign_payload of the key that acts, the main key where two do (Base64, or hex behind 0x).',
    example: EXAMPLE.signature,
  })
  signature: string;

  @SignatureField()
  @OptionalText('must be text', {
    description:
      'Signature over the same text of the highest committed key, where main key and highest key act together; of `key.add` that of the key that is added.',
  })
  cosignature?: string;

  @SignatureField()
  @OptionalText('must be text', {
    description: 'Signature of the successor over the same text; for `key.succeed` alone.',
    pattern: SIGNATURE_PATTERN.source,
  })
  successor_signature?: string;
}

/** GET /v1/keys, query parameters. */
export class KeysQueryDto {
  @RequiredText({ ...KEY, example: EXAMPLE.avatar })
  avatar: string;
}

/** GET /v1/keys/chain, query parameters. */
export class KeyChainQueryDto extends KeysQueryDto {
  @PageParameter()
  page: number = 1;
}

/** One key event, as an item of GET /v1/keys/chain and GET /v1/keys/changes. */
export class KeyEventDto {
  @ApiProperty({ description: 'Cursor of this event: its number in the feed, without gaps.', example: EXAMPLE.id })
  id: number;

  @ApiProperty({ description: 'Compressed public key.', example: EXAMPLE.avatar })
  avatar: string;

  @ApiProperty({ description: 'UUID of the event, which no other event has.', example: EXAMPLE.uuid })
  uuid: string;

  @ApiProperty({ ...ACTION, example: EXAMPLE.action })
  action: KeyStatement['action'];

  @ApiProperty({ description: FIELDS, type: 'object', additionalProperties: true, example: EXAMPLE.fields })
  fields: object;

  @ApiProperty({ description: 'UNIX seconds, as signed.', example: EXAMPLE.created_at })
  created_at: number;

  @ApiProperty({ description: `Who signed it: ${KEY_NAME}`, example: EXAMPLE.signer })
  signer: string;

  @ApiProperty({
    description: 'The highest committed key, where it signed too.',
    type: String,
    nullable: true,
    example: null,
  })
  cosigner: string | null;

  @ApiProperty({ description: 'How many links the Avatar had.', example: EXAMPLE.links })
  links: number;

  @ApiProperty({ description: 'How many patches it had.', example: EXAMPLE.patches })
  patches: number;

  @ApiProperty({ description: 'When the event was accepted, UNIX seconds.', example: EXAMPLE.recorded_at })
  recorded_at: number;

  @ApiProperty({
    description: 'UNIX seconds: when a commit or a succession takes effect, and a freeze ends; otherwise recorded_at.',
    example: EXAMPLE.due_at,
  })
  due_at: number;

  @ApiProperty({ description: 'Base64 signature of `signer` over signature_payload.', example: EXAMPLE.signature })
  signature: string;

  @ApiProperty({ description: 'Base64 signature of `cosigner`.', type: String, nullable: true, example: null })
  cosignature: string | null;

  @ApiProperty({ description: 'Base64 signature of the successor.', type: String, nullable: true, example: null })
  successor_signature: string | null;

  @ApiProperty({
    description: 'The exact text that was signed; its `prev` is the signature of the key event before.',
    example: EXAMPLE.signature_payload,
  })
  signature_payload: string;
}

/** POST /v1/keys, response. */
export class KeySubmitResponseDto {
  @ApiProperty({ type: KeyEventDto, description: 'The event as it is recorded.' })
  key_event: KeyEventDto;

  @ApiPropertyOptional(RECEIPT)
  receipt?: string;
}

/** GET /v1/keys/chain, response. */
export class KeyChainResponseDto extends PagedDto {
  @ApiProperty({ type: [KeyEventDto], description: 'Oldest event first.' })
  keys: KeyEventDto[];
}

/** GET /v1/keys/changes, response. */
export class KeyChangesResponseDto {
  @ApiProperty({ type: [KeyEventDto], description: 'Ascending by `id`.' })
  keys: KeyEventDto[];
}
