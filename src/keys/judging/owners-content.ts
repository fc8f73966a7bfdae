import { Injectable } from '@nestjs/common';
import { bulkhead } from 'cockatiel';
import { DataSource } from 'typeorm';
import { readRows } from '../../database/connections/prepared.js';
import type { AvatarKey } from '../../domain/avatar-key.js';
import { UnavailableError } from '../../domain/domain-errors.js';
import { entriesThen, type EntryThen, type Read } from '../../kv/patches/content-since.js';

/** The content that an owner had made, where patches behind the last one of the owner have changed it. */
export interface OwnersContent {
  /** The place of the owner's last patch in the chain; 0 where there is none. */
  position: number;
  /** The place of the newest patch that was seen. */
  last: number;
  entries: EntryThen[];
}

/** Content was changed while that of its owner was computed. */
export class ContentMovedError extends UnavailableError {
  constructor() {
    super('The content of this Avatar is being changed all the time; try again at once.', 'database_slow');
  }
}

const PLACES = `
  select coalesce(max(position_in_chain), 0) as last,
    coalesce(max(position_in_chain) filter (where uuid = $2), 0) as position
  from kv_patch where avatar = $1`;

/**
 * Computes what a succession needs to know of content. That is done before the locks are taken: patches up to the
 * owner's last one never change, however many a thief adds meanwhile. One Avatar at a time.
 */
@Injectable()
export class OwnersContentReader {
  private readonly atATime = bulkhead(1, Infinity);
  private readonly read: Read;

  constructor(source: DataSource) {
    this.read = (sql, values) => readRows(source, ['kv_patch', 'kv_entry'], sql, values, 'large_reads');
  }

  /** @param sincePatch the uuid of the owner's last patch, or null */
  async before(avatar: AvatarKey, sincePatch: string | null): Promise<OwnersContent> {
    const key = avatar.compressed;
    const [places] = await this.read<Omit<OwnersContent, 'entries'>>(PLACES, [key, sincePatch]);
    const { last, position } = places!;
    if (last === position) return { last, position, entries: [] };
    const entries = await this.atATime.execute(() => entriesThen(this.read, key, position, last));
    return { last, position, entries };
  }
}
