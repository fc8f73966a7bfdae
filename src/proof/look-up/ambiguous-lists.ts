import { hiddenParameter } from '../../database/connections/prepared.js';
import { PER_PAGE } from '../../domain/page.js';
import {
  bindings,
  COLUMNS,
  type Condition,
  countedPageOf,
  type CountedRow,
  type ListRow,
  orderBy,
  SHOWN,
  SHOWN_UNLESS_ALONE,
} from './proof-lists.js';

/*
 * The SQL of ambiguous lookups. Each statement looks at a bounded number of bindings, so that its cost depends on what
 * is answered and not on how many match; which one is asked when is decided by `AmbiguousLookups`.
 */

/** Pages of an ambiguous lookup. What lies behind the last one is not shown, so nobody has to sort or count it. */
export const MAX_AMBIGUOUS_PAGE = 50;
/** Avatars on all pages of an ambiguous lookup; its total is never more. */
export const MAX_AMBIGUOUS_TOTAL = MAX_AMBIGUOUS_PAGE * PER_PAGE;

/**
 * How many of the newest bindings are looked at before an index is asked: a term that fills a page from these is
 * frequent.
 */
const NEWEST = 1000;

/** Newest bindings that are counted for the total of a term that `OFTEN` Avatars among `NEWEST` hold. Takes 3 ms. */
const FEW_NEWEST = 5000;
const OFTEN = 200;
/** How many stand in for the index of ranges. Takes PostgreSQL some 15 ms. */
const MANY_NEWEST = 20_000;
/** How many stand in for it in tables of `LARGE` rows by the statistics, where the index takes longer than 45 ms. */
const MOST_NEWEST = 100_000;
const LARGE = 1_000_000;

/**
 * The newest bindings, to be looked at one after the other where the index of ranges cannot be asked. The last
 * select is empty unless the table has more than `LARGE` rows.
 */
export const STAND_INS = [
  newest(MANY_NEWEST),
  newest(MOST_NEWEST, `where (select reltuples >= ${LARGE} from pg_class where oid = 'proof'::regclass)`),
];

/** Link ids of a range, as a power of two; the same as in the migration `search-by-range`. */
const RANGE_BITS = 15;

/** How many of the newest ranges tell how frequent a term is. With `MANY_PROBED` bindings in them it counts as such. */
const PROBED_RANGES = 2;
const MANY_PROBED = 100;

const NEWEST_RANGE = `(select max(link_id) >> ${RANGE_BITS} from proof)`;
const OLDEST_RANGE = `(select min(link_id) >> ${RANGE_BITS} from proof)`;

/** What is looked at for a term, or for several, that `OFTEN` Avatars among `NEWEST` hold. */
export const OFTEN_STAND_IN = newest(FEW_NEWEST);

/** A row of a page from the newest bindings; one without an Avatar if there is nothing on it. */
export interface NewestRow extends ListRow {
  /** Whether so many match that some more of the newest bindings are enough for the total. */
  is_often: boolean;
  /**
   * About how many bindings match in all, infinite for very many; null where the page is full, and where there is no
   * index to tell it.
   */
  expected: number | null;
}

/** A row of a statement that may have seen too little. */
export interface FoundRow extends CountedRow {
  /** Whether page and total are right; if not, there is no page. */
  is_done: boolean;
}

/**
 * The page, as far as the newest bindings fill it. They come from an index in this order, so it costs the same however
 * many match. Parameters behind those of the condition: limit and offset, those of `inRange`.
 * @param inRange the same within the range `range.number`
 */
export function newestPageSql({ sql, parameters }: Condition, inRange?: Condition): string {
  const selection = { isMatch: sql, shown: String(SHOWN) };
  const expected = inRange ? expectedSql(inRange) : 'null';
  return `
    with matching as materialized (
      select p.avatar, max(p.link_id) as newest from ${newest(NEWEST)} as p where ${sql} group by p.avatar
    ), page as materialized (
      select avatar, newest from matching order by newest desc ${limits(parameters.length)}
    ), probe as materialized (
      select (select count(*) from matching) >= ${OFTEN} as is_often,
        (case when (select count(*) from page) < ${PER_PAGE} then ${expected} end)::float8 as expected
    )
    select probe.*, ${COLUMNS}
    from probe left join page on true${bindings(selection)} ${orderBy(selection)}`;
}

/** About how many bindings match, if they are as frequent everywhere as in the newest ranges. */
function expectedSql({ sql }: Condition): string {
  return `(
      select case when count(*) = ${MANY_PROBED} then 'infinity' else count(*) * (${NEWEST_RANGE} - ${OLDEST_RANGE} + 1)::float8 / ${PROBED_RANGES} end
      from (
        select from generate_series(${NEWEST_RANGE}, ${NEWEST_RANGE} - ${PROBED_RANGES - 1}, -1) as range(number)
        cross join lateral (select from proof p where ${sql} limit ${MANY_PROBED}) as found limit ${MANY_PROBED}
      ) as probed
    )`;
}

/**
 * How many Avatars match among the newest bindings, one statement after the other until one says `MAX_AMBIGUOUS_TOTAL`:
 * they count no further.
 * @param isOften as in the rows of the page @param hasRanges whether the index of ranges can go on behind them
 */
export function newestTotalsSql({ sql }: Condition, isOften: boolean, hasRanges: boolean): string[] {
  const total = (bindings: string) => `
    select count(*) as total
    from (select 1 from ${bindings} as p where ${sql} group by p.avatar limit ${MAX_AMBIGUOUS_TOTAL}) as matching`;
  return [...(isOften ? [newest(FEW_NEWEST)] : []), ...(hasRanges ? [] : STAND_INS)].map(total);
}

/** How many Avatars hold the first bindings that an index gives. @param most how many bindings are looked at */
export function fewTotalSql({ sql }: Condition, most: number): string {
  const looked = `(select p.avatar from proof p where ${sql} limit ${most}) as looked`;
  return `select count(distinct avatar) as total from ${looked}`;
}

/** The exact number of Avatars that match. */
export function totalSql({ sql }: Condition): string {
  return `select count(*) as total from (select 1 from proof p where ${sql} group by p.avatar) as matching`;
}

/**
 * Page and total from all that matches. Parameters behind those of the condition: limit, offset, those of `isMatch`.
 * @param isMatch as `sql`, at less cost for few rows
 */
export function allPageSql({ sql, parameters }: Condition, isMatch: string): string {
  const selection = { isMatch, shown: SHOWN_UNLESS_ALONE };
  return `${countedPageOf(sql, limits(parameters.length), selection)} order by position`;
}

/**
 * A page from the first bindings that an index gives, in no order: done if these are all. Parameters behind those of
 * the condition: limit, offset, those of `isMatch`.
 * @param most how many bindings are looked at; the planner knows it, and makes no room for more
 */
export function fewPageSql({ sql, parameters }: Condition, isMatch: string, most: number): string {
  const looked = `select p.avatar, p.link_id from proof p where ${sql} limit ${most}`;
  return boundedPageSql(looked, `found < ${most}`, limits(parameters.length), isMatch);
}

/**
 * A page from some of the newest bindings, without an index of identities: done if as many Avatars match as are
 * counted. Parameters behind those of the condition: limit, offset, those of `isMatch`.
 * @param bindings one of `STAND_INS`, or `OFTEN_STAND_IN`
 */
export function newestCountedPageSql(bindings: string, { sql, parameters }: Condition, isMatch: string): string {
  const looked = `select p.avatar, p.link_id from ${bindings} as p where ${sql}`;
  return boundedPageSql(looked, `total >= ${MAX_AMBIGUOUS_TOTAL}`, limits(parameters.length), isMatch);
}

/**
 * A page from the newest bindings that match, by the index of ranges, one range after the other: done if as many
 * Avatars match as are counted, or if nothing is left to look at. The rows of one range are sorted by an expression, or
 * the planner would rather read the whole table in the order of its index. Parameters behind those of the condition:
 * limit, offset, those of `isMatch`.
 * @param condition on `p` within the range `range.number` @param most how many bindings are looked at
 */
export function rangesPageSql({ sql, parameters }: Condition, isMatch: string, most: number): string {
  const looked = `
      select p.avatar, p.link_id
      from generate_series(${NEWEST_RANGE}, ${OLDEST_RANGE}, -1) as range(number)
      cross join lateral (select p.avatar, p.link_id from proof p where ${sql} order by -p.link_id) as p
      limit ${most}`;
  const isDone = `total >= ${MAX_AMBIGUOUS_TOTAL} or found < ${most}`;
  return boundedPageSql(looked, isDone, limits(parameters.length), isMatch);
}

/** @param looked select of `avatar` and `link_id` @param isDone by their numbers, `found`, and of Avatars, `total` */
function boundedPageSql(looked: string, isDone: string, limit: string, isMatch: string): string {
  const selection = { isMatch, shown: SHOWN_UNLESS_ALONE };
  return `
    with looked as materialized (${looked}
    ), matching as materialized (
      select avatar, max(link_id) as newest from looked group by avatar
    ), numbers as materialized (
      select (select count(*) from matching) as total, (select count(*) from looked) as found
    ), counted as materialized (
      select total, (${isDone}) as is_done from numbers
    ), page as (
      select avatar, newest from matching where (select is_done from counted) order by newest desc ${limit}
    )
    select counted.*, row_number() over (${orderBy(selection)})::int as position, ${COLUMNS}
    from counted left join page on true${bindings(selection)} order by position`;
}

function newest(count: number, condition = ''): string {
  return `(select avatar, platform, identity_folded, link_id from proof ${condition} order by link_id desc limit ${count})`;
}

function limits(parametersBefore: number): string {
  const [limit, offset] = [1, 2].map((step) => hiddenParameter(parametersBefore + step, 'bigint'));
  return `limit ${limit} offset ${offset}`;
}
