import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, MemoryHeadStore, type SignetError } from '@signet/sdk';
import { LogMonitor, type MonitorState } from '@signet/sdk/log';
import { readVerifierKey } from '@signet/verify/log';
import { noteSigner, signCheckpoint } from '@signet/verify/log-sign';
import { DataSource } from 'typeorm';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { writeKv } from '../kv/kv-scenario.js';
import { askWitness } from './ask-witness.js';
import { getRaw, headOfRecords, readHead } from './log-client.js';
import { forgedLink, keepRecords, runLogCommand, tamper } from './tampering.js';

const alice = anAvatar('alice');
const bob = anAvatar('bob');
/** Where readers believe the log to be, whatever server answers them. */
const ADDRESS = 'http://signet.example';
const hexOf = (text: string) => Buffer.from(text).toString('hex');
/** Takes a link of two Avatars out of the map. */
const FEWER_LINKS = `update map_tile set bytes =
  decode(replace(encode(bytes, 'hex'), '${hexOf('"links":3')}', '${hexOf('"links":2')}'), 'hex')
  where number not in (select unnest(tiles) from map_past)`;
/** Links and patches in the log, before and after its database was copied. */
const OLD_RECORDS = 5;
const RECORDS = 8;

/** What readers say of a log; null: nothing, or it could not be noticed. */
interface Noticed {
  /** Alarms of a monitor that begins with the first entry, as `signet log audit` does. */
  audit: string[];
  /** Alarms of a monitor that goes on from the honest log of eight records. */
  monitor: string[];
  /** The error of the SDK that remembers the honest head, when it reads both chains and the content. */
  sdk: string | null;
  /** The code of the error of the SDK where all that it reads has to be complete, with heads of its own. */
  complete: string | null;
  /** The status of a real witness that has signed the honest head. */
  witness: number;
}

let servers: RunningApp[] = [];
const databases: TestDatabase[] = [];
/** The honest database, the same while it had five records, and what its server had remembered outside of it. */
let honest: RunningApp;
let honestUrl: string;
let honestDataDir: string;
let old: TestDatabase;
let witness: RunningApp;
let restore: () => Promise<void>;
/** Entries of its tree heads. */
let oldSize: number;
let size: number;
const heads = new MemoryHeadStore();
const completeHeads = new MemoryHeadStore();
/**
 * Records, heads and the map are read at the same time: any of them may be the first, the one that does not verify or
 * the one that the server does not answer.
 */
const REFUSED = expect.stringMatching(/^(verification_failed|log_fork|log_refused)$/) as string;
let remembered: MonitorState;

const aFolder = () => mkdtemp(path.join(tmpdir(), 'signet-test-'));

async function start(url: string, dataDir: string, env: Record<string, string> = {}): Promise<RunningApp> {
  const server = await startApp({ databaseUrl: url, env: { DATA_DIR: dataDir, ...env } });
  servers.push(server);
  return server;
}

async function stop(server: RunningApp): Promise<void> {
  servers = servers.filter((one) => one !== server);
  await server.close();
}

async function copyOf(url: string): Promise<TestDatabase> {
  const made = await createEmptyDatabase(`template ${new URL(url).pathname.slice(1)}`);
  databases.push(made);
  return made;
}

/** What an operator says who means to hide that the database is a copy. */
async function callMoved(url: string): Promise<void> {
  expect(await runLogCommand(url, await aFolder(), ['continue', 'moved'])).toMatchObject({ code: 0 });
}

/** A `fetch` that finds `server` at the address of the log, as a name server or a proxy of its operator would. */
const fetchFrom =
  (server: RunningApp): typeof fetch =>
  (input, init) =>
    fetch(String(input).replace(ADDRESS, server.baseUrl), init);

const readerOf = (server: RunningApp) => ({ baseUrl: ADDRESS, fetch: fetchFrom(server), retries: 0 });

async function alarmsOf(server: RunningApp, state?: MonitorState): Promise<string[]> {
  const monitor = new LogMonitor({ ...readerOf(server), once: true, patienceMs: 0, state });
  const codes: string[] = [];
  try {
    for await (const event of monitor.follow()) if (event.type === 'alarm') codes.push(event.code);
  } catch (error) {
    if (codes.length === 0) throw error; // a log that is refused may show no checkpoint at all
  }
  if (!state && codes.length === 0) remembered ??= monitor.state;
  return codes;
}

/** The name of the error, or null where all was returned. */
async function sdkOf(server: RunningApp): Promise<string | null> {
  const client = createClient({ ...readerOf(server), demand: { log: true }, log: { heads, logWaitMs: 0 } });
  try {
    for (const { key } of [alice, bob]) await client.chain(key.compressed).toArray();
    await client.kv.chain(alice.key.compressed).toArray();
    return null;
  } catch (error) {
    return (error as Error).constructor.name;
  }
}

/** The code of the error of a client that demands complete answers, or null where all was returned. */
async function completeOf(server: RunningApp): Promise<string | null> {
  const log = { heads: completeHeads, logWaitMs: 0 };
  const client = createClient({ ...readerOf(server), demand: { complete: true }, log });
  try {
    for (const { key } of [alice, bob]) await client.chain(key.compressed).toArray();
    await client.kv.get(alice.key.compressed);
    await client.proofs.find({ platform: 'ethereum', identity: aWallet('one').address }).toArray();
    return null;
  } catch (error) {
    return (error as SignetError).code;
  }
}

async function noticedOf(server: RunningApp): Promise<Noticed> {
  return {
    audit: await alarmsOf(server),
    monitor: await alarmsOf(server, remembered),
    sdk: await sdkOf(server),
    complete: await completeOf(server),
    witness: await askWitness(witness, server),
  };
}

const conditionOf = async (server: RunningApp): Promise<{ state: string; problem: string }> =>
  (await server.get('/v1/log')).body;

const isRefusing = (server: RunningApp) => async () => (await conditionOf(server)).state === 'refused';

/** Restores once the server has stored its refusal, so that it does not store one afterwards. */
async function restoreRefusing(): Promise<void> {
  const refusals = `select 1 from log_state where refusal <> ''`;
  await until(async () => (await honest.app.get(DataSource).query(refusals)).length > 0);
  await restore();
  await until(async () => (await conditionOf(honest)).state === 'ok');
}

beforeAll(async () => {
  honestDataDir = await aFolder();
  const original = await createTestDatabase();
  databases.push(original);
  honestUrl = original.url;
  const first = await start(honestUrl, honestDataDir);
  for (const [avatar, name] of [
    [alice, 'one'],
    [bob, 'two'],
    [alice, 'three'],
    [bob, 'four'],
  ] as const) {
    await linkWallet(first, avatar, aWallet(name));
  }
  await writeKv(first, alice, { name: 'Alice' });
  oldSize = (await headOfRecords(first, OLD_RECORDS)).size;
  const { verifier_key: key } = (await first.get('/v1/log')).body;
  await stop(first);
  old = await copyOf(honestUrl);

  witness = await startApp({ env: { LOG: 'off', WITNESS: 'on', WITNESS_LOGS: `log ${key}` } });
  servers.push(witness);
  honest = await start(honestUrl, honestDataDir);
  expect(await askWitness(witness, honest)).toBe(200);
  await linkWallet(honest, alice, aWallet('five'));
  await linkWallet(honest, bob, aWallet('six'));
  await writeKv(honest, alice, { name: 'Alicia' });
  ({ size } = await headOfRecords(honest, RECORDS));
  ({ restore } = await keepRecords(honestUrl));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  for (const { drop } of databases) await drop();
});

it('nobody raises an alarm over an honest log', async () => {
  expect(await alarmsOf(honest)).toEqual([]);
  expect(await noticedOf(honest)).toEqual({ audit: [], monitor: [], sdk: null, complete: null, witness: 200 });
  expect(await runLogCommand(honestUrl, honestDataDir, ['check'])).toMatchObject({ code: 0 });
});

describe('behind the back of a server that runs', () => {
  /** Who notices, beside `log check`, which always does. */
  interface Row {
    audit: string[];
    sdk: string | null;
    /** `verification_failed` when absent. */
    complete?: string;
    check: RegExp;
  }

  it.each<[string, string[], Row]>([
    [
      'a link that is removed',
      ['delete from chain_link where id = 5'],
      // The chain of its Avatar ends one link earlier: the SDK has nothing to ask a proof for.
      {
        audit: ['content_missing'],
        sdk: null,
        complete: 'incomplete',
        check: /link 5 is not in the database any more/,
      },
    ],
    [
      'a link that is removed from the middle of a chain',
      ['delete from chain_link where id = 3'],
      { audit: ['content_missing', 'signature'], sdk: 'VerificationError', check: /link 3 is not in the database/ },
    ],
    [
      'a patch that is removed',
      ['delete from kv_patch where feed_id = 1'],
      { audit: ['content_missing', 'signature'], sdk: 'VerificationError', check: /patch 1 is not in the database/ },
    ],
    [
      'a member of a link that is not signed, which is changed',
      [`update chain_link set proof_location = 'elsewhere' where id = 2`],
      { audit: ['content_changed'], sdk: 'VerificationError', check: /link 2 is not the one that was logged/ },
    ],
    [
      'a patch that is changed',
      [`update kv_patch set patch = '{"name":"Mallory"}' where feed_id = 1`],
      {
        audit: ['content_changed', 'signature'],
        sdk: 'VerificationError',
        check: /patch 1 is not the one that was logged/,
      },
    ],
    [
      'a link that is signed anew',
      ['update chain_link set signature = (select signature from chain_link where id = 2) where id = 4'],
      {
        audit: ['content_changed', 'signature'],
        sdk: 'VerificationError',
        check: /link 4 is not the one that was logged/,
      },
    ],
    [
      'two links that are exchanged',
      [
        'update chain_link set id = -3 where id = 3',
        'update chain_link set id = 3 where id = 4',
        'update chain_link set id = 4 where id = -3',
      ],
      {
        audit: ['content_changed', 'signature'],
        sdk: 'VerificationError',
        check: /link 3 is not the one that was logged/,
      },
    ],
    [
      'an entry that is changed with its link',
      [
        `update chain_link set proof_location = 'elsewhere' where id = 2`,
        `update log_leaf set entry = regexp_replace(entry, '"record":"[0-9a-f]{8}', '"record":"00000000') where kind = 'link' and record_id = 2`,
      ],
      { audit: ['history_rewritten'], sdk: 'VerificationError', check: /link 2 is not the one that was logged/ },
    ],
    [
      'a tile that is changed',
      [`update log_tile set hashes = set_byte(hashes, 0, 255 - get_byte(hashes, 0)) where level = 0`],
      { audit: ['tile'], sdk: 'VerificationError', check: /The tile 0 of level 0 is not the one/ },
    ],
    [
      'a tile of the map that is changed',
      [FEWER_LINKS],
      // The server looks at what it proves by.
      {
        audit: [],
        sdk: null,
        complete: 'log_refused',
        check: /BAD\. The stored map is not the one that the entries give\.$/,
      },
    ],
  ])('%s', async (_what, statements, expected) => {
    await tamper(honestUrl, ...statements);
    try {
      const audit = await alarmsOf(honest);
      const { said, code } = await runLogCommand(honestUrl, honestDataDir, ['check']);

      expect(new Set(audit)).toEqual(new Set(expected.audit));
      // What it has read, and compared, it does not read again.
      expect(await alarmsOf(honest, remembered)).toEqual([]);
      expect(await sdkOf(honest)).toBe(expected.sdk);
      expect(await completeOf(honest)).toBe(expected.complete ?? 'verification_failed');
      // The tree head is still the one that it has signed; and the server looks at what it extends, not at the rest.
      expect(await askWitness(witness, honest)).toBe(200);
      expect((await conditionOf(honest)).state).toBe('ok');
      expect(said).toMatch(expected.check);
      expect(code).toBe(1);
    } finally {
      await restore();
    }
  });

  it('a tree head that is signed with another key', async () => {
    const { origin, root } = (await readHead(honest))!;
    const note = signCheckpoint({ origin, size, root }, noteSigner(origin, new Uint8Array(32).fill(1)));
    await tamper(honestUrl, `update log_checkpoint set note = '${note}' where size = ${size}`);
    try {
      await until(async () => (await getRaw(honest, '/log/checkpoint')).text === note);

      expect(await noticedOf(honest)).toEqual({
        ...{ audit: ['log_signature'], monitor: ['log_signature'], sdk: 'VerificationError', witness: 403 },
        complete: 'verification_failed',
      });
      expect(await runLogCommand(honestUrl, honestDataDir, ['check'])).toMatchObject({ code: 1 });
    } finally {
      await restore();
    }
  });

  it.each([
    [
      'a tree head with another root',
      () => [`update log_checkpoint set root = sha256('x') where size = ${size}`],
      /Two differ/,
    ],
    [
      'tiles of another tree, when it is to be extended',
      () => [
        `update log_tile set hashes = set_byte(hashes, 0, 255 - get_byte(hashes, 0)) where level = 0`,
        forgedLink(7),
      ],
      /does not have the root/,
    ],
    ['a hole in the feed', () => [forgedLink(8)], /no .*7, but later ones/],
    ['the newest link removed', () => ['delete from chain_link where id = 6'], /no longer in the database/],
    ['the newest patch removed', () => ['delete from kv_patch where feed_id = 2'], /no longer in the database/],
    [
      'the newest tree heads removed',
      () => [`delete from log_checkpoint where size > ${oldSize}`],
      /A tree head of \d+ entries was signed/,
    ],
  ])('%s: the server itself signs nothing more', async (_what, statements, problem) => {
    await tamper(honestUrl, ...statements());
    try {
      await until(isRefusing(honest));

      expect((await conditionOf(honest)).problem).toMatch(problem);
      expect(await runLogCommand(honestUrl, honestDataDir, ['check'])).toMatchObject({ code: 1 });
      expect(await alarmsOf(honest)).toContain('standstill');
      expect(await alarmsOf(honest, remembered)).toContain('standstill');
    } finally {
      await restoreRefusing();
    }
  });

  it('a tree head that is rolled back is shown by the server, which signs nothing more, and noticed by all', async () => {
    await tamper(honestUrl, `delete from log_checkpoint where size > ${oldSize}`);
    try {
      await until(async () => (await readHead(honest))?.size === oldSize);
      await until(isRefusing(honest));

      expect(await noticedOf(honest)).toEqual({
        ...{ audit: ['standstill'], monitor: ['standstill', 'rollback'], sdk: 'LogForkError', witness: 409 },
        // Of a tree head of more than a minute ago the server may have forgotten the map.
        complete: expect.stringMatching(/^(verification_failed|log_fork|log_refused)$/),
      });
    } finally {
      await restoreRefusing();
    }
  });
});

describe('by an operator who also removes what the server had remembered outside of the database', () => {
  it('a link that is inserted is signed into the log, and noticed by all who check what is in it', async () => {
    await stop(honest);
    const { url } = await copyOf(honestUrl);
    await callMoved(url);
    await tamper(
      url,
      'update chain_link set id = -id - 1 where id >= 4',
      'update chain_link set id = -id where id < 0',
      forgedLink(4),
    );
    const server = await start(url, await aFolder());
    await headOfRecords(server, RECORDS + 1);

    const noticed = await noticedOf(server);

    expect(new Set(noticed.audit)).toEqual(new Set(['content_changed', 'signature']));
    expect(noticed).toMatchObject({ monitor: ['signature'], sdk: 'VerificationError', witness: 200 });
    expect(noticed.complete).toBe('verification_failed');
    expect((await runLogCommand(url, honestDataDir, ['check'])).said).toMatch(/link 4 is not the one that was logged/);
    await stop(server);
  });

  it('a map that leaves a link out is signed, and noticed by all who read the log', async () => {
    const { url } = await copyOf(honestUrl);
    // Nothing is written to a log that was copied before its operator has said what is right.
    expect(await runLogCommand(url, await aFolder(), ['rebuild-map'])).toEqual({
      code: 1,
      said: expect.stringMatching(/^This database was restored from a copy/),
    });
    await callMoved(url);
    await tamper(url, FEWER_LINKS);
    const server = await start(url, await aFolder());
    await linkWallet(server, anAvatar('carol'), aWallet('seven'));
    await headOfRecords(server, RECORDS + 1);

    const noticed = await noticedOf(server);

    expect(noticed).toMatchObject({ audit: ['map'], monitor: ['map'], complete: 'log_refused' });
    const said = /BAD\. Entry \d+ commits to the map [0-9a-f]{64}; the entries before it give [0-9a-f]{64}\.$/;
    expect((await runLogCommand(url, honestDataDir, ['check'])).said).toMatch(said);

    // Computed anew, the map is right from the next tree head on.
    expect(await runLogCommand(url, await aFolder(), ['rebuild-map'])).toMatchObject({ code: 0 });
    const ask = () => server.get(`/v1/log/map?avatar=${bob.key.compressed}`);
    await until(async () => (await ask()).status === 200);
    expect((await ask()).body.value).toMatchObject({ links: 3 });
    await stop(server);
  });

  it('a log that is made anew over changed links, with the same name and key, is noticed by all', async () => {
    const { url } = await copyOf(honestUrl);
    await tamper(
      url,
      `update chain_link set proof_location = 'elsewhere' where id = 2`,
      'truncate log_state, log_feed, log_leaf, log_tile, log_checkpoint, log_cosignature',
    );
    const server = await start(url, await aFolder());
    // All records came with one batch, so that it has fewer entries of the map at first.
    for (let records = RECORDS; (await headOfRecords(server, records)).size <= size; records++) {
      await linkWallet(server, anAvatar('mallory'), aWallet(`${records}`));
    }

    expect((await conditionOf(server)).state).toBe('ok');
    const { origin } = (await readHead(server))!;
    expect(readVerifierKey((await server.get('/v1/log')).body.verifier_key)!.name).toBe(origin);
    const { audit, monitor, sdk, complete, witness: status } = await noticedOf(server);
    // An observer who has not seen the log before cannot know that there was another one.
    expect(audit).toEqual([]);
    expect({ monitor, sdk, complete }).toEqual({
      ...{ monitor: ['fork'], sdk: 'LogForkError' },
      complete: REFUSED,
    });
    expect([409, 422]).toContain(status);
    expect((await runLogCommand(url, honestDataDir, ['check'])).said).toMatch(/had another root/);
    await stop(server);
  });

  it('an old database that is restored is noticed by its server, which signs nothing more', async () => {
    const server = await start((await copyOf(old.url)).url, await aFolder());

    await until(isRefusing(server));
    expect((await conditionOf(server)).problem).toMatch(/^This database was restored from a copy/);
    expect(await noticedOf(server)).toEqual({
      ...{ audit: ['standstill'], monitor: ['standstill', 'rollback'], sdk: 'LogForkError', witness: 409 },
      complete: REFUSED,
    });
    await stop(server);
  });

  it('one that the operator calls moved is noticed as rolled back, and as a second history as soon as it grows', async () => {
    const { url } = old;
    await callMoved(url);
    const server = await start(url, await aFolder());
    await headOfRecords(server, OLD_RECORDS);
    await until(async () => (await conditionOf(server)).state === 'ok');

    expect(await noticedOf(server)).toEqual({
      ...{ audit: [], monitor: ['rollback'], sdk: 'LogForkError', witness: 409 },
      complete: REFUSED,
    });
    expect((await runLogCommand(url, honestDataDir, ['check'])).said).toContain(
      `A tree head of ${size} entries was signed`,
    );

    for (const name of ['five', 'six', 'seven', 'eight']) await linkWallet(server, anAvatar('mallory'), aWallet(name));
    await headOfRecords(server, RECORDS + 1);

    // Two readers, of whom one was shown the honest log: together they hold both notes.
    const { witness: status, ...readers } = await noticedOf(server);
    expect(readers).toEqual({
      ...{ audit: [], monitor: ['fork'], sdk: 'LogForkError' },
      complete: REFUSED,
    });
    expect([409, 422]).toContain(status);
    expect((await runLogCommand(url, honestDataDir, ['check'])).said).toMatch(/had another root/);
  });

  it('with that, the server of an old database signs nothing, and cannot be made to', async () => {
    await stop(servers.at(-1)!);
    const { url } = await copyOf(old.url);
    expect(await runLogCommand(url, honestDataDir, ['continue', 'moved'])).toMatchObject({ code: 1 });
    const server = await start(url, honestDataDir);

    await until(isRefusing(server));
    expect((await conditionOf(server)).problem).toMatch(/Two different|A tree head of \d+|does not have the root/);
  });
});
