import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DataFolderInUseError, lockDataFolder } from '../../src/database/data-folder-lock.js';
import { BUILT, type Child, runModule } from '../support/child.js';

const HOLDER = `
  import { lockDataFolder } from '${BUILT}database/data-folder-lock.js';
  try {
    await lockDataFolder(process.argv[1]);
    console.log('locked');
    setInterval(() => {}, 1000);
  } catch (error) {
    console.log(error.name + ': ' + error.message);
  }
`;

describe('the lock of the data folder', () => {
  let folder: string;
  const children: Child[] = [];

  const runHolder = () => {
    const child = runModule(HOLDER, folder);
    children.push(child);
    return child;
  };

  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'signet-test-')), 'data');
  });

  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill9()));
    await rm(path.dirname(folder), { recursive: true });
  });

  it('makes the folder for its owner only', async () => {
    const lock = await lockDataFolder(folder);

    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await lock.release();
  });

  it('refuses a second process and names the first', async () => {
    const first = runHolder();
    expect(await first.line()).toBe('locked');

    const answer = await runHolder().line();

    expect(answer).toBe(
      `DataFolderInUseError: The data folder ${folder} is in use by another process (pid ${first.process.pid}). ` +
        'Stop that one first, or set DATA_DIR to another folder.',
    );
  });

  it('refuses a second opening in the same process', async () => {
    const lock = await lockDataFolder(folder);

    await expect(lockDataFolder(folder)).rejects.toThrow(DataFolderInUseError);
    await lock.release();
  });

  it('survives the refusal of somebody else', async () => {
    const lock = await lockDataFolder(folder);

    await expect(lockDataFolder(folder)).rejects.toThrow(DataFolderInUseError);

    expect(await runHolder().line()).toContain('DataFolderInUseError');
    await lock.release();
  });

  it('is free again after a release', async () => {
    await (await lockDataFolder(folder)).release();

    expect(await runHolder().line()).toBe('locked');
  });

  it('ends with its process, even when that is killed', async () => {
    const holder = runHolder();
    expect(await holder.line()).toBe('locked');
    await holder.kill9();

    const lock = await lockDataFolder(folder);

    await lock.release();
  });
});
