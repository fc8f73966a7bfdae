import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = path.join(ROOT, 'vectors');
const read = (name: string): string => readFileSync(path.join(FOLDER, name), 'utf8');

interface Vector {
  id: string;
  expected: { ok: boolean; reasons: string[]; not_checkable: string[] };
}

describe('vectors/', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  const all = files.map((name) => ({ name, vectors: (JSON.parse(read(name)) as { vectors: Vector[] }).vectors }));
  const readme = read('README.md');

  it('is what `npm run vectors` writes, and this package says the same of all of it', async () => {
    const check = promisify(execFile)(process.execPath, ['scripts/write-vectors.mjs', '--check'], { cwd: ROOT });

    const { stdout, stderr } = await check;
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^(9\d\d|\d{4}) of \1 vectors as expected$/m);
  });

  it('names each vector once in its file', () => {
    const twice = all.flatMap(({ name, vectors }) =>
      vectors
        .filter(({ id }, place) => vectors.findIndex((other) => other.id === id) < place)
        .map(({ id }) => name + id),
    );

    expect(twice).toEqual([]);
  });

  it('says in its README what each file holds, and lists just the reasons that occur', () => {
    const expectations = all.flatMap(({ vectors }) => vectors.map(({ expected }) => expected));
    const occur = new Set(expectations.flatMap(({ reasons, not_checkable: open }) => [...reasons, ...open]));
    const listed = [...readme.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| .* \| .* \|$/gm)].flatMap(([, names]) =>
      names!.split(', ').map((name) => name.slice(1, -1)),
    );

    expect(files.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
    expect(listed.sort()).toEqual([...occur].sort());
  });
});
