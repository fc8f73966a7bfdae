import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsArray, IsString } from 'class-validator';
import { AVATAR_KEY_FORM } from '../domain/avatar-key.js';
import { unixSecondsText } from '../domain/unix-time.js';
import { ReadWith } from '../http/validation/fields.js';
import { HIDDEN_KINDS, type HiddenItem } from './hidden-item.entity.js';

/** Names that one request may ask about; a page of a search has 20 bindings, with a key and an identity each. */
export const MOST_ASKED = 50;

/** GET /v1/hidden, query. Ours, beyond the contract. */
export class HiddenQueryDto {
  @ApiProperty({
    description:
      'What is asked about: `key:<Avatar>`, `profile:<Avatar>` or `identity:<platform>:<identity>`; several of them at once.',
    type: 'array',
    items: { type: 'string', pattern: '^((key|profile):|identity:[^:]+:[\\s\\S])' },
    maxItems: MOST_ASKED,
    example: ['identity:github:alice'],
  })
  @ReadWith((value) => (typeof value === 'string' ? [value] : value))
  @IsString({ each: true, message: 'item must be text' })
  @IsArray({ message: 'item must be a list of texts' })
  item: string[];
}

export const KIND = {
  description: '`identity`: an account, whoever holds it; `key`: an Avatar; `profile`: its name, line and picture.',
  enum: HIDDEN_KINDS,
  enumName: 'HiddenKind',
};

/** Something that is hidden from the page. */
export class HiddenDto {
  @ApiProperty({ ...KIND, example: 'identity' })
  kind: string;

  @ApiPropertyOptional({ description: 'Of an identity.', example: 'github' })
  platform?: string;

  @ApiPropertyOptional({ description: 'Of an identity, canonical.', example: 'alice' })
  identity?: string;

  @ApiPropertyOptional({ description: 'Of a key or a profile: the compressed key.', pattern: AVATAR_KEY_FORM })
  avatar?: string;

  @ApiProperty({ description: 'Why, as the operator says.', example: 'A court has ordered it.' })
  reason: string;

  @ApiProperty({ description: 'UNIX seconds.', example: '1763700000' })
  hidden_at: string;
}

/** GET /v1/hidden, answer. */
export class HiddenResponseDto {
  @ApiProperty({ type: [HiddenDto], description: 'Of what was asked about, what is hidden. It is not erased.' })
  hidden: HiddenDto[];
}

export function toHidden({ kind, platform, identity, avatar, reason, hiddenAt }: HiddenItem): HiddenDto {
  const name = kind === 'identity' ? { platform, identity } : { avatar };
  return { kind, ...name, reason, hidden_at: unixSecondsText(hiddenAt) };
}
