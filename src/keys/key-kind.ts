import { type FeedRecord, KEY_ENTRIES } from '@signet/verify/log';
import type { RecordKind } from '../ledger/record-kind.js';
import { KEY_AUDIT } from './key-audit.js';
import { KEY_FEED, type StoredKeyEvent, toSignedKeyEvent } from './key-rows.js';

/** What Avatars say of their keys. */
export const KEYS: RecordKind = {
  ...KEY_ENTRIES,
  feed: KEY_FEED,
  upgradeSteps: [],
  toRecord: (event: StoredKeyEvent): FeedRecord => toSignedKeyEvent(event),
  bindsIdentities: false,
  archive: null,
  // Nothing in it is free text.
  erasure: null,
  holdsItsTime: true,
  audit: KEY_AUDIT,
};
