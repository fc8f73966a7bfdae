import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { kvPayload, writeKv } from '../../kv/kv-scenario.js';
import { type RunningApp, startApp } from '../../support/app.js';
import { aWallet, anAvatar } from '../../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { linkWallet, walletPayload } from '../../support/scenario.js';
import { until } from '../../support/until.js';

/** Milliseconds for which an operator holds the table: longer than requests wait for a connection. */
const HELD_MS = 6_000;
/** Clients that ask for what the table holds, each one thing after the other. */
const CLIENTS = 12;

const alice = anAvatar('alice');
const wallet = aWallet('alice');
const AVATAR = alice.key.compressed;

const LOOKUPS = [
  `/v1/proof?platform=ethereum&identity=${wallet.address}&exact=true`,
  `/v1/proof?platform=self&identity=${AVATAR}`,
];
const BADGE = [`/badge/ethereum/${wallet.address}.svg`];
const EXISTS = [`/v1/proof/exists?platform=ethereum&identity=${wallet.address}&public_key=${AVATAR}`];
const LINKS = [`/v1/proofchain?public_key=${AVATAR}`, '/v1/proofchain/changes?last_id=0'];
const PATCHES = [`/v1/kv/chain?avatar=${AVATAR}`, '/v1/kv/changes?last_id=0'];
const CONTENT = [`/v1/kv?avatar=${AVATAR}`];
/** Counts the links and patches that wait. */
const LOG = ['/v1/log'];
/** What no lock of a table of links or patches may stop. */
const ALWAYS = ['/log/checkpoint', '/log/tile/0/000.p/2', '/v1/platforms', '/readyz'];

let database: TestDatabase;
let operator: pg.Client;
let running: RunningApp;

beforeAll(async () => {
  database = await createTestDatabase();
  operator = new pg.Client({ connectionString: database.url });
  await operator.connect();
  running = await startApp({
    databaseUrl: database.url,
    // Requests wait for a connection for a second more than by default, because the machine may be busy; and they are
    // not refused for what this process does.
    env: { LOAD_SHEDDING: 'on', MAX_POOL_WAIT_MS: '4000', MAX_EVENT_LOOP_DELAY_MS: '10000', LOG_LEVEL: 'error' },
  });
  expect((await linkWallet(running, alice, wallet)).status).toBe(201);
  expect((await writeKv(running, alice, { mood: 'calm' })).status).toBe(201);
  await until(async () => (await statusOf('/log/tile/0/000.p/2')) === 200);
});
afterAll(async () => {
  await running?.close();
  await operator?.end();
  await database?.drop();
});

const statusOf = async (path: string): Promise<number> => {
  const answer = await fetch(`${running.baseUrl}${path}`);
  await answer.arrayBuffer();
  return answer.status;
};

const payloadOfLink = async () => (await walletPayload(running, alice, wallet, { action: 'delete' })).status;
const payloadOfPatch = async () => (await kvPayload(running, alice, { mood: 'new' })).status;

/** What a client got for one question while the table was locked. */
interface Asked {
  what: string;
  statuses: number[];
  slowestMs: number;
}

/** Asks again and again, with a pause as people make it, until `signal` is aborted. */
async function askOn(what: string, ask: () => Promise<number>, signal: AbortSignal): Promise<Asked> {
  const statuses = new Set<number>();
  let slowestMs = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    statuses.add(await ask());
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    await delay(50);
  }
  return { what, statuses: [...statuses], slowestMs };
}

it.each([
  {
    table: 'kv_patch',
    stuck: [...PATCHES, ...LOG],
    served: [...LOOKUPS, ...BADGE, ...EXISTS, ...LINKS, ...CONTENT],
    write: payloadOfLink,
  },
  {
    table: 'proof',
    stuck: [...LOOKUPS, ...BADGE, ...EXISTS, ...CONTENT],
    served: [...LINKS, ...PATCHES, ...LOG],
    write: payloadOfPatch,
  },
  {
    table: 'chain_link',
    stuck: [...LOOKUPS, ...LINKS, ...LOG],
    served: [...PATCHES, ...CONTENT, ...BADGE],
    write: payloadOfPatch,
  },
])(
  'while $table is locked, all reads that do not need it are answered, and those that do once the lock is gone',
  async ({ table, stuck, served, write }) => {
    const signal = AbortSignal.timeout(HELD_MS);
    await operator.query(`begin; lock table ${table} in access exclusive mode`);

    const asked = stuck.flatMap((path) =>
      Array.from({ length: CLIENTS }, () => askOn(path, () => statusOf(path), signal)),
    );
    const others = [...served, ...ALWAYS].map((path) => askOn(path, () => statusOf(path), signal));
    const answered = await Promise.all([...others, askOn('payload', write, signal)]);
    const refused = await Promise.all(asked);
    await operator.query('rollback');

    const slowest = answered.reduce((one, other) => (other.slowestMs > one.slowestMs ? other : one));
    process.stdout.write(`${table} locked: slowest other ${slowest.what} ${Math.round(slowest.slowestMs)} ms\n`);
    // A probe gives the database two seconds, which a machine under load may once need for anything.
    const isServed = ({ what, statuses }: Asked) =>
      what === '/readyz' ? statuses.includes(200) : statuses.join() === '200';
    expect(answered.filter((asked) => !isServed(asked))).toEqual([]);
    expect(new Set(refused.flatMap(({ statuses }) => statuses))).toEqual(new Set([503]));
    for (const path of stuck) await until(async () => (await statusOf(path)) === 200);
  },
);
