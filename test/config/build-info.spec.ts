import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readBuildInfo } from '../../src/config/build-info.js';

describe('what is known of the build', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'signet-test-'));
  const file = pathToFileURL(path.join(folder, 'build-info.json'));

  afterAll(() => rmSync(folder, { recursive: true }));

  it('is what the build wrote', () => {
    writeFileSync(file, '{"built_at":1763700000,"revision":"1f0c9d2e5b7a4c3d8e9f0a1b2c3d4e5f6a7b8c9d"}\n');

    expect(readBuildInfo(file)).toEqual({
      builtAt: 1_763_700_000,
      revision: '1f0c9d2e5b7a4c3d8e9f0a1b2c3d4e5f6a7b8c9d',
    });
  });

  it('is the start of the process and an unknown commit where nothing was built', () => {
    const { builtAt, revision } = readBuildInfo(pathToFileURL(path.join(folder, 'missing.json')));

    const started = Date.now() / 1000 - process.uptime();
    expect(revision).toBe('unknown');
    expect(Number.isInteger(builtAt)).toBe(true);
    expect(Math.abs(builtAt - started)).toBeLessThan(2);
  });
});
