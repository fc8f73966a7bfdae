import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readState, StateKeeper } from '../src/state-file.js';

describe('a state that changes all the while', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'signet-state-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is kept at once, again when keeping it takes little of the time, and always at the end', async () => {
    const file = path.join(folder, 'state.json');
    const times = [0, 0, 100];
    const keeper = new StateKeeper(file, () => times.shift()!);
    const after = async (ms: number, how: 'keep' | 'keepSometimes', state: number) => {
      times.push(ms, ms, ms);
      await keeper[how]({ state });
      times.length = 0;
      return (await readState<{ state: number }>(file))?.state;
    };

    // Takes 100 ms, so it is due again after 2,000.
    await keeper.keepSometimes({ state: 1 });
    times.length = 0;

    expect(await readState(file)).toEqual({ state: 1 });
    expect(await after(2099, 'keepSometimes', 2)).toBe(1);
    expect(await after(2100, 'keepSometimes', 3)).toBe(3);
    expect(await after(2101, 'keep', 4)).toBe(4);
  });

  it('is not kept where no file is named', async () => {
    const keeper = new StateKeeper(undefined);

    await keeper.keep(1);
    await keeper.keepSometimes(2);

    expect(readdirSync(folder)).toEqual([]);
  });
});
