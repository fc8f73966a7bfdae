import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { readRows } from '../../../database/connections/prepared.js';
import { LogPlaces, type PlaceRow, type PlaceVerdict } from './log-place.js';
import { HEAD_COLUMNS, type SignedHead } from './signed-head.js';

/** The newest tree head of the database, and what has happened to that since the log was signed in it last. */
export type PlacedHead = Pick<PlaceVerdict, 'change' | 'askedAtMs'> & { head: SignedHead };

/** The tree heads that were signed, in the database. */
@Injectable()
export class HeadStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly places: LogPlaces,
  ) {}

  /** Stores a signed tree head; the database refuses a second one of its size. @param mapTop as `mapTopOf` */
  async add(manager: EntityManager, { size, root, note }: Omit<SignedHead, 'signedAt'>, mapTop: number) {
    const [head] = (await manager.query(
      `insert into log_checkpoint as head (size, root, note, map_top) values ($1, $2, $3, $4) returning ${HEAD_COLUMNS}`,
      [size, Buffer.from(root), note, mapTop],
    )) as [SignedHead];
    return head;
  }

  /** The newest one; null while none was signed. */
  async newest(): Promise<PlacedHead | null> {
    const rows = await readRows<SignedHead & PlaceRow>(
      this.dataSource,
      ['log_checkpoint', 'log_state'],
      `select ${HEAD_COLUMNS}, ${await this.places.columns()}
       from (select * from log_checkpoint order by size desc limit 1) as head left join log_state state on true`,
      [],
    );
    return rows.map((row) => ({ head: row, ...this.places.judge(row) }))[0] ?? null;
  }

  /**
   * The number of the highest tile of the map that a tree head of this size ends with; 0 where that map is empty, null
   * where there is no map, or no such tree head any more.
   */
  async mapTopOf(size: number): Promise<number | null> {
    const sql = 'select map_top as top from log_checkpoint where size = $1';
    const [row] = await readRows<{ top: number | null }>(this.dataSource, ['log_checkpoint'], sql, [size]);
    return row?.top ?? null;
  }

  /**
   * How many entries the newest tree head has that is `seconds` old (`old`), and the one that is `heads` tree heads
   * back (`back`); 0 where there is none.
   */
  async pastSizes(seconds: number, heads: number): Promise<{ old: number; back: number }> {
    const [sizes] = await readRows<{ old: number; back: number }>(
      this.dataSource,
      ['log_checkpoint'],
      `select coalesce(max(size) filter (where signed_at < clock_timestamp() - make_interval(secs => $1)), 0) as old,
         coalesce((select size from log_checkpoint order by size desc offset $2 limit 1), 0) as back
       from log_checkpoint`,
      [seconds, heads],
    );
    return sizes!;
  }

  /**
   * Forgets all but the newest `kept` tree heads, with their cosignatures, and the one of `cosignedSize`: while
   * witnesses are late it is older than those, and readers who ask for cosignatures have no other.
   */
  async forget(kept: number, cosignedSize = -1): Promise<void> {
    const oldest = `(select min(size) from (select size from log_checkpoint order by size desc limit ${kept}) as newest)`;
    await this.dataSource.query(`delete from log_cosignature where size < ${oldest} and size <> $1`, [cosignedSize]);
    await this.dataSource.query(`delete from log_checkpoint where size < ${oldest} and size <> $1`, [cosignedSize]);
  }
}
