import { InvalidRequestError } from '@signet/look';
import type { DataSource } from 'typeorm';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';

/** Items of all pages of a list whose number has no other bound. */
const MOST_LISTED = 10_000;

/** The statement of a list, in parts of SQL. */
interface List {
  /** `id, type as "type"` */
  columns: string;
  /** From `from` on. */
  rows: string;
  /** Without `order by`. */
  order: string;
  /** Parameters of `rows`. */
  values?: unknown[];
}

/**
 * One page of a list. Of more than 10,000 items the first are listed, and one more is counted.
 * @throws InvalidRequestError (`page_too_deep`) for a page behind these
 */
export async function readListedPage<Item>(
  source: DataSource,
  { columns, rows, order, values = [] }: List,
  page: number,
): Promise<Page<Item>> {
  const [counted] = await source.query<{ total: number }[]>(
    `select count(*)::int as total from (select ${rows} limit ${MOST_LISTED + 1}) as found`,
    values,
  );
  const { total } = counted!;
  const offset = offsetOf(page);
  if (total > MOST_LISTED && offset >= MOST_LISTED) {
    throw new InvalidRequestError(`There are more than the first ${MOST_LISTED}, which are listed.`, 'page_too_deep');
  }
  const sql = `select ${columns} ${rows} order by ${order} limit ${PER_PAGE} offset $${values.length + 1}`;
  return { items: await source.query<Item[]>(sql, [...values, offset]), total, current: page };
}
