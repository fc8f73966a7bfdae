import { Injectable } from '@nestjs/common';
import { ChainChecker, type Verification } from '@signet/verify';
import type { EntityManager } from 'typeorm';
import { RefusalCounter } from '../bounds/refusal-counter.js';
import { Environment } from '../config/environment.js';
import { submitCurves } from '../domain/submit-curves.js';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { TableColumns } from '../database/table-columns.js';
import { WriteTransactions } from '../database/write-transactions.js';
import type { BindingEvent } from '../domain/domain-events.js';
import { ProofRejectedError } from '../domain/domain-errors.js';
import { unixSecondsText } from '../domain/unix-time.js';
import { EventStore, NEW_EVENTS, type NewEvent, recordEventsSql } from '../events/event-store.js';
import { BatchRecorder } from '../ledger/batch-recorder.js';
import {
  type ChainState,
  chainStateSql,
  ITEMS_SQL,
  itemValues,
  type RecordedTime,
  timesByUuid,
} from '../ledger/signed-chain.js';
import type { ValidVerdict } from '@signet/look';
import { toRecordedLink } from '../proof-chain/proof-chain.dto.js';
import { insertLinksSql, LINK_FEED, LINKS_TABLE, NEW_LINKS } from '../proof-chain/link-rows.js';
import { type NewLink, ProofChainService } from '../proof-chain/proof-chain.service.js';
import { addChecksSql, EVIDENCE, evidenceOf, keepEvidenceSql } from './checked-bindings.js';
import { Proof } from './proof.entity.js';
import type { BindingName } from './proof.store.js';

/** A link that passed every check, with the platform's verdict on a create. */
export interface NewRecord extends NewLink {
  /** When the payload of the link before it was issued; null for the first one. */
  previousAt: Date | null;
  /** Null for a delete, which needs no platform. */
  verdict: ValidVerdict | null;
  checkedAt: Date;
}

/** The facts in the database that decide about one link, read under the append lock. */
export interface LinkState extends ChainState {
  /** Whether the Avatar holds this binding. */
  isHeld: boolean;
  bindings: number;
  /** Id of the newest link of all Avatars. */
  newestId: number;
}

/** A link with the id and the position that it is recorded with. */
interface AcceptedRecord extends NewRecord {
  id: number;
  positionInChain: number;
}

const STATES = `
  select chain.*, ${LINK_FEED.newest} as "newestId",
    exists (
      select from proof where avatar = item.avatar and platform = item.platform and identity = item.identity
    ) as "isHeld",
    (select count(*)::int from proof where avatar = item.avatar) as bindings
  from ${ITEMS_SQL}
  cross join lateral (${chainStateSql(LINKS_TABLE, 'item.avatar', 'item.uuid')}) as chain
  order by item.number`;

/** A create writes every column, so that a create of a binding which the Avatar already holds begins anew. */
const BINDINGS = TableColumns.of(Proof).without('id');
const NAMES = TableColumns.of(Proof).pick('avatar', 'platform', 'identity');

/** What a batch has to write besides its links and their events. */
interface Has {
  creates: boolean;
  evidence: boolean;
  deletes: boolean;
}

/**
 * Records a batch of links with everything that follows from them, in one statement, without the parts that have
 * nothing to do: PostgreSQL starts each of them, which takes as long as a link. The text of the evidence of a deleted
 * binding is erased; its hash stays. Parameters: links; bindings and RECHECK_HISTORY; evidence; names of deleted
 * bindings; events.
 */
function recordSql({ creates, evidence, deletes }: Has): string {
  let count = 0;
  const next = () => `$${(count += 1)}`;
  const parts = [`link as (${insertLinksSql(next())})`];
  if (creates) parts.push(boundSql(next()), addChecksSql('bound', next()));
  if (evidence) parts.push(`evidence as (select * from ${EVIDENCE.rowsOf(next())})`);
  if (evidence) parts.push(`seen as (${keepEvidenceSql('evidence')})`);
  if (deletes) parts.push(deletedSql(next()));
  parts.push(`event as (select * from ${NEW_EVENTS.rowsOf(next())})`, `announced as (${recordEventsSql('event')})`);
  return `with ${parts.join(', ')} select * from link`;
}

function boundSql(parameter: string): string {
  return `bound as (
    insert into proof (${BINDINGS.names}) select ${BINDINGS.names} from ${BINDINGS.rowsOf(parameter)} order by link_id
    on conflict on constraint proof_binding do update set ${BINDINGS.assignedFrom('excluded')}
    returning id, last_checked_at as checked_at, 'valid' as outcome, '' as reason
  )`;
}

/** Evidence is found by the Avatars first: for a join alone PostgreSQL would read all of it while that is little. */
function deletedSql(parameter: string): string {
  return `deleted as (select * from ${NAMES.rowsOf(parameter)}),
  released as (
    delete from proof using deleted
    where proof.avatar = deleted.avatar and proof.platform = deleted.platform and proof.identity = deleted.identity
  ),
  erased as (
    update proof_evidence as seen_before set matched_text = '', proof = '', gone_proof = '' from deleted
    where seen_before.avatar = any(array(select avatar from deleted)) and seen_before.avatar = deleted.avatar
      and seen_before.platform = deleted.platform and seen_before.identity = deleted.identity
  )`;
}

/** Records links with all that follows from them: binding, check, evidence and event. */
@Injectable()
export class LinkRecorder extends BatchRecorder<NewRecord, LinkState, AcceptedRecord, Date> {
  protected readonly table = LINKS_TABLE;
  /** Rechecks and patches hold rows of bindings for a statement or two, and never wait for this lock. */
  protected readonly lock = ADVISORY_LOCKS.append;

  constructor(
    private readonly environment: Environment,
    events: EventStore,
    transactions: WriteTransactions,
    private readonly chain: ProofChainService,
    refusals: RefusalCounter,
  ) {
    super(events, transactions, refusals);
  }

  /** Whether the chain has the binding that a delete revokes is for `accept` to say, under the lock. */
  protected verify({ previousAt, ...record }: NewRecord): Verification {
    const { avatar, previous } = record;
    const after = previous === null ? null : { signature: previous, created_at: unixSecondsText(previousAt!) };
    const checker = new ChainChecker({ curves: submitCurves, avatar: avatar.compressed, after });
    const { steps, ...result } = checker.add(toRecordedLink(record));
    return { ...result, steps: steps.filter(({ name }) => name !== 'binding') };
  }

  /** Of the parts of a link that may be long: signed text, signature of a contract wallet, text of a post. */
  protected bytesOf({ signaturePayload, extra, verdict }: NewRecord): number {
    const { matchedText, proof } = verdict?.evidence ?? {};
    const signed = proof && (proof.type === 'atproto' ? proof.car : proof.chain);
    const texts = [signaturePayload, ...Object.values(extra), matchedText, signed];
    return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
  }

  protected async begin(): Promise<undefined> {}

  protected readStates(manager: EntityManager, records: NewRecord[]): Promise<LinkState[]> {
    return manager.query(STATES, itemValues(records));
  }

  /** Refuses with `too_many_bindings` or `binding_not_found`. */
  protected accept(record: NewRecord, state: LinkState, before: number): AcceptedRecord | Error {
    const refusal = refusalOf(record, state, this.environment.MAX_BINDINGS_PER_AVATAR);
    return refusal ?? { ...record, id: state.newestId + before + 1, positionInChain: state.length + 1 };
  }

  /** Returns when each was recorded, by the clock of the database. */
  protected async write(manager: EntityManager, records: AcceptedRecord[]): Promise<Date[]> {
    const created = records.filter(({ action }) => action === 'create');
    const deleted = records.filter(({ action }) => action === 'delete');
    const evidence = created.flatMap((record) => evidenceOf(record, record.verdict, record.checkedAt));
    const has = { creates: created.length > 0, evidence: evidence.length > 0, deletes: deleted.length > 0 };
    const rows: RecordedTime[] = await manager.query(recordSql(has), [
      NEW_LINKS.json(records.map((record) => ({ ...record, avatar: record.avatar.compressed }))),
      ...(has.creates ? [BINDINGS.json(created.map(bindingOf)), this.environment.RECHECK_HISTORY] : []),
      ...(has.evidence ? [EVIDENCE.json(evidence)] : []),
      ...(has.deletes ? [NAMES.json(deleted.map(nameOf))] : []),
      NEW_EVENTS.json(records.map(eventOf)),
    ]);
    const times = timesByUuid(rows);
    return records.map(({ uuid }) => times.get(uuid)!);
  }

  protected async findResult({ uuid }: NewRecord): Promise<Date> {
    return (await this.chain.findByUuid(uuid))!.recordedAt;
  }
}

/** @param limit bindings of one Avatar */
function refusalOf(
  { action, platform, identity }: Pick<NewLink, 'action' | 'platform' | 'identity'>,
  { isHeld, bindings }: Pick<LinkState, 'isHeld' | 'bindings'>,
  limit: number,
): Error | null {
  if (action === 'create' && !isHeld && bindings >= limit) {
    return new ProofRejectedError(
      `This Avatar holds ${limit} bindings, which is the limit; delete one first.`,
      'too_many_bindings',
    );
  }
  if (action === 'delete' && !isHeld) {
    return new ProofRejectedError(
      `There is nothing to delete: this Avatar holds no binding of "${identity}" on ${platform}.`,
      'binding_not_found',
    );
  }
  return null;
}

function bindingOf({ id: linkId, verdict, checkedAt, ...record }: AcceptedRecord): Omit<Proof, 'id'> {
  const { identity, proofLocation, createdAt, extra } = record;
  return {
    ...nameOf(record),
    identityFolded: identity.toLowerCase(),
    proofLocation,
    linkId,
    createdAt,
    lastCheckedAt: checkedAt,
    isValid: true,
    invalidReason: '',
    accountId: verdict?.accountId ?? null,
    chainId: (extra['chain_id'] as number | undefined) ?? null,
    goneSince: null,
    nextCheckAt: null,
    checksDone: 0,
    checkFailures: 0,
  };
}

function eventOf(record: AcceptedRecord): NewEvent {
  const { id, action, uuid, proofLocation, createdAt } = record;
  const fact = { ...nameOf(record), link_id: id, uuid, created_at: unixSecondsText(createdAt) };
  return action === 'create'
    ? { id, name: 'proof.bound', payload: { ...fact, proof_location: proofLocation } }
    : { id, name: 'proof.revoked', payload: fact };
}

function nameOf({ avatar, platform, identity }: BindingName): BindingEvent {
  return { avatar: avatar.compressed, platform, identity };
}
