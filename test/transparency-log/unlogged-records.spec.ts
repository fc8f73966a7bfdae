import { LogMonitor, type MonitorEvent, type MonitorOptions } from '@signet/sdk/log';
import { readReceipt } from '@signet/verify/log';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { writeKv } from '../kv/kv-scenario.js';
import { headOfRecords, readHead } from './log-client.js';
import { tamper } from './tampering.js';

const alice = anAvatar('alice');
const bob = anAvatar('bob');
const HOUR = 3600;

/** A link that the feed shows, and the log of the server does not take in: a proxy keeps the old log in view. */
describe('a monitor compares the ends of feeds and log', () => {
  let database: TestDatabase;
  let server: RunningApp;
  let proxy: LyingProxy;
  let old: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startApp({ databaseUrl: database.url });
    proxy = await startLyingProxy(server.baseUrl);
    await until(async () => (await readHead(server)) !== null);
    await linkWallet(server, alice, aWallet('one'));
    await headOfRecords(server, 1);
    old = await (await fetch(`${server.baseUrl}/log/checkpoint`)).text();
    await linkWallet(server, bob, aWallet('two'));
    await headOfRecords(server, 2);
  });
  afterAll(async () => {
    await proxy?.close();
    await server?.close();
    await database?.drop();
  });
  afterEach(() => {
    proxy.lieInText = null;
    proxy.lie = null;
  });

  const look = async (options: Partial<MonitorOptions> = {}) => {
    const baseUrl = proxy.baseUrl;
    const one = new LogMonitor({ baseUrl, once: true, retries: 0, patienceMs: 0, ...options });
    const events: MonitorEvent[] = [];
    for await (const event of one.follow()) events.push(event);
    const alarms = events.filter((event) => event.type === 'alarm');
    return { alarms, codes: alarms.map(({ code }) => code), state: one.state };
  };
  /** The log ends at its first entry, and has no proof of what comes behind. */
  const holdBack = () => {
    proxy.lieInText = (path, text) => (path === '/log/checkpoint' ? old : text);
    proxy.lie = (path, answer) => {
      if (path === '/v1/log') answer.waiting = 0;
    };
  };

  it('and says nothing of an honest log, while records come in', async () => {
    await writeKv(server, alice, { name: 'Alice' });
    expect((await look({ patienceMs: 10_000 })).codes).toEqual([]);
    await headOfRecords(server, 3);
    expect((await look({ loggedSeconds: 1 })).codes).toEqual([]);
  });

  it('and tells once of a record that is not in the log after the time for it', async () => {
    holdBack();
    const first = await look();
    const aWhileAgo = Date.now() / 1000 - HOUR - 1;
    const later = structuredClone(first.state);
    for (const record of Object.values(later.waiting!)) record.since = aWhileAgo;
    const second = await look({ state: later });
    const third = await look({ state: second.state });

    expect(first.codes).toEqual([]);
    expect(Object.keys(first.state.waiting!)).toEqual(['link', 'kv']);
    expect(second.codes).toEqual(['not_logged', 'not_logged']);
    expect(second.alarms[0]!.message).toMatch(/^The server shows the link 2 \([0-9a-f-]{36}\) since /);
    expect(third.codes).toEqual([]);
    proxy.lieInText = null;
    expect((await look({ state: third.state })).state.waiting).toEqual({});
  });

  it('and finds it at the first look, by the receipt, which it shows', async () => {
    await tamper(
      database.url,
      `update log_leaf set record_id = -9 where kind = 'link' and record_id = 2`,
      `update chain_link set recorded_at = now() - interval '2 hours' where id = 2`,
    );
    holdBack();
    const { alarms } = await look();
    await tamper(
      database.url,
      `update log_leaf set record_id = 2 where kind = 'link' and record_id = -9`,
      `update chain_link set recorded_at = now() where id = 2`,
    );

    expect(alarms.map(({ code }) => code)).toEqual(['not_logged']);
    const { receipt } = readReceipt(alarms[0]!.receipt!)!;
    expect([receipt.kind, receipt.avatar]).toEqual(['link', bob.key.compressed]);
    expect(receipt.time).toBeLessThan(Date.now() / 1000 - HOUR);
  });
});
