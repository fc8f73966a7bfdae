/**
 * Items of a page. Choice: 20, as docs/design/decisions.md 4 has it; it is reported in `pagination.per` and cannot be
 * set by a caller.
 */
export const PER_PAGE = 20;

export type Page<Item> = PageOf<Item[]>;

/** A page whose items are held in another form than an array. */
export interface PageOf<Items> {
  items: Items;
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
