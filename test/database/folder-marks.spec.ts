import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FolderMarks } from '../../src/database/embedded/folder-marks.js';
import { copyLikeRsync } from '../support/copy-like-rsync.js';

/** A data folder whose database names the mark of its last start, and a backup of it from before that start. */
async function aFolderWithBackup() {
  const root = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
  const [data, backup] = [path.join(root, 'data'), path.join(root, 'backup')];
  await mkdir(path.join(data, 'pglite'), { recursive: true });
  const start = async () => {
    const marks = await FolderMarks.read(data);
    await marks.renew();
    await marks.removeOlder();
    return marks.identity!;
  };
  const inBackup = await start();
  execFileSync('cp', ['-a', data, backup]);
  return { root, data, backup, inBackup, now: await start() };
}

const names = async (data: string) => (await readdir(path.join(data, 'pglite'))).sort();

it.each<[string, (data: string, backup: string) => unknown]>([
  ['rsync -a --delete over the folder', (data, backup) => copyLikeRsync(backup, data, { deletes: true })],
  ['rsync -a over the folder', (data, backup) => copyLikeRsync(backup, data)],
  ['cp -a over the folder', (data, backup) => execFileSync('cp', ['-a', `${backup}/.`, data])],
  [
    'tar over the folder',
    (data, backup) => execFileSync('sh', ['-c', `tar -C "$0" -cf - . | tar -C "$1" -xf -`, backup, data]),
  ],
  [
    'cp -a in its place',
    async (data, backup) => {
      await rm(data, { recursive: true });
      execFileSync('cp', ['-a', backup, data]);
    },
  ],
  [
    'the copy itself, moved into its place',
    async (data, backup) => {
      await rm(data, { recursive: true });
      await rename(backup, data);
    },
  ],
])('a copy that was put back by %s does not have the mark that its database names', async (_how, putBack) => {
  const { data, backup, inBackup, now } = await aFolderWithBackup();
  expect((await FolderMarks.read(data)).knows(now)).toBe(true);

  await putBack(data, backup);

  expect((await FolderMarks.read(data)).knows(inBackup)).toBe(false);
});

it('a folder that was moved away and back, or elsewhere, has its mark', async () => {
  const { root, data, now } = await aFolderWithBackup();
  const elsewhere = path.join(root, 'elsewhere');

  await rename(data, elsewhere);
  expect((await FolderMarks.read(elsewhere)).knows(now)).toBe(true);
  await rename(elsewhere, data);

  expect((await FolderMarks.read(data)).knows(now)).toBe(true);
});

it('a start that is killed between two of its steps leaves a folder that has the mark that its database names', async () => {
  const { data, now } = await aFolderWithBackup();

  const killed = await FolderMarks.read(data);
  await killed.renew();

  const [before, after] = [await FolderMarks.read(data), await FolderMarks.read(data)];
  // Whether the database has the old identity or the new one.
  expect([before.knows(now), before.knows(killed.identity!)]).toEqual([true, true]);
  expect([killed.isAlone, before.isAlone]).toEqual([false, false]);
  await after.renew();
  await after.removeOlder();
  expect(after.isAlone).toBe(true);
  expect(await names(data)).toHaveLength(1);
});

it('what only reads changes nothing in the folder', async () => {
  const { data } = await aFolderWithBackup();
  const before = await names(data);

  const marks = await FolderMarks.read(data);
  await marks.removeOlder();

  expect(await names(data)).toEqual(before);
  expect({ isFresh: marks.isFresh, identity: marks.identity }).toEqual({ isFresh: false, identity: null });
});
