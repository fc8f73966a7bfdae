import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches, MaxLength } from 'class-validator';
import { missingOr, OptionalText, RequiredText } from '../../http/validation/fields.js';
import { SignatureField } from '../../ledger/avatar-signature.js';
import { UUID_PATTERN } from '@signet/verify';
import EXAMPLE from '../../proof-chain/chain-link.example.json' with { type: 'json' };

/** The texts to publish have some hundred characters; for a longer post, uuid and signature are enough. */
const MAX_POST_CHARACTERS = 4096;
const POST_IS_LONG = `proof_post must have at most ${MAX_POST_CHARACTERS} characters; of a longer post, send uuid and signature`;

/** POST /v1/proof/restore_pubkey, request. */
export class RestoreKeyRequestDto {
  @ApiPropertyOptional({
    enum: ['create'],
    enumName: 'CreateAction',
    description: 'Only a create is published.',
    example: 'create',
  })
  @IsOptional()
  @IsIn(['create'], { message: 'action must be create: nothing else is published' })
  action?: string;

  @RequiredText({ description: 'A platform value, as in GET /healthz.', example: 'twitter' })
  platform: string;

  @RequiredText({ description: 'Identity of the author of the post.', example: 'alice' })
  identity: string;

  @MaxLength(MAX_POST_CHARACTERS, { message: POST_IS_LONG })
  @OptionalText('must be text', {
    description: 'The text of the post, as it was published or as a page shows it. Instead of uuid and signature.',
    maxLength: MAX_POST_CHARACTERS,
    example: `🎭 Verify @alice with @NextDotID.\nSig: ${EXAMPLE.signature}\nMisc: ${EXAMPLE.uuid}|${EXAMPLE.created_at}|`,
  })
  proof_post?: string;

  @ApiPropertyOptional({ description: 'Instead of proof_post, with signature.', example: EXAMPLE.uuid })
  @IsOptional()
  @Matches(UUID_PATTERN, missingOr('must be the uuid that the payload endpoint gave'))
  uuid?: string;

  @SignatureField()
  @OptionalText('must be text', {
    description: 'Signature of the Avatar (Base64, or hex behind 0x). Instead of proof_post, with uuid.',
    example: EXAMPLE.signature,
  })
  signature?: string;
}

/** POST /v1/proof/restore_pubkey, response. */
export class RestoredKeyDto {
  @ApiProperty({ description: 'Compressed public key.', example: EXAMPLE.avatar })
  public_key: string;
}
