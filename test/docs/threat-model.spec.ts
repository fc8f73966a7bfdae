import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { declaredSettings } from './declared-settings.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENTS = ['docs/threat-model.md', 'docs/operations.md', 'docs/scaling.md', 'SECURITY.md'];
/** A path of the repository in backquotes, such as `test/outbound/slots.spec.ts` or `docker/alerts.yml`. */
const NAMED_PATH = /`((?:test|src|scripts|docker|bench|docs|packages)\/[\w./-]+)`/g;

const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1]!);

describe.each(DOCUMENTS)('%s', (document) => {
  const text = read(document);

  it('names only files that exist', () => {
    expect(all(text, NAMED_PATH).filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
  });

  it('links only to files that exist', () => {
    const folder = path.join(ROOT, path.dirname(document));
    const links = all(text, /\]\((?!https?:)([^)#]+)\)/g);

    expect(links.filter((link) => !existsSync(path.join(folder, link)))).toEqual([]);
  });

  it('names only npm scripts and settings that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const settings = declaredSettings();
    // Those of OpenTelemetry are read by its own library, the others by tests and a script.
    const foreign = /^(OTEL_\w+|STORAGE_PROOFS|TEST_DATABASE_URL)$/;
    const named = all(text, /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g);

    expect(all(text, /npm run ([a-z:-]+)/g).filter((name) => !(name in scripts))).toEqual([]);
    expect(named.filter((name) => !settings.includes(name) && !foreign.test(name))).toEqual([]);
  });
});

describe('docs/threat-model.md', () => {
  it('names a test for everything that is prevented', () => {
    const rows = all(read('docs/threat-model.md'), /^\| (?!---|attempt|what is said)(.+) \|$/gm);

    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => !/`(?:packages\/\w+\/)?test\/[\w./-]+`/.test(row))).toEqual([]);
  });
});
