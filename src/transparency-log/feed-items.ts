import type { FeedLink, FeedPatch } from '@signet/verify/log';
import { writeJson } from '../http/stored-json.js';
import type { NumberedPatch } from '../kv/kv-feed.js';
import { toFeedPatch } from '../kv/patches/kv-patches.dto.js';
import type { StoredLink } from '../proof-chain/link-rows.js';
import { toFeedLink } from '../proof-chain/proof-chain.dto.js';

/** A link as the feed answers it: what its entry is made of. */
export function feedLinkOf(link: StoredLink): FeedLink {
  return { ...toFeedLink(link), action: link.action, extra: link.extra };
}

/** A patch as the feed answers it. */
export function feedPatchOf(patch: NumberedPatch): FeedPatch {
  return JSON.parse(writeJson(toFeedPatch(patch))) as FeedPatch;
}
