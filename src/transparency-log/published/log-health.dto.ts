import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FRACTION } from '../../http/validation/fields.js';
import { LOG_CONDITIONS, type LogCondition, type LogStatus } from '../signing/heads/log-status.js';

/** `LogStatus` as it is answered. */
export class LogHealthDto {
  @ApiProperty({
    description: '`refused`: the service serves as always, but signs nothing more. `GET /v1/log` has more.',
    enum: LOG_CONDITIONS,
    enumName: 'LogState',
    example: 'ok',
  })
  state: LogCondition;

  @ApiProperty({ description: 'Entries of the newest tree head that this server knows.', example: 5 })
  size: number;

  @ApiProperty({ description: 'Why nothing is signed; empty unless `refused`.', example: '' })
  problem: string;

  @ApiProperty({
    description:
      'Why this server cannot keep the newest tree head outside of the database, without which it may not notice a restore; empty if it can.',
    example: '',
  })
  head_problem: string;

  @ApiPropertyOptional({
    description:
      'How much of what was recorded before is in the tree, from 0 to 1, while it is `catching_up`; absent otherwise.',
    ...FRACTION,
    example: 0.25,
  })
  progress?: number;

  @ApiPropertyOptional({
    description:
      'How much of the log is in the map, from 0 to 1, while the map of a log that is older is computed; absent otherwise.',
    ...FRACTION,
    example: 0.25,
  })
  map_progress?: number;
}

/** The member `log` of health checks. */
export function toLogHealth(status: LogStatus): { log: LogHealthDto } {
  const { condition, size, problem, headProblem, progress, mapProgress } = status;
  const isCatchingUp = condition === 'catching_up' && size === 0;
  return {
    log: {
      state: condition,
      size,
      problem,
      head_problem: headProblem,
      ...(isCatchingUp && { progress: rounded(progress) }),
      ...(size > 0 && mapProgress < 1 && { map_progress: rounded(mapProgress) }),
    },
  };
}

/** To three places, so that the text is short. */
function rounded(part: number): number {
  return Math.floor(part * 1000) / 1000;
}
