import { IsIn, IsOptional, MaxLength } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { OptionalText, RequiredText } from '../http/validation/fields.js';
import { SignatureField } from '../ledger/avatar-signature.js';
import EXAMPLE from '../proof-chain/chain-link.example.json' with { type: 'json' };

/** Curves of a subkey: P-256 with its point in `0x` and 128 hex digits, or secp256k1 with a key as an Avatar has it. */
const ALGORITHMS = ['es256', 'secp256k1'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

const MAX_RP_ID_LENGTH = 253; // a domain name
const MAX_NAME_LENGTH = 255;
const EXAMPLE_KEY = `0x${'17'.repeat(64)}`;

/** POST /v1/subkey/payload, request. */
export class SubkeyPayloadRequestDto {
  @RequiredText({ description: 'Avatar public key.', example: EXAMPLE.avatar })
  avatar: string;

  @RequiredText({ enum: ALGORITHMS, example: 'es256' })
  @IsIn(ALGORITHMS, { message: 'algorithm must be es256 or secp256k1' })
  algorithm: Algorithm;

  @RequiredText({
    description: 'es256: 0x and 128 hex digits (X, Y); secp256k1: 0x and 66 or 130.',
    example: EXAMPLE_KEY,
  })
  public_key: string;

  @MaxLength(MAX_RP_ID_LENGTH, { message: `rp_id must have at most ${MAX_RP_ID_LENGTH} characters` })
  @RequiredText({ description: 'Who may use the subkey, such as a domain.', example: 'app.example.com' })
  rp_id: string;
}

/** POST /v1/subkey, request. */
export class SubkeySubmitRequestDto extends SubkeyPayloadRequestDto {
  @MaxLength(MAX_NAME_LENGTH, { message: `name must have at most ${MAX_NAME_LENGTH} characters` })
  @OptionalText('must be text', { description: 'A name for people; not signed.', example: 'my phone' })
  name: string = '';

  @RequiredText({ description: 'Signature of the Avatar over sign_payload.', example: EXAMPLE.signature })
  @SignatureField()
  signature: string;
}

/** POST /v1/subkey/payload and POST /v1/subkey, response. */
export class SubkeyPayloadDto {
  @ApiProperty({ description: 'The exact text to sign with personal_sign.' })
  sign_payload: string;
}

/** GET /v1/subkey, query parameters: an Avatar, or a subkey by algorithm and public_key. */
export class SubkeyQueryDto {
  @OptionalText('must be one key', { description: 'Avatar public key.', example: EXAMPLE.avatar })
  avatar?: string;

  @ApiPropertyOptional({ enum: ALGORITHMS })
  @IsOptional()
  @IsIn(ALGORITHMS, { message: 'algorithm must be es256 or secp256k1' })
  algorithm?: Algorithm;

  @OptionalText('must be one key', { description: 'Public key of the subkey.' })
  public_key?: string;
}

export class SubkeyDto {
  @ApiProperty({ description: 'Compressed public key.', example: EXAMPLE.avatar })
  avatar: string;

  @ApiProperty({ enum: ALGORITHMS, example: 'es256' })
  algorithm: Algorithm;

  @ApiProperty({ example: EXAMPLE_KEY })
  public_key: string;

  @ApiProperty({ example: 'my phone' })
  name: string;

  @ApiProperty({ example: 'app.example.com' })
  rp_id: string;

  @ApiProperty({ description: 'UNIX seconds.', type: 'integer', example: 1_763_700_000 })
  created_at: number;
}

/** GET /v1/subkey, response. */
export class SubkeysDto {
  @ApiProperty({ type: [SubkeyDto], description: 'Oldest first, 100 at most.' })
  subkeys: SubkeyDto[];
}
