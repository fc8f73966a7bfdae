import { InvalidRequestError } from '@signet/look';

/**
 * Items of a page. Choice: 20, as docs/design/decisions.md 4 has it; it is reported in `pagination.per` and cannot be
 * set by a caller.
 */
export const PER_PAGE = 20;

/** Items of all pages of a list whose number has no other bound. Of more, one more is counted. */
export const MOST_LISTED = 10_000;

export interface Page<Item> {
  items: Item[];
  /** Number of items on all pages. */
  total: number;
  /** Number of this page; the first is 1. */
  current: number;
  /** Items of a full page; absent: `PER_PAGE`. */
  per?: number;
}

/** How many items stand before `page`. */
export function offsetOf(page: number, per = PER_PAGE): number {
  return (page - 1) * per;
}

/**
 * The number of items before `page`, for a list that is counted up to one item more than `MOST_LISTED`.
 * @throws InvalidRequestError (`page_too_deep`) for a page after the first `MOST_LISTED` items of a longer list
 */
export function boundedOffset(page: number, total: number): number {
  const offset = offsetOf(page);
  if (total > MOST_LISTED && offset >= MOST_LISTED) {
    throw new InvalidRequestError(`There are more than the first ${MOST_LISTED}, which are listed.`, 'page_too_deep');
  }
  return offset;
}
