import { PER_PAGE } from '../../domain/page.js';
import { headOf } from '../../proof-chain/link-rows.js';

/*
 * The SQL of the exact lookups of bindings, and what ambiguous ones (`ambiguous-sql`) share with them. All answer the
 * rows of a page of Avatars; see `ProofQueries`.
 */

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
  /** How many bindings the Avatar holds; the rows are the first of them. */
  proofs_total: number;
  chain_id: number | null;
  account_id: string | null;
  /** UNIX seconds of the Avatar's newest link. */
  activated_at: number;
}

/** The number of Avatars on all pages comes with each row, and the position of the row on its page. */
export interface CountedRow extends ListRow {
  total: number;
  position: number;
}

/** Bindings that a group shows in a list of several groups; the contract has one group show all. */
export const SHOWN = 50;

/** Bindings that all groups of a page show together in a lookup by keys: 2,000 bindings have under 1 MB. */
const SHOWN_BY_KEYS = 2000;

/** What is answered of the rows of `page`, its heads (`head`) and its bindings (`p`). */
export const COLUMNS = `page.avatar, head.archive_id as last_archive_id, p.platform, p.identity, p.created_at, p.last_checked_at, p.is_valid,
      p.invalid_reason, p.chain_id::float8 as chain_id, p.account_id,
      floor(extract(epoch from head.created_at))::float8 as activated_at, p.proofs_total::int as proofs_total`;

/** How bindings are chosen where a group holds more than are shown, and how many are. Both are SQL expressions. */
export interface Selection {
  /** Whether a row of `proof` (alias `p`) is one that was looked for: those come first, then the newest. */
  isMatch: string;
  shown: string;
}

/**
 * The Avatar with the newest matching binding first, each with its newest binding first. Where not all of them are
 * shown, those that match stand before the others.
 */
export function orderBy({ shown }: Selection): string {
  return `order by page.newest desc, case when p.proofs_total > ${shown} then p.rank end, p.link_id desc`;
}

/** Behind a relation `page` of Avatars: their heads and the bindings that are shown of each. */
export function bindings({ isMatch, shown }: Selection): string {
  return `
    left join lateral (${headOf('page.avatar')}) as head on true
    left join lateral (
      select p.*, count(*) over () as proofs_total, row_number() over (order by (${isMatch}) desc, p.link_id desc) as rank
      from proof p where p.avatar = page.avatar
    ) as p on p.rank <= ${shown}`;
}

/** The whole of the only group, as the contract has it; fewer of each of several. */
export const SHOWN_UNLESS_ALONE = `(case when counted.total = 1 then p.proofs_total else ${SHOWN} end)`;

const IS_ONE_OF_PAIRS =
  '(p.platform, p.identity) in (select pair->>0, pair->>1 from jsonb_array_elements(key.pairs) as pair)';

/**
 * Pages for many requests at once. The first statement looks up by pairs of platform and identity, the second by keys;
 * both read them as JSON.
 */
export const PAGE_BY_PAIRS = {
  key: { pairs: 'jsonb', skipped: 'bigint' },
  sql: countedPageOf(IS_ONE_OF_PAIRS, `limit ${PER_PAGE} offset key.skipped`, {
    isMatch: IS_ONE_OF_PAIRS,
    shown: SHOWN_UNLESS_ALONE,
  }),
};
export const PAGE_BY_KEYS = {
  key: { avatars: 'jsonb', skipped: 'bigint' },
  sql: countedPageOf(
    'p.avatar in (select jsonb_array_elements_text(key.avatars))',
    `limit ${PER_PAGE} offset key.skipped`,
    {
      isMatch: 'true',
      shown: `(case when counted.total = 1 then p.proofs_total else ${SHOWN_BY_KEYS} / greatest(1, least(counted.total, ${PER_PAGE})) end)`,
    },
  ),
};

/**
 * Page and total in one. Always answers at least one row, so that the total is known on a page past the end too.
 * @param condition on the table `proof` (alias `p`)
 * @param limit `limit` and `offset` of the page, in Avatars
 */
export function countedPageOf(condition: string, limit: string, selection: Selection): string {
  return `
    with matching as (
      select p.avatar, max(p.link_id) as newest from proof p where ${condition} group by p.avatar
    ), page as (
      select avatar, newest from matching order by newest desc ${limit}
    )
    select counted.total, row_number() over (${orderBy(selection)})::int as position, ${COLUMNS}
    from (select count(*) as total from matching) as counted
    left join page on true${bindings(selection)}`;
}
