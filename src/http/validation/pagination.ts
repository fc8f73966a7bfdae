import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { type Page, PER_PAGE } from '../../domain/page.js';
import { ReadWith } from './dto-members.js';

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

/** `next` is 0 on the last page and past the end. */
export function toPagination({ total, current, per = PER_PAGE }: Page<unknown>): PaginationDto {
  return { total, per, current, next: current * per < total ? current + 1 : 0 };
}

/**
 * A query parameter that is a whole number in decimal digits; another text stays text, which `IsInt` refuses. The
 * checks are made in the order given, so `IsInt` comes first: a text is not too small or too large, it is not a number.
 */
export const QueryInt = (...checks: PropertyDecorator[]) =>
  applyDecorators(
    ReadWith((value) => (typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value)),
    ...checks,
  );

/**
 * The `page` parameter, to be declared with the default 1: missing, empty or 0 is page 1 (an existing client starts at
 * 0).
 */
export const PageParameter = () =>
  applyDecorators(
    ApiPropertyOptional({ description: 'Page number; the first page is 1.', type: Number, minimum: 0, example: 1 }),
    ReadWith((value) => {
      if (value === '') return 1;
      return typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) || 1 : value;
    }),
    IsInt({ message: 'page must be a whole number; the first page is 1' }),
    Min(1, { message: 'page must not be negative; the first page is 1' }),
    Max(MAX_PAGE, { message: `page must be at most ${MAX_PAGE}` }),
  );

/** The query of a list that has no other parameter than its page. */
export class PageQueryDto {
  @PageParameter()
  page: number = 1;
}
