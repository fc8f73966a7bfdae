import { Injectable } from '@nestjs/common';
import { type Profile, profileIn, profileName } from '@signet/verify/profile';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { GatheredRead } from '../database/connections/gathered-read.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { CONTENT_THEN_TABLE, HOLDS_TABLE, IS_OF_OWNER, joinContentThen, thenOr } from '../holds/avatar-holds.js';
import { isIncomplete } from './incomplete-entries.js';

/** A profile has at most 33 KB; of a key that has written more than this beside it no name is shown. */
const MOST_BYTES = 64 * 1024;

/** One row of the primary key. */
const OWN_ENTRY = {
  key: { avatar: 'text', platform: 'text', identity: 'text' },
  tables: ['kv_entry', 'incomplete_entry', HOLDS_TABLE, CONTENT_THEN_TABLE],
  sql: `
    select ${thenOr('e', 'content')} as content from kv_entry e ${joinContentThen('e')}
    where e.avatar = key.avatar and e.platform = key.platform and e.identity = key.identity
      and ${thenOr('e', 'content_bytes')} <= ${MOST_BYTES} and ${IS_OF_OWNER} and not ${isIncomplete('e')}`,
};

/** What keys say of themselves, for badges and previews: one cheap look-up each. */
@Injectable()
export class ProfileNames {
  private readonly ownEntry: GatheredRead<{ content: string }>;

  constructor(
    dataSource: DataSource,
    private readonly environment: Environment,
  ) {
    this.ownEntry = new GatheredRead(dataSource, OWN_ENTRY);
  }

  /** The name in the profile of a key, as `profileName` reads it; null where there is none. */
  async of(avatar: string): Promise<string | null> {
    const { profile } = (await this.contentOf(avatar)) as { profile?: { name?: unknown } | null };
    return profileName(profile?.name);
  }

  /** The profile of a key, as `profileIn` reads it; null where there is none. */
  async profileOf(avatar: string): Promise<Profile | null> {
    return profileIn(await this.contentOf(avatar));
  }

  /** What a key has written under itself; nothing where that is too much. */
  private async contentOf(avatar: string): Promise<object> {
    const key = AvatarKey.find(avatar);
    if (!key) return {};
    const [row] = await this.ownEntry.rows(key.compressed, this.environment.SERVICE_NAME, key.uncompressed);
    return JSON.parse(row?.content ?? '{}') as object;
  }
}
