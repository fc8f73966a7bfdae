import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { writeVerifierKey } from '@signet/verify/log';
import type { Observers } from '@signet/verify/seen';
import { AVATAR_KEY_FORM } from '../domain/avatar-key.js';
import type { Page } from '../domain/page.js';
import { unixSecondsText } from '../domain/unix-time.js';
import { OptionalText } from '../http/validation/fields.js';
import { PagedDto, PageParameter, toPagination } from '../http/validation/paging.js';
import LINK_EXAMPLE from '../proof-chain/chain-link.example.json' with { type: 'json' };
import { shownUrl } from './observer-work.js';
import { noteOf, type SeenStatement } from './seen-statements.js';

const KEY_EXAMPLE = 'mirror.example/seen+41c1ad28+/3NpZ25ldC1zZWVuL3YxAIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c';
const LINK_HASH = {
  pattern: '^[0-9a-f]{64}$',
  example: '21d52fa66787adeb03445f32abfc39a5115e4ad5cff83d59a24bce641f74a376',
};

/** GET /v1/proofs/seen, query parameters: an Avatar, an account, or a link. */
export class SeenQueryDto {
  @OptionalText('must be one public key', {
    description: 'All that an Avatar has: its public key in any form.',
    pattern: AVATAR_KEY_FORM,
    example: LINK_EXAMPLE.avatar,
  })
  avatar?: string;

  @OptionalText('must be one platform value', {
    description: 'One account, together with `identity`: a platform value.',
    example: 'github',
  })
  platform?: string;

  @OptionalText('must be one identity', {
    description: 'Identity on the platform, in any spelling.',
    example: 'alice-demo',
  })
  identity?: string;

  @ApiPropertyOptional({ description: 'One link: SHA-256 of its signature_payload, hex.', ...LINK_HASH })
  @IsOptional()
  @Matches(/^[0-9a-f]{64}$/, { message: 'link must be 64 lowercase hex digits, the SHA-256 of a signature_payload' })
  link?: string;

  @PageParameter()
  page: number = 1;
}

/** What one observer said of one link last. */
export class SeenStatementDto {
  @ApiProperty({ description: 'SHA-256 of the signature_payload of the link, hex.', ...LINK_HASH })
  link: string;

  @ApiProperty({ description: 'UUID of the link.', format: 'uuid', example: LINK_EXAMPLE.uuid })
  uuid: string;

  @ApiProperty({ description: 'Compressed public key.', example: LINK_EXAMPLE.avatar })
  avatar: string;

  @ApiProperty({ description: 'The platform value.', example: 'github' })
  platform: string;

  @ApiProperty({ description: 'Canonical identity.', example: 'alice-demo' })
  identity: string;

  @ApiProperty({ description: 'Stable id of the account; empty where there is none.', example: '9000001' })
  account_id: string;

  @ApiProperty({ description: 'Whether what proves the link was there.', example: true })
  seen: boolean;

  @ApiProperty({ description: 'When, UNIX seconds.', example: '1763846400' })
  seen_at: string;

  @ApiProperty({ description: 'The key that signed it.', example: KEY_EXAMPLE })
  verifier_key: string;

  @ApiProperty({
    description: 'SHA-256 of what was read, hex; empty where nothing was, or where another server looked.',
    example: '',
  })
  sha256: string;

  @ApiProperty({
    description:
      'The signed statement, which says all of the above but `uuid`, `avatar` and `sha256` (docs/verify.md, 14).',
    example:
      'signet-seen/1\nlink 21d52fa6…\nplatform github\nidentity alice-demo\naccount 9000001\nseen yes\n\n— mirror.example/seen QcGtKAAAAABpIikA…\n',
  })
  note: string;
}

/** A statement in the feed of the server that made it. */
export class FeedStatementDto extends SeenStatementDto {
  @ApiProperty({ description: 'Cursor of this statement.', example: 1 })
  id: number;
}

/** GET /v1/proofs/seen, response. */
export class SeenResponseDto extends PagedDto {
  @ApiProperty({ type: [SeenStatementDto], description: 'Those of one link together.' })
  statements: SeenStatementDto[];
}

/** GET /v1/proofs/seen/changes, response. */
export class SeenChangesDto {
  @ApiProperty({ type: [FeedStatementDto], description: 'Ascending by `id`.' })
  statements: FeedStatementDto[];
}

/** An observer whose statements this server shows. */
export class BelievedObserverDto {
  @ApiProperty({ description: 'The name that the operator of this server gave it.', example: 'mirror' })
  operator: string;

  @ApiProperty({ description: 'Its keys.', type: [String], example: [KEY_EXAMPLE] })
  verifier_keys: string[];

  @ApiProperty({ description: 'Where its statements are.', type: [String], example: ['https://mirror.example'] })
  urls: string[];
}

/** GET /v1/proofs/seen/keys, response. */
export class SeenKeysDto {
  @ApiProperty({
    description: 'The key of this server; empty where it looks at no other server.',
    example: KEY_EXAMPLE,
  })
  verifier_key: string;

  @ApiProperty({ description: 'Hosts of the servers that it looks at.', type: [String], example: ['signet.example'] })
  looks_at: string[];

  @ApiProperty({ description: 'How many of `observers` have to agree; 0 for the usual rule.', example: 0 })
  quorum: number;

  @ApiProperty({
    type: [BelievedObserverDto],
    description: 'Others whose statements this server collects: its choice.',
  })
  observers: BelievedObserverDto[];
}

export function toSeenStatement(statement: SeenStatement): SeenStatementDto {
  const { link, uuid, avatar, platform, identity, accountId, isSeen, seenAt, signer, sha256 } = statement;
  return {
    link,
    uuid,
    avatar,
    platform,
    identity,
    account_id: accountId ?? '',
    seen: isSeen,
    seen_at: unixSecondsText(seenAt),
    verifier_key: signer,
    sha256,
    note: noteOf(statement),
  };
}

export function toSeenResponse(page: Page<SeenStatement>): SeenResponseDto {
  return { pagination: toPagination(page), statements: page.items.map(toSeenStatement) };
}

export function toSeenKeys(verifierKey: string, lookAt: string[], { observers, quorum }: Observers): SeenKeysDto {
  return {
    verifier_key: verifierKey,
    looks_at: lookAt.map((url) => new URL(url).host),
    quorum: quorum ?? 0,
    observers: observers.map(({ operator, keys, urls }) => ({
      operator,
      urls: urls.map(shownUrl),
      verifier_keys: keys.map(writeVerifierKey),
    })),
  };
}
