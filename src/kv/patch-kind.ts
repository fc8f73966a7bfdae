import { type FeedPatch, PATCH_ENTRIES } from '@signet/verify/log';
import type { EntityManager } from 'typeorm';
import { KV_CHAIN_LOCKS } from '../database/advisory-locks.js';
import { FEED_STEPS } from '../database/schema/upgrade-steps.js';
import { unixSeconds } from '../domain/unix-time.js';
import { APP_KEYS_SQL } from '../holds/app-keys.js';
import { writeJson } from '../http/stored-json.js';
import { type RecordErasure, type RecordKind, RefusedErasure } from '../ledger/record-kind.js';
import { PATCH_FEED, type NumberedPatch } from './kv-feed.js';
import { contentWithout, erasePatch } from './patches/erase-patch.js';
import { toFeedPatch } from './patches/kv-patches.dto.js';
import { PATCH_AUDIT } from './patches/patch-audit.js';

/** The rest of an erased patch: the content of its entry then, canonical JSON; null where the entry is gone. */
const erasure: RecordErasure<string | null> = {
  consent: 'with-content',

  // Keeps another patch of the entry away.
  lock: (manager, avatar) => manager.query(`select pg_advisory_xact_lock(${KV_CHAIN_LOCKS}, hashtext($1))`, [avatar]),

  async plan(manager, patch, isAllowed) {
    const { content, goesToo } = await contentWithout(manager, patch);
    if (goesToo.length > 0 && !isAllowed) {
      throw new RefusedErasure(
        `Content of older patches would go, too, which nobody could tell from what this patch had changed: ` +
          `${goesToo.join(', ')}. Add --with-content; the Avatar can sign it again.`,
      );
    }
    return content;
  },

  erase: erasePatch,

  describe: (content) => [
    `- identity, patch and signed text of the patch; ${content === null ? 'its entry has no other patch and is gone' : `the content of its entry is ${content} now, and is answered as incomplete`}`,
  ],
};

/** A key of an app signs before its end. */
async function lastTimes(manager: EntityManager, patches: NumberedPatch[]): Promise<(number | null)[]> {
  if (patches.every(({ signer }) => !signer)) return patches.map(() => null);
  const pairs = [patches.map(({ avatar }) => avatar), patches.map(({ signer }) => signer ?? '')];
  const rows = (await manager.query(APP_KEYS_SQL, pairs)) as { expiresAt: Date | null }[];
  return rows.map(({ expiresAt }) => expiresAt && unixSeconds(expiresAt) - 1);
}

/** The patches of the key-value service, which add up to content. */
export const PATCHES: RecordKind = {
  ...PATCH_ENTRIES,
  feed: PATCH_FEED,
  upgradeSteps: FEED_STEPS,
  toRecord: (patch: NumberedPatch) => JSON.parse(writeJson(toFeedPatch(patch))) as FeedPatch,
  bindsIdentities: false,
  archive: null,
  erasure,
  lastTimes,
  audit: PATCH_AUDIT,
};
