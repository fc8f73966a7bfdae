import { KEYS } from '../keys/key-kind.js';
import { PATCHES } from '../kv/patch-kind.js';
import { RecordKinds } from '../ledger/record-kind.js';
import { LINKS } from '../proof/link-kind.js';

/** Every kind of signed record: one line each. */
export const RECORD_KINDS = new RecordKinds([LINKS, PATCHES, KEYS]);
