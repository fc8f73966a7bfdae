import type { Erasure } from '@signet/verify';
import type { DataSource, EntityManager } from 'typeorm';
import { hiddenParameter, readRows } from '../database/connections/prepared.js';
import type { Replicas } from '../database/replicas.js';
import type { UpgradeStatus } from '../database/schema/upgrade-status.js';
import type { TableColumns } from '../database/table-columns.js';
import { UnavailableError } from '../domain/domain-errors.js';
import type { BindingEvent } from '../domain/domain-events.js';
import { recordJsonSql, recordList, type RecordMembers } from '../http/record-json.js';
import type { StoredJson } from '../http/stored-json.js';

/** Above every place. */
const HIGHEST_PLACE = Number.MAX_SAFE_INTEGER;

/** Building the indexes of a large table takes minutes. */
const UPGRADE_RETRY_SECONDS = 30;

/**
 * For a feed whose index these steps of an upgrade build.
 * @throws UnavailableError (`upgrade_under_way`) unless all of them are done
 */
export async function assertFeedIndexed(upgrade: UpgradeStatus, steps: string[]): Promise<void> {
  if (await upgrade.areDone(steps)) return;
  const message = 'This server was upgraded and still builds the index of this feed; nothing else waits for it.';
  throw new UnavailableError(message, 'upgrade_under_way', { retryAfterSeconds: UPGRADE_RETRY_SECONDS });
}

/** Where the records of one kind of signed chain are kept, those of all Avatars in one order. */
export interface FeedTable<Row extends object> {
  table: string;
  /** The column of the number in the feed: gapless, and no record becomes visible after one with a higher number. */
  number: string;
  /** What is read of a record, besides its number. */
  columns: TableColumns<Row>;
  /** Whether a record may be committed before it has its number. */
  isNumberedLater?: boolean;
  /** SQL expressions of what a record is called in lists for people; absent: `''`. */
  named: { action: string; platform?: string; identity?: string; erased?: string };
  /** How a record is answered, behind its `id`. */
  members: RecordMembers;
  /** Bytes of the parts of a record that may be long, as an SQL expression. */
  bytes: string;
  /** Such bytes after which a page of the feed ends early, so that it stays under 2 MB. */
  pageBytes: number;
}

/** Records of a feed as they are answered, and how many they are. */
export interface RecordPage {
  length: number;
  items: StoredJson;
}

/** The records that were found, and those of them that were taken, for `recordList`. */
interface PageRow {
  found: number;
  /** The number of the last one found; null where there is none. */
  lastId: number | null;
  length: number;
  items: string | null;
}

/** A record without its texts, for lists for people. */
export interface BriefRecord {
  /** Position in the chain of its Avatar, or the number in the feed: what the list goes by. */
  place: number;
  uuid: string;
  avatar: string;
  recordedAt: Date;
  /** Such as `create`. */
  action: string;
  /** `''` where the record is about no identity, or its text was erased. */
  platform: string;
  identity: string;
  erased: Erasure | null;
}

/** Which records a list has, newest first: all, those of an Avatar, or those about an identity. */
export type BriefFilter =
  Record<string, never> | { avatar: string } | { platform: string; identity: string; key: string };

/** The statements about one kind of records. A record is read with its number as `id`; 0 where it has none yet. */
export function recordFeed<Row extends object>({
  table,
  number,
  isNumberedLater = false,
  columns,
  members,
  named,
  bytes,
  pageBytes,
}: FeedTable<Row>) {
  type Numbered = Row & { id: number };
  const newest = `(select coalesce(max(${number}), 0) from ${table}${isNumberedLater ? ` where ${number} is not null` : ''})`;
  const selected = `select coalesce(record.${number}, 0) as id, ${columns.selectedFrom('record')}`;
  const next = `
    select *, ${bytes} as bytes from ${table} where ${number} > ${hiddenParameter(1, 'bigint')}
    order by ${number} limit ${hiddenParameter(2, 'bigint')}`;
  const mostBytes = hiddenParameter(3, 'bigint');
  const bounded = `
    from (select *, sum(bytes) over (order by ${number}) - bytes as bytes_before from (${next}) as next) as record
    where record.bytes_before < ${mostBytes} order by record.${number}`;
  const json = recordJsonSql(members, `record.${number}`);
  const pageOf = (isTaken: string, relation: string) => `
    select count(*) as found, max(record.${number}) as "lastId", count(*) filter (where ${isTaken}) as length,
      string_agg(case when ${isTaken} then ${json} end, ',' order by record.${number}) as items
    from ${relation} as record`;
  // Adding up is a third of the work, and nearly all records are short.
  const shortPage = pageOf(`record.bytes <= ${mostBytes}`, `(${next})`);
  const boundedPage = pageOf('true', `(select record.* ${bounded})`);

  const { action, platform = "''", identity = "''", erased = 'null' } = named;
  const brief = (place: string) => `
    select ${place} as place, uuid, avatar, recorded_at as "recordedAt", ${action} as action, ${platform} as platform,
      ${identity} as identity, ${erased} as erased from ${table}`;
  const below = (place: string, condition = 'true') => `
    ${brief(place)} where ${condition} and ${place} < ${hiddenParameter(1, 'bigint')} order by ${place} desc limit $2`;
  const briefs = {
    ofAll: below(number, isNumberedLater ? `${number} is not null` : 'true'),
    ofAvatar: below('position_in_chain', 'avatar = $3'),
    // What was erased is found by the key of its name, which stays (Erasure).
    ofIdentity: `
      select * from ((${below(number, 'platform = $3 and identity = $4')})
        union all (${below(number, "erased is not null and erased->>'identity_key' = $5")})) as found
      order by place desc limit $2`,
  };

  return {
    table,
    number,
    isNumberedLater,

    /** The newest number, as an SQL expression; 0 if there is none. */
    newest,

    /** How many committed records have no number yet, up to `most`, as an SQL expression. */
    unnumbered: (most: number): string =>
      isNumberedLater
        ? `(select count(*) from (select from ${table} where ${number} is null limit ${most}) as unnumbered)`
        : '0',

    /** The newest number; 0 if there is none. */
    newestNumber: async (source: DataSource): Promise<number> =>
      (await readRows<{ id: number }>(source, [table], `select ${newest} as id`, []))[0]!.id,

    /** Records with a number above `lastId`, ascending, up to a number of bytes, in the transaction of `manager`. */
    readIn: (manager: EntityManager, lastId: number, count: number, maxBytes: number): Promise<Numbered[]> =>
      manager.query(`${selected} ${bounded}`, [lastId, count, maxBytes]),

    /**
     * Records with a number above `lastId`, ascending; fewer where they are very long. A reader that follows the
     * numbers misses none. A replica's page counts only if it is full and begins right behind `lastId`: then nothing
     * can be missing in it.
     */
    changesAfter: async (
      source: DataSource,
      replicas: Replicas,
      lastId: number,
      count: number,
    ): Promise<RecordPage> => {
      const ask = async (from: DataSource, sql: string, bytes: number) =>
        (await readRows<PageRow>(from, [table], sql, [lastId, count, bytes]))[0]!;
      const read = async (from: DataSource) => {
        const short = await ask(from, shortPage, Math.floor(pageBytes / count));
        return short.length === short.found ? short : ask(from, boundedPage, pageBytes);
      };
      const copy = await replicas.ask((manager) => read(manager.dataSource));
      const { length, items } = copy?.lastId === lastId + count ? copy : await read(source);
      return { length, items: recordList(items) };
    },

    /**
     * The newest records of a list with a place below `before`, newest first.
     * @param before null for the newest of all
     */
    newestBriefs: (
      source: DataSource,
      filter: BriefFilter,
      before: number | null,
      count: number,
    ): Promise<BriefRecord[]> => {
      const bounds = [before ?? HIGHEST_PLACE, count];
      if ('avatar' in filter) return readRows(source, [table], briefs.ofAvatar, [...bounds, filter.avatar]);
      if (!('key' in filter)) return readRows(source, [table], briefs.ofAll, bounds);
      return readRows(source, [table], briefs.ofIdentity, [...bounds, filter.platform, filter.identity, filter.key]);
    },

    /** The record with this uuid (in small letters), or null. */
    findByUuid: async (source: DataSource, uuid: string): Promise<Numbered | null> => {
      const sql = `${selected} from ${table} record where uuid = $1`;
      return (await readRows<Numbered>(source, [table], sql, [uuid]))[0] ?? null;
    },

    /** The number of a record by its uuid, for lookups that share statements; null while it has none. */
    numbersByUuid: {
      key: { uuid: 'uuid' },
      tables: [table],
      sql: `select ${number} as id from ${table} where uuid = key.uuid`,
    },

    /** The number of the record of this number or uuid, in the transaction of `manager`; null if it has none. */
    numberIn: async (manager: EntityManager, name: string): Promise<number | null> => {
      const sql = `select ${number} as id from ${table} where ${name.includes('-') ? 'uuid' : number} = $1`;
      return (await manager.query<{ id: number | null }[]>(sql, [name]))[0]?.id ?? null;
    },

    /**
     * Whether the Avatar has a record about this identity, besides the one of the number `except` (null: besides none),
     * in the transaction of `manager`.
     */
    hasRecordOf: async (
      manager: EntityManager,
      { avatar, platform, identity }: BindingEvent,
      except: number | null,
    ): Promise<boolean> => {
      const sql = `select 1 from ${table} where avatar = $1 and platform = $2 and identity = $3
        and ($4::bigint is null or ${number} is distinct from $4) limit 1`;
      return (await manager.query<unknown[]>(sql, [avatar, platform, identity, except])).length > 0;
    },

    /** Whether a record of this Avatar still names an identity: those of its records whose text was erased do not. */
    hasTextOf: async (manager: EntityManager, avatar: string): Promise<boolean> => {
      const sql = `select 1 from ${table} where avatar = $1 and identity <> '' limit 1`;
      return (await manager.query<unknown[]>(sql, [avatar])).length > 0;
    },

    /** Writes other times at which records were accepted, by their numbers, in the transaction of `manager`. */
    setTimes: async (manager: EntityManager, records: { id: number; recordedAt: Date }[]): Promise<void> => {
      await manager.query(
        `update ${table} set recorded_at = given.recorded_at
         from unnest($1::bigint[], $2::timestamptz[]) as given(id, recorded_at) where ${table}.${number} = given.id`,
        [records.map(({ id }) => id), records.map(({ recordedAt }) => recordedAt)],
      );
    },
  };
}

/** The statements about one kind of records, whose rows have these members at least. */
export type RecordFeed<Row extends object> = ReturnType<typeof recordFeed<Row>>;
