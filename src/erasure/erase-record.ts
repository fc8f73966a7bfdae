import { type Erasure, identityKeyText } from '@signet/verify';
import { type FeedLink, type FeedPatch, linkRecord, patchRecord } from '@signet/verify/log';
import type { EntityManager } from 'typeorm';
import { eraseDocument } from '../archive/erase-document.js';
import type { Environment } from '../config/environment.js';
import { sha256 } from '../crypto/hashing.js';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import type { BindingEvent } from '../domain/domain-events.js';
import { eraseEvents } from '../events/erase-events.js';
import { hasPatchOf, patchIdOf } from '../kv/kv-feed.js';
import { erasePatch } from '../kv/patches/erase-patch.js';
import { eraseStatements } from '../observer/observed-links.js';
import { eraseBinding, eraseEvidence, isBoundBy } from '../proof/proof.store.js';
import { eraseLink, hasLinkOf, linkIdOf } from '../proof-chain/link-rows.js';
import { addErasure, readLogged } from '../transparency-log/records/erasure-rows.js';
import { type RecordKind, readRecord } from '../transparency-log/records/feed-records.js';
import { timeOfErasure } from '../transparency-log/records/recorded-times.js';
import { eraseDeliveries } from '../webhooks/erase-deliveries.js';

/** What is to be erased. */
export interface EraseOptions {
  kind: RecordKind;
  /** The number in the feed, or the uuid in small letters. */
  name: string;
  /** One line. */
  reason: string;
  /** Whether the binding that rests on a link may go with it. */
  withBinding: boolean;
  /** Whether content may come back that the patch had taken out or replaced. */
  withOlderContent: boolean;
}

/** What becomes of all that rests on a record. */
interface Outcome {
  /** The content of the entry of a patch now; null where the entry is gone, and for links. */
  content: string | null;
  /** Where the archive has a link; null if it was not sent there. */
  archiveId: string | null;
  wasBound: boolean;
}

/** What was erased. */
export interface ErasedRecord extends BindingEvent, Outcome {
  kind: RecordKind;
  /** The number in the feed. */
  id: number;
  uuid: string;
  /** How many events, and deliveries of webhooks, had texts of it. */
  events: number;
  deliveries: number;
}

/** Nothing was erased; the message says why, and what to do. */
export class RefusedErasure extends Error {}

/**
 * Erases the text of a link or patch wherever this service keeps it, and leaves what stands in its place, all in the
 * transaction of `manager`. The sequencer of the log makes an entry of it afterwards.
 * @param now by the clock of this process
 * @throws RefusedErasure
 */
export async function eraseRecord(
  manager: EntityManager,
  { LOG }: Pick<Environment, 'LOG'>,
  options: EraseOptions,
  now: Date,
): Promise<ErasedRecord> {
  const { kind, name, reason } = options;
  const word = kind === 'link' ? 'link' : 'patch';
  await manager.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.log})`);
  const id = await (kind === 'link' ? linkIdOf : patchIdOf)(manager, name);
  const item = id === null ? null : await readRecord(manager, kind, id);
  if (!item)
    throw new RefusedErasure(`The feed has no ${word} ${name}; one that was made just now gets its number soon.`);
  const fields: FeedLink | FeedPatch = 'link' in item ? item.link : item.patch;
  const { id: recordId, avatar, platform, identity, uuid } = fields;
  if (fields.erased) throw new RefusedErasure(`The text of this ${word} was erased before.`);
  const record = 'link' in item ? linkRecord(item.link, sha256) : patchRecord(item.patch, sha256);
  if (LOG) assertLogged(await readLogged(manager, kind, recordId), record);
  const binding = { avatar, platform, identity };
  const erased: Erasure = {
    at: await timeOfErasure(manager, now),
    identity_key: identityKeyText(binding),
    reason,
    record,
  };
  await addErasure(manager, kind, recordId);
  const erase = kind === 'link' ? eraseTextsOfLink : eraseTextsOfPatch;
  const outcome = await erase(manager, recordId, binding, erased, options);
  const isLast = !(await hasLinkOf(manager, binding)) && !(await hasPatchOf(manager, binding));
  if (isLast || outcome.wasBound) await eraseEvidence(manager, binding);
  const events = await eraseEvents(manager, { ...binding, uuid, isLast });
  if (kind === 'link') await eraseStatements(manager, uuid);
  const deliveries = await eraseDeliveries(manager, uuid, events);
  return { kind, id: recordId, uuid, ...binding, ...outcome, events: events.length, deliveries };
}

/** The append lock keeps a create of the same identity away. @throws RefusedErasure */
async function eraseTextsOfLink(
  manager: EntityManager,
  id: number,
  _binding: BindingEvent,
  erased: Erasure,
  { withBinding }: EraseOptions,
): Promise<Outcome> {
  await manager.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.append})`);
  const wasBound = await isBoundBy(manager, id);
  if (wasBound && !withBinding) {
    throw new RefusedErasure('A binding rests on this link. Add --with-binding to take it out of all answers, too.');
  }
  if (wasBound) await eraseBinding(manager, id);
  await eraseLink(manager, id, erased);
  return { content: null, archiveId: await eraseDocument(manager, id), wasBound };
}

/** @throws RefusedErasure */
async function eraseTextsOfPatch(
  manager: EntityManager,
  id: number,
  binding: BindingEvent,
  erased: Erasure,
  { withOlderContent }: EraseOptions,
): Promise<Outcome> {
  const { content, comesBack } = await erasePatch(manager, { id, ...binding }, erased);
  if (comesBack.length > 0 && !withOlderContent) {
    throw new RefusedErasure(
      `Content would come back that this patch took out or replaced: ${comesBack.join(', ')}. ` +
        'Erase the patches that made it first, or add --with-older-content.',
    );
  }
  return { content, archiveId: null, wasBound: false };
}

/** @throws RefusedErasure */
function assertLogged(logged: string | null, record: string): void {
  if (logged === null) {
    throw new RefusedErasure(
      'The log does not have it yet, and an erasure has to name its entry. Try again when it has.',
    );
  }
  if (logged !== record) {
    throw new RefusedErasure('It is not the one that was logged, so an erasure would hide that: npm run log -- check.');
  }
}
