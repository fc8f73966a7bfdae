import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { SIGNATURE_PATTERN, WALLET_BYTES_PATTERN } from '@signet/verify/internal/signatures';
import { NestedObject, OptionalChoice, OptionalText, RequiredText, WholeNumber } from '../http/validation/fields.js';
import { AVATAR_KEY_FORM } from '../domain/avatar-key.js';
import { SignatureField } from '../ledger/avatar-signature.js';
import RECEIPT from '../ledger/receipt.example.json' with { type: 'json' };
import { UUID_PATTERN, UNIX_TEXT_PATTERN } from '@signet/verify/internal';
import { MAX_IDENTITY_LENGTH } from '../platform/identity-text.js';
import { MAX_LOCATION_LENGTH, NOT_BLANK } from '../platform/platform.service.js';
import EXAMPLE from '../proof-chain/chain-link.example.json' with { type: 'json' };

const ACTIONS = ['create', 'delete'] as const;

export const PUBLIC_KEY = {
  description: 'Avatar public key: 0x and 66 or 130 hex digits.',
  pattern: AVATAR_KEY_FORM,
  example: EXAMPLE.avatar,
};

const IDENTITY =
  'Identity on the platform. `GET /v1/platforms` has the form that each platform wants (`invalid_identity`).';

/** An optional whole number, described by `options`; see `WholeNumber`. */
const OptionalInt = (options: ApiPropertyOptions, ...limits: Parameters<typeof WholeNumber>): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional(options), IsOptional(), WholeNumber(...limits));

/** Hex of 64 KiB, the longest signature of a contract wallet. */
const MAX_WALLET_TEXT = 2 + 2 * 64 * 1024;

const CHAIN_ID = {
  description:
    'EIP-155 id of the chain of a contract wallet (ERC-1271); only for a create on ethereum, ignored elsewhere.',
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
} as const;

const BLOCK_NUMBER = {
  description: 'The newest block of that chain as the payload was written.',
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
} as const;

const AS_GIVEN = 'Exactly as the payload endpoint gave it, where it did.';

/** What binds both steps. */
class LinkRequestDto {
  @RequiredText({
    description: '`create` binds the identity, `delete` revokes the binding.',
    enum: ACTIONS,
    enumName: 'LinkAction',
    example: 'create',
  })
  @IsIn(ACTIONS, { message: 'action must be create or delete' })
  action: 'create' | 'delete';

  @RequiredText({ description: 'A platform value, as in GET /healthz.', example: EXAMPLE.platform })
  platform: string;

  @RequiredText({
    description: IDENTITY,
    pattern: NOT_BLANK.source,
    maxLength: MAX_IDENTITY_LENGTH,
    example: EXAMPLE.identity,
  })
  identity: string;

  @RequiredText(PUBLIC_KEY)
  public_key: string;
}

/** `extra` of POST /v1/proof/payload. */
export class PayloadExtraDto {
  @OptionalInt(CHAIN_ID, 1)
  chain_id?: number;
}

/** Contract, POST /v1/proof/payload, request. */
export class PayloadRequestDto extends LinkRequestDto {
  @ApiPropertyOptional({ description: 'What else the signed text has to say.', type: PayloadExtraDto })
  @IsOptional()
  @NestedObject(() => PayloadExtraDto)
  extra?: PayloadExtraDto;
}

/** `extra` in the answer of POST /v1/proof/payload. */
export class SignedChainDto {
  @ApiProperty(BLOCK_NUMBER)
  block_number: number;

  @ApiProperty(CHAIN_ID)
  chain_id: number;
}

/** Contract, POST /v1/proof/payload, response. */
export class PayloadResponseDto {
  @ApiProperty({
    description:
      'Post texts by language code; `%SIG_BASE64%` is to be replaced by the Base64 signature. `default` is always there.',
    type: 'object',
    additionalProperties: { type: 'string' },
    example: {
      default:
        'Nothing has to be published for a wallet. Send the Avatar signature %SIG_BASE64% as extra.signature, and the signature of the wallet over the same text as extra.wallet_signature.',
    },
  })
  post_content: Record<string, string>;

  @ApiProperty({ description: 'The exact text to sign with personal_sign.', example: EXAMPLE.signature_payload })
  sign_payload: string;

  @ApiProperty({ description: 'Send unchanged to POST /v1/proof.', example: EXAMPLE.uuid })
  uuid: string;

  @ApiProperty({ description: 'UNIX seconds; send unchanged to POST /v1/proof.', example: EXAMPLE.created_at })
  created_at: string;

  @ApiPropertyOptional({
    description: 'Where a chain was asked for; send unchanged in extra of POST /v1/proof.',
    type: SignedChainDto,
  })
  extra?: SignedChainDto;
}

/** Contract, POST /v1/proof, `extra`. */
export class SubmitExtraDto {
  @SignatureField()
  @OptionalText('must be text', {
    description:
      'Signature of the wallet over the same sign_payload (Base64, or hex behind 0x, which is kept as Base64; Solana wallets also Base58; of a key of Nostr the sig of its event, also as bare hex). Required for wallet platforms, ignored elsewhere.',
    pattern: WALLET_BYTES_PATTERN.source,
    maxLength: MAX_WALLET_TEXT,
    example: EXAMPLE.extra.wallet_signature,
  })
  wallet_signature?: string;

  @OptionalText('must be text', {
    description:
      'Solana only: the bytes that the wallet signed (Base64, or hex behind 0x), where they are more than sign_payload, as with a ' +
      'Ledger: `signedMessage` of the wallet. Must be an off-chain message of this wallet alone whose text is sign_payload.',
    pattern: WALLET_BYTES_PATTERN.source,
    maxLength: MAX_WALLET_TEXT,
  })
  wallet_message?: string;

  @SignatureField()
  @OptionalText('must be text', {
    description:
      'Signature of the Avatar over sign_payload (Base64, or hex behind 0x, which is kept as Base64). Required for wallet platforms, with `rel` and for every delete, ignored elsewhere.',
    pattern: SIGNATURE_PATTERN.source,
    example: EXAMPLE.signature,
  })
  signature?: string;

  @OptionalChoice(['me'], {
    description:
      'Website only: `me` where the head of the page has `<link rel="me">` with the did:key of the Avatar, or the address of its page here, and no signature. Such a link says so in `extra.rel`: the page names the key, and not this binding.',
    enumName: 'LinkRelation',
  })
  rel?: 'me';

  @OptionalInt({ ...CHAIN_ID, description: AS_GIVEN }, 1)
  chain_id?: number;

  @OptionalInt({ ...BLOCK_NUMBER, description: AS_GIVEN }, 0, 'must not be negative')
  block_number?: number;
}

/** Contract, POST /v1/proof, request. */
export class SubmitRequestDto extends LinkRequestDto {
  @OptionalText('must be text', {
    description: 'Location of the public post, where the platform needs one (GET /v1/platforms); ignored elsewhere.',
    maxLength: MAX_LOCATION_LENGTH,
    example: '',
  })
  proof_location?: string;

  @ApiPropertyOptional({ description: 'Signatures that are sent with the request.', type: SubmitExtraDto })
  @IsOptional()
  @NestedObject(() => SubmitExtraDto)
  extra?: SubmitExtraDto;

  @RequiredText({ description: 'Exactly as the payload endpoint gave it.', example: EXAMPLE.uuid })
  @Matches(UUID_PATTERN, { message: 'uuid must be the uuid that the payload endpoint gave' })
  uuid: string;

  @RequiredText({ description: 'Exactly as the payload endpoint gave it.', example: EXAMPLE.created_at })
  @Matches(UNIX_TEXT_PATTERN, { message: 'created_at must be UNIX seconds as decimal text' })
  created_at: string;
}

/** Contract, POST /v1/proof, response. */
export class SubmitResponseDto {
  @ApiProperty({
    description: 'Canonical location of the post, as it is recorded; empty where there is none.',
    example: '',
  })
  proof_location: string;

  @ApiProperty({
    description:
      '`extra` of the link, as it is recorded: with these two a client knows the whole link, and so the hash in its receipt.',
    type: 'object',
    additionalProperties: true,
    example: EXAMPLE.extra,
  })
  extra: object;

  @ApiPropertyOptional(RECEIPT)
  receipt?: string;
}
