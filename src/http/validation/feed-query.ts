import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { InvalidRequestError } from '../../domain/domain-errors.js';
import { QueryInt } from './pagination.js';

const MIN_COUNT = 10;
const MAX_COUNT = 100;
/** Choice: the length of a page, as docs/design/decisions.md 5 has it. */
const DEFAULT_COUNT = 20;

/** Contract, GET /v1/proofchain/changes, query parameters; all feeds have the same. */
export class FeedQueryDto {
  @ApiProperty({
    description:
      'Cursor: the largest `id` of the previous answer; 0 starts a new iteration. The name `id` is accepted in its place.',
    type: Number,
    minimum: 0,
    example: 0,
  })
  @IsOptional()
  @QueryInt(
    IsInt({ message: 'last_id must be a whole number' }),
    Min(0, { message: 'last_id must not be negative' }),
    Max(Number.MAX_SAFE_INTEGER, { message: 'last_id is too large' }),
  )
  last_id?: number;

  /** Another name of `last_id`, which counts where both are given; not described, so that one name is required. */
  @IsOptional()
  @QueryInt(
    IsInt({ message: 'id must be a whole number' }),
    Min(0, { message: 'id must not be negative' }),
    Max(Number.MAX_SAFE_INTEGER, { message: 'id is too large' }),
  )
  id?: number;

  @ApiPropertyOptional({
    description:
      'Items of one answer. Fewer come at the end of the feed, and where items are so long that 2 MB are full.',
    type: Number,
    minimum: MIN_COUNT,
    maximum: MAX_COUNT,
    default: DEFAULT_COUNT,
    example: DEFAULT_COUNT,
  })
  @IsOptional()
  @QueryInt(
    IsInt({ message: 'count must be a whole number' }),
    Min(MIN_COUNT, { message: `count must be at least ${MIN_COUNT}` }),
    Max(MAX_COUNT, { message: `count must be at most ${MAX_COUNT}` }),
  )
  count: number = DEFAULT_COUNT;
}

/** The cursor, under either of its names. @throws InvalidRequestError if there is none. */
export function cursorOf({ last_id: lastId, id }: FeedQueryDto): number {
  const cursor = lastId ?? id;
  if (cursor === undefined) throw new InvalidRequestError('last_id is missing; 0 starts a new iteration.');
  return cursor;
}
