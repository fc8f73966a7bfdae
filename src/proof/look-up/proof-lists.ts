import { TableColumns } from '../../database/table-columns.js';
import { PER_PAGE } from '../../domain/page.js';
import { type Hold, holdIn, HOLDS_TABLE, isSucceeded } from '../../holds/avatar-holds.js';
import { headOf } from '../../proof-chain/link-rows.js';
import { Proof } from '../proof.entity.js';
import { countsSql, invalidReasonSql } from '../valid-proof.js';

/*
 * The SQL of the exact lookups of bindings, and what ambiguous ones (`ambiguous-sql`) share with them. All answer the
 * rows of a page of Avatars; see `ProofQueries`.
 */

const STORED_MEMBERS = ['platform', 'identity', 'createdAt', 'lastCheckedAt', 'chainId', 'accountId'] as const;

type ShownProof = Pick<Proof, (typeof STORED_MEMBERS)[number] | 'isValid' | 'invalidReason'>;

/** One Avatar with its proofs (contract, Identity group). */
export interface IdentityGroup {
  avatar: string;
  lastArchiveId: string;
  /** UNIX seconds of its newest link. */
  activatedAt: number;
  /** How many proofs it holds; in a list of several Avatars not all are shown. */
  proofsTotal: number;
  proofs: ShownProof[];
  /** What stops the writes of the Avatar. */
  hold: Hold | null;
  /** The Avatar that has succeeded it for good, compressed; null where none has. */
  successor: string | null;
}

/** One binding of an Avatar on the page; without an Avatar where the page has none. */
export type ListRow = Omit<IdentityGroup, 'avatar' | 'proofs'> & ShownProof & { avatar: string | null };

/** The number of Avatars on all pages comes with each row, and the position of the row on its page. */
export type CountedRow = ListRow & { total: number; position: number };

/** A row of a look-up by pairs, with whether there are Avatars beyond those that are counted. */
export type PairsRow = CountedRow & { isCut: boolean };

/** Bindings that a group shows in a list of several groups; the contract has one group show all. */
export const SHOWN = 50;

/** Bindings that all groups of a page show together in a lookup by keys: 2,000 bindings have under 1 MB. */
const SHOWN_BY_KEYS = 2000;

/** The columns of a `ListRow`, from rows of `page`, its heads (`head`) and its bindings (`p`). */
export const COLUMNS = `page.avatar, coalesce(head.archive_id, '') as "lastArchiveId", p.proofs_total as "proofsTotal",
      floor(extract(epoch from head.created_at))::float8 as "activatedAt",
      ${TableColumns.of(Proof)
        .pick(...STORED_MEMBERS)
        .selectedFrom('p')},
      ${countsSql('p')} as "isValid", ${invalidReasonSql('p')} as "invalidReason",
      ${holdIn('held')} as hold, case when ${isSucceeded('held')} then held.successor end as successor`;

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
    left join ${HOLDS_TABLE} held on held.avatar = page.avatar
    left join lateral (
      select p.*, count(*) over () as proofs_total, row_number() over (order by (${isMatch}) desc, p.link_id desc) as rank
      from proof p where p.avatar = page.avatar
    ) as p on p.rank <= ${shown}`;
}

/** The whole of the only group, as the contract has it; fewer of each of several. */
export const SHOWN_UNLESS_ALONE = `(case when counted.total = 1 then p.proofs_total else ${SHOWN} end)`;

/** The Avatars of a page, from a relation `matching` of all. */
const PAGE_OF_MATCHING = `
      select avatar, newest from matching order by newest desc limit ${PER_PAGE} offset key.skipped`;

const IS_ONE_OF_PAIRS =
  '(p.platform, p.identity) in (select pair->>0, pair->>1 from jsonb_array_elements(key.pairs) as pair)';

/** Of each pair the newest bindings, and one more where there are more than `key.most` (`isOver`). */
const NEWEST_OF_PAIRS = `
      select newest.* from jsonb_array_elements(key.pairs) as pair
      cross join lateral (
        select p.avatar, p.link_id, row_number() over () > key.most as is_over
        from (
          select p.avatar, p.link_id from proof p where p.platform = pair->>0 and p.identity = pair->>1
          order by p.link_id desc limit key.most + 1
        ) as p
      ) as newest`;

/**
 * Pages for many requests in one statement each. The first statement looks up pairs of platform and identity and reads
 * the newest `most` bindings of each pair; the second looks up keys. Both return JSON.
 *
 * If a pair has more bindings, only Avatars with a certain place are counted and answered: those down to the oldest
 * binding that was read. `isCut` is then true.
 */
export const PAGE_BY_PAIRS = {
  key: { pairs: 'jsonb', skipped: 'bigint', most: 'integer' },
  tables: ['proof', 'chain_link', HOLDS_TABLE],
  sql: `
    with looked as materialized (${NEWEST_OF_PAIRS}
    ), matching as materialized (
      select avatar, max(link_id) as newest from looked
      where link_id > coalesce((select max(link_id) from looked where is_over), 0) group by avatar
    ), page as (${PAGE_OF_MATCHING}
    )
    ${pageSql({ isMatch: IS_ONE_OF_PAIRS, shown: SHOWN_UNLESS_ALONE }, 'exists (select from looked where is_over) as "isCut",')}`,
};
export const PAGE_BY_KEYS = {
  key: { avatars: 'jsonb', skipped: 'bigint' },
  tables: ['proof', 'chain_link', HOLDS_TABLE],
  sql: `
    with matching as (
      select p.avatar, max(p.link_id) as newest from proof p
      where p.avatar in (select jsonb_array_elements_text(key.avatars)) group by p.avatar
    ), page as (${PAGE_OF_MATCHING}
    )
    ${pageSql({
      isMatch: 'true',
      shown: `(case when counted.total = 1 then p.proofs_total else ${SHOWN_BY_KEYS} / greatest(1, least(counted.total, ${PER_PAGE})) end)`,
    })}`,
};

/** Page and total in one. Always answers at least one row, so that the total is known on a page past the end too. */
function pageSql(selection: Selection, further = ''): string {
  return `select counted.total, ${further} row_number() over (${orderBy(selection)})::int as position, ${COLUMNS}
    from (select count(*) as total from matching) as counted
    left join page on true${bindings(selection)}`;
}

/** The groups of a page. Rows of one Avatar stand together. */
export function groupByAvatar(rows: ListRow[]): IdentityGroup[] {
  const groups: IdentityGroup[] = [];
  for (const row of rows) {
    const { avatar, lastArchiveId, activatedAt, proofsTotal, hold, successor } = row;
    if (avatar === null) continue;
    if (groups.at(-1)?.avatar !== avatar) {
      groups.push({ avatar, lastArchiveId, activatedAt, proofsTotal, hold, successor, proofs: [] });
    }
    groups.at(-1)!.proofs.push(row);
  }
  return groups;
}
