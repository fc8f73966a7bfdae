import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadEnvironment } from '../../../src/config/environment.js';
import { openDatabase } from '../../../src/database/database.js';
import { migrate } from '../../../src/database/schema/migrator.js';
import { type EvmStandIn, startEvm } from '../../../packages/look/test/support/evm-stand-in.js';
import { ADMIN_TOKEN } from '../../support/admin.js';
import { startApp } from '../../support/app.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/database.js';
import { databaseSettings } from '../../support/engines.js';
import { playScene } from '../readers/scene.js';
import { OutsideWorld, UNLIMITED } from '../releases/accounts.js';
import { differencesOf, type Expected } from '../releases/differences.js';
import { EXPECTED } from '../releases/expected.js';
import { type ReleaseServer, runOfRelease, startRelease } from '../releases/make/release-server.js';
import { contents, erasedRecords, proofsInEveryState, wallets } from '../releases/make/story.js';
import { askEverything, askUntilStill } from '../releases/record.js';
import type { RecordedAnswer } from '../releases/release-data.js';

const [version, tree] = [process.env.RELEASE_VERSION!, process.env.RELEASE_TREE!];
const TIMEOUT_MS = 30 * 60_000;
const AGO_MS = -6 * 24 * 3_600_000;
/** Behind 0.2.0 no commit answers otherwise than that, and time goes on. */
const IN_ORDER: Expected[] = [
  ...(EXPECTED[version] ?? EXPECTED['0.2.0']!),
  { path: /^\/(jobs|revalidation)$/, member: /./, why: 'time has passed, and what is due with it' },
  { path: /^\/v1\/keys$/, member: /^now$/, why: 'time has passed' },
];

let world: OutsideWorld;
let chains: EvmStandIn[];
let database: TestDatabase;
let folder: string;
const servers: ReleaseServer[] = [];
beforeAll(async () => {
  world = await OutsideWorld.start();
  chains = await Promise.all([startEvm(1), startEvm(10)]);
  database = await createEmptyDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'signet-before-'));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill9()));
  await Promise.all([world.close(), ...chains.map((chain) => chain.close())]);
  await database.drop();
  await rm(folder, { recursive: true });
});

/** What is asked of the keys of some Avatars. */
async function askKeys(server: Pick<ReleaseServer, 'get'>, avatars: string[]): Promise<RecordedAnswer[]> {
  const paths = avatars.flatMap((avatar) => [`/v1/keys?avatar=${avatar}`, `/v1/keys/chain?avatar=${avatar}`]);
  const answers: RecordedAnswer[] = [];
  for (const asked of [...paths, '/v1/keys/changes?last_id=0&count=100']) {
    const { status, body } = await server.get(asked);
    answers.push({ path: asked, status, body: body as unknown });
  }
  return answers;
}

it(
  `data that ${version} has made is answered by this version as before, member by member`,
  async () => {
    const own = { ...databaseSettings(database.url), DATA_DIR: folder };
    const settings = { ...own, ...world.settings, ETH_RPC_URLS: chains.map(({ setting }) => setting).join() };
    const start = async (more: Record<string, string>, aheadMs: number) => {
      const server = await startRelease(tree, { ...settings, RATE_BUDGETS: UNLIMITED, ...more }, world, aheadMs);
      servers.push(server);
      return server;
    };
    let server = await start({}, AGO_MS);
    await wallets(server, chains, true);
    await proofsInEveryState(server, world, AGO_MS);
    await contents(server);
    const erased = await erasedRecords(server);
    await server.stop();
    for (const words of erased)
      await runOfRelease(tree, own, ['scripts/log.mjs', 'erase', ...words, '--reason', 'order 12', '--yes']);
    server = await start({ REVALIDATION: 'off' }, 0);
    const hasKeys = (await server.get('/v1/keys/changes?last_id=0&count=10')).status === 200;
    const holders = hasKeys ? [...(await playScene(server)).values()] : [];
    const keys = holders.map(({ avatar }) => avatar.key.compressed);
    const before = [...(await askUntilStill(server, true)), ...(hasKeys ? await askKeys(server, keys) : [])];
    await server.kill9();

    const opened = await openDatabase(loadEnvironment(databaseSettings(database.url)));
    await migrate(opened.directUrl);
    const app = await startApp({
      env: { ADMIN_TOKEN, DATA_DIR: folder, ...world.settings, REVALIDATION: 'off' },
      database: opened,
      transport: await world.transport(),
    });
    try {
      const after = [...(await askEverything(app, true)), ...(hasKeys ? await askKeys(app, keys) : [])];

      expect(before.length).toBeGreaterThan(100);
      expect(differencesOf(before, after, IN_ORDER)).toEqual([]);
    } finally {
      await app.close();
    }
  },
  TIMEOUT_MS,
);
