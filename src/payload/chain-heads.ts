import type { DataSource } from 'typeorm';
import { GatheredRead } from '../database/gathered-read.js';
import { readRows } from '../database/prepared.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { AlreadyRecordedError } from '../domain/domain-errors.js';
import { headsSince, MAX_PAST_HEADS, type PastHead } from './past-heads.js';
import type { KnownHeads } from './payload.seal.js';

/** The tables of chains, which name what a chain consists of alike. */
type ChainTable = 'chain_link' | 'kv_patch';

interface HeadRow {
  head: string | null;
  isRecorded: boolean;
}

/** The heads of all chains in one table, as payloads are issued and submitted on them. */
export class ChainHeads {
  private readonly rows: GatheredRead<HeadRow>;

  constructor(
    private readonly source: DataSource,
    private readonly table: ChainTable,
  ) {
    this.rows = new GatheredRead(source, {
      key: { avatar: 'text', uuid: 'uuid' },
      sql: `
        select (select signature from ${table} where avatar = key.avatar order by position_in_chain desc limit 1) as head,
          exists (select from ${table} where uuid = key.uuid) as "isRecorded"`,
    });
  }

  /** Signature of the Avatar's newest item, or null. */
  async find(avatar: AvatarKey): Promise<string | null> {
    return (await this.look(avatar, null)).head;
  }

  /**
   * The heads on which a payload of this Avatar with this uuid may have been issued. The present one and the uuid are
   * looked up at one moment: if the same submit came twice at once, whoever sees the head of the other sees its uuid
   * too.
   * @throws AlreadyRecordedError if an item with this uuid is stored.
   */
  async before(avatar: AvatarKey, uuid: string): Promise<KnownHeads> {
    const { head, isRecorded } = await this.look(avatar, uuid);
    if (isRecorded) throw new AlreadyRecordedError(uuid);
    return { present: head, since: (time) => this.since(avatar, time) };
  }

  private async look(avatar: AvatarKey, uuid: string | null): Promise<HeadRow> {
    return (await this.rows.rows(avatar.compressed, uuid))[0]!;
  }

  private async since(avatar: AvatarKey, time: Date): Promise<(string | null)[]> {
    const newest = await readRows<PastHead>(
      this.source,
      `select signature, recorded_at as "recordedAt" from ${this.table} where avatar = $1 order by position_in_chain desc limit $2`,
      [avatar.compressed, MAX_PAST_HEADS],
    );
    return headsSince(newest, time);
  }
}
