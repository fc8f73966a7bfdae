import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readWitnessRequest } from '@signet/verify/internal/log';
import { readCheckpoint, writeVerifierKey } from '@signet/verify/log';
import { cosigner } from '@signet/verify/log-sign';
import pg from 'pg';
import { migrate } from '../../src/database/schema/migrator.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase } from '../support/database.js';
import { startPostgres, type TestPostgres } from '../support/postgres.mjs';
import { linkWallet } from '../support/scenario.js';
import { startService } from '../support/service-process.js';
import { type StandIn, startStandIn, textReply } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { copyTables } from './copy-tables.js';
import { headOfRecords } from './log-client.js';

const [alice, mallory] = [anAvatar('alice'), anAvatar('mallory')];
const aFolder = () => mkdtemp(path.join(tmpdir(), 'signet-test-'));
const RESTORED = /^This database was restored from a copy, or moved/;
const KNOWN_ELSEWHERE = /^A tree head of \d+ entries was signed/;
const CLAIMED = /^Witnesses say that they have signed more/;

/** A witness that signs what continues what it has signed, and shows nobody what that was. */
class Witness {
  readonly key = cosigner('witness.example/w', new Uint8Array(32).fill(0x51));
  standIn!: StandIn;
  private known = 0;

  async start(): Promise<void> {
    this.standIn = await startStandIn(({ path, body }) => {
      if (!path.endsWith('/add-checkpoint')) return { status: 404 };
      const request = readWitnessRequest(body)!;
      const { note, size } = readCheckpoint(request.checkpoint)!;
      if (request.oldSize !== this.known) {
        return { ...textReply(`${this.known}\n`, 409), headers: { 'content-type': 'text/x.tlog.size' } };
      }
      this.known = size;
      return textReply(this.key.cosign(note.text, 1_700_000_000));
    });
  }

  get settings(): Record<string, string> {
    const LOG_POLICY = `witness w ${writeVerifierKey(this.key.key)} ${this.standIn.baseUrl}\nquorum w`;
    return { LOG_POLICY, LOG_WITNESS_SECONDS: '1' };
  }
}

const logOf = async (server: RunningApp) => (await server.get('/v1/log')).body;

/** Writes a link more, and waits until it is signed, and cosigned where there is a witness. */
async function growTo(server: RunningApp, links: number): Promise<void> {
  await linkWallet(server, alice, aWallet(`wallet ${links}`));
  await headOfRecords(server, links);
  await until(async () => (await logOf(server)).policy_met !== false);
}

/** What a server does with a link of somebody else: it signs it, or says why it does not. */
async function judge(server: RunningApp): Promise<string> {
  try {
    await until(async () => (await logOf(server)).state !== 'catching_up');
    const { size: before } = await logOf(server);
    await linkWallet(server, mallory, aWallet(randomUUID()));
    await until(async () => (await logOf(server)).size > before || (await logOf(server)).state === 'refused');
    const { state, problem } = await logOf(server);
    return state === 'refused' ? problem : 'a second history';
  } finally {
    await server.close();
  }
}

describe('what is put back, and what is left to notice it by', () => {
  const witness = new Witness();
  let cluster: TestPostgres;
  let database: string;
  let [dataDir, oldDataDir, elsewhere, copies] = ['', '', '', ''];

  const start = (DATA_DIR: string, env: Record<string, string> = {}) =>
    startApp({ databaseUrl: database, env: { DATA_DIR, ...env } });

  async function onCluster(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: cluster.url });
    await client.connect();
    for (const sql of statements) await client.query(sql);
    await client.end();
  }

  /** Puts a copy of its folder in the place of the cluster. */
  async function setBack(copy: string): Promise<void> {
    await cluster.kill9();
    await rm(cluster.dataDir!, { recursive: true });
    execFileSync('cp', ['-a', path.join(copies, copy), cluster.dataDir!]);
    await rm(path.join(cluster.dataDir!, 'postmaster.pid'), { force: true });
    await cluster.restart();
  }

  beforeAll(async () => {
    await witness.start();
    cluster = await startPostgres({ durable: true });
    const url = new URL(cluster.url);
    url.pathname = '/signet';
    database = url.href;
    await onCluster('create database signet');
    await migrate(database);
    [dataDir, elsewhere, copies] = [await aFolder(), await aFolder(), await aFolder()];
    oldDataDir = path.join(copies, 'data-dir');
    const env = { LOG_HEAD_FOLDERS: elsewhere, ...witness.settings };
    const before = await start(dataDir, env);
    await growTo(before, 1);
    await before.close();
    execFileSync('cp', ['-a', dataDir, oldDataDir]);
    await onCluster('create database dump template signet', 'checkpoint');
    // Of a cluster that runs, and that recovers as after a crash: there is no backup label.
    execFileSync('cp', ['-a', cluster.dataDir!, path.join(copies, 'base-backup')]);
    await cluster.kill9();
    execFileSync('cp', ['-a', cluster.dataDir!, path.join(copies, 'snapshot')]);
    await cluster.restart();
    const after = await start(dataDir, env);
    await growTo(after, 2);
    await growTo(after, 3);
    await after.close();
  });
  afterAll(async () => {
    await cluster?.stop();
    await witness.standIn?.close();
  });

  const PUT_BACK: Record<string, () => Promise<void>> = {
    'a dump': async () => {
      await setBack('snapshot');
      await onCluster('alter database signet rename to lost', 'create database signet template dump');
    },
    'a base backup that is started without recovery': () => setBack('base-backup'),
    'a snapshot of the disk of the database': () => setBack('snapshot'),
  };
  const LEFT: Record<string, () => Promise<RunningApp>> = {
    nothing: async () => start(await aFolder()),
    'the file in DATA_DIR': async () => {
      const kept = await aFolder();
      await cp(dataDir, kept, { recursive: true });
      return start(kept);
    },
    'the file in DATA_DIR, as old as the database': async () => {
      const old = await aFolder();
      await cp(oldDataDir, old, { recursive: true });
      return start(old);
    },
    LOG_HEAD_FOLDERS: async () => start(await aFolder(), { LOG_HEAD_FOLDERS: elsewhere }),
    'a witness': async () => start(await aFolder(), witness.settings),
    'a witness, and the file in DATA_DIR, as old as the database': async () => {
      const old = await aFolder();
      await cp(oldDataDir, old, { recursive: true });
      return start(old, witness.settings);
    },
  };

  it.each<[string, string, RegExp | 'a second history']>([
    ['a dump', 'nothing', RESTORED],
    ['a dump', 'the file in DATA_DIR', KNOWN_ELSEWHERE],
    ['a dump', 'LOG_HEAD_FOLDERS', KNOWN_ELSEWHERE],
    ['a dump', 'a witness', /^(Witnesses say that they have signed more|This database was restored from a copy)/],
    ['a base backup that is started without recovery', 'nothing', 'a second history'],
    ['a base backup that is started without recovery', 'the file in DATA_DIR', KNOWN_ELSEWHERE],
    ['a base backup that is started without recovery', 'LOG_HEAD_FOLDERS', KNOWN_ELSEWHERE],
    ['a base backup that is started without recovery', 'a witness', CLAIMED],
    ['a snapshot of the disk of the database', 'nothing', 'a second history'],
    ['a snapshot of the disk of the database', 'the file in DATA_DIR', KNOWN_ELSEWHERE],
    ['a snapshot of the disk of the database', 'LOG_HEAD_FOLDERS', KNOWN_ELSEWHERE],
    ['a snapshot of the disk of the database', 'a witness', CLAIMED],
    // All at once.
    ['a snapshot of the disk of the database', 'the file in DATA_DIR, as old as the database', 'a second history'],
    ['a snapshot of the disk of the database', 'a witness, and the file in DATA_DIR, as old as the database', CLAIMED],
  ])('%s, with %s left', async (putBack, left, expected) => {
    await PUT_BACK[putBack]!();

    const found = await judge(await LEFT[left]!());

    if (typeof expected === 'string') expect(found).toBe(expected);
    else expect(found).toMatch(expected);
  });
});

it('a server that stood still since before the copy was made signs nothing when that is put back', async () => {
  const [live, dump] = [await createTestDatabase(), await createTestDatabase()];
  const name = new URL(live.url).pathname.slice(1);
  const server = new pg.Client({ connectionString: process.env.TEST_SERVER_URL });
  await server.connect();
  const still = await startService({ DATABASE_URL: live.url, DATA_DIR: await aFolder() });
  try {
    await linkWallet(still, alice, aWallet('one'));
    const { size } = await headOfRecords(still, 1);
    await until(async () => (await still.get('/v1/log')).body.size === size);
    still.signal('SIGSTOP');
    const stoppedAtMs = performance.now();
    const clients = [live.url, dump.url].map((connectionString) => new pg.Client({ connectionString }));
    for (const client of clients) await client.connect();
    await copyTables(clients[0]!, clients[1]!);
    for (const client of clients) await client.end();
    const other = await startApp({ databaseUrl: live.url, env: { DATA_DIR: await aFolder() } });
    await growTo(other, 2);
    await growTo(other, 3);
    await other.close();
    await server.query(`drop database ${name} with (force)`);
    await server.query(`create database ${name} template ${new URL(dump.url).pathname.slice(1)}`);
    // So long that its look at the database says nothing any more.
    await until(() => performance.now() - stoppedAtMs > 6_000);

    still.signal('SIGCONT');
    await until(async () => (await still.get('/v1/log')).body.state === 'refused');
    await linkWallet(still, mallory, aWallet('two'));
    await until(async () => (await still.get('/v1/log')).body.waiting === 1);

    const log = (await still.get('/v1/log')).body;
    expect(log.problem).toMatch(RESTORED);
    expect(log.size).toBe(size);
  } finally {
    await still.kill9();
    await server.end();
    await live.drop();
    await dump.drop();
  }
});
