import { Body, Controller, Post } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { decodeBase64, findPostedSignature, parseSignature } from '@signet/verify';
import { UUID_PATTERN } from '@signet/verify/internal';
import { IsIn, IsOptional, Matches, MaxLength } from 'class-validator';
import { InvalidRequestError } from '@signet/look';
import { serviceCurves } from '../crypto/ecdsa.js';
import { Answers } from '../http/answers.js';
import { OptionalText, RequiredText } from '../http/validation/fields.js';
import { ServedAs } from '../http/server/served-as.js';
import { SignatureField } from '../ledger/avatar-signature.js';
import { PlatformService } from '../platform/platform.service.js';
import EXAMPLE from '../proof-chain/chain-link.example.json' with { type: 'json' };
import type { StoredLink } from '../proof-chain/link-rows.js';
import { ProofChainService } from '../proof-chain/proof-chain.service.js';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The texts to publish have some hundred characters; for a longer post, uuid and signature are enough. */
const MAX_POST_CHARACTERS = 4096;
const POST_IS_LONG = `proof_post must have at most ${MAX_POST_CHARACTERS} characters; of a longer post, send uuid and signature`;

/** POST /v1/proof/restore_pubkey, request. */
class RestoreKeyRequestDto {
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
    example: `🎭 Verify @alice with @NextDotID.\nSig: ${EXAMPLE.signature}\nMisc: ${EXAMPLE.uuid}|${EXAMPLE.created_at}|`,
  })
  proof_post?: string;

  @ApiPropertyOptional({ description: 'Instead of proof_post, with signature.', example: EXAMPLE.uuid })
  @IsOptional()
  @Matches(UUID_PATTERN, { message: 'uuid must be the uuid that the payload endpoint gave' })
  uuid?: string;

  @SignatureField()
  @OptionalText('must be text', {
    description: 'Signature of the Avatar (Base64, or hex behind 0x). Instead of proof_post, with uuid.',
    example: EXAMPLE.signature,
  })
  signature?: string;
}

/** POST /v1/proof/restore_pubkey, response. */
class RestoredKeyDto {
  @ApiProperty({ description: 'Compressed public key.', example: EXAMPLE.avatar })
  public_key: string;
}

/**
 * Finds the Avatar that made a published post. NextID recovers a key from the signature over a text that it rebuilds
 * from the post, and so answers some key for any post, also a forged one. Here the signed text names the Avatar, which
 * is not in the post, so the recorded link is needed: it is found by the uuid in the post, and the post must hold its
 * signature.
 */
@ApiTags('Proofs')
@Controller('v1/proof')
export class RestoreKeyController {
  constructor(
    private readonly chain: ProofChainService,
    private readonly platforms: PlatformService,
  ) {}

  /**
   * @throws InvalidRequestError (`unknown_platform`; `not_restored` where no link of this identity that is recorded
   *   here has this uuid and signature)
   */
  @Post('restore_pubkey')
  @ServedAs('payloads')
  @Answers(RestoredKeyDto, 'The Avatar that made a published post, if its link is recorded here')
  async restorePublicKey(@Body() { proof_post: post, ...body }: RestoreKeyRequestDto): Promise<RestoredKeyDto> {
    const verifier = this.platforms.get(body.platform);
    const identity = this.platforms.findIdentity(verifier, body.identity);
    const uuid = post === undefined ? body.uuid : UUID.exec(post)?.[0];
    if (uuid === undefined) throw notRestored('there is no uuid in it');
    const link = await this.chain.findByUuid(uuid.toLowerCase());
    if (link?.platform !== body.platform || link.identity !== identity) {
      throw notRestored(`no link of this identity with the uuid ${uuid} is recorded here`);
    }
    const posted = post === undefined ? body.signature : postedSignature(post, link);
    if (!isSameSignature(posted, link.signature)) throw notRestored('its signature is not that of the recorded link');
    return { public_key: link.avatar };
  }
}

/** Base64 of the signature in the post, if it is one of the link's Avatar over the link's text. */
function postedSignature(post: string, { signaturePayload, avatar }: StoredLink): string | undefined {
  const found = findPostedSignature(post, { payload: signaturePayload, avatar }, { curves: serviceCurves });
  return found.found ? found.signature : undefined;
}

/** Whether two signatures have the same r, s and v, however v is written. */
function isSameSignature(one: string | undefined, other: string): boolean {
  const [first, second] = [one, other].map((text) => {
    const bytes = text === undefined ? null : decodeBase64(text);
    return bytes && parseSignature(bytes);
  });
  if (!first || !second || first.recovery !== second.recovery) return false;
  return Buffer.from(first.rs).equals(second.rs);
}

function notRestored(reason: string): InvalidRequestError {
  return new InvalidRequestError(`The key of this post cannot be determined: ${reason}.`, 'not_restored');
}
