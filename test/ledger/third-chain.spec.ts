import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { RefusalCounter } from '../../src/bounds/refusal-counter.js';
import { loadEnvironment } from '../../src/config/environment.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase, type OpenDatabase } from '../../src/database/database.js';
import { WriteTransactions } from '../../src/database/write-transactions.js';
import { AlreadyRecordedError, StaleChainError } from '../../src/domain/domain-errors.js';
import type { EventRelay } from '../../src/events/event-relay.js';
import { EventStore } from '../../src/events/event-store.js';
import { SignedChain } from '../../src/ledger/signed-chain.js';
import { anAvatar } from '../support/avatar.js';
import { createTestDatabase } from '../support/database.js';
import { type NewVote, VOTE_COLUMNS, VOTE_TABLE, VoteRecorder } from './votes.js';

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
    source = await new DataSource(dataSourceOptions(open)).initialize();
    await source.query(VOTE_TABLE);
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
    source.query<object[]>(`select ${VOTE_COLUMNS.selectedFrom('vote')} from vote order by avatar, position_in_chain`);

  it('is recorded in batches, each item on the one before, with its events', async () => {
    const first = aVote(alice, 'carol', null);
    const second = aVote(alice, 'dave', first.signature);

    const positions = await Promise.all(
      [first, second, aVote(bob, 'carol', null)].map((vote) => recorder.record(vote)),
    );

    expect(positions).toEqual([1, 2, 1]);
    const stored = (await votes()).map((row) => VOTE_COLUMNS.read(row));
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
