import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FRACTION } from './validation/fields.js';

/** Injection token of a `LogHealth`; absent where there is no log. */
export const LOG_HEALTH = Symbol('LOG_HEALTH');

/** `catching_up`: what is there is taken in, and nothing is signed before; `refused`: nothing is signed any more. */
export const LOG_CONDITIONS = ['ok', 'catching_up', 'refused'] as const;
export type LogCondition = (typeof LOG_CONDITIONS)[number];

/** The state of the log as this server last saw it; reading it makes no query. */
export interface LogHealth {
  condition: LogCondition;
  /** Why nothing is signed; empty unless `refused`. */
  problem: string;
  /** Why the newest tree head is not kept outside of the database; empty if it is. */
  headProblem: string;
  /** Entries of the newest tree head. */
  size: number;
  /**
   * How much of what was there before the log is in its tree, from 0 to 1; only used while `condition` is
   * `catching_up`.
   */
  progress: number;
  /** How much of the log is in the map, from 0 to 1; less than 1 only while the map of an older log is computed. */
  mapProgress: number;
}

/** `LogHealth` as it is answered. */
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

/** The member `log` of health checks; none where there is no log. */
export function toLogHealth(health: LogHealth | undefined): { log?: LogHealthDto } {
  if (!health) return {};
  const { condition, size, problem, headProblem, progress, mapProgress } = health;
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
