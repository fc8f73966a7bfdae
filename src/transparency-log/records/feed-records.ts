import { type FeedLink, type FeedPatch, linkEntry, patchEntry } from '@signet/verify/log';
import type { EntityManager } from 'typeorm';
import { sha256 } from '../../crypto/hashing.js';
import { unixSeconds } from '../../domain/unix-time.js';
import { writeJson } from '../../http/stored-json.js';
import { type NumberedPatch, readFeedPatches, setPatchTimes } from '../../kv/kv-feed.js';
import { toFeedPatch } from '../../kv/patches/kv-patches.dto.js';
import { readRecordedLinks, setLinkTimes, type StoredLink } from '../../proof-chain/link-rows.js';
import { toFeedLink } from '../../proof-chain/proof-chain.dto.js';

/** The kinds of records, in the order in which a batch takes them in. */
export const RECORD_KINDS = ['link', 'kv'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** A link or a patch as its feed answers it: what its entry is made of. */
export type FeedItem = { link: FeedLink } | { patch: FeedPatch };

/** A record that has a number in its feed, and when it was accepted, as the database says. */
export interface Recorded {
  id: number;
  recordedAt: Date;
}

export interface FeedRecord extends Recorded {
  /** Made when it is asked for: that of a long text takes a millisecond. */
  item: () => FeedItem;
}

/** The feed of one kind of records. */
interface RecordFeed {
  /** One record, and several, in words. */
  words: readonly [one: string, several: string];
  /** Records with a number above `lastId`, ascending, up to a number of bytes, in the transaction of `manager`. */
  read(manager: EntityManager, lastId: number, count: number, maxBytes: number): Promise<FeedRecord[]>;
  /** Writes other times at which records were accepted, in the transaction of `manager`. */
  setTimes(manager: EntityManager, records: Recorded[]): Promise<void>;
}

export const FEEDS: Record<RecordKind, RecordFeed> = {
  link: {
    words: ['link', 'links'],
    read: async (...range) => {
      const links = await readRecordedLinks(...range);
      return links.map((link) => ({ ...timeOf(link), item: () => ({ link: feedLinkOf(link) }) }));
    },
    setTimes: setLinkTimes,
  },
  kv: {
    words: ['patch', 'patches'],
    read: async (...range) => {
      const patches = await readFeedPatches(...range);
      return patches.map((patch) => ({ ...timeOf(patch), item: () => ({ patch: feedPatchOf(patch) }) }));
    },
    setTimes: setPatchTimes,
  },
};

/** The record of this number in its feed, as the feed shows it, in the transaction of `manager`. */
export async function readRecord(manager: EntityManager, kind: RecordKind, id: number): Promise<FeedItem | null> {
  const [record] = await FEEDS[kind].read(manager, id - 1, 1, 1);
  return record?.id === id ? record.item() : null;
}

/** The text of the entry of a record. */
export function entryOf(item: FeedItem, recordedAt: Date): string {
  const at = unixSeconds(recordedAt);
  return 'link' in item ? linkEntry(item.link, at, sha256) : patchEntry(item.patch, at, sha256);
}

/** A link as the feed answers it. */
export function feedLinkOf(link: StoredLink): FeedLink {
  return { ...toFeedLink(link), action: link.action, extra: link.extra };
}

/** A patch as the feed answers it. */
export function feedPatchOf(patch: NumberedPatch): FeedPatch {
  return JSON.parse(writeJson(toFeedPatch(patch))) as FeedPatch;
}

function timeOf({ id, recordedAt }: Recorded): Recorded {
  return { id, recordedAt };
}
