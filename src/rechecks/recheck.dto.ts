import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { AVATAR_KEY_FORM } from '../domain/avatar-key.js';
import { OptionalText } from '../http/validation/fields.js';

/** Which proofs an operator wants rechecked now: at least one member is given, and a proof has to match all. */
export class SweepRequestDto {
  @OptionalText('must be text', { description: 'Only proofs on this platform.', example: 'github' })
  platform?: string;

  @OptionalText('must be text', {
    description: 'On `platform`, or on every platform that could have it.',
    example: 'alice',
  })
  identity?: string;

  @OptionalText('must be text', {
    description: 'Only proofs of this Avatar: 0x and 66 or 130 hex digits.',
    pattern: `${AVATAR_KEY_FORM}|^$`,
  })
  avatar?: string;

  @ApiPropertyOptional({ description: 'Only proofs that are invalid now.', example: true })
  @IsOptional()
  @IsBoolean({ message: 'all_invalid must be true or false' })
  all_invalid?: boolean;
}

/** How far the rechecks of a platform, or of all, have come. Seconds and minutes by the clock of the caller. */
export class ProgressDto {
  @ApiProperty({ description: 'Proofs that wait for a recheck, as all servers see it.' })
  due: number;

  @ApiProperty({ description: 'Rechecks of this server that gave an answer, since it last had nothing to do.' })
  done: number;

  @ApiProperty({ description: 'Rechecks of this server that gave none.' })
  failed: number;

  @ApiProperty({ description: 'Rechecks of this server in the last minute.' })
  rate_per_minute: number;

  @ApiProperty({ description: 'At this rate; -1 where nothing moves.', example: 0 })
  estimated_seconds_left: number;
}

/** How far the rechecks have come. */
export class RechecksDto {
  @ApiProperty({ description: 'All platforms together.' })
  total: ProgressDto;

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/ProgressDto' },
    description: 'Platforms on which there is or was something to do.',
  })
  platforms: Record<string, ProgressDto>;
}
