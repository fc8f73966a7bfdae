import { hiddenParameter } from '../database/prepared.js';
import { PER_PAGE } from '../domain/page.js';

/* The SQL of the look-ups of bindings. All of them answer the rows of a page of Avatars; see `ProofQueries`. */

/** A condition on the table `proof` (alias `p`) with its parameters `$1`, `$2`, ... */
export interface Condition {
  sql: string;
  parameters: unknown[];
}

/** One binding of an Avatar on the page. */
export interface ListRow {
  avatar: string | null;
  last_archive_id: string | null;
  platform: string;
  identity: string;
  created_at: Date;
  last_checked_at: Date;
  is_valid: boolean;
  invalid_reason: string;
}

/** The number of Avatars on all pages comes with each row, and the place of the row on its page. */
export interface CountedRow extends ListRow {
  total: string;
  place: number;
}

/**
 * How many of the newest bindings are looked at before an index is asked: a term that fills a page from these is
 * frequent.
 */
const NEWEST = 1000;

const COLUMNS = `page.avatar, head.archive_id as last_archive_id, p.platform, p.identity, p.created_at, p.last_checked_at, p.is_valid,
      p.invalid_reason`;

/** The Avatar with the newest matching binding first, each with its newest binding first. */
const ORDER = 'order by page.newest desc, p.link_id desc';

/** Behind a relation `page` of Avatars: their heads and all their bindings. */
const BINDINGS = `
    left join lateral (
      select archive_id from chain_link where avatar = page.avatar order by position_in_chain desc limit 1
    ) as head on true
    left join proof p on p.avatar = page.avatar`;

/** Page and total in one. Always answers at least one row, so that the total is known on a page past the end too. */
export function countedPageSql({ sql, parameters }: Condition): string {
  return `${countedPageOf(sql, limits(parameters))} order by place`;
}

/**
 * The same, for many who ask at once. The first answers by pairs of platform and identity, the second by keys; both
 * read them as JSON.
 */
export const PAGE_BY_PAIRS = {
  key: { pairs: 'jsonb', skipped: 'bigint' },
  sql: countedPageOf(
    '(p.platform, p.identity) in (select pair->>0, pair->>1 from jsonb_array_elements(key.pairs) as pair)',
    `limit ${PER_PAGE} offset key.skipped`,
  ),
};
export const PAGE_BY_KEYS = {
  key: { avatars: 'jsonb', skipped: 'bigint' },
  sql: countedPageOf(
    'p.avatar in (select jsonb_array_elements_text(key.avatars))',
    `limit ${PER_PAGE} offset key.skipped`,
  ),
};

function countedPageOf(condition: string, limit: string): string {
  return `
    with matching as (
      select p.avatar, max(p.link_id) as newest from proof p where ${condition} group by p.avatar
    ), page as (
      select avatar, newest from matching order by newest desc ${limit}
    )
    select counted.total, row_number() over (${ORDER})::int as place, ${COLUMNS}
    from (select count(*) as total from matching) as counted
    left join page on true${BINDINGS}`;
}

/**
 * The page, as far as the newest bindings fill it. They come from an index in this order, so it costs the same however
 * many match.
 */
export function newestPageSql({ sql, parameters }: Condition): string {
  return `
    with page as (
      select p.avatar, max(p.link_id) as newest
      from (select avatar, platform, identity_folded, link_id from proof order by link_id desc limit ${NEWEST}) as p
      where ${sql} group by p.avatar order by newest desc ${limits(parameters)}
    )
    select ${COLUMNS}
    from page${BINDINGS} ${ORDER}`;
}

/** The exact number of Avatars that match. */
export function totalSql({ sql }: Condition): string {
  return `select count(*) as total from (select 1 from proof p where ${sql} group by p.avatar) as matching`;
}

function limits(parameters: unknown[]): string {
  const [limit, offset] = [1, 2].map((step) => hiddenParameter(parameters.length + step, 'bigint'));
  return `limit ${limit} offset ${offset}`;
}
