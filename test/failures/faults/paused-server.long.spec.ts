import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ADVISORY_LOCKS } from '../../../src/database/advisory-locks.js';
import { writeKv } from '../../kv/kv-scenario.js';
import type { Answer } from '../../support/app.js';
import { aWallet, anAvatar } from '../../support/avatar.js';
import { problemsOfFeed, readFeed } from '../../support/chain-checks.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { atLock } from '../../support/locks.js';
import { linkWallet, signedSubmit, walletPayload } from '../../support/scenario.js';
import { type ServiceProcess, startService } from '../../support/service-process.js';
import { openSse } from '../../support/sse-client.js';
import { until } from '../../support/until.js';

const FEED = '/v1/proofchain/changes?last_id=0';
/** More than the connections of a server. */
const WRITERS = 24;
/** Only what a transaction says of itself ends the session of a server that is paused. */
const UNLIMITED = { DATABASE_IDLE_IN_TRANSACTION_MS: '0', DATABASE_WRITE_PATIENCE: '1' };

let database: TestDatabase;
let paused: ServiceProcess;
let other: ServiceProcess;
/** A session that takes a lock before the service can, so that the moment of the pause is not left to chance. */
let operator: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  operator = new pg.Client({ connectionString: database.url });
  await operator.connect();
  [paused, other] = await Promise.all([
    startService({ DATABASE_URL: database.url, ...UNLIMITED }),
    startService({ DATABASE_URL: database.url, ...UNLIMITED }),
  ]);
});
afterEach(async () => {
  await Promise.all([paused, other].map((server) => server?.kill9()));
  await operator.end();
  await database.drop();
});

/** Stops the server in the moment in which its sessions get `lock`, with which it then does nothing. */
async function pauseAtLock(lock: number, start: () => Promise<unknown>): Promise<void> {
  const isPaused = atLock(operator, lock, () => paused.signal('SIGSTOP'));
  start().catch(() => {});
  await isPaused;
}

const link = (server: ServiceProcess, name: string): Promise<Answer> =>
  linkWallet(server, anAvatar(name), aWallet(name));

describe('a server that stops (SIGSTOP) while it holds the append lock', () => {
  it('delays the links of the others by seconds, and nothing else of theirs', async () => {
    const submits = await Promise.all(
      Array.from({ length: WRITERS }, async (_, number) => {
        const [avatar, wallet] = [anAvatar(`waiting ${number}`), aWallet(`waiting ${number}`)];
        return signedSubmit((await walletPayload(other, avatar, wallet)).body, avatar, wallet);
      }),
    );
    await pauseAtLock(ADVISORY_LOCKS.append, () => link(paused, 'paused'));
    const startedAt = performance.now();

    const waiting = submits.map((submit) => other.post('/v1/proof', submit));
    const meanwhile = await Promise.all([
      other.get('/readyz'),
      other.get(FEED),
      other.get(`/v1/proof/exists?platform=ethereum&identity=a&public_key=${anAvatar('paused').key.compressed}`),
      writeKv(other, anAvatar('writer'), { mood: 'calm' }),
    ]);
    const meanwhileMs = performance.now() - startedAt;
    const isFirstSettled = await Promise.race([...waiting, Promise.resolve(null)]);
    await until(async () => (await link(other, `resumed ${performance.now()}`)).status === 201);
    const resumedMs = performance.now() - startedAt;

    process.stdout.write(
      `a paused server with the append lock: reads, key-value and probes in ${Math.round(meanwhileMs)} ms, links in ${Math.round(resumedMs)} ms\n`,
    );
    expect(meanwhile.map(({ status }) => status)).toEqual([200, 200, 404, 201]);
    // The reads were answered while the submits still waited: nothing took the connections from them.
    expect(isFirstSettled).toBeNull();
    for (const { status, body, headers } of await Promise.all(waiting)) {
      if (status === 201) continue;
      expect({ status, code: body.code }).toEqual({
        status: 503,
        code: expect.stringMatching(/^(database_slow|overloaded)$/),
      });
      expect(headers.get('Retry-After')).toBe('5');
    }
  });

  it('has written nothing when it goes on, says so with 503, and then works as before', async () => {
    let late: Promise<Answer> | undefined;
    await pauseAtLock(ADVISORY_LOCKS.append, () => (late = link(paused, 'paused')));
    await until(async () => (await link(other, `resumed ${performance.now()}`)).status === 201);

    paused.signal('SIGCONT');
    const answer = await late!;
    await until(async () => (await link(paused, `after ${performance.now()}`)).status === 201);

    expect(answer.status).toBe(503);
    expect(answer.body.code).toMatch(/^database_(unavailable|slow)$/);
    const links = await readFeed(other);
    expect(problemsOfFeed(links)).toEqual([]);
    expect(links.map(({ avatar }) => avatar)).not.toContain(anAvatar('paused').key.compressed);
  });
});

describe('a server that stops (SIGSTOP) while it numbers events', () => {
  it('does not keep the others from numbering and streaming theirs', async () => {
    const reader = await openSse(other.baseUrl, '/v1/events', { lastEventId: 0 });
    await pauseAtLock(ADVISORY_LOCKS.relay, () => link(paused, 'paused'));
    const startedAt = performance.now();

    await link(other, 'other');
    await reader.until(({ events }) => events.length >= 2);
    const streamedMs = performance.now() - startedAt;
    reader.close();

    process.stdout.write(`a paused server with the relay lock: events go on in ${Math.round(streamedMs)} ms\n`);
    expect(reader.positions).toEqual([1, 2]);
  });
});

describe('a service on the embedded database that stops (SIGSTOP) in the middle of writes', () => {
  it('goes on with all of them when it is continued, over its one connection', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    const embedded = await startService({ DATA_DIR: path.join(folder, 'data') });
    try {
      const writing = Promise.all(['a', 'b', 'c', 'd'].map((name) => link(embedded, `embedded ${name}`)));
      await until(async () => (await readFeed(embedded)).length > 0);

      embedded.signal('SIGSTOP');
      await delay(3_500); // longer than a session on PostgreSQL may leave its transaction idle
      embedded.signal('SIGCONT');

      expect((await writing).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect((await embedded.get('/readyz')).status).toBe(200);
      expect(problemsOfFeed(await readFeed(embedded))).toEqual([]);
    } finally {
      await embedded.kill9();
      await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
    }
  });
});
