import { jest } from '@jest/globals';
import { LogMonitor, type MonitorState } from '@signet/sdk/log';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { behindWitnesses, correctTimes, likelyNow } from '../../src/transparency-log/signing/recorded-times.js';
import { addKey, edApp, writeAsApp } from '../keys/app-scenario.js';
import { writeKv } from '../kv/kv-scenario.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { stepClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { stepDatabaseClock } from '../support/database-clock.js';
import { linkWallet } from '../support/scenario.js';
import { headOfRecords, readEntries, recordsOf } from './log-client.js';
import { runLogCommand, tamper } from './tampering.js';

const alice = anAvatar('alice');
const NOW = 1_800_000_000;

let database: TestDatabase;
let dataDir: string;

/** Does something at a server over the database, with or without its log. */
async function withServer<Result>(LOG: 'on' | 'off', work: (server: RunningApp) => Promise<Result>): Promise<Result> {
  const server = await startApp({ databaseUrl: database.url, env: { DATA_DIR: dataDir, LOG } });
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

const timesOf = async (server: RunningApp, records: number) => {
  const { size } = await headOfRecords(server, records);
  return recordsOf(await readEntries(server, size)).map(({ entry }) => entry.recorded_at);
};

/** The codes of alarms, of a monitor that goes on from `state`. */
async function alarmsOf(server: RunningApp, state?: MonitorState): Promise<{ codes: string[]; state: MonitorState }> {
  const monitor = new LogMonitor({ baseUrl: server.baseUrl, once: true, state });
  const codes: string[] = [];
  for await (const event of monitor.follow()) if (event.type === 'alarm') codes.push(event.code);
  return { codes, state: monitor.state };
}

const secondsOf = (date: string) => Date.parse(date) / 1000;

beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
});
afterEach(() => database.drop());

describe('times that a server writes into its log', () => {
  it('are those of an old database in ascending order, and none that contradict each other or its clock', async () => {
    await withServer('off', async (server) => {
      for (const name of ['one', 'two', 'three']) await linkWallet(server, alice, aWallet(name));
      for (const name of ['Alice', 'Alicia']) await writeKv(server, alice, { name });
    });
    await tamper(
      database.url,
      `update chain_link set recorded_at = '2019-01-01Z' where id = 1`,
      `update chain_link set recorded_at = '2020-01-01Z' where id = 2`,
      `update chain_link set recorded_at = '2015-01-01Z' where id = 3`,
      `update kv_patch set recorded_at = '2131-01-01Z'`,
    );

    await withServer('on', async (server) => {
      const times = await timesOf(server, 5);

      const [, , , ...patchTimes] = times;
      expect(times.slice(0, 3)).toEqual([secondsOf('2019-01-01'), secondsOf('2020-01-01'), secondsOf('2020-01-01')]);
      for (const time of patchTimes) expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(300);
      expect((await alarmsOf(server)).codes).toEqual([]);
    });
    expect(await runLogCommand(database.url, dataDir, ['check'])).toMatchObject({ code: 0 });
  });

  it('never go back, so that a monitor that goes on tells nothing of a clock that was stepped', async () => {
    await withServer('off', (server) => linkWallet(server, alice, aWallet('one')));
    const before = await withServer('on', async (server) => {
      const [time] = await timesOf(server, 1);
      return { time: time!, ...(await alarmsOf(server)) };
    });
    await withServer('off', (server) => linkWallet(server, alice, aWallet('two')));
    await tamper(database.url, `update chain_link set recorded_at = recorded_at - interval '1 hour' where id = 2`);

    await withServer('on', async (server) => {
      expect((await timesOf(server, 2))[1]).toBe(before.time);
      expect((await alarmsOf(server, before.state)).codes).toEqual([]);
    });
    expect(await runLogCommand(database.url, dataDir, ['check'])).toMatchObject({ code: 0 });
  });
});

describe('a clock that is two hours ahead, and is put back', () => {
  afterEach(() => jest.useRealTimers());

  it('leaves no patch behind the end of the key of an app that has signed it', async () => {
    const [bob, app] = [anAvatar('bob'), edApp('a program')];
    const step = async (seconds: number) => {
      stepClock(1000 * seconds);
      await stepDatabaseClock(database.url, seconds);
    };
    await step(0);
    await withServer('on', async (server) => {
      const expires_at = Math.floor(Date.now() / 1000) + 3_600;
      expect((await addKey(server, alice, app, { expires_at })).status).toBe(201);
      await step(7_200);
      expect((await writeKv(server, bob, { name: 'Bob' })).status).toBe(201);
      await headOfRecords(server, 2);
      await step(0);

      expect((await writeAsApp(server, alice, app, { name: 'Alice' })).status).toBe(201);

      const { size } = await headOfRecords(server, 3);
      const records = recordsOf(await readEntries(server, size)).map(({ entry }) => entry);
      expect(records.find(({ kind, id }) => kind === 'kv' && id === 2)!.recorded_at).toBe(expires_at - 1);
      expect(new Set((await alarmsOf(server)).codes)).toEqual(new Set(['time']));
    });
  });
});

describe('correctTimes', () => {
  const corrected = (times: number[], previous: number | null, known: object = {}) => {
    const items = times.map((time, index) => ({ id: index + 1, recordedAt: new Date(time * 1000) }));
    correctTimes(items, previous, { now: NOW, leastNow: 0, isFirstFilling: false, ...known });
    return items.map(({ recordedAt }) => recordedAt.getTime() / 1000);
  };

  it('leaves what lies within four minutes', () => {
    const times = [NOW - 240, NOW, NOW + 240, NOW];

    expect(corrected(times, NOW, { leastNow: NOW })).toEqual(times);
  });

  it('moves what lies in the future to now', () => {
    expect(corrected([NOW + 3600, NOW + 241], NOW - 10)).toEqual([NOW, NOW]);
  });

  it('moves what lies in the future, where old records follow, to the one before it', () => {
    const times = [NOW - 9000, NOW + 3600, NOW - 8000];

    expect(corrected(times, null, { isFirstFilling: true })).toEqual([NOW - 9000, NOW - 9000, NOW - 8000]);
  });

  it('moves what a clock behind the witnesses says to what they signed last', () => {
    const known = { databaseNow: NOW - 3600, cosignedAt: NOW - 60, lastAt: {} };

    expect(corrected([NOW - 3600], NOW - 3600, { leastNow: behindWitnesses(known, NOW) })).toEqual([NOW - 60]);
  });

  it('leaves what waited for an hour as it is, because its receipt names that time', () => {
    const known = { databaseNow: NOW, cosignedAt: NOW - 60, lastAt: {} };

    expect(corrected([NOW - 3600], NOW - 3700, { leastNow: behindWitnesses(known, NOW) })).toEqual([NOW - 3600]);
  });
});

describe('likelyNow', () => {
  const now = (databaseNow: number, serverNow: number, cosignedAt: number | null) =>
    likelyNow({ databaseNow, cosignedAt, lastAt: {} }, serverNow);

  it('is decided by no single clock', () => {
    expect(now(NOW + 3600, NOW, NOW - 60)).toBe(NOW);
    expect(now(NOW, NOW + 3600, NOW - 60)).toBe(NOW);
    expect(now(NOW - 3600, NOW, NOW - 60)).toBe(NOW - 60);
    expect(now(NOW, NOW - 3600, NOW - 60)).toBe(NOW - 60);
    expect(now(NOW + 3600, NOW, null)).toBe(NOW);
  });
});
