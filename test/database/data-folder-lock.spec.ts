import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DataFolderInUseError, lockDataFolder } from '../../src/database/embedded/data-folder-lock.js';
import { DataFolderUnusableError, explainFolderError } from '../../src/database/embedded/data-folder-problems.js';
import { BUILT, type Child, runModule } from '../support/child.js';

const HOLDER = `
  import { lockDataFolder } from '${BUILT}database/embedded/data-folder-lock.js';
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

  it('says whose folder it has to be where this user may not write', async () => {
    await (await lockDataFolder(folder)).release();
    await chmod(path.dirname(folder), 0o755);
    await chmod(path.join(folder, 'lock'), 0o400);
    await chmod(folder, 0o500);

    const problem = await asOrdinaryUser(() => lockDataFolder(folder).catch((error: Error) => error.message));

    expect(problem).toMatch(/^The data folder .*\/data is not writable for this user \(uid \d+\)\. .*chown -R \d+ /);
  });

  it.each([
    ['EROFS', 'is on a read-only file system'],
    ['ENOSPC', 'is full. Make room'],
    ['EDQUOT', 'is full. Make room'],
  ])('explains %s, by itself or in the words of the engine', (code, words) => {
    const errors = [
      Object.assign(new Error(), { code }),
      new Error(`its cluster cannot be made: Error: ${code}: open`),
    ];

    for (const error of errors) {
      expect(explainFolderError('/data', error)).toBeInstanceOf(DataFolderUnusableError);
      expect(String(explainFolderError('/data', error))).toContain(words);
    }
  });

  it('leaves errors alone that have nothing to do with the folder', () => {
    const error = new Error('its thread ended');

    expect(explainFolderError('/data', error)).toBe(error);
  });
});

/** Root may write everywhere, so for this long it is somebody else. */
async function asOrdinaryUser<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.geteuid!() !== 0) return work();
  process.seteuid!(65534);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
  }
}
