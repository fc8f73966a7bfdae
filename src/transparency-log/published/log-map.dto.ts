import { AVATAR_KEY_FORM } from '../../domain/avatar-key.js';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import type { AvatarState, HolderState, IdentityState } from '@signet/verify/internal/map';
import { RECORD_KINDS } from '../../records/record-kinds.js';
import { MAX_IDENTITY_LENGTH } from '../../platform/identity-text.js';

/** Holders that an answer names; of an identity that has more, each is proved by itself. */
export const MAX_HOLDERS = 1000;

/** What the map says of an Avatar that has signed nothing. */
const NOTHING = Object.fromEntries(
  RECORD_KINDS.all.flatMap(({ item, list }) => [
    [item, null],
    [list, 0],
  ]),
);

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const AVATAR = '0x02d7c5e01bedf1c993f40ec302d9bf162620daea93a7155cd9a8019ae3a2c2a476';
const HASH_FORM = { pattern: '^[0-9a-f]{64}$' };

/** GET /v1/log/map, query parameters. */
export class LogMapQueryDto {
  @ApiPropertyOptional({
    description: `Alone: the Avatar, whose ${RECORD_KINDS.lists} are counted. With \`platform\` and \`identity\`: whether this Avatar holds that identity.`,
    pattern: AVATAR_KEY_FORM,
    example: AVATAR,
  })
  @IsOptional()
  @IsString({ message: 'avatar must be one key' })
  avatar?: string;

  @ApiPropertyOptional({ description: 'A platform value; with `identity`.', example: 'github' })
  @IsOptional()
  @IsString({ message: 'platform must be one text' })
  platform?: string;

  @ApiPropertyOptional({
    description: 'With `platform`, in any spelling: the identity whose holders are asked for.',
    minLength: 1,
    maxLength: MAX_IDENTITY_LENGTH,
    example: 'octocat',
  })
  @IsOptional()
  @IsString({ message: 'identity must be one text' })
  identity?: string;
}

/** The leaf at the end of a proof. */
export class LogMapLeafDto {
  @ApiProperty({ description: 'Its key, hex.', ...HASH_FORM, example: HASH })
  key: string;

  @ApiProperty({ description: 'SHA-256 of its value, hex.', ...HASH_FORM, example: HASH })
  value_hash: string;
}

/** That a key has a value, or none. */
export class LogMapProofDto {
  @ApiProperty({
    description: 'The hashes beside the path of the key, from the deepest up, hex.',
    type: [String],
    maxItems: 256,
    example: [HASH],
  })
  siblings: string[];

  @ApiProperty({
    description: 'What stands at the end of the path: a leaf, of this key or of another one, or null for nothing.',
    type: LogMapLeafDto,
    nullable: true,
  })
  end: LogMapLeafDto | null;
}

/** An Avatar that holds an identity. */
export class LogMapHolderDto {
  @ApiProperty({ description: 'Compressed key.', example: AVATAR })
  avatar: string;

  @ApiProperty({ description: 'The entry of the log, from 0, of the link that made the binding.', example: 3 })
  link: number;
}

/** Whether one Avatar holds an identity. */
export class LogMapHolderProofDto {
  @ApiProperty({
    description: '`{"link"}`: the entry of the link that made the binding; null if this Avatar does not hold it.',
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { link: 3 },
  })
  value: HolderState | null;

  @ApiProperty({ description: 'In the tree of the holders of the identity.', type: LogMapProofDto })
  proof: LogMapProofDto;
}

/** GET /v1/log/map, response. */
export class LogMapDto {
  @ApiProperty({ description: 'The key in the map that was asked for, hex.', ...HASH_FORM, example: HASH })
  key: string;

  @ApiProperty({
    description: `Of an Avatar \`{${Object.keys(NOTHING)
      .map((name) => `"${name}"`)
      .join()}}\`: the entries of its newest ${RECORD_KINDS.items}, and how many it has; of an identity \`{"holders","root"}\`: how many Avatars hold it, and the root of the tree of them. Null where the map does not have the key.`,
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { ...NOTHING, link: 3, links: 2 },
  })
  value: AvatarState | IdentityState | null;

  @ApiProperty({ type: LogMapProofDto })
  proof: LogMapProofDto;

  @ApiProperty({
    description: `Where the question is about an identity and no Avatar: all Avatars that hold it, in the order of their keys in the tree of holders. Null where more than ${MAX_HOLDERS} hold it, and in answers to other questions.`,
    type: [LogMapHolderDto],
    nullable: true,
  })
  holders: LogMapHolderDto[] | null;

  @ApiProperty({
    description: 'Of an identity that is held, where an Avatar is asked for too; null otherwise.',
    type: LogMapHolderProofDto,
    nullable: true,
  })
  holder: LogMapHolderProofDto | null;

  @ApiProperty({
    description:
      'The proof (C2SP tlog-proof) of the entry of the log that commits to this state of the map; it is the last one of its checkpoint.',
    example: 'c2sp.org/tlog-proof@v1\n…',
  })
  log_proof: string;
}
