import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@signet/sdk';
import { type RunningApp, startApp } from '../../support/app.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { databaseSettings } from '../../support/engines.js';
import { until } from '../../support/until.js';
import { OldCommand, type OldRun } from './old-command.js';
import { type Case, type Holder, playScene } from './scene.js';

const [version, tree] = [process.env.RELEASE_VERSION!, process.env.RELEASE_TREE!];

/**
 * Of whom readers of before say that something is wrong, in which words, and why it is right that they do. Of all
 * others they say that all is well.
 */
const REFUSED: Partial<Record<Case, { [reader: string]: RegExp }>> = {
  // Patches behind `since_patch` are those of a thief: readers who add up all patches find other content.
  'succeeded, with content of a thief': { 'kv get': /is not what the signed patches add up to/ },
  // The Avatar did not sign it, and readers of before know no other signer.
  'with a patch of the key of an app': {
    'kv get': /does not verify|is not what|was not made by/,
    'kv chain': /does not verify|was not made by/,
    export: /does not verify|was not made by/,
    'verify of today’s export': /was not made by|canonical/,
  },
};
/** What a monitor of before says of patches that a key of an app signed. */
const BY_APP = /signature \(entry \d+\): The patch \d+ \(entry \d+\) does not verify/;

describe(`readers of ${version} beside a server of today, whose Avatars have key events`, () => {
  let database: TestDatabase;
  let server: RunningApp;
  let folder: string;
  let old: OldCommand;
  let logKey: string;
  let holders: Map<Case, Holder>;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'signet-readers-'));
    database = await createTestDatabase();
    server = await startApp({ databaseUrl: database.url });
    old = new OldCommand(tree, folder, server.baseUrl);
    holders = await playScene(server);
    const { body } = await server.get('/v1/log');
    logKey = body.verifier_key;
    await until(async () => (await server.get('/v1/log')).body.waiting === 0);
  });
  afterAll(async () => {
    await server?.close();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Each reader of one Avatar, by its name. */
  const readersOf = ({ avatar, wallet }: Holder): { [reader: string]: () => Promise<OldRun> } => {
    const key = avatar.key.compressed;
    const trust = ['--log-key', logKey];
    const file = path.join(folder, `${key}.json`);
    const verify = async (write: () => Promise<string>) => {
      await writeFile(file, await write());
      return old.run('verify', file, ...trust);
    };
    return {
      chain: () => old.run('chain', key, '--complete', ...trust),
      'kv get': () => old.run('kv', 'get', key, '--complete', ...trust),
      'kv chain': () => old.run('kv', 'chain', key, '--verify'),
      proofs: () => old.run('proofs', wallet.address, '--platform', 'ethereum', '--complete', ...trust),
      exists: () => old.run('exists', 'ethereum', wallet.address, key, '--complete', ...trust),
      export: async () => {
        const written = await old.run('export', key);
        return written.code === 0 ? verify(() => Promise.resolve(written.text)) : written;
      },
      'verify of today’s export': () =>
        verify(async () => JSON.stringify(await createClient({ baseUrl: server.baseUrl }).export(key))),
    };
  };

  it('find nothing wrong, but for what they cannot know', async () => {
    const wrong: string[] = [];
    for (const [name, holder] of holders) {
      for (const [reader, read] of Object.entries(readersOf(holder))) {
        const { code, text } = await read();
        const expected = REFUSED[name]?.[reader];
        const isAsExpected = expected ? code !== 0 && expected.test(text) : code === 0;
        if (!isAsExpected) wrong.push(`${reader} of an Avatar ${name} ended with ${code}: ${text}`);
      }
    }

    expect(wrong).toEqual([]);
  });

  it.each([
    ['log audit', ['log', 'audit']],
    ['monitor', ['monitor', '--once']],
  ])('see an unknown kind of entry in the log, and no alarm but of patches of keys of apps: %s', async (_, words) => {
    const { text } = await old.run(...words, '--log-key', logKey);

    const lines = text.split('\n');
    const alarms = lines.filter((line) => line.startsWith('ALARM'));
    expect(alarms).toEqual([expect.stringMatching(BY_APP)]);
    expect(lines.filter((line) => line.includes('of the kind key, which this version does not know'))).toHaveLength(1);
    expect(text).toMatch(/^ok .*entries, root/m);
  });

  it('read the stream of events', async () => {
    const [json, lines] = [await old.run('events', '--json'), await old.run('events')];

    expect([json.code, lines.code, lines.text]).toEqual([0, 0, expect.stringContaining('key.succeeded')]);
  });

  it('say that they cannot check the log of a server of today, where its operator runs their commands', async () => {
    const settings = { ...databaseSettings(database.url), LOG_LEVEL: 'error' };
    const check = await old.runFile('scripts/log.mjs', ['check'], settings);
    const verify = await old.runFile('scripts/verify.mjs', [], settings);

    // 2: not everything could be checked. The commands of an operator are those of the newest server.
    expect(check.code).toBe(2);
    expect([verify.code, verify.text]).toEqual([
      1,
      expect.stringMatching(/^ProofChains: .*All verify[^]*^Key-value: BAD/m),
    ]);
  });
});
