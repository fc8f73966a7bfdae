import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Environment } from '../config/environment.js';
import { KV_CHAIN_LOCKS } from '../database/advisory-locks.js';
import { hiddenParameter } from '../database/prepared.js';
import { wellFormedJson } from '../database/well-formed-json.js';
import { WriteTransactions } from '../database/write-transactions.js';
import { unixSeconds } from '../domain/unix-time.js';
import { EventStore, recordEventsSql } from '../events/event-store.js';
import { NEXT_BATCH, type Outcome, SharedCommits } from '../events/shared-commits.js';
import { chainStateSql } from '../payload/signed-chain.js';
import { ProofStore } from '../proof/proof.store.js';
import { holdsValidProof } from '../proof/valid-proof.js';
import type { NewPatch } from './kv-chain.service.js';
import { KvFeed, NEWEST_FEED_ID } from './kv-feed.js';
import { KvIdentity } from './kv-identity.js';
import { KvQueries, type OwnEntry } from './kv.queries.js';
import { type AcceptedPatch, judgePatches, type PatchState } from './patch-batch.js';

/**
 * Bytes of content that the Avatars of one transaction may have together: it is read, merged into and answered. An
 * Avatar that has more goes first in a transaction, and alone unless others have little.
 */
const MAX_CONTENT_BYTES = 2_000_000;
/** Milliseconds for which a batch waits for locks; then its Avatars go apart, so that nobody waits for another's. */
const BATCH_LOCK_MS = 200;

/**
 * What decides about each patch of a batch, and the entries of its Avatar: a row for each entry, or one without.
 * Parameters: Avatars, uuids, platforms and identities, in the same order; the platform of the key itself.
 */
const STATES = `
  with item as (
    select item.*, sum(stored.bytes) over (order by item.number) <= ${MAX_CONTENT_BYTES} or item.number = 1 as "isRead"
    from unnest(${hiddenParameter(1, 'text[]')}, ${hiddenParameter(2, 'uuid[]')}, ${hiddenParameter(3, 'text[]')},
      ${hiddenParameter(4, 'text[]')}) with ordinality as item(avatar, uuid, platform, identity, number)
    cross join lateral (
      select coalesce(sum(content_bytes), 0) as bytes from kv_entry where avatar = item.avatar
    ) as stored
  )
  select item.number::int, item."isRead", chain.*, (item.platform = $5 or ${holdsValidProof('item')}) as "isBound",
    coalesce((
      select feed_id is not null from kv_patch where avatar = item.avatar and position_in_chain = chain.length
    ), true) as "isHeadNumbered",
    entry.platform, entry.identity, entry.content, entry."isBoundToo"
  from item
  cross join lateral (${chainStateSql('kv_patch', 'item.avatar', 'item.uuid')}) as chain
  left join lateral (
    select e.platform, e.identity, e.content, (e.platform = $5 or ${holdsValidProof('e')}) as "isBoundToo"
    from kv_entry e where e.avatar = item.avatar and item."isRead"
  ) as entry on true
  order by item.number, entry.platform collate "C", entry.identity collate "C"`;

/** Patches, entries and events of a batch in one statement. Parameter: the rows. */
const RECORD = `
  with item as (
    select * from json_to_recordset($1::json) as item(
      avatar text, position_in_chain integer, platform text, identity text, patch text, created_at timestamptz,
      uuid uuid, signature text, signature_payload text, feed_place bigint, content text, event jsonb
    )
  ),
  patched as (
    insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature,
      signature_payload, feed_id)
    select avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload,
      case when feed_place is not null then ${NEWEST_FEED_ID} + feed_place end
    from item
    returning id, uuid
  ),
  saved as (
    insert into kv_entry (avatar, platform, identity, content)
    select avatar, platform, identity, content from item
    on conflict on constraint kv_entry_key do update set content = excluded.content, updated_at = clock_timestamp()
  ),
  fact as (
    select patched.id, 'kv.patched' as event_name, item.event || jsonb_build_object('patch_id', patched.id) as event
    from item join patched using (uuid)
  )
  ${recordEventsSql('fact')}`;

const RECORDED_PATCHES = 'select uuid from kv_patch where uuid = any($1::uuid[])';

interface StateRow extends Omit<PatchState, 'entries' | 'isAllowed'> {
  number: number;
  /** Whether its entries were read. */
  isRead: boolean;
  /** Of an entry; null where the Avatar has none. */
  platform: string | null;
  identity: string;
  content: string;
  isBoundToo: boolean;
}

/** A patch that is to be decided about, and whether its Avatar may write there. */
interface RoundPatch {
  patch: NewPatch;
  isAllowed: boolean;
}

/** Records patches with the content that follows from them, many in one transaction. */
@Injectable()
export class KvRecorder {
  private readonly commits = new SharedCommits<NewPatch, OwnEntry[]>({
    record: (take, isPatient) => this.recordBatch(take(), isPatient),
    findRecorded: (patches) => this.findRecorded(patches),
    bytesOf: ({ patchText, signaturePayload }) => patchText.length + signaturePayload.length,
    groupOf: ({ avatar }) => avatar.compressed,
  });

  constructor(
    private readonly environment: Environment,
    private readonly identities: KvIdentity,
    private readonly queries: KvQueries,
    private readonly feed: KvFeed,
    private readonly events: EventStore,
    private readonly proofs: ProofStore,
    private readonly transactions: WriteTransactions,
  ) {}

  /**
   * Adds a patch to its chain, and writes content and event; resolves after the commit.
   * @returns all entries of the Avatar as the transaction left them.
   * @throws AlreadyRecordedError, StaleChainError, ProofRejectedError (`not_bound`), LimitExceededError,
   *   OverloadedError
   */
  async record(patch: NewPatch): Promise<OwnEntry[]> {
    return this.commits.submit(patch);
  }

  /**
   * The locks of chains and proofs come first: what is merged into is the content as the previous writer left it.
   * Writers of different Avatars on different servers meet only where all is decided and numbers in the feed are given,
   * and who gives numbers waits for no other lock.
   */
  private async recordBatch(patches: NewPatch[], isPatient: boolean): Promise<Outcome<OwnEntry[]>[]> {
    const outcomes: Outcome<OwnEntry[]>[] = patches.map(() => NEXT_BATCH);
    const hasFeed = await this.feed.hasIndexes();
    await this.events.transaction(
      async (manager) => {
        const isAllowed = await this.lockProofs(manager, patches);
        for (let open = [...patches.keys()]; open.length > 0;) {
          const round = open.map((index) => ({ patch: patches[index]!, isAllowed: isAllowed[index]! }));
          const { accepted, refused, later } = await this.recordRound(manager, round, hasFeed);
          for (const [index, { entries }] of accepted) {
            outcomes[open[index]!] = { status: 'fulfilled', value: entries };
          }
          for (const [index, reason] of refused) outcomes[open[index]!] = { status: 'rejected', reason };
          open = later.map((index) => open[index]!);
        }
      },
      { lockSql: lockChainsSql(patches), ...(!isPatient && { lockMs: BATCH_LOCK_MS }) },
    );
    return outcomes;
  }

  /** Decides about the first ones, as many as the bound on content allows, and records those that are accepted. */
  private async recordRound(manager: EntityManager, round: RoundPatch[], hasFeed: boolean) {
    const patches = round.map(({ patch }) => patch);
    const rows: StateRow[] = await manager.query(STATES, [
      patches.map(({ avatar }) => avatar.compressed),
      patches.map(({ uuid }) => uuid),
      patches.map(({ platform }) => platform),
      patches.map(({ identity }) => identity),
      this.environment.SERVICE_NAME,
    ]);
    const states = statesOf(rows, round);
    const judgement = judgePatches(patches.slice(0, states.length), states, this.environment);
    const accepted = [...judgement.accepted.values()];
    if (accepted.length > 0) {
      const places = feedPlaces(accepted, hasFeed);
      if (places.some((place) => place !== null)) await this.feed.lockNumbers(manager);
      const rows = accepted.map((patch, index) => ({ ...rowOf(patch), feed_place: places[index] }));
      await manager.query(RECORD, [wellFormedJson(rows)]);
    }
    return judgement;
  }

  /** Whether each patch may be written; where that takes a proof, the proof stays until the end of the transaction. */
  private async lockProofs(manager: EntityManager, patches: NewPatch[]): Promise<boolean[]> {
    const asksForProof = ({ platform }: NewPatch) => this.identities.asksForProof(platform);
    if (!patches.some(asksForProof)) return patches.map(() => true);
    const isValid = await this.proofs.lockValid(manager, patches);
    return patches.map((patch, index) => !asksForProof(patch) || isValid[index]!);
  }

  /** Under the locks of the chains, which the transaction in question held to its end. */
  private async findRecorded(patches: NewPatch[]): Promise<({ value: OwnEntry[] } | null)[]> {
    const uuids = patches.map(({ uuid }) => uuid);
    const options = { lockSql: lockChainsSql(patches) };
    const recorded = await this.transactions.findCommitted(RECORDED_PATCHES, uuids, options);
    const found = [];
    for (const { avatar, uuid } of patches) {
      found.push(recorded.has(uuid) ? { value: await this.queries.getEntries(avatar) } : null);
    }
    return found;
  }
}

/**
 * Makes the writers of each of these Avatars queue until the end of the transaction, so that each sees what the
 * previous one committed. All transactions take such locks first and in the same order, so no two wait for each other
 * crosswise. Two Avatars whose hashes collide merely wait for each other.
 */
function lockChainsSql(patches: NewPatch[]): string {
  // Hex digits: nothing in them needs an escape.
  const avatars = patches.map(({ avatar }) => avatar.compressed).join();
  return `select pg_advisory_xact_lock(${KV_CHAIN_LOCKS}, chain.hash) from (
    select distinct hashtext(avatar) as hash from unnest('{${avatars}}'::text[]) as avatar order by hash
  ) as chain`;
}

function statesOf(rows: StateRow[], round: RoundPatch[]): PatchState[] {
  const states: PatchState[] = [];
  for (const { number, isRead, platform, identity, content, isBoundToo, ...state } of rows) {
    if (!isRead) break;
    const known = (states[number - 1] ??= { ...state, isAllowed: round[number - 1]!.isAllowed, entries: [] });
    if (platform !== null) known.entries.push({ platform, identity, content, isBound: isBoundToo });
  }
  return states;
}

/** For each patch how far behind the newest number in the feed its own is; null where it gets none now. */
function feedPlaces(patches: AcceptedPatch[], hasFeed: boolean): (number | null)[] {
  let last = 0;
  return patches.map(({ isNumbered }) => (hasFeed && isNumbered ? (last += 1) : null));
}

function rowOf({ patch, positionInChain, content }: AcceptedPatch): object {
  const { platform, identity, uuid, createdAt } = patch;
  const avatar = patch.avatar.compressed;
  return {
    avatar,
    position_in_chain: positionInChain,
    platform,
    identity,
    patch: patch.patchText,
    created_at: createdAt,
    uuid,
    signature: patch.signature,
    signature_payload: patch.signaturePayload,
    content,
    event: { avatar, platform, identity, uuid, created_at: unixSeconds(createdAt) },
  };
}
