import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { AVATAR_KEY_FORM } from '../domain/avatar-key.js';
import { MAX_IDENTITY_LENGTH } from '../platform/platform.service.js';

/** Longer than any platform value; the router accepts no longer ones. */
const MAX_PLATFORM_LENGTH = 100;

/** GET /badge/{platform}/{file}, path. Ours, beyond the contract. */
export class BadgePathDto {
  @ApiProperty({ description: 'A platform value.', maxLength: MAX_PLATFORM_LENGTH, example: 'github' })
  @IsString()
  platform: string;

  @ApiProperty({
    description: 'The identity, percent-encoded, and `.svg`.',
    pattern: `^.{1,${MAX_IDENTITY_LENGTH}}\\.svg$`,
    example: 'alice.svg',
  })
  @IsString()
  file: string;
}

/** GET /badge/{platform}/{file}, query. */
export class BadgeQueryDto {
  @ApiPropertyOptional({
    description: 'Avatar public key: shows its binding alone. Without it the newest valid binding is shown.',
    pattern: AVATAR_KEY_FORM,
    example: '0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3',
  })
  @IsOptional()
  @IsString()
  avatar?: string;

  @ApiPropertyOptional({
    description: 'Colours for a light or a dark ground; light when absent.',
    enum: ['light', 'dark'],
    enumName: 'BadgeTheme',
  })
  @IsOptional()
  @IsIn(['light', 'dark'])
  theme?: 'light' | 'dark';
}
