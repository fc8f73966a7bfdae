import { execFileSync } from 'node:child_process';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { copyLikeRsync } from '../support/copy-like-rsync.js';
import { copyMigratedCluster, startEmbeddedTestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { headOfRecords } from './log-client.js';

const [alice, mallory] = [anAvatar('alice'), anAvatar('mallory')];
const isHeadFile = (name: string) => name.startsWith('log-head-');

const LOG_PROGRAM = fileURLToPath(new URL('../../scripts/log.mjs', import.meta.url));

const start = async (DATA_DIR: string, env: Record<string, string> = {}): Promise<RunningApp> =>
  startApp({ database: await startEmbeddedTestDatabase(DATA_DIR), env: { DATA_DIR, ...env } });

/** Starts a server on the folder, has it sign one more link, and stops it. Returns the size of its log. */
async function growTo(data: string, links: number, env: Record<string, string> = {}): Promise<number> {
  const server = await start(data, env);
  try {
    await linkWallet(server, alice, aWallet(`wallet ${links}`));
    return (await headOfRecords(server, links)).size;
  } finally {
    await server.close();
  }
}

/** What a server on the folder says of its log after one more link. */
async function judge(
  data: string,
  env: Record<string, string> = {},
): Promise<{ state: string; problem: string; size: number; hasReceipt: boolean }> {
  const server = await start(data, env);
  try {
    const log = async () => (await server.get('/v1/log')).body;
    await until(async () => (await log()).state !== 'catching_up');
    const link = await linkWallet(server, mallory, aWallet('after the restore'));
    const { size: before } = await log();
    // Either it is signed, or it waits and the log is refused.
    await until(async () => (await log()).size > before || (await log()).state === 'refused');
    const { state, problem, size } = await log();
    return { state, problem, size, hasReceipt: link.body.receipt !== undefined };
  } finally {
    await server.close();
  }
}

it.each<[string, (data: string, backup: string) => Promise<void> | void]>([
  ['rsync -a --delete over the folder', (data, backup) => copyLikeRsync(backup, data, { deletes: true })],
  [
    'cp -a over the folder, without the files of the newest tree head',
    (data, backup) => {
      execFileSync('sh', ['-c', 'cp -a "$0"/. "$1" && rm -f "$1"/log-head-*', backup, data]);
    },
  ],
])('an embedded database that is put back by %s signs nothing', async (_how, putBack) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
  const [data, backup] = [path.join(folder, 'data'), path.join(folder, 'backup')];
  await copyMigratedCluster(data);
  const oldSize = await growTo(data, 1);
  await copyLikeRsync(data, backup, { keeps: isHeadFile });
  await growTo(data, 2);
  const size = await growTo(data, 3);

  await putBack(data, backup);
  const { problem, ...found } = await judge(data);

  expect(size).toBeGreaterThan(oldSize + 1);
  expect(found).toEqual({ state: 'refused', size: oldSize, hasReceipt: false });
  expect(problem).toMatch(/^This database was restored from a copy, or moved/);
});

describe('an embedded database whose copy went on by the word of the operator, and that is moved back', () => {
  /** Returns what the server says in the end, and the sizes of the log when it was moved aside and that of its copy. */
  async function moveBack(folder: string, env: Record<string, string>) {
    const [data, aside] = [path.join(folder, 'data'), path.join(folder, 'aside')];
    await copyMigratedCluster(data);
    const oldSize = await growTo(data, 1, env);
    await rename(data, aside);
    await copyLikeRsync(aside, data);
    const said = execFileSync(process.execPath, [LOG_PROGRAM, 'continue', 'the disk was changed'], {
      env: { ...process.env, DATA_DIR: data, ...env },
      encoding: 'utf8',
    });
    const copySize = await growTo(data, 2, env);
    await rm(data, { recursive: true });
    await rename(aside, data);
    return { said, oldSize, copySize, ...(await judge(data, env)) };
  }

  it('signs nothing where LOG_HEAD_FOLDERS has the newest tree head', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    const found = await moveBack(folder, { LOG_HEAD_FOLDERS: path.join(folder, 'heads') });

    expect(found.said).toMatch(/goes on here/);
    expect(found.copySize).toBeGreaterThan(found.oldSize);
    expect(found).toMatchObject({ state: 'refused', size: found.oldSize, hasReceipt: false });
    expect(found.problem).toContain(`A tree head of ${found.copySize} entries was signed`);
  });

  it('signs a second history where nothing else remembers, as docs/log.md says', async () => {
    const found = await moveBack(await mkdtemp(path.join(tmpdir(), 'signet-test-')), {});

    expect(found).toMatchObject({ said: expect.stringMatching(/goes on here/), state: 'ok', problem: '' });
    expect(found.size).toBeGreaterThan(found.oldSize);
  });
});
