import type { KeyFact, SignedKeyEvent } from '@signet/verify/key-events';
import type { EntityManager } from 'typeorm';
import { TableColumns } from '../database/table-columns.js';
import { unixSeconds } from '../domain/unix-time.js';
import { recordFeed } from '../ledger/record-feed.js';
import type { RecordMembers } from '../http/record-json.js';
import { KeyEvent } from './key-event.entity.js';

export const KEYS_TABLE = 'key_event';

export const KEY_COLUMNS = TableColumns.of(KeyEvent);

/** A key event as it is answered. */
export type StoredKeyEvent = Omit<KeyEvent, 'positionInChain'>;

const MEMBERS = {
  avatar: 'plain',
  action: 'plain',
  fields: 'json',
  uuid: 'plain',
  signer: 'plain',
  cosigner: 'plain_or_null',
  links: 'json',
  recorded_at: 'seconds',
  created_at: 'seconds',
  signature_payload: 'text',
  signature: 'plain',
  cosignature: 'plain_or_null',
  successor_signature: 'plain_or_null',
  patches: 'json',
  due_at: 'seconds',
} as const satisfies RecordMembers;

/** A key event as pages of its chain answer it. */
export const KEY_MEMBERS = { id: 'json', ...MEMBERS } as const;

/** The key events of all Avatars. Their `id` is given under the append lock, as that of links is. */
export const KEY_FEED = recordFeed({
  table: KEYS_TABLE,
  number: 'id',
  columns: KEY_COLUMNS.without('id', 'positionInChain'),
  members: MEMBERS,
  named: { action: 'action' },
  bytes: 'octet_length(fields) + octet_length(signature_payload)',
  pageBytes: 1_000_000,
});

/** What the state of the keys of an Avatar follows from. */
export const KEY_FACTS = KEY_COLUMNS.pick('action', 'fields', 'uuid', 'signer', 'cosigner', 'links', 'recordedAt');
export type KeyFactRow = Pick<KeyEvent, 'action' | 'fields' | 'uuid' | 'signer' | 'cosigner' | 'links' | 'recordedAt'>;

/** Selects the facts of the Avatar `$1`, oldest first. */
export const FACTS_SQL = `select ${KEY_FACTS.selectedFrom('event')} from ${KEYS_TABLE} event where avatar = $1 order by position_in_chain`;

/** The facts of an Avatar, oldest first, in the transaction of `manager`. */
export async function readKeyFacts(manager: EntityManager, avatar: string): Promise<KeyFact[]> {
  return ((await manager.query(FACTS_SQL, [avatar])) as KeyFactRow[]).map(toKeyFact);
}

/** A row as the rules take it. */
export function toKeyFact({ action, fields, uuid, signer, cosigner, links, recordedAt }: KeyFactRow): KeyFact {
  const said = { action, fields: JSON.parse(fields) as object, uuid, signer, cosigner, links };
  return { ...said, recorded_at: unixSeconds(recordedAt) } as KeyFact;
}

/** A key event as feed and chain answer it. */
export function toSignedKeyEvent(event: StoredKeyEvent): SignedKeyEvent & { id: number; avatar: string } {
  return {
    id: event.id,
    avatar: event.avatar,
    ...toKeyFact(event),
    created_at: unixSeconds(event.createdAt),
    signature_payload: event.signaturePayload,
    signature: event.signature,
    cosignature: event.cosignature,
    successor_signature: event.successorSignature,
    patches: event.patches,
    due_at: unixSeconds(event.dueAt),
  };
}
