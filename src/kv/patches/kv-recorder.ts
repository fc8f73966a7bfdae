import { Injectable } from '@nestjs/common';
import { type PatchSigners, verifyPatch, type Verification } from '@signet/verify';
import type { EntityManager } from 'typeorm';
import { RefusalCounter } from '../../bounds/refusal-counter.js';
import { Environment } from '../../config/environment.js';
import { submitCurves } from '../../domain/submit-curves.js';
import { lockKvChainsSql } from '../../database/advisory-locks.js';
import { TableColumns } from '../../database/table-columns.js';
import { WriteTransactions } from '../../database/write-transactions.js';
import { unixSeconds } from '../../domain/unix-time.js';
import { EventStore, recordEventsSql } from '../../events/event-store.js';
import { BatchRecorder } from '../../ledger/batch-recorder.js';
import { chainStateSql, ITEMS_SQL, itemValues, type RecordedTime, timesByUuid } from '../../ledger/signed-chain.js';
import { APP_KEYS_SQL, type AppKeyRow, type AppKeyState, toAppKeyState } from '../../holds/app-keys.js';
import { ProofStore } from '../../proof/proof.store.js';
import { holdsValidProof } from '../../proof/valid-proof.js';
import { KvEntry } from '../kv-entry.entity.js';
import { isIncomplete } from '../incomplete-entries.js';
import { KvFeed, type NewPatch, PATCH_FEED, PATCHES_TABLE } from '../kv-feed.js';
import { KvIdentity } from '../kv-identity.js';
import { KvPatch } from './kv-patch.entity.js';
import { KvQueries, type OwnEntry } from '../kv.queries.js';
import { type AcceptedPatch, acceptPatch, type PatchState } from './patch-rules.js';

/**
 * Bytes of content that the Avatars of one transaction may have together: it is read, merged into and answered. An
 * Avatar that has more goes first in a transaction, and alone unless others have little.
 */
const MAX_CONTENT_BYTES = 2_000_000;
/** Milliseconds for which a batch waits for locks; then each of its Avatars gets a transaction of its own. */
const BATCH_LOCK_MS = 200;

/**
 * The facts that decide about each patch of a batch, and the entries of its Avatar: a row for each entry, or one
 * without. Parameter 5: the platform of the key itself.
 */
const STATES = `
  with item as (
    select item.*, sum(stored.bytes) over (order by item.number) <= ${MAX_CONTENT_BYTES} or item.number = 1 as "isRead"
    from ${ITEMS_SQL}
    cross join lateral (
      select coalesce(sum(content_bytes), 0) as bytes from kv_entry where avatar = item.avatar
    ) as stored
  )
  select item.number::int, item."isRead", chain.*, (item.platform = $5 or ${holdsValidProof('item')}) as "isBound",
    coalesce((
      select feed_id is not null from kv_patch where avatar = item.avatar and position_in_chain = chain.length
    ), true) as "isHeadNumbered",
    ${isIncomplete('item')} as "isIncomplete",
    entry.platform, entry.identity, entry.content, entry."isBoundToo", entry."isIncompleteToo"
  from item
  cross join lateral (${chainStateSql(PATCHES_TABLE, 'item.avatar', 'item.uuid')}) as chain
  left join lateral (
    select e.platform, e.identity, e.content, (e.platform = $5 or ${holdsValidProof('e')}) as "isBoundToo",
      ${isIncomplete('e')} as "isIncompleteToo"
    from kv_entry e where e.avatar = item.avatar and item."isRead"
  ) as entry on true
  order by item.number, entry.platform collate "C", entry.identity collate "C"`;

/** A patch as it is recorded; the database gives the rest. */
const NEW_PATCHES = TableColumns.of(KvPatch).without('id', 'feedId', 'recordedAt', 'erased');
const ENTRIES = TableColumns.of(KvEntry).without('contentBytes', 'updatedAt');

/** Values beside the columns of each patch for the statement that records it. */
interface PatchFacts {
  /** When it is recorded; null: when the statement is run. */
  recordedAt: Date | null;
  /** The distance of its number from the newest number of the feed; null if the patch gets no number now. */
  feedPlace: number | null;
  /** Of its entry, with the patch applied. */
  content: string;
  /** Payload of the event, without `patch_id`. */
  event: object;
}
const ROWS = NEW_PATCHES.and<PatchFacts>({
  recordedAt: 'timestamptz',
  feedPlace: 'bigint',
  content: 'text',
  event: 'jsonb',
});

/** Patches, entries and events of a batch in one statement. Parameter: the rows. */
const RECORD = `
  with item as (select * from ${ROWS.rowsOf('$1')}),
  patched as (
    insert into kv_patch (${NEW_PATCHES.names}, recorded_at, feed_id)
    select ${NEW_PATCHES.names}, coalesce(recorded_at, clock_timestamp()), case when feed_place is not null then ${PATCH_FEED.newest} + feed_place end from item
    returning id, uuid, recorded_at as "recordedAt"
  ),
  saved as (
    insert into kv_entry (${ENTRIES.names}) select ${ENTRIES.names} from item
    on conflict on constraint kv_entry_key do update set content = excluded.content, updated_at = clock_timestamp()
  ),
  fact as (
    select patched.id, 'kv.patched' as name, item.event || jsonb_build_object('patch_id', patched.id) as payload
    from item join patched using (uuid)
  ),
  announced as (${recordEventsSql('fact')})
  select uuid, "recordedAt" from patched`;

/** `KvService` has checked the signature of a key of an app, with what the key was then; `accept` looks once more. */
const CHECKED: PatchSigners = {
  check: () => ({ name: 'signature', state: 'ok', detail: 'A key of an app signed it.' }),
};

interface StateRow extends Omit<PatchState, 'entries' | 'isAllowed' | 'appKey'> {
  number: number;
  isRead: boolean;
  /** Of an entry; null where the Avatar has none. */
  platform: string | null;
  identity: string;
  content: string;
  isBoundToo: boolean;
  isIncompleteToo: boolean;
}

/** Facts about a batch that are read before its first round. */
interface Batch {
  /** The patches that their Avatar may write; a proof that is needed for that stays until the transaction ends. */
  allowed: Set<NewPatch>;
  /** The keys of apps that signed some of the patches. */
  appKeys: Map<NewPatch, AppKeyState>;
  /** Whether the feed can give numbers now. */
  hasFeed: boolean;
}

/** What is known of a patch once it is committed. */
export interface RecordedPatch {
  /** All of the Avatar, as the transaction left them. */
  entries: OwnEntry[];
  /** By the clock of the database. */
  recordedAt: Date;
}

@Injectable()
export class KvRecorder extends BatchRecorder<NewPatch, PatchState, AcceptedPatch, RecordedPatch, Batch> {
  protected readonly table = PATCHES_TABLE;
  protected readonly lock = (patches: NewPatch[]): string =>
    lockKvChainsSql(patches.map(({ avatar }) => avatar.compressed));
  protected override readonly batchLockMs = BATCH_LOCK_MS;

  constructor(
    private readonly environment: Environment,
    private readonly identities: KvIdentity,
    private readonly queries: KvQueries,
    private readonly feed: KvFeed,
    events: EventStore,
    private readonly proofs: ProofStore,
    transactions: WriteTransactions,
    refusals: RefusalCounter,
  ) {
    super(events, transactions, refusals);
  }

  protected verify({ avatar, createdAt, signaturePayload, previous, ...patch }: NewPatch): Verification {
    const { platform, identity, uuid, signature } = patch;
    const texts = { platform, identity, uuid, signature, signature_payload: signaturePayload };
    const item = { ...texts, patch: patch.patch, created_at: unixSeconds(createdAt) };
    const context = { avatar: avatar.compressed, previous: previous === null ? null : { signature: previous } };
    if (!patch.app) return verifyPatch(item, { ...context, curves: submitCurves });
    return verifyPatch({ ...item, signer: patch.app.name }, { ...context, signers: CHECKED, curves: submitCurves });
  }

  protected bytesOf({ patchText, signaturePayload }: NewPatch): number {
    return patchText.length + signaturePayload.length;
  }

  /**
   * Locks proofs after the chains and before any round, because a transaction that gives numbers waits for no other
   * lock.
   */
  protected async begin(manager: EntityManager, patches: NewPatch[]): Promise<Batch> {
    const hasFeed = await this.feed.hasIndexes(manager);
    const asksForProof = ({ platform }: NewPatch) => this.identities.asksForProof(platform);
    const appKeys = await readAppKeys(manager, patches);
    if (!patches.some(asksForProof)) return { allowed: new Set(patches), appKeys, hasFeed };
    const isValid = await this.proofs.lockValid(manager, patches);
    const allowed = patches.filter((patch, index) => !asksForProof(patch) || isValid[index]!);
    return { allowed: new Set(allowed), appKeys, hasFeed };
  }

  protected async readStates(
    manager: EntityManager,
    patches: NewPatch[],
    { allowed, appKeys }: Batch,
  ): Promise<PatchState[]> {
    const values = [...itemValues(patches), this.environment.SERVICE_NAME];
    const rows: StateRow[] = await manager.query(STATES, values);
    const states: PatchState[] = [];
    for (const { number, isRead, platform, identity, content, isBoundToo, isIncompleteToo, ...state } of rows) {
      if (!isRead) break;
      const patch = patches[number - 1]!;
      const decided = { isAllowed: allowed.has(patch), appKey: appKeys.get(patch) };
      const known = (states[number - 1] ??= { ...state, ...decided, entries: [] });
      const facts = { isBound: isBoundToo, isIncomplete: isIncompleteToo };
      if (platform !== null) known.entries.push({ platform, identity, content, ...facts });
    }
    return states;
  }

  /** Refuses with `not_bound`, for the key of an app that signed it, or a limit of content. */
  protected accept(patch: NewPatch, state: PatchState): AcceptedPatch | Error {
    return acceptPatch(patch, state, this.environment);
  }

  /** Writers of different Avatars on different servers meet only here, where numbers in the feed are given. */
  protected async write(
    manager: EntityManager,
    accepted: AcceptedPatch[],
    { hasFeed }: Batch,
  ): Promise<RecordedPatch[]> {
    let place = 0;
    const rows = accepted.map((one) => rowOf(one, hasFeed && one.isNumbered ? (place += 1) : null));
    const locked = place > 0 ? this.feed.lockNumbers(manager) : Promise.resolve();
    const writing = manager.query<RecordedTime[]>(RECORD, [ROWS.json(rows)]);
    // Behind a lock that was not given this one fails too, which may be heard of first and says nothing of the reason.
    writing.catch(() => {});
    await locked;
    const times = timesByUuid(await writing);
    return accepted.map(({ patch, entries }) => ({ entries, recordedAt: times.get(patch.uuid)! }));
  }

  protected async findResult({ avatar, uuid }: NewPatch): Promise<RecordedPatch> {
    const entries = await this.queries.getEntries(avatar);
    return { entries, recordedAt: (await this.feed.findByUuid(uuid))!.recordedAt };
  }
}

/** The keys of apps that signed patches, under the locks that their key events take too. */
async function readAppKeys(manager: EntityManager, patches: NewPatch[]): Promise<Map<NewPatch, AppKeyState>> {
  const signed = patches.filter(({ app }) => app);
  if (signed.length === 0) return new Map();
  const values = [signed.map(({ avatar }) => avatar.compressed), signed.map(({ app }) => app!.name)];
  const rows: (AppKeyRow & { now: Date })[] = await manager.query(APP_KEYS_SQL, values);
  return new Map(signed.map((patch, place) => [patch, toAppKeyState(rows[place]!)]));
}

function rowOf({ patch, recordedAt, positionInChain, content }: AcceptedPatch, feedPlace: number | null) {
  const { app, platform, identity, uuid, createdAt, patchText } = patch;
  const signer = app?.name ?? null;
  const avatar = patch.avatar.compressed;
  const event = { avatar, platform, identity, uuid, created_at: unixSeconds(createdAt) };
  return { ...patch, avatar, signer, patch: patchText, recordedAt, positionInChain, feedPlace, content, event };
}
