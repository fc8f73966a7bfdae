import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { InvalidRequestError } from '@signet/look';
import { type PageOf, PER_PAGE } from '../../domain/page.js';
import { ReadWith, WholeNumber } from './fields.js';

/* Pages of lists, which have numbers, and of feeds, which have a cursor. */

/** Farther than any list goes, and small enough that the offset stays an exact integer and fits the database. */
const MAX_PAGE = 100_000_000;

/** Contract, Pagination object. */
export class PaginationDto {
  @ApiProperty({ description: 'Total number of results.', example: 1 })
  total: number;

  @ApiProperty({ description: 'Results per page.', example: PER_PAGE })
  per: number;

  @ApiProperty({ description: 'Number of this page; the first page is 1.', example: 1 })
  current: number;

  @ApiProperty({ description: 'Number of the next page; 0 when this page is the last.', example: 0 })
  next: number;
}

/** A page of a list, as it is answered; a class that extends it names the items. */
export class PagedDto {
  @ApiProperty({ type: PaginationDto })
  pagination: PaginationDto;
}

/** `next` is 0 on the last page and past the end. */
export function toPagination({ total, current, per = PER_PAGE }: PageOf<unknown>): PaginationDto {
  return { total, per, current, next: current * per < total ? current + 1 : 0 };
}

/** The number that a text writes in decimal digits; anything else stays as it is. */
function wholeNumber(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
}

/** The number of a page; an empty text and 0 are page 1. */
function pageNumber(value: unknown): unknown {
  const number = wholeNumber(value);
  return number === '' || number === 0 ? 1 : number;
}

/**
 * A query parameter that is a whole number in decimal digits; another text stays text, which `IsInt` refuses. The
 * checks are made in the order given, so `IsInt` comes first: a text is not too small or too large, it is not a number.
 */
export const QueryInt = (...checks: PropertyDecorator[]) => applyDecorators(ReadWith(wholeNumber), ...checks);

/**
 * The `page` parameter, to be declared with the default 1: missing, empty or 0 is page 1 (an existing client starts at
 * 0).
 */
export const PageParameter = () =>
  applyDecorators(
    ApiPropertyOptional({ description: 'Page number; the first page is 1.', type: Number, minimum: 0, example: 1 }),
    ReadWith(pageNumber),
    IsInt({ message: 'page must be a whole number; the first page is 1' }),
    Min(1, { message: 'page must not be negative; the first page is 1' }),
    Max(MAX_PAGE, { message: `page must be at most ${MAX_PAGE}` }),
  );

/** The query of a list that has no other parameter than its page. */
export class PageQueryDto {
  @PageParameter()
  page: number = 1;
}

const Cursor = () => applyDecorators(IsOptional(), QueryInt(WholeNumber(0, 'must not be negative')));

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
    example: 0,
  })
  @Cursor()
  last_id?: number;

  /** Another name of `last_id`, which counts where both are given; not described, so that one name is required. */
  @Cursor()
  id?: number;

  @ApiPropertyOptional({
    description:
      'Items of one answer. Fewer come at the end of the feed, and where items are so long that 2 MB are full.',
    type: Number,
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
