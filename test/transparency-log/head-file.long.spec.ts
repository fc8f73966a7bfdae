import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HeadFile, HeadFiles } from '../../src/transparency-log/signing/heads/head-files.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { getRaw, headOfRecords } from './log-client.js';

const ORIGIN = 'head-file.example/log';
/** Of each of two processes; without a lock, 2 or 3 of 1500 went back. */
const WRITES = Number(process.env.HEAD_WRITES ?? 1500);
const WRITER = fileURLToPath(new URL('head-writer.mjs', import.meta.url));
const aFolder = () => mkdtemp(path.join(tmpdir(), 'signet-test-'));
const headOf = (size: number, digit = 'a') => ({ size, root: Buffer.from(digit.repeat(64), 'hex') });

it('two processes that share a folder never go back to a smaller tree head', async () => {
  const folder = await aFolder();
  const problems: string[] = [];
  const writers = [0, 1].map((place) => {
    const child = fork(WRITER, [folder, ORIGIN, String(place), String(WRITES)], { execArgv: [] });
    child.on('message', (problem: string) => problems.push(problem));
    return once(child, 'exit');
  });

  const codes = (await Promise.all(writers)).map(([code]) => code as number);

  expect(problems).toEqual([]);
  expect(codes).toEqual([0, 0]);
  expect((await new HeadFile(folder, ORIGIN).read())!.size).toBe(2 * WRITES);
  expect((await readdir(folder)).map((name) => name.replace(/[0-9a-f]{16}/, '')).sort()).toEqual([
    'log-head-.json',
    'log-head-.json.lock',
  ]);
});

it('the drafts of a process that was killed are removed, and those of one that is at work are not', async () => {
  const folder = await aFolder();
  await new HeadFile(folder, ORIGIN).write(headOf(1));
  const name = (await readdir(folder)).find((one) => one.endsWith('.json'))!;
  const [left, fresh] = [`${name}.host-7-0123456789ab`, `${name}.host-8-0123456789ab`];
  for (const draft of [left, fresh]) await writeFile(path.join(folder, draft), '{');
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(path.join(folder, left), hourAgo, hourAgo);

  await new HeadFile(folder, ORIGIN).write(headOf(2));

  expect((await readdir(folder)).sort()).toEqual([fresh, name, `${name}.lock`].sort());
});

it('of several folders the largest tree head counts, and two of one size are no answer', async () => {
  const [DATA_DIR, other] = [await aFolder(), await aFolder()];
  const files = new HeadFiles({ DATA_DIR, LOG_HEAD_FOLDERS: [other] }, ORIGIN);
  await files.write(headOf(3));
  await new HeadFile(other, ORIGIN).write(headOf(5));

  expect(await files.read()).toEqual(headOf(5));
  await new HeadFile(DATA_DIR, ORIGIN).write(headOf(5, 'b'));
  await expect(files.read()).rejects.toThrow('two different tree heads of 5 entries');
});

describe('a server that cannot write its file', () => {
  let server: RunningApp;
  afterAll(() => server?.close());

  it('says so in /v1/log, in health checks and in a metric, as long as it lasts', async () => {
    const folder = await aFolder();
    const DATA_DIR = path.join(folder, 'data');
    await mkdir(DATA_DIR);
    server = await startApp({ env: { DATA_DIR } });
    await linkWallet(server, anAvatar('alice'), aWallet('one'));
    await headOfRecords(server, 1);
    const seen = async () => ({
      log: (await server.get('/v1/log')).body.head_problem,
      ready: (await server.get('/readyz')).body.log.head_problem,
      health: (await server.get('/healthz')).body.log.head_problem,
    });
    const unsaved = async () => /^signet_log_head_unsaved (\d)$/m.exec((await getRaw(server, '/metrics')).text)?.[1];
    const isUnsaved = (expected: string) => until(async () => (await unsaved()) === expected);

    await isUnsaved('0');
    const before = await seen();
    // As a volume that is lost; a test that runs as root can write to everything else.
    await rename(DATA_DIR, path.join(folder, 'away'));
    await writeFile(DATA_DIR, '');
    await linkWallet(server, anAvatar('alice'), aWallet('two'));
    await headOfRecords(server, 2);
    const during = await seen();
    await isUnsaved('1');
    await rm(DATA_DIR);
    await rename(path.join(folder, 'away'), DATA_DIR);
    await until(async () => (await seen()).log === '');
    await isUnsaved('0');

    expect(before).toEqual({ log: '', ready: '', health: '' });
    const sentence = 'The newest tree head cannot be written to DATA_DIR (EEXIST).';
    expect(during).toEqual({ log: sentence, ready: sentence, health: sentence });
    const { origin, size } = (await server.get('/v1/log')).body;
    expect((await new HeadFiles({ DATA_DIR }, origin).read())!.size).toBe(size);
  });
});
