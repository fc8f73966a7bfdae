import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Environment } from '../../src/config/environment.js';
import { declaredSettings } from './declared-settings.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const sources = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(ROOT, 'src', name), 'utf8'));

/** The words in the first column of the tables whose head starts with `head`. */
function firstColumn(head: string): string[] {
  const table = readme.split(`| ${head} |`)[1]!.split('\n\n')[0]!;
  return [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap((row) =>
    [...row[1]!.matchAll(/`([^`]+)`/g)].map((word) => word[1]!),
  );
}

describe('the README', () => {
  it('names every setting, and no other', () => {
    const declared = declaredSettings();

    expect(declared).toEqual(expect.arrayContaining(Object.keys(new Environment())));
    expect(firstColumn('setting').sort()).toEqual(declared.sort());
  });

  it('lists only error codes that exist', () => {
    const missing = firstColumn('code').filter((code) => !sources.some((text) => text.includes(`'${code}'`)));

    expect(missing).toEqual([]);
  });

  it('lists the code of every error class and every refusal', () => {
    const listed = firstColumn('code');
    const thrown = sources.flatMap((text) =>
      [...text.matchAll(/(?:Error|refusal|invalid)\([^;]*?,\s*'([a-z]+(?:_[a-z]+)+)',?\s*\)/g)].map(
        (match) => match[1]!,
      ),
    );

    expect(thrown.length).toBeGreaterThan(20);
    expect([...new Set(thrown)].filter((code) => !listed.includes(code))).toEqual([]);
  });

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm run ([a-z:-]+)/g)].map((match) => match[1]!);

    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('links only to files that exist', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1]!);
    const here = new Set(
      readdirSync(ROOT, { encoding: 'utf8' }).concat(
        readdirSync(path.join(ROOT, 'docs')).map((name) => `docs/${name}`),
      ),
    );

    expect(links.filter((link) => !here.has(link))).toEqual([]);
  });
});
