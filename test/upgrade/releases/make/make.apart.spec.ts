import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { ArweaveStandIn } from '../../../archive/arweave-stand-in.js';
import { aWallet, anAvatar } from '../../../support/avatar.js';
import { type EvmStandIn, startEvm } from '../../../../packages/look/test/support/evm-stand-in.js';
import { startPostgres } from '../../../support/postgres.mjs';
import { linkWallet } from '../../../support/scenario.js';
import { OutsideWorld, UNLIMITED } from '../accounts.js';
import { askUntilStill, lastPosition, readEvents } from '../record.js';
import type { Recording, ReleaseEngine } from '../release-data.js';
import { archiveOf, dumpOf, keepFile, withTypes } from './keep.js';
import { type ReleaseServer, runOfRelease, startRelease } from './release-server.js';
import { StatementListener } from './statement-listener.js';
import {
  archived,
  contents,
  deliveryOf,
  erasedRecords,
  giveUpDisabled,
  issuePayloads,
  proofsInEveryState,
  subscriptions,
  tellFailing,
  uploadsUnderWay,
  wallets,
} from './story.js';

const [version, tree] = [process.env.RELEASE_VERSION!, process.env.RELEASE_TREE!];
const TIMEOUT_MS = 30 * 60_000;
const DAY_MS = 24 * 3_600_000;
/** The relay of events numbers them under it (src/database/advisory-locks.ts). */
const RELAY_LOCK = 7_367_102;
let world: OutsideWorld;
let network: ArweaveStandIn;
let chains: EvmStandIn[];
const servers: ReleaseServer[] = [];
beforeEach(async () => {
  world = await OutsideWorld.start();
  network = await ArweaveStandIn.start();
  chains = await Promise.all([startEvm(1), startEvm(10)]);
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.kill9()));
  servers.length = 0;
  await Promise.all([world.close(), network.close(), ...chains.map((chain) => chain.close())]);
});

async function startServer(settings: Record<string, string>, aheadMs: number): Promise<ReleaseServer> {
  const server = await startRelease(tree, settings, world, aheadMs);
  servers.push(server);
  return server;
}

/** Lives through everything that the data is to hold, and answers what was seen at the end. */
async function live(own: Record<string, string>, beforeTheEnd: () => Promise<void>): Promise<Recording> {
  const start = (more: Record<string, string>, aheadMs: number) => startServer({ ...more, ...own }, aheadMs);
  const hasLog = version !== '0.1.0';
  const settings = {
    ...world.settings,
    ...network.settings({ isUploading: true }),
    ETH_RPC_URLS: chains.map(({ setting }) => setting).join(),
    RATE_BUDGETS: `${UNLIMITED},arweave-upload=100000/1,arweave=100000/1`,
  };
  // Days ago, so that times of the schedules are in the past for the database; given up after ten attempts at once.
  const ago = -6 * DAY_MS;
  let server = await start(settings, ago);
  world.receivers.set('failing', { status: 500 });
  world.receivers.set('gone', { status: 410 });
  const made = await subscriptions(server);
  await wallets(server, chains, hasLog);
  await proofsInEveryState(server, world, ago);
  await contents(server);
  // From 0.2.0 on attempts are due by the clock of the database, so those of days cannot be made at once.
  if (hasLog) await giveUpDisabled(server, made['failing']);
  else await deliveryOf(server, 'dead', made['failing']);
  await deliveryOf(server, 'dead', made['gone']);
  await deliveryOf(server, 'delivered', made['all']);
  await archived(server, ({ unsent, unconfirmed, unsigned }) => unsent + unconfirmed + unsigned === 0);
  const erased = hasLog ? await erasedRecords(server) : [];
  await server.stop();
  for (const words of erased)
    await runOfRelease(tree, own, ['scripts/log.mjs', 'erase', ...words, '--reason', 'order 12', '--yes']);

  server = await start({ ...settings, REVALIDATION: 'off' }, 0);
  await tellFailing(server);
  await uploadsUnderWay(server, network);
  await deliveryOf(server, 'pending', made['failing']);
  const issued = await issuePayloads(server, world);
  await beforeTheEnd();
  const unheard = anAvatar('unheard');
  expect((await linkWallet(server, unheard, aWallet('unheard'))).status).toBe(201);
  const answers = await askUntilStill(server, hasLog);
  const events = await readEvents(server, '0', await lastPosition(server));
  await server.kill9();
  const confirmed = events
    .filter(({ event }) => event === 'link.archived')
    .map(({ data }) => (data as { archive_id: string }).archive_id);
  const taken = [...network.items.keys()].filter((id) => !confirmed.includes(id));
  return {
    recordedAt: Math.floor(Date.now() / 1000),
    answers,
    events,
    accounts: world.everything(),
    issued,
    subscriptions: made,
    archive: { confirmed, taken },
  };
}

const keep = (engine: ReleaseEngine, recording: Recording) =>
  keepFile(version, `${engine}.json`, JSON.stringify(recording));

it(
  'keeps a database on PostgreSQL, and the statements that reached it',
  async () => {
    const postgres = await startPostgres({ durable: true, bin: process.env.RELEASE_POSTGRES_BIN! });
    const listener = await StatementListener.start(postgres.url);
    const operator = new pg.Client({ connectionString: postgres.url });
    await operator.connect();
    try {
      const recording = await live(
        { DATABASE_URL: listener.url },
        // What is written from here on stays without a position, so that nobody has heard of it.
        () => operator.query('select pg_advisory_lock($1)', [RELAY_LOCK]).then(() => undefined),
      );

      keep('postgres', recording);
      keepFile(version, 'postgres.sql', dumpOf(postgres.url));
      const statements = await withTypes(postgres.url, [...listener.statements.values()]);
      keepFile(version, 'statements.json', JSON.stringify(statements));
      expect(recording.answers.length).toBeGreaterThan(100);
    } finally {
      await operator.end();
      listener.close();
      await postgres.stop();
    }
  },
  TIMEOUT_MS,
);

it(
  'keeps a folder of the embedded engine',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'signet-release-'));
    try {
      const recording = await live({ DATA_DIR: folder }, async () => {});

      keep('embedded', recording);
      keepFile(version, 'embedded.tar', archiveOf(folder));
      expect(recording.answers.length).toBeGreaterThan(100);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  TIMEOUT_MS,
);
