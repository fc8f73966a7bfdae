import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, createClient, type SignetError } from '@signet/sdk';
import { type NoteSigner, noteSigner } from '@signet/verify/log-sign';
import pg from 'pg';
import { runHere } from '../../packages/cli/test/terminal.js';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { runErase, runVerify } from '../erasure/erase-command.js';
import { writeKv } from '../kv/kv-scenario.js';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { askWitness } from '../transparency-log/ask-witness.js';
import { headOfRecords, readHead } from '../transparency-log/log-client.js';
import { avatarKeyOf, identityKeyOf } from '../transparency-log/map-replay.js';
import { keepRecords, runLogCommand, tamper } from '../transparency-log/tampering.js';
import { ForgedLog } from './forged-log.js';

const ORIGIN = 'hostile.example/log';
const SEED = new Uint8Array(32).fill(7);
const [alice, bob, carol, dave] = ['alice', 'bob', 'carol', 'dave'].map(anAvatar) as [
  ReturnType<typeof anAvatar>,
  ReturnType<typeof anAvatar>,
  ReturnType<typeof anAvatar>,
  ReturnType<typeof anAvatar>,
];
const [ofAlice, ofBob, ofCarol, ofDave] = [alice, bob, carol, dave].map(({ key }) => key.compressed) as [
  string,
  string,
  string,
  string,
];
const [one, two, three] = ['one', 'two', 'three'].map((name) => aWallet(name)) as [
  ReturnType<typeof aWallet>,
  ReturnType<typeof aWallet>,
  ReturnType<typeof aWallet>,
];
const keyOfWallet = ({ address }: { address: string }) => identityKeyOf('ethereum', address);
/** Links, patches and the erasure. */
const RECORDS = 10;

/** A question whose answer can be complete, to the SDK and to the command. */
interface Question {
  ask: (client: Client) => Promise<unknown>;
  words: string[];
}
const chainOf = (avatar: string): Question => ({
  ask: (client) => client.chain(avatar).toArray(),
  words: ['chain', avatar],
});
const contentOf = (avatar: string): Question => ({
  ask: (client) => client.kv.get(avatar),
  words: ['kv', 'get', avatar],
});
const holdersOf = ({ address: identity }: { address: string }): Question => ({
  ask: (client) => client.proofs.find({ platform: 'ethereum', identity }).toArray(),
  words: ['proofs', identity, '--platform', 'ethereum'],
});
const isHeldBy = ({ address: identity }: { address: string }, avatar: string): Question => ({
  ask: (client) => client.proofs.exists({ platform: 'ethereum', identity, avatar }),
  words: ['exists', 'ethereum', identity, avatar],
});

/** What readers say; null: nothing. */
interface Said {
  code: string;
  message: string;
}

/** What is expected of readers of one log. */
interface Noticed {
  /**
   * Of each question, the error of a client with `demand: { complete: true }`, and of the command with `--complete`.
   */
  complete: [Question, RegExp | null][];
  /** What a client with `demand: { log: true }` says of them; nothing when absent. */
  log?: RegExp;
  /** Of Avatars, why `signet export` writes no file. */
  exports?: [avatar: string, RegExp][];
  /** Alarms of `signet log audit`. */
  audit: [code: string, words: RegExp][];
  /** Alarms of `signet monitor`, which has read the honest log before; those of the audit when absent. */
  monitor?: [code: string, words: RegExp][];
  /** What `npm run log -- check` finds; null: that all is as it was signed. */
  check: RegExp | null;
}

let database: TestDatabase;
let restore: () => Promise<void>;
let signer: NoteSigner;
/** Holds the lock of the log, so that the server signs nothing by itself. */
let holder: pg.Client;
/** Where the command keeps what it remembers of the honest log, and the file of a monitor that has read that. */
let home: string;
let remembered: string;
let server: RunningApp;
let proxy: LyingProxy;
/** Has signed nothing of the log before it is asked. */
let witness: RunningApp;
let log: ForgedLog;

const aFolder = () => mkdtemp(path.join(tmpdir(), 'signet-test-'));
const holdLock = () => holder.query(`select pg_advisory_lock(${ADVISORY_LOCKS.log})`);
const releaseLock = () => holder.query('select pg_advisory_unlock_all()');

const start = async (dataDir: string) =>
  startApp({
    databaseUrl: database.url,
    env: { DATA_DIR: dataDir, LOG_ORIGIN: ORIGIN, LOG_KEY: Buffer.from(SEED).toString('hex') },
  });

async function sdkSays({ ask }: Question, demanded: 'log' | 'complete' = 'complete'): Promise<Said | null> {
  const client = createClient({
    baseUrl: proxy.baseUrl,
    demand: { [demanded]: true },
    retries: 0,
    log: { logWaitMs: 0 },
  });
  return ask(client).then(
    () => null,
    ({ code, message }: SignetError) => ({ code, message }),
  );
}

/** The command with `--complete`, which remembers nothing; "not found" is an answer and no refusal. */
async function commandSays({ words }: Question): Promise<Said | null> {
  const { code, text } = await runHere([...words, '--complete', '--json'], {
    HOME: await aFolder(),
    SIGNET_SERVER: proxy.baseUrl,
  });
  if (code === 0) return null;
  const { error, message } = JSON.parse(text.trim().split('\n').at(-1)!) as { error: string; message: string };
  return error === 'not_found' ? null : { code: error, message };
}

/** The refusal of `signet export`, whose file carries the answer of the map; null where it writes the file. */
async function exportSays(avatar: string): Promise<string | null> {
  const { code, text } = await runHere(['export', avatar], { HOME: await aFolder(), SIGNET_SERVER: proxy.baseUrl });
  return code === 0 ? null : text;
}

/** The alarms that a command prints. */
async function alarmsOf(...words: string[]): Promise<{ alarms: string[]; code: number }> {
  const { code, text } = await runHere(words, { HOME: home, SIGNET_SERVER: proxy.baseUrl });
  return { alarms: text.split('\n').filter((line) => line.startsWith('ALARM')), code };
}

const audit = () => alarmsOf('log', 'audit', proxy.baseUrl);

/** A monitor that goes on from the honest log, and writes nothing over what it kept of that. */
async function monitor() {
  const state = path.join(await aFolder(), 'signet.state');
  await copyFile(remembered, state);
  return alarmsOf('monitor', proxy.baseUrl, '--once', '--state', state);
}

/** Holds all readers against what they should say. */
async function demand(expected: Noticed): Promise<void> {
  for (const [question, words] of expected.complete) {
    const said = { sdk: await sdkSays(question), command: await commandSays(question) };
    const refusal = words && { code: 'incomplete', message: expect.stringMatching(words) as string };
    const other = words && { code: 'verification_failed', message: expect.stringMatching(words) as string };
    expect([
      { sdk: refusal, command: refusal },
      { sdk: other, command: other },
    ]).toContainEqual(said);
    const byLog = expected.log ? { message: expect.stringMatching(expected.log) as string } : null;
    expect(await sdkSays(question, 'log')).toEqual(byLog && expect.objectContaining(byLog));
  }
  for (const [avatar, words] of expected.exports ?? []) expect(await exportSays(avatar)).toMatch(words);
  for (const [reader, { alarms, code }] of [
    ['audit', await audit()],
    ['monitor', await monitor()],
  ] as const) {
    const wanted = (reader === 'monitor' && expected.monitor) || expected.audit;
    expect({ reader, alarms, code }).toEqual({
      reader,
      alarms: wanted.map(([name, words]) =>
        expect.stringMatching(new RegExp(`^ALARM  ${name}( \\(entry \\d+\\))?: .*${words.source}`)),
      ),
      code: wanted.length > 0 ? 1 : 0,
    });
  }
  const { code, said } = await check();
  expect(said).toMatch(expected.check ?? /All is as it was signed\./);
  expect(code).toBe(expected.check ? 1 : 0);
}

const check = async () =>
  runLogCommand(database.url, await aFolder(), ['check'], {
    LOG_ORIGIN: ORIGIN,
    LOG_KEY: Buffer.from(SEED).toString('hex'),
  });

/** The statement that puts the binding of a link back. */
const bindAgain = (linkId: number) => `
  insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
  select avatar, platform, identity, identity, id, created_at, created_at, true from chain_link where id = ${linkId}`;

/** Signs what was appended, and waits until the server shows it. */
async function sign(): Promise<void> {
  await log.sign();
  await until(async () => (await readHead(server))?.size === log.size);
}

/** Answers questions to the map with another log proof, and whatever else is to be changed. */
function lieAboutMap(answers: (path: string) => object | null): void {
  proxy.answer = (asked) => (asked.startsWith('/v1/log/map?') ? answers(asked) : null);
}

beforeAll(async () => {
  signer = noteSigner(ORIGIN, SEED);
  database = await createTestDatabase();
  holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  server = await start(await aFolder());
  await linkWallet(server, alice, one);
  await linkWallet(server, bob, one);
  await linkWallet(server, carol, one);
  await linkWallet(server, dave, three);
  await linkWallet(server, alice, two);
  await linkWallet(server, carol, one, { action: 'delete' });
  await writeKv(server, alice, { name: 'Alice' });
  await headOfRecords(server, RECORDS - 3);
  await linkWallet(server, bob, two);
  await writeKv(server, alice, { name: 'Alice L.' });
  const words = ['--link', '4', '--reason', 'order', '--with-binding', '--yes'];
  expect(await runErase(database.url, words)).toMatchObject({ code: 0 });
  await headOfRecords(server, RECORDS);
  const key = (await server.get('/v1/log')).body.verifier_key;
  witness = await startApp({ env: { LOG: 'off', WITNESS: 'on', WITNESS_LOGS: `log ${key}` } });
  proxy = await startLyingProxy(server.baseUrl);
  home = await aFolder();
  remembered = path.join(home, 'signet.state');
  expect(await alarmsOf('monitor', proxy.baseUrl, '--once', '--state', remembered)).toEqual({ alarms: [], code: 0 });
  await proxy.close();
  await server.close();
  ({ restore } = await keepRecords(database.url));
});
/** Each attack is over the honest database, by a server that knows nothing of the one before. */
beforeEach(async () => {
  await restore();
  await holdLock();
  server = await start(await aFolder());
  proxy = await startLyingProxy(server.baseUrl);
  log = await ForgedLog.of(server, database.url, signer);
});
afterEach(async () => {
  await releaseLock();
  await proxy?.close();
  await server?.close();
});
afterAll(async () => {
  await witness?.close();
  await holder?.end();
  await database?.drop();
});

const EVERYTHING = [
  ...[ofAlice, ofBob, ofCarol, ofDave].map(chainOf),
  contentOf(ofAlice),
  ...[one, two, three].map(holdersOf),
  isHeldBy(one, ofBob),
  isHeldBy(one, ofCarol),
];
const nobodyRefuses = EVERYTHING.map((question): [Question, null] => [question, null]);
/** What an audit and a monitor say of a wrong root, and the check of the operator. */
const WRONG_MAP: [string, RegExp] = [
  'map',
  /Entry \d+ is the first of this look whose map is not that of the entries before it: it has \w{64}, and they make \w{64}/,
];
const WRONG_ROOT = /BAD\. Entry \d+ commits to the map \w{64}; the entries before it give \w{64}\./;

it('nobody refuses an honest log that goes on', async () => {
  await log.appendMap();
  await sign();

  await demand({ complete: nobodyRefuses, audit: [], check: null });
});

describe('a wrong map that is signed', () => {
  /** What the operator makes of the right map, and what is noticed by readers of answers alone. */
  it.each<[string, () => Promise<void>, () => Noticed['complete'], () => [string, RegExp][]]>([
    [
      'a holder who is moved to another identity',
      async () => {
        const map = log.map();
        const held = map.identities.get(keyOfWallet(one))!;
        map.identities.get(keyOfWallet(three))!.set(ofBob, held.get(ofBob)!);
        held.delete(ofBob);
        await log.appendMap({ map });
      },
      () => [
        [holdersOf(one), new RegExp(`of ${ofBob} is shown by entry ${log.indexOf(2)}, and was revoked since`)],
        [isHeldBy(one, ofBob), new RegExp(`of ${ofBob} is shown by entry ${log.indexOf(2)}, and was revoked since`)],
        [holdersOf(three), new RegExp(`of ${ofBob} is left out, which entry ${log.indexOf(2)} made`)],
        [chainOf(ofBob), null],
      ],
      () => [],
    ],
    [
      'the value of another key',
      async () => {
        const map = log.map();
        map.avatars.set(ofAlice, map.avatars.get(ofBob)!);
        await log.appendMap({ map });
      },
      () => [
        [
          chainOf(ofAlice),
          new RegExp(
            `The link number 2 of ${ofAlice} is entry ${log.indexOf(5)}, and the newest one is entry ${log.indexOf(7)}`,
          ),
        ],
        [contentOf(ofAlice), /has more patches than the map knows of, which says 0/],
        [chainOf(ofBob), null],
      ],
      () => [
        [
          ofAlice,
          new RegExp(
            `The newest of its links is entry ${log.indexOf(5)} of the log, and the map says ${log.indexOf(7)}`,
          ),
        ],
      ],
    ],
    [
      'the map of before the newest link',
      async () => log.appendMap({ map: log.map(log.indexOf(7)) }),
      () => [
        [chainOf(ofBob), /has more links than the map knows of, which says 1/],
        [holdersOf(two), /has more links than the map knows of, which says 1/],
        [chainOf(ofAlice), null],
      ],
      () => [[ofBob, /It has more links than the map, which counts 1\./]],
    ],
    [
      'a map without an Avatar whose link was erased',
      async () => {
        const map = log.map();
        map.avatars.delete(ofDave);
        await log.appendMap({ map });
      },
      () => [[chainOf(ofDave), /has more links than the map knows of, which says 0/]],
      () => [],
    ],
    [
      'a map that does not follow an erasure',
      async () => {
        const map = log.map();
        map.identities.get(keyOfWallet(three))!.set(ofDave, log.indexOf(4));
        await log.appendMap({ map });
      },
      // The erasure is older than the map, so that the map should have no such binding any more.
      () => [
        [holdersOf(three), new RegExp(`of ${ofDave} is left out, which entry ${log.indexOf(4)} made`)],
        [chainOf(ofDave), null],
      ],
      () => [],
    ],
  ])('%s', async (_what, forge, complete, exports) => {
    await forge();
    await sign();

    await demand({ complete: complete(), exports: exports(), audit: [WRONG_MAP], check: WRONG_ROOT });
  });

  it('that hides a holder with all that the server shows of him is noticed by those alone who read the log', async () => {
    const map = log.map();
    map.identities.get(keyOfWallet(one))!.delete(ofBob);
    await log.appendMap({ map });
    await tamper(database.url, 'delete from proof where link_id = 2');
    await sign();

    await demand({
      complete: [
        [holdersOf(one), null],
        [isHeldBy(one, ofBob), null],
      ],
      audit: [WRONG_MAP],
      check: WRONG_ROOT,
    });
    expect(await sdkSays(chainOf(ofBob))).toBeNull();
  });

  it('over a leaf in the place of another key: the server refuses to answer, and its proof of absence is none', async () => {
    const [from, to] = [avatarKeyOf(ofBob), avatarKeyOf(ofAlice)];
    await log.appendMisplaced({ from, to });
    await sign();

    expect(await sdkSays(chainOf(ofAlice))).toMatchObject({ code: 'log_refused' });
    const proof = log.proofOfKey(to);
    expect(proof.end!.key).toBe(from);
    const answer = { key: to, value: null, proof, log_proof: await log.proofOf(log.size - 1) };
    lieAboutMap(() => answer);
    const words = /The proof does not lead from what was asked to the root of the map\./;
    await demand({ complete: [[chainOf(ofAlice), words]], audit: [WRONG_MAP], check: WRONG_ROOT });
  });

  it('with a root that is made up: nothing is proved by it; the log that goes on rightly shows it for ever', async () => {
    const index = log.size;
    expect(await askWitness(witness, server)).toBe(200);
    await log.appendMap({ root: 'ab'.repeat(32) });
    await sign();

    // A witness signs what continues the log.
    expect(await askWitness(witness, server)).toBe(200);

    expect(await sdkSays(chainOf(ofAlice))).toMatchObject({
      code: 'log_refused',
      message: 'The map of this server is not the one that was signed.',
    });
    expect(await commandSays(chainOf(ofAlice))).toMatchObject({ code: 'log_refused' });
    await demand({ complete: [], audit: [WRONG_MAP], check: WRONG_ROOT });

    await releaseLock();
    await linkWallet(server, carol, two);
    await headOfRecords(server, RECORDS + 1);
    for (const question of EVERYTHING) expect(await sdkSays(question)).toBeNull();
    const words = new RegExp(`^ALARM  map \\(entry ${index}\\): .* it has (ab){32}, and they make`);
    for (const { alarms } of [await audit(), await monitor()]) {
      expect(alarms).toEqual([expect.stringMatching(words)]);
    }
    expect((await check()).said).toMatch(new RegExp(`Entry ${index} commits to the map (ab){32};`));
  });
});

it('an answer of the map to another question proves nothing, whatever it says of its key', async () => {
  const [asked, other] = await Promise.all(
    [ofAlice, ofBob].map(async (avatar) => (await server.get(`/v1/log/map?avatar=${avatar}`)).body),
  );
  const lies: [object, RegExp][] = [
    [other, /It has the key of something else than what was asked\./],
    [{ ...other, key: asked.key }, /The proof does not lead from what was asked to the root of the map\./],
    [{ ...asked, value: other.value }, /Its value is not the one that its proof shows\./],
  ];
  for (const [lie, words] of lies) {
    lieAboutMap(() => lie);

    await demand({ complete: [[chainOf(ofAlice), words]], exports: [[ofAlice, words]], audit: [], check: null });
  }
});

describe('an entry of the map that is not where it belongs', () => {
  it('is not the last of its tree head', async () => {
    await linkWallet(server, carol, two);
    const honest = (await server.get(`/v1/log/map?avatar=${ofCarol}`)).body;
    const index = log.size - 1;
    await log.appendLink((await server.get('/v1/proofchain/changes?last_id=7')).body.links[0]);
    await sign();

    expect(await sdkSays(chainOf(ofCarol))).toMatchObject({ code: 'map_catching_up' });
    const answer = { ...honest, log_proof: await log.proofOf(index) };
    lieAboutMap(() => answer);
    await demand({
      complete: [
        [
          chainOf(ofCarol),
          new RegExp(`The entry is number ${index} of ${log.size}: the map is the last one of each tree head\\.`),
        ],
      ],
      audit: [
        [
          'map_missing',
          new RegExp(
            `The tree head of ${log.size} entries does not end with an entry of the map, as those before it do`,
          ),
        ],
      ],
      check: new RegExp(`The tree head of ${log.size} entries does not end with an entry of the map\\.`),
    });
  });

  it('is a second one of its size', async () => {
    const honest = (await server.get(`/v1/log/map?avatar=${ofAlice}`)).body;
    const size = log.size;
    await log.appendMap();
    await log.appendMap({ size });
    await sign();

    expect(await sdkSays(chainOf(ofAlice))).toMatchObject({ code: 'map_catching_up' });
    const answer = { ...honest, log_proof: await log.proofOf(size + 1) };
    lieAboutMap(() => answer);
    await demand({
      complete: [
        [
          chainOf(ofAlice),
          new RegExp(`The entry of the map is number ${size + 1} and says that it is about ${size} entries\\.`),
        ],
      ],
      audit: [
        ['map_size', new RegExp(`Entry ${size + 1} is the map of ${size} entries: it is not in its place\\.`)],
        ['map_missing', /does not end with an entry of the map/],
      ],
      check: new RegExp(`Entry ${size + 1} does not commit to the map of the entries before it\\.`),
    });
  });

  it('only calls itself one', async () => {
    const honest = (await server.get(`/v1/log/map?avatar=${ofAlice}`)).body;
    const index = log.size;
    // The first entry is one of the map where the log began before the first link.
    const { text } = log.entries.find(({ kind }) => kind === 'link')!;
    log.append('map', index, text.replace('"kind":"link"', '"kind":"map"'));
    await sign();

    expect(await sdkSays(chainOf(ofAlice))).toMatchObject({ code: 'map_catching_up' });
    const answer = { ...honest, log_proof: await log.proofOf(index) };
    lieAboutMap(() => answer);
    await demand({
      complete: [[chainOf(ofAlice), /What it proves is no entry of the map\./]],
      audit: [
        ['malformed_entry', /is not an entry of this service\./],
        ['map_missing', /does not end with an entry of the map/],
      ],
      check: new RegExp(`Entry ${index} does not commit to the map of the entries before it\\.`),
    });
  });

  it('is the text of a stranger: what people write becomes no entry of the map', async () => {
    await releaseLock();
    const { text } = log.entries.findLast(({ kind }) => kind === 'map')!;
    await writeKv(server, carol, text);
    await writeKv(server, carol, { kind: 'map', root: 'ab'.repeat(32), size: log.size });
    await headOfRecords(server, RECORDS + 2);

    await demand({ complete: [[contentOf(ofCarol), null]], audit: [], check: null });
    expect(await sdkSays(chainOf(ofAlice))).toBeNull();
  });
});

describe('what is left out of a database', () => {
  it('the newest revoke, with the binding back in its place', async () => {
    await tamper(database.url, 'delete from chain_link where id = 6', bindAgain(3));

    const missing = new RegExp(`1 of 2 links of ${ofCarol} is missing, the newest among them\\.`);
    const shown = new RegExp(`of ${ofCarol} is shown by entry ${log.indexOf(3)}, and was revoked since\\.`);
    await demand({
      complete: [
        [chainOf(ofCarol), missing],
        [holdersOf(one), missing],
        [isHeldBy(one, ofCarol), shown],
        [chainOf(ofAlice), null],
      ],
      exports: [[ofCarol, /Of 2 links, 1 is left out, the newest among them\./]],
      audit: [['content_missing', /The server does not show the (link|patch) /]],
      // The monitor has read that link before.
      monitor: [],
      check: /link 6 is not in the database any more/,
    });
  });

  it('a revoke, of look-ups alone, which the SDK notices by the chain', async () => {
    await tamper(database.url, bindAgain(3));

    const bound = /It shows a binding of 0x\w+ that its signed chain does not have\./;
    await demand({ complete: [[holdersOf(one), bound]], log: bound, audit: [], check: null });
    expect(await runVerify(database.url)).toMatchObject({ code: 1 });
  });

  it('a create, and so a holder, of look-ups alone', async () => {
    await tamper(database.url, 'delete from proof where link_id = 2');
    expect(await runVerify(database.url)).toMatchObject({ code: 1 });

    const left = new RegExp(`of ${ofBob} is left out, which entry ${log.indexOf(2)} made\\.`);
    await demand({
      complete: [
        [holdersOf(one), left],
        [isHeldBy(one, ofBob), left],
        [holdersOf(two), null],
      ],
      // Look-ups are no part of the log: what was signed is there.
      audit: [],
      check: null,
    });
  });

  it('the newest patch, with the content of before', async () => {
    await tamper(
      database.url,
      'delete from kv_patch where feed_id = 2',
      `update kv_entry set content = '{"name":"Alice"}' where avatar = '${ofAlice}'`,
    );

    await demand({
      complete: [[contentOf(ofAlice), new RegExp(`1 of 2 patches of ${ofAlice} is missing, the newest among them\\.`)]],
      exports: [[ofAlice, /Of 2 patches, 1 is left out, the newest among them\./]],
      audit: [['content_missing', /The server does not show the (link|patch) /]],
      monitor: [],
      check: /patch 2 is not in the database any more/,
    });
  });
});
