import { type Erasure, isErased } from '@signet/verify';
import { identityKeyText } from '@signet/verify/internal/chains';
import { recordHash, wordOf } from '@signet/verify/internal/log';
import type { FeedRecord } from '@signet/verify/log';
import type { EntityManager } from 'typeorm';
import { eraseDocument, sentDocument } from '../archive/erase-document.js';
import type { Environment } from '../config/environment.js';
import { sha256 } from '../crypto/hashing.js';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import type { BindingEvent } from '../domain/domain-events.js';
import { eventsAbout } from '../events/erase-events.js';
import { type ErasableKind, type RecordKind, type RecordKinds, RefusedErasure } from '../ledger/record-kind.js';
import { eraseStatements } from '../observer/observed-links.js';
import { eraseEvidence } from '../proof/proof.store.js';
import { removePushesOf } from '../push/erase-pushes.js';
import { RECORD_KINDS } from '../records/record-kinds.js';
import { addErasure, readLogged } from '../transparency-log/tree/records/erasure-rows.js';
import { readRecord } from '../transparency-log/tree/records/feed-records.js';
import { timeOfErasure } from '../transparency-log/signing/recorded-times.js';
import { countDeliveries } from '../webhooks/erase-deliveries.js';
import { addRest } from './erasure-rests.js';

export interface EraseOptions {
  /** The name of the kind of the record. */
  kind: string;
  /** The number in the feed, or the uuid in small letters. */
  name: string;
  /** One line. */
  reason: string;
  /** What may go with it: options of the command, see `RecordErasure`. */
  consents: string[];
}

/** A record that is to be erased, and what becomes of all that rests on it. */
interface Planned extends BindingEvent {
  kind: ErasableKind;
  /** The number in the feed. */
  id: number;
  uuid: string;
  /** See `RecordErasure`. */
  rest: unknown;
  /** Where the archive has the record; null if it was not sent there. */
  archiveId: string | null;
  /** Whether no other record names the identity. */
  isLast: boolean;
  /** What stands in its place. */
  erased: Erasure;
}

export interface ErasedRecord extends Planned {
  /** How many events, and deliveries of webhooks, had texts of it. */
  events: number;
  deliveries: number;
}

/** There is nothing left to erase of this record. */
export class AlreadyErased extends RefusedErasure {}

/** Milliseconds for which an erasure that holds the lock of the log waits for others. */
const LOCK_MS = 1500;

/**
 * Says what an erasure would do, by reads alone, in the transaction of `manager`.
 * @param now by the clock of this process
 * @throws RefusedErasure
 */
export async function tryErasure(
  manager: EntityManager,
  environment: Pick<Environment, 'LOG'>,
  options: EraseOptions,
  now: Date,
  kinds: RecordKinds = RECORD_KINDS,
): Promise<ErasedRecord> {
  const planned = await plan(manager, environment, kinds, options, now);
  const events = await eventsAbout(manager, planned);
  return { ...planned, events: events.length, deliveries: await countDeliveries(manager, planned.uuid, events) };
}

/**
 * Erases the text of a record, and leaves what stands in its place, in the transaction of `manager`, which holds
 * the lock under which such records are made: what events and deliveries have of it is left to `finishErasures`. The
 * sequencer of the log makes an entry of it afterwards.
 * @param now by the clock of this process
 * @throws RefusedErasure
 */
export async function eraseRecord(
  manager: EntityManager,
  environment: Pick<Environment, 'LOG'>,
  options: EraseOptions,
  now: Date,
  kinds: RecordKinds = RECORD_KINDS,
): Promise<Planned> {
  await manager.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.log})`);
  const kind = erasableKind(kinds, options.kind);
  const { avatar } = await findRecord(manager, kind, options.name);
  await manager.query(`set local lock_timeout = ${LOCK_MS}`);
  await kind.erasure.lock(manager, avatar);
  const planned = await plan(manager, environment, kinds, options, now);
  const { id, erased, isLast, rest } = planned;
  await addErasure(manager, kind.name, id);
  await kind.erasure.erase(manager, planned, erased, rest);
  if (kind.archive) await eraseDocument(manager, id);
  await eraseStatements(manager, planned.uuid);
  if (isLast) await eraseEvidence(manager, planned);
  if (isLast && !(await hasTexts(manager, kinds, avatar))) await removePushesOf(manager, avatar);
  await addRest(manager, planned);
  return planned;
}

/** Whether any text of the Avatar is left. */
async function hasTexts(manager: EntityManager, kinds: RecordKinds, avatar: string): Promise<boolean> {
  for (const { feed } of kinds.erasable) if (await feed.hasTextOf(manager, avatar)) return true;
  return false;
}

/** @throws RefusedErasure */
function erasableKind(kinds: RecordKinds, name: string): ErasableKind {
  const kind = kinds.erasable.find((one) => one.name === name);
  if (kind) return kind;
  throw new RefusedErasure(
    `A ${wordOf(kinds.get(name))} holds no text that its owner chose, so nothing in it can need an erasure.`,
  );
}

/** @throws RefusedErasure */
async function findRecord(manager: EntityManager, kind: RecordKind, name: string): Promise<FeedRecord> {
  const id = await kind.feed.numberIn(manager, name);
  const record = id === null ? null : await readRecord(manager, kind, id);
  if (!record) {
    throw new RefusedErasure(
      `The feed has no ${wordOf(kind)} ${name}; one that was made just now gets its number soon.`,
    );
  }
  if (isErased(record)) throw new AlreadyErased(`The text of this ${wordOf(kind)} was erased before.`);
  return record;
}

/** @throws RefusedErasure */
async function plan(
  manager: EntityManager,
  { LOG }: Pick<Environment, 'LOG'>,
  kinds: RecordKinds,
  { kind: kindName, name, reason, consents }: EraseOptions,
  now: Date,
): Promise<Planned> {
  const kind = erasableKind(kinds, kindName);
  const found = await findRecord(manager, kind, name);
  // Kinds whose texts can be erased are about an identity.
  const { id, avatar, platform = '', identity = '', uuid } = found;
  const record = recordHash(kind, found, sha256);
  if (LOG) assertLogged(await readLogged(manager, kind.name, id), record);
  const binding = { avatar, platform, identity };
  const rest = await kind.erasure.plan(manager, { id, ...binding }, consents.includes(kind.erasure.consent));
  const archiveId = kind.archive ? await sentDocument(manager, id) : null;
  let isLast = true;
  for (const other of kinds.erasable) {
    if (await other.feed.hasRecordOf(manager, binding, other === kind ? id : null)) isLast = false;
  }
  const at = await timeOfErasure(manager, kinds, now);
  const erased: Erasure = { at, identity_key: identityKeyText(binding), reason, record };
  return { kind, id, uuid, ...binding, rest, archiveId, isLast, erased };
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
