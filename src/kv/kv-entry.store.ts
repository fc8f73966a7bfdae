import { applyMergePatch } from '@signet/verify';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Environment } from '../config/environment.js';
import { canonicalJson } from '../crypto/canonical-json.js';
import { LimitExceededError } from '../domain/domain-errors.js';

/** One entry: whose, and under which identity. */
export interface EntryKey {
  /** Compressed key. */
  avatar: string;
  platform: string;
  /** Canonical identity. */
  identity: string;
}

/** The entry as it is, and what the Avatar has beside it. */
const CURRENT = `
  select (select content from kv_entry where avatar = $1 and platform = $2 and identity = $3) as content,
    count(*)::int as count, coalesce(sum(content_bytes), 0)::int as bytes
  from kv_entry where avatar = $1 and (platform, identity) <> ($2, $3)`;

interface Current {
  /** JSON text; null if there is no such entry yet. */
  content: string | null;
  count: number;
  bytes: number;
}

const SAVE = `
  insert into kv_entry (avatar, platform, identity, content) values ($1, $2, $3, $4)
  on conflict on constraint kv_entry_key do update set content = excluded.content, updated_at = clock_timestamp()`;

/** The rows of the table `kv_entry` that a patch changes. Reading lists is the business of `KvQueries`. */
@Injectable()
export class KvEntryStore {
  constructor(private readonly environment: Environment) {}

  /**
   * Merges `patch` into the row's content as it is now. The caller holds the lock of the Avatar's chain, so nobody else
   * changes any row of this Avatar meanwhile.
   * @throws LimitExceededError (`too_many_entries`, `content_too_large`, `avatar_content_too_large`)
   */
  async merge(manager: EntityManager, key: EntryKey, patch: object): Promise<void> {
    const { avatar, platform, identity } = key;
    const [current] = (await manager.query(CURRENT, [avatar, platform, identity])) as [Current];
    const content = canonicalJson(applyMergePatch(JSON.parse(current.content ?? '{}'), patch));
    this.assertWithinLimits(current, Buffer.byteLength(content));
    await manager.query(SAVE, [avatar, platform, identity, content]);
  }

  private assertWithinLimits(others: Current, bytes: number): void {
    const { KV_MAX_ENTRIES, KV_MAX_ENTRY_BYTES, KV_MAX_AVATAR_BYTES } = this.environment;
    if (bytes > KV_MAX_ENTRY_BYTES) {
      throw new LimitExceededError(
        `The content of this entry would have ${bytes} bytes as canonical JSON; at most ${KV_MAX_ENTRY_BYTES} are allowed.`,
        'content_too_large',
      );
    }
    if (others.count + 1 > KV_MAX_ENTRIES) {
      throw new LimitExceededError(
        `This Avatar would have ${others.count + 1} entries; at most ${KV_MAX_ENTRIES} are allowed.`,
        'too_many_entries',
      );
    }
    if (others.bytes + bytes > KV_MAX_AVATAR_BYTES) {
      throw new LimitExceededError(
        `All content of this Avatar would have ${others.bytes + bytes} bytes as canonical JSON; at most ${KV_MAX_AVATAR_BYTES} are allowed.`,
        'avatar_content_too_large',
      );
    }
  }
}
