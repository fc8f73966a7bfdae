import { type Erasure, recoverPersonalSigner, type Verification } from '@signet/verify';
import type { EntryKind, FeedRecord } from '@signet/verify/log';
import { Column, type EntityManager } from 'typeorm';
import type { FollowedKind } from '../../packages/sdk/src/log/record-kinds.js';
import { TableColumns } from '../../src/database/table-columns.js';
import { ProofRejectedError } from '../../src/domain/domain-errors.js';
import { unixSeconds } from '../../src/domain/unix-time.js';
import { NEW_EVENTS, recordEventsSql } from '../../src/events/event-store.js';
import { type AuditedKind, BadRow, type SignedRow } from '../../src/ledger/audited-kind.js';
import { BatchRecorder } from '../../src/ledger/batch-recorder.js';
import { recordFeed } from '../../src/ledger/record-feed.js';
import { type RecordKind, RefusedErasure } from '../../src/ledger/record-kind.js';
import { type ChainState, chainStateSql, type IdentityItem } from '../../src/ledger/signed-chain.js';
import { IdentityRecord } from '../../src/ledger/signed-record.js';
import type { BindingEvent } from '../../src/domain/domain-events.js';
import type { TestAvatar } from '../support/avatar.js';

/*
 * A kind of record that the service does not have: votes, of which an Avatar may cast one for each candidate. What
 * stands here is all that a third kind needs: a table, its rules, and one declaration each for recorder, service,
 * packages and monitors.
 */

export class Vote extends IdentityRecord {
  @Column('bigint')
  id: number;

  @Column('bigint')
  weight: number;

  @Column('jsonb')
  erased: Erasure | null;
}

export const VOTE_TABLE = `
  create table vote (
    id bigint generated always as identity primary key, avatar text, position_in_chain integer, platform text, identity text, weight bigint, created_at timestamptz,
    recorded_at timestamptz default clock_timestamp(), uuid uuid unique, signature text, signature_payload text,
    erased jsonb,
    unique (avatar, position_in_chain)
  )`;

export interface NewVote extends IdentityItem {
  weight: number;
}
interface VoteState extends ChainState {
  cast: number;
}
interface AcceptedVote extends NewVote {
  positionInChain: number;
}

export const VOTE_COLUMNS = TableColumns.of(Vote);
const NEW_VOTES = VOTE_COLUMNS.without('id', 'recordedAt', 'erased');
const LOCK = 7_000_001;
const MOST = 1;

const STATES = `
  select chain.*, (select count(*)::int from vote where avatar = item.avatar and identity = item.identity) as cast
  from unnest($1::text[], $2::uuid[], $3::text[]) with ordinality as item(avatar, uuid, identity, number)
  cross join lateral (${chainStateSql('vote', 'item.avatar', 'item.uuid')}) as chain
  order by item.number`;

const RECORD = `
  with counted as (insert into vote (${NEW_VOTES.names}) select ${NEW_VOTES.names} from ${NEW_VOTES.rowsOf('$1')}),
  event as (select * from ${NEW_EVENTS.rowsOf('$2')})
  ${recordEventsSql('event')}`;

export class VoteRecorder extends BatchRecorder<NewVote, VoteState, AcceptedVote, number> {
  protected readonly table = 'vote';
  protected readonly lock = LOCK;

  protected verify = () => ({ ok: true, complete: true, steps: [] });
  protected bytesOf = ({ signaturePayload }: NewVote) => signaturePayload.length;
  protected async begin(): Promise<undefined> {}

  protected readStates(manager: EntityManager, votes: NewVote[]): Promise<VoteState[]> {
    return manager.query(STATES, [
      votes.map(({ avatar }) => avatar.compressed),
      votes.map(({ uuid }) => uuid),
      votes.map(({ identity }) => identity),
    ]);
  }

  protected accept(vote: NewVote, { cast, length }: VoteState): AcceptedVote | Error {
    return cast >= MOST
      ? new ProofRejectedError('A vote for this candidate is cast.', 'too_many_votes' as never)
      : { ...vote, positionInChain: length + 1 };
  }

  protected async write(manager: EntityManager, votes: AcceptedVote[]): Promise<number[]> {
    const rows = votes.map((vote) => ({ ...vote, avatar: vote.avatar.compressed }));
    const facts = rows.map(({ avatar, platform, identity, uuid }, id) => {
      const payload = { avatar, platform, identity, link_id: 0, uuid, created_at: '0' };
      return { id, name: 'proof.revoked' as const, payload };
    });
    await manager.query(RECORD, [NEW_VOTES.json(rows), NEW_EVENTS.json(facts)]);
    return votes.map(({ positionInChain }) => positionInChain);
  }

  protected async findResult(): Promise<number> {
    return 0;
  }
}

/** A vote that its Avatar has signed, on the one before it. */
export function signedVote(avatar: TestAvatar, identity: string, previous: NewVote | null, uuid: string): NewVote {
  const signaturePayload = JSON.stringify({ vote: identity, uuid, prev: previous?.signature ?? null });
  return {
    ...{ avatar: avatar.key, platform: 'ballot', identity, weight: 1, createdAt: new Date(), uuid },
    ...{ signature: avatar.sign(signaturePayload), signaturePayload, previous: previous?.signature ?? null },
  };
}

interface FeedVote extends FeedRecord {
  weight: number;
  created_at: number;
}

type VoteRow = Omit<Vote, 'positionInChain'>;

/** For the packages: what its entries are made of. */
export const VOTE_ENTRIES: EntryKind = {
  name: 'vote',
  item: 'vote',
  list: 'votes',
  members: ['avatar', 'created_at', 'id', 'identity', 'platform', 'signature', 'signature_payload', 'uuid', 'weight'],
  more: ['identity_key', 'weight'],
};

export function toVote(row: VoteRow): FeedVote {
  const { id, avatar, platform, identity, weight, uuid, signature, erased } = row;
  return {
    ...{ id, avatar, platform, identity, weight, uuid, signature, created_at: unixSeconds(row.createdAt) },
    ...{ signature_payload: row.signaturePayload, ...(erased && { erased }) },
  };
}

const audit: AuditedKind<SignedRow, BindingEvent> = {
  title: 'Votes',
  word: 'Vote',
  rows: 'votes',
  derivedRows: 'results',
  rowsSql: (signed) =>
    `select ${signed} from vote where (avatar, position_in_chain) > ($1, $2) order by avatar, position_in_chain limit 10`,
  derivedSql: 'select avatar, platform, identity from vote where false and avatar = any($1::text[])',
  newChain: (avatar) => ({
    add: (row, previous) => checkVote(row, { avatar, previous }),
    compare: () => {},
    assertAllCompared: () => {},
  }),
  conclude: async (query) => {
    const [row] = await query<SignedRow>('select id, avatar, 0 as position from vote where weight < 0 limit 1');
    if (row) throw new BadRow('Vote', row, 'it weighs less than nothing');
  },
};

/** For the service. */
export const VOTES: RecordKind = {
  ...VOTE_ENTRIES,
  feed: recordFeed({
    ...{ table: 'vote', number: 'id', columns: VOTE_COLUMNS.without('id', 'positionInChain') },
    members: { avatar: 'plain', identity: 'text', weight: 'json' },
    ...{ named: { action: "'vote'" }, bytes: 'octet_length(signature_payload)', pageBytes: 10_000 },
  }),
  upgradeSteps: [],
  toRecord: toVote,
  bindsIdentities: false,
  archive: null,
  erasure: {
    consent: 'with-result',
    lock: (manager) => manager.query(`select pg_advisory_xact_lock(${LOCK})`),
    async plan(_manager, { id }, isAllowed) {
      if (!isAllowed) throw new RefusedErasure(`The result rests on vote ${id}. Add --with-result.`);
    },
    async erase(manager, { id }, erased) {
      const sql = `update vote set identity = '', signature_payload = '', erased = $2 where id = $1`;
      await manager.query(sql, [id, JSON.stringify(erased)]);
    },
    describe: () => ['- candidate and signed text of the vote'],
  },
  audit,
};

/** For those who follow the log. */
export const FOLLOWED_VOTES: FollowedKind = {
  entry: VOTE_ENTRIES,
  feedPath: '/v1/votes/changes',
  async chainOf({ transport }, avatar, signal) {
    return (await transport.call<{ votes: FeedVote[] }>({ path: '/v1/votes', query: { avatar }, signal })).votes;
  },
  part: 'Vote',
  verify: (record, context) => checkVote(record, context),
};

type SignedVote = Pick<FeedRecord, 'avatar' | 'identity' | 'signature' | 'signature_payload'> & { erased?: unknown };

/** Whether its Avatar signed it, on the one before it. */
function checkVote(
  { identity, signature, signature_payload: text, erased }: SignedVote,
  context?: { avatar: string; previous: { signature: string } | null },
): Verification {
  if (erased) return { ok: true, complete: false, steps: [] };
  const { vote, prev } = JSON.parse(text) as { vote: string; prev: string | null };
  const signer = recoverPersonalSigner(text, Buffer.from(signature, 'base64'));
  const isLinked = !context || (signer === context.avatar && prev === (context.previous?.signature ?? null));
  const isGood = vote === identity && isLinked;
  const step = {
    name: 'signature' as const,
    state: isGood ? ('ok' as const) : ('failed' as const),
    detail: 'A vote is what was signed.',
  };
  return { ok: isGood, complete: isGood, steps: [step] };
}
