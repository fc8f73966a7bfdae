import { randomUUID } from 'node:crypto';
import { Column, DataSource, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { RefusalCounter } from '../../src/bounds/refusal-counter.js';
import { loadEnvironment } from '../../src/config/environment.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase, type OpenDatabase } from '../../src/database/database.js';
import { TableColumns } from '../../src/database/table-columns.js';
import { WriteTransactions } from '../../src/database/write-transactions.js';
import { AlreadyRecordedError, ProofRejectedError, StaleChainError } from '../../src/domain/domain-errors.js';
import type { EventRelay } from '../../src/events/event-relay.js';
import { EventStore, NEW_EVENTS, recordEventsSql } from '../../src/events/event-store.js';
import { BatchRecorder } from '../../src/ledger/batch-recorder.js';
import { type ChainState, chainStateSql, SignedChain, type SignedItem } from '../../src/ledger/signed-chain.js';
import { SignedRecord } from '../../src/ledger/signed-record.js';
import { anAvatar } from '../support/avatar.js';
import { createTestDatabase } from '../support/database.js';

/*
 * A kind of chain that the service does not have: votes, of which an Avatar may cast one for each candidate. What
 * stands here is all that a third kind needs: a table, a declaration, and its rules.
 */

@Entity('vote')
class Vote extends SignedRecord {
  @PrimaryColumn({ type: 'bigint' })
  id: number;

  @Column({ type: 'bigint' })
  weight: number;
}

const TABLE = `
  create table vote (
    id bigint generated always as identity primary key, avatar text, position_in_chain integer, platform text, identity text, weight bigint, created_at timestamptz,
    recorded_at timestamptz default clock_timestamp(), uuid uuid unique, signature text, signature_payload text,
    unique (avatar, position_in_chain)
  )`;

interface NewVote extends SignedItem {
  weight: number;
}
interface VoteState extends ChainState {
  cast: number;
}
interface AcceptedVote extends NewVote {
  positionInChain: number;
}

const VOTES = TableColumns.of(Vote);
const NEW_VOTES = VOTES.without('id', 'recordedAt');
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

class VoteRecorder extends BatchRecorder<NewVote, VoteState, AcceptedVote, number> {
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

describe('a third kind of signed chain', () => {
  let database: { url: string; drop: () => Promise<void> };
  let open: OpenDatabase;
  let source: DataSource;
  let recorder: VoteRecorder;
  const alice = anAvatar('alice').key;
  const bob = anAvatar('bob').key;

  beforeAll(async () => {
    database = await createTestDatabase();
    open = await openDatabase(loadEnvironment({ DATABASE_URL: database.url }));
    source = await new DataSource(dataSourceOptions(open, [])).initialize();
    await source.query(TABLE);
    const transactions = new WriteTransactions(source, open);
    const events = new EventStore(transactions, { wake: () => {} } as EventRelay);
    recorder = new VoteRecorder(events, transactions, new RefusalCounter());
  });
  afterAll(async () => {
    await source?.destroy();
    await open?.close();
    await database?.drop();
  });
  beforeEach(() => source.query('truncate vote, domain_event'));

  const aVote = (avatar: NewVote['avatar'], identity: string, previous: string | null): NewVote => {
    const uuid = randomUUID();
    const signed = { signature: `signature of ${uuid}`, signaturePayload: '{}', previous };
    return { avatar, platform: 'ballot', identity, weight: 2 ** 40, createdAt: new Date(0), uuid, ...signed };
  };
  const votes = () =>
    source.query<object[]>(`select ${VOTES.selectedFrom('vote')} from vote order by avatar, position_in_chain`);

  it('is recorded in batches, each item on the one before, with its events', async () => {
    const first = aVote(alice, 'carol', null);
    const second = aVote(alice, 'dave', first.signature);

    const positions = await Promise.all(
      [first, second, aVote(bob, 'carol', null)].map((vote) => recorder.record(vote)),
    );

    expect(positions).toEqual([1, 2, 1]);
    const stored = (await votes()).map((row) => VOTES.read(row));
    expect(stored.filter(({ avatar }) => avatar === alice.compressed)).toMatchObject([
      { positionInChain: 1, identity: 'carol', weight: 2 ** 40, createdAt: new Date(0), signature: first.signature },
      { positionInChain: 2, identity: 'dave', uuid: second.uuid },
    ]);
    expect(await source.query('select count(*)::int as events from domain_event')).toEqual([{ events: 3 }]);
    const chain = new SignedChain(source, 'vote');
    expect([(await chain.head(alice))?.signature, await chain.length(alice)]).toEqual([second.signature, 2]);
  });

  it('neither forks nor takes an item twice, also when both come at once', async () => {
    const vote = aVote(alice, 'carol', null);

    const outcomes = await Promise.allSettled(
      [vote, aVote(alice, 'dave', null), vote].map((one) => recorder.record(one)),
    );

    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Error) : null));
    expect(reasons).toEqual([null, expect.any(StaleChainError), expect.any(AlreadyRecordedError)]);
    expect(await votes()).toHaveLength(1);
  });

  it('has rules of its own, which see what the same batch has written', async () => {
    const first = aVote(alice, 'carol', null);
    const second = aVote(alice, 'carol', first.signature);

    const outcomes = await Promise.allSettled([first, second].map((vote) => recorder.record(vote)));

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'too_many_votes' } });
  });
});
