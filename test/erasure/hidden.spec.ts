import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@signet/sdk';
import { type AlarmCode, LogMonitor, type MonitorState } from '@signet/sdk/log';
import { identityKeyText } from '@signet/verify/internal/chains';
import { readEntry, readLogProof } from '@signet/verify/log';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { headOfRecords, proofOf } from '../transparency-log/log-client.js';
import { runLogCommand, tamper } from '../transparency-log/tampering.js';
import { runErase, runVerify } from './erase-command.js';

const alice = anAvatar('alice');
const HASH = 'ab'.repeat(32);
/** What a lawful erasure of link 2 leaves in its row. */
const EMPTY = "identity = '', proof_location = '', signature_payload = '', extra = '{}'";
const tombstone = (members: object = {}) =>
  `erased = '${JSON.stringify({ at: 1_700_000_000, identity_key: HASH, reason: 'order', record: HASH, ...members })}'`;

/** What is noticed of a database that was changed. */
interface Noticed {
  audit: AlarmCode[];
  /** By a monitor that had read all before. */
  monitor: AlarmCode[];
  /** The code of the error of the SDK, which checks the log; null where it returned the chain. */
  sdk: string | null;
  /** As `sdk`, where the chain has to be complete. */
  complete: string | null;
  verify: number;
  check: number;
}

let dataDir: string;
let database: TestDatabase;
let server: RunningApp;
let before: MonitorState | undefined;

async function alarmsOf(state?: MonitorState): Promise<AlarmCode[]> {
  const monitor = new LogMonitor({ baseUrl: server.baseUrl, once: true, patienceMs: 0, retries: 0, state });
  const codes: AlarmCode[] = [];
  for await (const event of monitor.follow()) if (event.type === 'alarm') codes.push(event.code);
  before ??= monitor.state;
  return codes;
}

async function sdkOf(demanded: 'log' | 'complete'): Promise<string | null> {
  const client = createClient({
    baseUrl: server.baseUrl,
    demand: { [demanded]: true },
    log: { logWaitMs: 0 },
    retries: 0,
  });
  return client
    .chain(alice.key.compressed)
    .toArray()
    .then(
      () => null,
      (error: { code: string }) => error.code,
    );
}

async function noticed(): Promise<Noticed> {
  return {
    audit: await alarmsOf(),
    monitor: await alarmsOf(before),
    sdk: await sdkOf('log'),
    complete: await sdkOf('complete'),
    verify: (await runVerify(database.url)).code,
    check: (await runLogCommand(database.url, dataDir, ['check'])).code,
  };
}

const hide = (set: string) => tamper(database.url, `update chain_link set ${set} where id = 2`);

/** A chain of three wallets and a revoke of the second one, so that nothing rests on link 2. */
beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
  server = await startApp({ databaseUrl: database.url, env: { DATA_DIR: dataDir } });
  for (const name of ['first', 'second', 'third']) await linkWallet(server, alice, aWallet(name));
  await linkWallet(server, alice, aWallet('second'), { action: 'delete' });
  await headOfRecords(server, 4);
  before = undefined;
  await alarmsOf();
});
afterEach(async () => {
  await server?.close();
  await database?.drop();
});

it('an honest server is accused of nothing', async () => {
  expect(await noticed()).toEqual({ audit: [], monitor: [], sdk: null, complete: null, verify: 0, check: 0 });
});

describe('a text that is hidden and not erased', () => {
  it('is noticed where its texts are emptied', async () => {
    await hide(EMPTY);

    expect(await noticed()).toEqual({
      audit: ['content_changed', 'signature'],
      monitor: [],
      sdk: 'verification_failed',
      complete: 'verification_failed',
      verify: 1,
      check: 1,
    });
  });

  it('is noticed where it is called erased, and another hash is named than the log has', async () => {
    await hide(`${EMPTY}, ${tombstone()}`);

    expect(await noticed()).toMatchObject({ audit: ['content_changed', 'erasure_not_logged'], verify: 1, check: 1 });
  });

  it('is noticed where it is called erased exactly as it should be, and the log has no entry of that', async () => {
    const proof = await proofOf(server, 'kind=link&id=2');
    const { record } = readEntry(readLogProof(proof)!.extra!)!;
    const identity_key = identityKeyText({ platform: 'ethereum', identity: aWallet('second').address });
    await hide(`${EMPTY}, ${tombstone({ record, identity_key })}`);

    expect(await noticed()).toEqual({
      audit: ['erasure_not_logged'],
      // What it has read before it does not read again.
      monitor: [],
      sdk: 'verification_failed',
      complete: 'verification_failed',
      verify: 1,
      check: 1,
    });
  });
});

describe('an erasure in the log', () => {
  const erase = async () => {
    const words = ['--link', '2', '--reason', 'order', '--yes'];
    expect(await runErase(database.url, words, { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    await headOfRecords(server, 5);
  };

  it('is no alarm; neither is the revoke of what the erased link had bound', async () => {
    await erase();

    expect(await noticed()).toEqual({ audit: [], monitor: [], sdk: null, complete: null, verify: 0, check: 0 });
  });

  it('is noticed where the text is shown all the same', async () => {
    const { body } = await server.get('/v1/proofchain/changes?last_id=1');
    await erase();
    const { identity, signature_payload, extra } = body.links[0];
    await hide(
      `identity = '${identity}', signature_payload = '${signature_payload}', extra = '${JSON.stringify(extra)}', erased = null`,
    );

    expect(await noticed()).toMatchObject({
      audit: ['content_changed'],
      monitor: ['content_changed'],
      sdk: 'verification_failed',
      complete: 'verification_failed',
      verify: 1,
      check: 1,
    });
  });

  it.each([
    ['another reason', { reason: 'another one' }],
    ['another time', { at: 1_700_000_001 }],
    ['another hash of what was erased', { record: HASH }],
    ['another identity', { identity_key: HASH }],
  ])('is noticed where %s is shown than was logged', async (_, members) => {
    await erase();
    const [link] = (await server.get('/v1/proofchain/changes?last_id=1')).body.links;
    await hide(tombstone({ ...link.erased, ...members }));

    const { audit, monitor, sdk, complete, check } = await noticed();
    expect(audit).toContain('content_changed');
    expect({ monitor, sdk, complete, check }).toEqual({
      ...{ monitor: ['content_changed'], sdk: 'verification_failed', check: 1 },
      complete: 'verification_failed',
    });
  });

  it('is noticed where its link is not shown any more', async () => {
    await erase();
    await tamper(database.url, 'delete from chain_link where id = 2');

    const { audit, monitor, check } = await noticed();
    expect({ audit: audit.slice(0, 1), monitor, check }).toEqual({
      audit: ['content_missing'],
      monitor: ['content_missing'],
      check: 1,
    });
  });

  it('that is taken out of the database again makes the log sign nothing more', async () => {
    await erase();
    await tamper(database.url, 'delete from erasure');

    await until(async () => (await server.get('/v1/log')).body.state === 'refused');
    expect((await server.get('/v1/log')).body.problem).toContain('erasures that are in the log are no longer');
    expect((await runLogCommand(database.url, dataDir, ['check'])).code).toBe(1);
  });
});
