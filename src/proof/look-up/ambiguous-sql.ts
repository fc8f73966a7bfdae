import { hiddenParameter } from '../../database/connections/prepared.js';
import { PER_PAGE } from '../../domain/page.js';
import { bindings, COLUMNS, type CountedRow, orderBy, SHOWN, SHOWN_UNLESS_ALONE } from './proof-lists.js';
import { IS_WAITING, RANGE_BITS } from './search-table.js';

/*
 * The SQL of ambiguous lookups; `AmbiguousLookups` decides which statement is asked when. Parameters: patterns of LIKE,
 * one for each term; the platform or null; how many Avatars are answered, and behind how many. Those that look at more
 * than the newest bindings have two more: the pieces of each term, separated by U+0001, and how many ranges are asked.
 */

/** Pages of an ambiguous lookup. What lies behind the last one is not shown, so it need not be sorted or counted. */
export const MAX_AMBIGUOUS_PAGE = 50;
/** Avatars on all pages of an ambiguous lookup; its total is never more. */
export const MAX_AMBIGUOUS_TOTAL = MAX_AMBIGUOUS_PAGE * PER_PAGE;

/** Newest bindings that are compared before the index is asked; takes PostgreSQL half a millisecond. */
export const NEWEST = 1000;

/** Bindings of a range that are looked at. One term has no more; for several, a binding counts for each of them. */
const MOST_OF_RANGE = 2 ** RANGE_BITS;

const PATTERNS = `${hiddenParameter(1, 'text[]')}::text[]`;
const ON_PLATFORM = `coalesce(p.platform = ${hiddenParameter(2, 'text')}, true)`;
const IS_MATCH = `p.identity_folded like any(${PATTERNS}) and ${ON_PLATFORM}`;
const LIMITS = `limit ${hiddenParameter(3, 'bigint')} offset ${hiddenParameter(4, 'bigint')}`;
const TERMS = `unnest(${PATTERNS}, ${hiddenParameter(5, 'text[]')}::text[]) as term(pattern, pieces)`;
const PIECES = `string_to_array(term.pieces, E'\\x01')`;
const RANGES = hiddenParameter(6, 'bigint');

/** A row of a page from more than the newest bindings. */
export type FoundRow = CountedRow & {
  /** Whether page and total are right. If not, the total is the least that it can be. */
  is_done: boolean;
  /** Whether a statement that looks at more bindings may find more. */
  has_more: boolean;
};

/** The page, as far as the newest bindings fill it, as rows of `ListRow`. */
export const NEWEST_PAGE = `
    with matching as materialized (
      select p.avatar, max(p.link_id) as newest
      from (select avatar, platform, identity_folded, link_id from proof order by link_id desc limit ${NEWEST}) as p
      where ${IS_MATCH} group by p.avatar
    ), page as (
      select avatar, newest from matching order by newest desc ${LIMITS}
    )
    select ${COLUMNS} from page${bindings({ isMatch: IS_MATCH, shown: String(SHOWN) })}
    ${orderBy({ isMatch: IS_MATCH, shown: String(SHOWN) })}`;

/** Tables with an index of pieces: that of searches, and in a database of 0.2.0 that of bindings. */
export type PiecesTable = 'proof_search' | 'proof';

/**
 * Page and total from the bindings that the index of pieces names, one range after the other, the newest first. Those
 * that wait for the index are compared before; they are the newest. There is no page where more bindings of a range are
 * named than are looked at, because the newest may not be among them. The rows of a range are sorted by an expression,
 * or the planner would rather read the whole table in the order of its index.
 * @param most bindings that are looked at, besides the rest of their range
 */
export function pieceByPieceSql(most: number, table: PiecesTable = 'proof_search'): string {
  const newestRange = `(select max(link_id) >> ${RANGE_BITS} from ${table})`;
  const oldestRange = `(select min(link_id) >> ${RANGE_BITS} from ${table})`;
  const named = `(identity_pieces(p.link_id, p.platform, p.identity_folded) collate "C")
            @> (select array_agg(range.number || piece) from unnest(${PIECES}) as piece)`;
  // Of a binding that was deleted while it was added; see `SearchUpkeep`.
  const isThere =
    table === 'proof_search'
      ? 'not exists (select from proof_search_left gone where gone.proof_id = p.proof_id)'
      : 'true';
  const waiting = `
        (select p.avatar, p.link_id, ${IS_MATCH} as is_match, false as is_cut
        from (
          select avatar, platform, identity_folded, link_id from proof p where ${IS_WAITING}
          order by link_id desc limit ${NEWEST}
        ) as p)
        union all`;
  return foundSql(
    `select p.* from (${table === 'proof_search' ? waiting : ''}
        select p.avatar, p.link_id, p.is_match, p.is_cut
        from generate_series(${newestRange}, greatest(${oldestRange}, ${newestRange} - ${RANGES} + 1), -1) as range(number)
        cross join lateral (
          select p.*, count(*) over () > ${MOST_OF_RANGE} as is_cut
          from (
            select p.avatar, p.link_id, p.identity_folded like term.pattern and ${ON_PLATFORM} and ${isThere} as is_match
            from ${TERMS} cross join lateral (select * from ${table} p where ${named}) as p limit ${MOST_OF_RANGE + 1}
          ) as p order by -p.link_id
        ) as p
      ) as p
      limit ${most}`,
    `coalesce(${newestRange} - ${RANGES} < ${oldestRange}, true)`,
    most,
  );
}

/**
 * Page and total of all matches by the index of version 0.1.0 over characters and pairs (migration `search`). It serves
 * only while the index of pieces is being built, and will be removed with that version. The number of ranges has no
 * meaning here.
 */
export const ALL_PAGE = foundSql(
  `select p.avatar, p.link_id, true as is_match, false as is_cut
      from ${TERMS} cross join lateral (
        select * from proof p
        where identity_grams(p.identity_folded) @> ${PIECES} and p.identity_folded || '' like term.pattern and ${ON_PLATFORM}
      ) as p`,
  `${RANGES} > 0`,
  Infinity,
);

/**
 * @param looked select of the bindings that are looked at
 * @param isAsked whether all ranges are asked, unless there are `most` bindings before
 */
function foundSql(looked: string, isAsked: string, most: number): string {
  const selection = { isMatch: IS_MATCH, shown: SHOWN_UNLESS_ALONE };
  const hasMore = `found >= '${most}'::float8 and not is_cut`;
  return `
    with looked as materialized (
      ${looked}
    ), matching as materialized (
      select avatar, max(link_id) as newest from looked where is_match group by avatar
    ), numbers as materialized (
      select (select count(*) from matching) as total, count(*) as found, coalesce(bool_or(is_cut), false) as is_cut from looked
    ), counted as materialized (
      select total, is_cut, ${hasMore} as has_more,
        not is_cut and (total >= ${MAX_AMBIGUOUS_TOTAL} or ${isAsked} and not (${hasMore})) as is_done
      from numbers
    ), page as (
      select avatar, newest from matching where not (select is_cut from counted) order by newest desc ${LIMITS}
    )
    select counted.total, counted.is_done, counted.has_more, row_number() over (${orderBy(selection)})::int as position, ${COLUMNS}
    from counted left join page on true${bindings(selection)} order by position`;
}
