import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { GatheredRead } from '../database/connections/gathered-read.js';
import { readRows } from '../database/connections/prepared.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { NotFoundError } from '../domain/domain-errors.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { CONTENT_THEN_TABLE, HOLDS_TABLE, IS_OF_OWNER, joinContentThen, thenOr } from '../holds/avatar-holds.js';
import { LookedUp } from '../proof/look-up/looked-up.js';
import { validHoldersOf, validProofCheckedAt } from '../proof/valid-proof.js';
import type { KvEntry } from './kv-entry.entity.js';
import { isIncomplete } from './incomplete-entries.js';
import { KvIdentity } from './kv-identity.js';

export interface OwnEntry extends Pick<KvEntry, 'platform' | 'identity' | 'content'> {
  /** Whether the Avatar holds a valid proof of that identity now; true for the key itself. */
  isBound: boolean;
  /** Whether a patch of it was erased, so that the content may lack members. */
  isIncomplete: boolean;
}

export interface IdentityValue extends Pick<KvEntry, 'avatar' | 'contentBytes'> {
  /** JSON text as it is stored; null where it is longer than a list shows. */
  content: string | null;
  isBound: boolean;
  /** As in `OwnEntry`. */
  isIncomplete: boolean;
}

/** A list of other people's content shows no content longer than this, so that a page of it stays under 2 MB. */
const LISTED_BYTES = 64 * 1024;

/**
 * Content of Avatars up to this size is read by shared statements; an Avatar with more is read by a statement of its
 * own, so that no other request waits for it.
 */
const GATHERED_BYTES = 64 * 1024;

/** The tables that all look-ups of content read. */
const ENTRY_TABLES = ['kv_entry', 'proof', 'incomplete_entry', HOLDS_TABLE, CONTENT_THEN_TABLE];

/** A row of an entry. `isBound` is whether it is bound without a proof, or known to be bound. */
type Row<Entry> = Entry & {
  /** When the valid proof of its identity was last checked; null where the Avatar holds none. */
  lastCheckedAt: Date | null;
};

/** Entries of the Avatar `avatar`, where `self` is the platform of the key itself: both are SQL expressions. */
function entriesSql(avatar: string, self: string, content: string): string {
  return `
    select e.platform, e.identity, ${content} as content, e.platform = ${self} as "isBound",
      ${validProofCheckedAt('e')} as "lastCheckedAt",
      ${isIncomplete('e')} as "isIncomplete",
      row_number() over (order by e.platform collate "C", e.identity collate "C")::int as position
    from kv_entry e ${joinContentThen('e')} where e.avatar = ${avatar} and ${IS_OF_OWNER}`;
}

const [CONTENT, BYTES] = [thenOr('e', 'content'), thenOr('e', 'content_bytes')];
const UNLESS_LARGE = `case when sum(${BYTES}) over () <= ${GATHERED_BYTES} then ${CONTENT} end`;
const OF_AVATAR = {
  key: { avatar: 'text', self: 'text' },
  tables: ENTRY_TABLES,
  sql: entriesSql('key.avatar', 'key.self', UNLESS_LARGE),
};

const OF_LARGE_AVATAR = `${entriesSql('$1', '$2', CONTENT)} order by position`;

/** Entries under one identity that are answered: those of Avatars that are bound to it, then the newest. */
const MOST_BY_IDENTITY = 1000;

/** Always answers at least one row, so that the total is known on a page past the end too. */
const BY_IDENTITY = `
  with found as materialized (
    (
      select e.avatar, e.updated_at, true as is_bound
      from (${validHoldersOf('$1', '$2')}) as holder
      cross join lateral (
        select * from kv_entry e where e.avatar = holder.avatar and e.platform = $1 and e.identity = $2 limit 1
      ) as e
    )
    union all
    (
      select e.avatar, e.updated_at, e.platform = $3 as is_bound from kv_entry e
      where e.platform = $1 and e.identity = $2 order by e.updated_at desc limit ${MOST_BY_IDENTITY}
    )
  ), newest as materialized (
    select avatar, updated_at, bool_or(is_bound) as is_bound from found group by avatar, updated_at
    order by is_bound desc, updated_at desc, avatar limit ${MOST_BY_IDENTITY}
  ), matching as materialized (
    select newest.* from (select *, $1 as platform, $2 as identity from newest) as newest ${joinContentThen('newest')}
    where ${IS_OF_OWNER}
  ), page as (
    select avatar, updated_at, is_bound from matching order by is_bound desc, updated_at desc, avatar limit $4 offset $5
  )
  select counted.total, page.avatar, page.is_bound as "isBound", ${validProofCheckedAt('e')} as "lastCheckedAt",
    ${BYTES} as "contentBytes",
    case when ${BYTES} <= ${LISTED_BYTES} then ${CONTENT} end as content, ${isIncomplete('e')} as "isIncomplete"
  from (select count(*) as total from matching) as counted
  left join page on true
  left join kv_entry e on e.avatar = page.avatar and e.platform = $1 and e.identity = $2 ${joinContentThen('e')}
  order by page.is_bound desc, page.updated_at desc, page.avatar`;

/** Lookups of content. Each is one query, so that entries and proofs are seen at one moment. */
@Injectable()
export class KvQueries {
  private readonly ofAvatar: GatheredRead<Row<Omit<OwnEntry, 'content'> & { content: string | null }>>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly identities: KvIdentity,
    private readonly lookedUp: LookedUp,
  ) {
    this.ofAvatar = new GatheredRead(dataSource, OF_AVATAR);
  }

  /**
   * All entries of an Avatar, ordered by platform and identity.
   *
   * Choice: the one answer that may be longer than 2 MB although the request is not signed. The contract gives it
   * neither pages nor a filter. It only holds content that this Avatar signed, at most KV_MAX_AVATAR_BYTES, and passes
   * through as text; more than 64 KiB of one Avatar is read by a few requests at a time, apart from all others.
   * @throws NotFoundError (`kv_not_found`) if it never wrote any.
   */
  async getEntries(avatar: AvatarKey): Promise<OwnEntry[]> {
    const small = await this.getSmallEntries(avatar);
    if (small) return small;
    const values = [avatar.compressed, this.environment.SERVICE_NAME];
    const all = await readRows<Row<OwnEntry>>(this.dataSource, ENTRY_TABLES, OF_LARGE_AVATAR, values, 'large_reads');
    return all.map(toOwnEntry);
  }

  /** As `getEntries`; null where they have more than 64 KiB. @throws NotFoundError (`kv_not_found`) */
  async getSmallEntries(avatar: AvatarKey): Promise<OwnEntry[] | null> {
    const rows = await this.ofAvatar.rows(avatar.compressed, this.environment.SERVICE_NAME);
    if (rows.length === 0) {
      throw new NotFoundError(`The Avatar ${avatar.compressed} never wrote any key-value data here.`, 'kv_not_found');
    }
    for (const row of rows) this.announce({ ...row, avatar: avatar.compressed });
    return rows.every(hasContent) ? rows.map(toOwnEntry) : null;
  }

  async hasEntries(avatar: AvatarKey): Promise<boolean> {
    const sql = `select 1 from kv_entry e ${joinContentThen('e')} where e.avatar = $1 and ${IS_OF_OWNER} limit 1`;
    const tables = ['kv_entry', HOLDS_TABLE, CONTENT_THEN_TABLE];
    return (await readRows(this.dataSource, tables, sql, [avatar.compressed])).length > 0;
  }

  /**
   * The content of Avatars under one identity: first those that hold a valid proof of it, then the newest, 1,000 in
   * all. Content longer than 64 KiB is left out (null); it can be read by a request for that Avatar.
   * @throws InvalidRequestError (`unknown_platform`)
   */
  async findByIdentity(platform: string, text: string, page: number): Promise<Page<IdentityValue>> {
    const identity = this.identities.find(platform, text);
    if (identity === null) return { items: [], total: 0, current: page };
    const values = [platform, identity, this.environment.SERVICE_NAME, PER_PAGE, offsetOf(page)];
    const rows = await readRows<Row<IdentityValue> & { total: number }>(
      this.dataSource,
      ENTRY_TABLES,
      BY_IDENTITY,
      values,
    );
    const items = rows.filter(({ avatar }) => avatar !== null);
    for (const { avatar, lastCheckedAt } of items) this.announce({ avatar, platform, identity, lastCheckedAt });
    return { items: items.map(withProof), total: rows[0]!.total, current: page };
  }

  /** What is said of a binding here is a look-up of it, too. */
  private announce(entry: Row<Pick<KvEntry, 'avatar' | 'platform' | 'identity'>>): void {
    const { avatar, platform, identity, lastCheckedAt } = entry;
    if (lastCheckedAt !== null) this.lookedUp.bindings.next({ avatar, platform, identity, lastCheckedAt });
  }
}

function withProof<Entry extends { isBound: boolean }>({ lastCheckedAt, ...row }: Row<Entry>) {
  return { ...row, isBound: row.isBound || lastCheckedAt !== null };
}

/** An entry without the columns that only order and gather rows. */
function toOwnEntry(row: Row<OwnEntry>): OwnEntry {
  const { platform, identity, content, isBound, isIncomplete } = withProof(row);
  return { platform, identity, content, isBound, isIncomplete };
}

function hasContent<Row extends { content: string | null }>(row: Row): row is Row & { content: string } {
  return row.content !== null;
}
