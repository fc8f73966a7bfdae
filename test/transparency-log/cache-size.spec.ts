import { totalmem } from 'node:os';
import { cacheBytes } from '../../src/transparency-log/published/full-tiles.js';

const MIB = 1024 * 1024;

it.each([
  [{ WORKERS: 1 }, 1024 * MIB, 128 * MIB],
  [{ WORKERS: 1 }, 64 * 1024 * MIB, 512 * MIB],
  [{ WORKERS: 4 }, 1024 * MIB, 32 * MIB],
  [{ WORKERS: 3, LOG_CACHE_BYTES: 10 * MIB }, 1024 * MIB, Math.floor((10 * MIB) / 3)],
])('with %j and %d bytes of memory a process keeps files of %d bytes', (settings, memory, bytes) => {
  expect(cacheBytes(settings, memory)).toBe(bytes);
});

it('knows how much memory there is', () => {
  const bytes = cacheBytes({ WORKERS: 1 });

  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(Math.min(512 * MIB, totalmem() / 8));
});
