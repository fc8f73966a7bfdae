import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runHere } from './terminal.js';

it('a file of more than 64 MiB is refused before it is read', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'signet-large-'));
  try {
    const file = path.join(folder, 'me.json');
    writeFileSync(file, '{}');
    truncateSync(file, 64 * 1024 * 1024 + 1);

    const { code, text } = await runHere(['verify', file]);

    expect(code).toBe(2);
    expect(text).toContain('me.json has more than 64 MiB, which is more than is read.');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
