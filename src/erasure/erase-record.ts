import { type Erasure, identityKeyText } from '@signet/verify';
import { type FeedLink, type FeedPatch, linkRecord, patchRecord } from '@signet/verify/log';
import type { EntityManager } from 'typeorm';
import { eraseDocument, sentDocument } from '../archive/erase-document.js';
import type { Environment } from '../config/environment.js';
import { sha256 } from '../crypto/hashing.js';
import { ADVISORY_LOCKS, KV_CHAIN_LOCKS } from '../database/advisory-locks.js';
import type { BindingEvent } from '../domain/domain-events.js';
import { eventsAbout } from '../events/erase-events.js';
import { hasPatchOf, patchIdOf } from '../kv/kv-feed.js';
import { contentWithout, erasePatch } from '../kv/patches/erase-patch.js';
import { eraseStatements } from '../observer/observed-links.js';
import { eraseBinding, eraseEvidence, isBoundBy } from '../proof/proof.store.js';
import { eraseLink, hasLinkOf, linkIdOf } from '../proof-chain/link-rows.js';
import { addErasure, readLogged } from '../transparency-log/records/erasure-rows.js';
import { type FeedItem, type RecordKind, readRecord } from '../transparency-log/records/feed-records.js';
import { timeOfErasure } from '../transparency-log/records/recorded-times.js';
import { countDeliveries } from '../webhooks/erase-deliveries.js';
import { addRest } from './erasure-rests.js';

/** What is to be erased. */
export interface EraseOptions {
  kind: RecordKind;
  /** The number in the feed, or the uuid in small letters. */
  name: string;
  /** One line. */
  reason: string;
  /** Whether the binding that rests on a link may go with it. */
  withBinding: boolean;
  /** Whether content of other patches may go with that of a patch. */
  withContent: boolean;
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

/** There is nothing left to erase of this record. */
export class AlreadyErased extends RefusedErasure {}

/** A record that is to be erased, and what becomes of all that rests on it. */
interface Planned extends BindingEvent, Outcome {
  kind: RecordKind;
  /** The number in the feed. */
  id: number;
  uuid: string;
  /** Whether no other record names the identity. */
  isLast: boolean;
  /** What stands in its place. */
  erased: Erasure;
}

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
): Promise<ErasedRecord> {
  const planned = await plan(manager, environment, options, now, await findRecord(manager, options));
  const events = await eventsAbout(manager, planned);
  return { ...planned, events: events.length, deliveries: await countDeliveries(manager, planned.uuid, events) };
}

/**
 * Erases the text of a link or patch, and leaves what stands in its place, in the transaction of `manager`, which holds
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
): Promise<Planned> {
  await manager.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.log})`);
  const { avatar } = fieldsOf(await findRecord(manager, options));
  await manager.query(`set local lock_timeout = ${LOCK_MS}`);
  // Keeps a create of the same identity away, or another patch of the entry.
  if (options.kind === 'link') await manager.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.append})`);
  else await manager.query(`select pg_advisory_xact_lock(${KV_CHAIN_LOCKS}, hashtext($1))`, [avatar]);
  const planned = await plan(manager, environment, options, now, await findRecord(manager, options));
  const { kind, id, erased, wasBound, isLast } = planned;
  await addErasure(manager, kind, id);
  if (kind === 'link') {
    if (wasBound) await eraseBinding(manager, id);
    await eraseLink(manager, id, erased);
    await eraseDocument(manager, id);
    await eraseStatements(manager, planned.uuid);
  } else await erasePatch(manager, planned, erased, planned.content);
  if (isLast || wasBound) await eraseEvidence(manager, planned);
  await addRest(manager, planned);
  return planned;
}

/** @throws RefusedErasure */
async function findRecord(manager: EntityManager, { kind, name }: EraseOptions): Promise<FeedItem> {
  const word = kind === 'link' ? 'link' : 'patch';
  const id = await (kind === 'link' ? linkIdOf : patchIdOf)(manager, name);
  const item = id === null ? null : await readRecord(manager, kind, id);
  if (!item)
    throw new RefusedErasure(`The feed has no ${word} ${name}; one that was made just now gets its number soon.`);
  if (fieldsOf(item).erased) throw new AlreadyErased(`The text of this ${word} was erased before.`);
  return item;
}

function fieldsOf(item: FeedItem): FeedLink | FeedPatch {
  return 'link' in item ? item.link : item.patch;
}

/** @throws RefusedErasure */
async function plan(
  manager: EntityManager,
  { LOG }: Pick<Environment, 'LOG'>,
  options: EraseOptions,
  now: Date,
  item: FeedItem,
): Promise<Planned> {
  const { kind, reason } = options;
  const { id, avatar, platform, identity, uuid } = fieldsOf(item);
  const record = 'link' in item ? linkRecord(item.link, sha256) : patchRecord(item.patch, sha256);
  if (LOG) assertLogged(await readLogged(manager, kind, id), record);
  const binding = { avatar, platform, identity };
  const outcome = await (kind === 'link' ? outcomeOfLink : outcomeOfPatch)(manager, { id, ...binding }, options);
  const isNamed =
    (await hasLinkOf(manager, binding, kind === 'link' ? id : null)) ||
    (await hasPatchOf(manager, binding, kind === 'kv' ? id : null));
  const at = await timeOfErasure(manager, now);
  const erased: Erasure = { at, identity_key: identityKeyText(binding), reason, record };
  return { kind, id, uuid, ...binding, ...outcome, isLast: !isNamed, erased };
}

/** @throws RefusedErasure */
async function outcomeOfLink(
  manager: EntityManager,
  { id }: { id: number },
  { withBinding }: EraseOptions,
): Promise<Outcome> {
  const wasBound = await isBoundBy(manager, id);
  if (wasBound && !withBinding) {
    throw new RefusedErasure('A binding rests on this link. Add --with-binding to take it out of all answers, too.');
  }
  return { content: null, archiveId: await sentDocument(manager, id), wasBound };
}

/** @throws RefusedErasure */
async function outcomeOfPatch(
  manager: EntityManager,
  patch: BindingEvent & { id: number },
  { withContent }: EraseOptions,
): Promise<Outcome> {
  const { content, goesToo } = await contentWithout(manager, patch);
  if (goesToo.length > 0 && !withContent) {
    throw new RefusedErasure(
      `Content of older patches would go, too, which nobody could tell from what this patch had changed: ` +
        `${goesToo.join(', ')}. Add --with-content; the Avatar can sign it again.`,
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
