import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Environment } from '../config/environment.js';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { hiddenParameter } from '../database/prepared.js';
import { wellFormedJson } from '../database/well-formed-json.js';
import { WriteTransactions } from '../database/write-transactions.js';
import { unixSecondsText } from '../domain/unix-time.js';
import { EventStore, recordEventsSql } from '../events/event-store.js';
import { SharedCommits } from '../events/shared-commits.js';
import { chainStateSql } from '../payload/signed-chain.js';
import { insertLinksSql, NEWEST_LINK_ID, RECORDED_LINKS } from '../proof-chain/new-links.js';
import { addChecksSql } from './check-history.js';
import { eraseEvidenceSql, keepEvidencesSql } from './evidence.store.js';
import { judgeLinks, type LinkState, type NewRecord, type AcceptedRecord } from './link-batch.js';
import { deleteBindingsSql, saveBindingsSql } from './proof.store.js';

/** What decides about each link of a batch. Parameters: Avatars, uuids, platforms and identities, in the same order. */
const STATES = `
  select chain.*, ${NEWEST_LINK_ID}::float8 as "newestId",
    exists (
      select from proof where avatar = item.avatar and platform = item.platform and identity = item.identity
    ) as "isHeld",
    (select count(*)::int from proof where avatar = item.avatar) as bindings
  from unnest(${hiddenParameter(1, 'text[]')}, ${hiddenParameter(2, 'uuid[]')}, ${hiddenParameter(3, 'text[]')},
    ${hiddenParameter(4, 'text[]')}) with ordinality as item(avatar, uuid, platform, identity, number)
  cross join lateral (${chainStateSql('chain_link', 'item.avatar', 'item.uuid')}) as chain
  order by item.number`;

/** Links, bindings, checks, evidence and events of a batch in one statement. Parameters: the rows, RECHECK_HISTORY. */
const RECORD = `
  with item as (
    select * from json_to_recordset($1::json) as item(
      id bigint, avatar text, position_in_chain integer, action text, platform text, identity text,
      identity_folded text, proof_location text, created_at timestamptz, uuid uuid, signature text,
      signature_payload text, extra jsonb, checked_at timestamptz, account_id text, chain_id bigint, url text, sha256 text,
      matched_text text, event_name text, event jsonb
    )
  ),
  link as (${insertLinksSql('item')}),
  created as (select * from item where action = 'create'),
  bound as (${saveBindingsSql('created')}),
  ${addChecksSql('bound', '$2')},
  seen as (${keepEvidencesSql('created')}),
  deleted as (select * from item where action = 'delete'),
  released as (${deleteBindingsSql('deleted')}),
  erased as (${eraseEvidenceSql('deleted')})
  ${recordEventsSql('item')}`;

interface StateRow extends LinkState {
  newestId: number;
}

/** Records links with all that follows from them, many in one transaction. */
@Injectable()
export class LinkRecorder {
  private readonly commits = new SharedCommits<NewRecord, void>({
    record: (take) => this.recordBatch(take),
    findRecorded: (records) => this.findRecorded(records),
    bytesOf,
  });

  constructor(
    private readonly environment: Environment,
    private readonly events: EventStore,
    private readonly transactions: WriteTransactions,
  ) {}

  /**
   * Adds a link to its chain, and writes binding, check, evidence and event; resolves after the commit.
   * @throws AlreadyRecordedError, StaleChainError, ProofRejectedError (`too_many_bindings`, `binding_not_found`),
   *   OverloadedError
   */
  async record(record: NewRecord): Promise<void> {
    await this.commits.submit(record);
  }

  /**
   * The append lock comes first, so that whatever decides about these links is final. Rechecks and key-value patches
   * hold rows of proofs for a statement or two, and never wait for this lock.
   */
  private async recordBatch(take: () => NewRecord[]): Promise<PromiseSettledResult<void>[]> {
    let outcomes: PromiseSettledResult<void>[] = [];
    await this.events.transaction(
      async (manager) => {
        const records = take();
        outcomes = records.map(() => ({ status: 'fulfilled', value: undefined }));
        for (let open = [...records.keys()]; open.length > 0;) {
          const { refused, later } = await this.recordRound(
            manager,
            open.map((index) => records[index]!),
          );
          for (const [index, reason] of refused) outcomes[open[index]!] = { status: 'rejected', reason };
          open = later.map((index) => open[index]!);
        }
      },
      { lock: ADVISORY_LOCKS.append },
    );
    return outcomes;
  }

  /** Under the append lock, which the transaction in question held to its end. */
  private async findRecorded(records: NewRecord[]): Promise<({ value: void } | null)[]> {
    const uuids = records.map(({ link }) => link.uuid);
    const recorded = await this.transactions.findCommitted(RECORDED_LINKS, uuids, { lock: ADVISORY_LOCKS.append });
    return uuids.map((uuid) => (recorded.has(uuid) ? { value: undefined } : null));
  }

  private async recordRound(manager: EntityManager, records: NewRecord[]) {
    const links = records.map(({ link }) => link);
    const states: StateRow[] = await manager.query(STATES, [
      links.map(({ avatar }) => avatar.compressed),
      links.map(({ uuid }) => uuid),
      links.map(({ platform }) => platform),
      links.map(({ identity }) => identity),
    ]);
    const judgement = judgeLinks(records, states, states[0]!.newestId, this.environment.MAX_BINDINGS_PER_AVATAR);
    const rows = [...judgement.accepted.values()].map(rowOf);
    if (rows.length > 0) await manager.query(RECORD, [wellFormedJson(rows), this.environment.RECHECK_HISTORY]);
    return judgement;
  }
}

function rowOf({ link, verdict, checkedAt, id, positionInChain }: AcceptedRecord): object {
  const { avatar, action, platform, identity, proofLocation, createdAt, uuid } = link;
  const fact = {
    avatar: avatar.compressed,
    platform,
    identity,
    link_id: id,
    uuid,
    created_at: unixSecondsText(createdAt),
  };
  const evidence = verdict?.evidence;
  return {
    id,
    avatar: avatar.compressed,
    position_in_chain: positionInChain,
    action,
    platform,
    identity,
    identity_folded: identity.toLowerCase(),
    proof_location: proofLocation,
    created_at: createdAt,
    uuid,
    signature: link.signature,
    signature_payload: link.signaturePayload,
    extra: link.extra,
    checked_at: checkedAt,
    account_id: verdict?.accountId ?? null,
    chain_id: link.extra['chain_id'] ?? null,
    ...(evidence && { url: evidence.url, sha256: evidence.sha256, matched_text: evidence.matchedText }),
    event_name: action === 'create' ? 'proof.bound' : 'proof.revoked',
    event: action === 'create' ? { ...fact, proof_location: proofLocation } : fact,
  };
}

/** What may be long in a link: the text that was signed, the signature of a contract wallet, and what a post said. */
function bytesOf({ link, verdict }: NewRecord): number {
  const texts = [link.signaturePayload, ...Object.values(link.extra), verdict?.evidence?.matchedText];
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}
