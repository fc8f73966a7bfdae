import { randomUUID } from 'node:crypto';
import { createClient } from '@signet/sdk';
import { CompleteReads, LogChecker, LogMonitor, type MonitorEvent, Transport } from '@signet/sdk/log';
import { type ExportFile, type Verification, verifyExport } from '@signet/verify';
import {
  type FeedRecord,
  readLogProof,
  readReceipt,
  verifyExportLog,
  verifyLogProof,
  verifyReceipt,
} from '@signet/verify/log';
import { DataSource, type EntityManager } from 'typeorm';
import { readExport } from '../../packages/sdk/src/client/export.js';
import { FOLLOWED_KINDS, othersOf } from '../../packages/sdk/src/log/record-kinds.js';
import { RefusalCounter } from '../../src/bounds/refusal-counter.js';
import { verifyChains } from '../../src/audit/verify-command.js';
import { WriteTransactions } from '../../src/database/write-transactions.js';
import { eraseRecord } from '../../src/erasure/erase-record.js';
import { EventStore } from '../../src/events/event-store.js';
import { RecordKinds, RefusedErasure } from '../../src/ledger/record-kind.js';
import { RECEIPTS, type Receipts } from '../../src/ledger/receipts.js';
import { RECORD_KINDS } from '../../src/records/record-kinds.js';
import { LogCheck } from '../../src/transparency-log/check/log-check.js';
import { LogStore } from '../../src/transparency-log/signing/heads/log-store.js';
import { writeKv } from '../kv/kv-scenario.js';
import {
  FOLLOWED_VOTES,
  type NewVote,
  signedVote,
  toVote,
  VOTE_ENTRIES,
  VOTE_TABLE,
  VoteRecorder,
  VOTES,
} from '../ledger/votes.js';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { headOfRecords, policyOf, proofOf, readEntries, readHead } from '../transparency-log/log-client.js';
import { tamper } from '../transparency-log/tampering.js';

const KINDS = new RecordKinds([...RECORD_KINDS, VOTES]);
const [alice, bob] = [anAvatar('alice'), anAvatar('bob')];

/** The service with a third kind of records: nothing but its declarations and its table is new. */
describe('a third kind of records', () => {
  let database: TestDatabase;
  let server: RunningApp;
  let proxy: LyingProxy;
  let source: DataSource;
  let recorder: VoteRecorder;
  const votes: NewVote[] = [];

  /** What a module of its own would answer to `GET /v1/votes/changes`. */
  const feedOfVotes = async () =>
    (await VOTES.feed.readIn(source.manager, 0, 100, 100_000)).map((row) => toVote(row as never));
  const recordOf = async ({ uuid }: NewVote) => (await feedOfVotes()).find((vote) => vote.uuid === uuid)!;

  beforeAll(async () => {
    database = await createTestDatabase();
    await tamper(database.url, VOTE_TABLE);
    server = await startApp({ databaseUrl: database.url, kinds: KINDS });
    proxy = await startLyingProxy(server.baseUrl);
    source = server.app.get(DataSource);
    recorder = new VoteRecorder(
      server.app.get(EventStore),
      server.app.get(WriteTransactions),
      server.app.get(RefusalCounter),
    );
    await linkWallet(server, alice, aWallet('one'));
    await writeKv(server, alice, { name: 'Alice' });
    for (const [avatar, candidate] of [
      [alice, 'carol'],
      [bob, 'carol'],
      [alice, 'dave'],
    ] as const) {
      const previous = votes.findLast((vote) => vote.avatar === avatar.key) ?? null;
      const vote = signedVote(avatar, candidate, previous, randomUUID());
      await recorder.record(vote);
      votes.push(vote);
    }
    await headOfRecords(server, 5);
  });
  afterAll(async () => {
    await proxy?.close();
    await server?.close();
    await database?.drop();
  });
  afterEach(() => {
    proxy.answer = null;
  });

  const inSnapshot = <Result>(work: (manager: EntityManager) => Promise<Result>) => source.transaction(work);
  const checkLog = () =>
    inSnapshot(async (manager) => {
      const { state } = await server.app.get(LogStore).snapshot(manager);
      return new LogCheck(manager, state!, server.environment, KINDS).run();
    });
  const audit = async () => {
    const lines: string[] = [];
    const isGood = await verifyChains(
      (sql, values) => source.query(sql, values),
      (line) => lines.push(line),
      KINDS,
    );
    return { isGood, said: lines.join('\n') };
  };
  const monitor = async (change: (items: Awaited<ReturnType<typeof feedOfVotes>>) => void = () => {}) => {
    const items = await feedOfVotes();
    change(items);
    proxy.answer = (path) => {
      const url = new URL(path, proxy.baseUrl);
      if (url.pathname !== FOLLOWED_VOTES.feedPath) return null;
      return { votes: items.filter(({ id }) => id > Number(url.searchParams.get('last_id'))) };
    };
    const one = new LogMonitor({ baseUrl: proxy.baseUrl, once: true, retries: 0, patienceMs: 0 }, [
      ...FOLLOWED_KINDS,
      FOLLOWED_VOTES,
    ]);
    const events: MonitorEvent[] = [];
    for await (const event of one.follow()) events.push(event);
    return {
      events,
      state: one.state,
      alarms: events.flatMap((event) => (event.type === 'alarm' ? [event.code] : [])),
    };
  };

  it('is in the log, where its proof verifies, and the log is what the database holds', async () => {
    const entries = await readEntries(server, (await readHead(server))!.size);
    const file = await proofOf(server, `uuid=${votes[1]!.uuid}`);
    const byNumber = await proofOf(server, 'kind=vote&id=2');
    const record = { kind: VOTE_ENTRIES, item: await recordOf(votes[1]!) };

    expect(entries.filter(({ entry }) => entry.kind === ('vote' as string))).toHaveLength(3);
    expect(JSON.parse(Buffer.from(readLogProof(file)!.extra!).toString())).toMatchObject({
      kind: 'vote',
      weight: 1,
      id: 2,
    });
    const policy = await policyOf(server);
    for (const proof of [file, byNumber]) expect(verifyLogProof(proof, { record, policy }).ok).toBe(true);
    expect(verifyLogProof(file, { record: { ...record, item: { ...record.item, identity: 'eve' } }, policy }).ok).toBe(
      false,
    );
    expect(await checkLog()).toBeGreaterThan(0);
  });

  it('is counted by the map', async () => {
    const { body } = await server.get(`/v1/log/map?avatar=${alice.key.compressed}`);

    expect(body.value).toMatchObject({ links: 1, patches: 1, votes: 2, vote: expect.any(Number) });
  });

  it('gets receipts', async () => {
    const item = await recordOf(votes[0]!);
    const given = await server.app.get<Receipts>(RECEIPTS).forRecorded('vote', item, new Date());
    const asked = await fetch(`${server.baseUrl}/v1/log/receipt?uuid=${votes[0]!.uuid}`);
    const policy = await policyOf(server);

    for (const text of [given!, await asked.text()]) {
      expect(readReceipt(text, [VOTE_ENTRIES])!.receipt).toMatchObject({ kind: 'vote', uuid: item.uuid });
      expect(verifyReceipt(text, { record: { kind: VOTE_ENTRIES, item }, policy })).toMatchObject({ ok: true });
      const other = { kind: VOTE_ENTRIES, item: { ...item, identity: 'eve' } };
      expect(verifyReceipt(text, { record: other, policy }).ok).toBe(false);
    }
  });

  it('is audited', async () => {
    const good = await audit();
    await tamper(database.url, `update vote set identity = 'eve' where id = 3`);
    const bad = await audit();
    await tamper(database.url, `update vote set identity = 'dave' where id = 3`);

    expect(good).toEqual({
      isGood: true,
      said: expect.stringMatching(/^Votes: 3 votes in 2 chains, 0 results\. All verify/m),
    });
    expect(bad).toEqual({ isGood: false, said: expect.stringMatching(/^Votes: BAD .*Vote 3 /m) });
  });

  it('is checked by monitors, as its feed shows it', async () => {
    const { alarms, events, state } = await monitor();
    const lied = await monitor((items) => Object.assign(items[1]!, { identity: 'eve' }));
    const held = await monitor((items) => items.splice(1, 1));

    expect({ alarms, state }).toMatchObject({ alarms: [], state: { lastLinkId: 1, lastPatchId: 1, lastVoteId: 3 } });
    expect(events.map(({ type }) => type)).not.toContain('unknown_kind');
    expect(lied.alarms).toEqual(['content_changed', 'signature']);
    expect(held.alarms).toEqual(['content_missing']);
  });

  it('is in exports, each record checked and proved, and none is left out', async () => {
    const items = await feedOfVotes();
    const kinds = [...FOLLOWED_KINDS, FOLLOWED_VOTES];
    const [others, entries] = [othersOf(kinds), kinds.map(({ entry }) => entry)];
    proxy.answer = (path) => {
      const { pathname, searchParams } = new URL(path, proxy.baseUrl);
      const isOwn = ({ avatar }: { avatar: string }) => avatar === searchParams.get('avatar');
      return pathname === '/v1/votes' ? { votes: items.filter(isOwn) } : null;
    };
    const asked = {
      client: createClient({ baseUrl: proxy.baseUrl, retries: 0 }),
      transport: new Transport({ baseUrl: proxy.baseUrl }),
    };
    const fileOf = ({ key }: typeof alice) =>
      readExport(asked, key.compressed, {}, {}, kinds) as Promise<ExportFile & { votes: typeof items }>;
    const file = await fileOf(alice);
    const withVotes = (changed: typeof items) => ({ ...file, votes: changed });
    const stepsOf = ({ steps }: Verification) =>
      steps.map(({ name, state, detail }) => [name, state, detail].join(' '));
    const logStepsOf = (what: object) => stepsOf(verifyExportLog(what, { kinds: entries }));

    expect(file.votes.map(({ identity }) => identity)).toEqual(['carol', 'dave']);
    expect(stepsOf(verifyExport(file, { others }))).toContain('all ok Votes: All 2 verify.');
    expect(verifyExport(file, { others })).toMatchObject({ ok: true });
    expect(stepsOf(verifyExport(file))).toContainEqual(expect.stringMatching(/^members not_checkable .*votes/));
    expect(logStepsOf(file)).toContainEqual(expect.stringMatching(/^complete ok .*1 link, 1 patch and 2 votes/));
    expect(logStepsOf(withVotes(file.votes.slice(0, 1)))).toContainEqual(expect.stringMatching(/^complete failed /));
    const lied = withVotes(file.votes.map((vote) => ({ ...vote, identity: 'eve' })));
    expect(stepsOf(verifyExport(lied, { others }))).toContainEqual(
      expect.stringMatching(/^signature failed Votes: 1 of 2/),
    );
    expect((await fileOf(bob)).votes).toHaveLength(1);

    items[0]!.identity = 'eve';
    await expect(fileOf(alice)).rejects.toThrow(/^The export does not verify\. Votes: 1 of 2: /);
  });

  it('is complete by the map, or an answer with it is refused', async () => {
    const checker = new LogChecker(new Transport({ baseUrl: server.baseUrl }), { logWaitMs: 0 });
    const complete = new CompleteReads(
      { linksOf: () => Promise.reject(new Error('No links are asked for.')) },
      checker,
    );
    const end = async (shown: FeedRecord[]) => {
      const completion = await complete.records<FeedRecord>(VOTE_ENTRIES, alice.key.compressed, undefined);
      for (const item of shown) completion.add(item);
      return completion.end();
    };
    const own = [await recordOf(votes[0]!), await recordOf(votes[2]!)];

    expect(await end(own)).toMatchObject({ newer: 0, erased: 0 });
    await expect(end(own.slice(0, 1))).rejects.toThrow(/1 of 2 votes of .* is missing, the newest among them/);
  });

  it('is erased, which the log says, and audit, check and monitor are content with', async () => {
    const { uuid } = votes[1]!;
    const erase = (...consents: string[]) => {
      const options = { kind: 'vote', name: uuid, reason: 'order 12 of the court of Springfield', consents };
      return inSnapshot((manager) => eraseRecord(manager, { LOG: true }, options, new Date(), KINDS));
    };
    await expect(erase()).rejects.toThrow(RefusedErasure);
    await erase('with-result');
    await headOfRecords(server, 6);

    const item = await recordOf(votes[1]!);
    const record = { kind: VOTE_ENTRIES, item };
    const file = await proofOf(server, `uuid=${uuid}`);
    expect(item).toMatchObject({ identity: '', erased: { reason: 'order 12 of the court of Springfield' } });
    expect(verifyLogProof(file, { record, about: 'erasure', policy: await policyOf(server) }).ok).toBe(true);
    expect(await checkLog()).toBeGreaterThan(0);
    expect((await audit()).said).toMatch(/^Votes: 3 votes in 2 chains, 0 results, 1 texts erased\. All verify/m);
    const { alarms, events } = await monitor();
    expect(alarms).toEqual([]);
    expect(events.find(({ type }) => type === 'erased')).toMatchObject({ message: expect.stringContaining('vote 2') });
    const { body } = await server.get(`/v1/log/map?avatar=${bob.key.compressed}`);
    expect(body.value).toMatchObject({ votes: 1 });

    await tamper(database.url, `delete from erasure where kind = 'vote'`);
    expect((await audit()).said).toMatch(/^Votes: BAD .*its text is gone, and no erasure says so/m);
  });
});
