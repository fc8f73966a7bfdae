import { KEY_REFUSALS } from '@signet/verify/key-events';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Environment } from '../../src/config/environment.js';
import { secretSettings } from '../../src/config/setting-kinds.js';
import { codeOfStatus } from '../../src/http/error-body.js';
import errorGroups from '../../src/api-description/error-codes.json' with { type: 'json' };
import { declaredSettings } from './declared-settings.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const page = (name: string): string => readFileSync(path.join(ROOT, 'docs/reference', name), 'utf8');
const sources = ['src', 'packages/look/src'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(path.join(ROOT, folder, name), 'utf8')),
);

describe('docs/reference', () => {
  it('is what `npm run reference` writes', async () => {
    const check = promisify(execFile)(process.execPath, ['scripts/write-reference.mjs', '--check'], { cwd: ROOT });

    await expect(check).resolves.toMatchObject({ stderr: '' });
  });

  it('has every setting with a meaning, and no other', () => {
    const rows = [...page('settings.md').matchAll(/^\| `([A-Z0-9_]+)`( 🔑)? \| .* \| (.+) \|$/gm)];
    const names = rows.map((row) => row[1]!);

    expect(names.sort()).toEqual(declaredSettings().sort());
    expect(names).toEqual(expect.arrayContaining(Object.keys(new Environment())));
    const secrets = rows.filter((row) => row[2] !== undefined).map((row) => row[1]!);
    expect(secrets.sort()).toEqual(secretSettings());
  });

  it('marks as secret what SECURITY.md lists, and SECURITY.md lists all of them', () => {
    const security = readFileSync(path.join(ROOT, 'SECURITY.md'), 'utf8');

    expect(secretSettings().filter((name) => !security.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the error codes', () => {
  const codes = Object.values(errorGroups).flat();
  const listed = codes.map(({ code }) => code);

  it('are listed once', () => {
    expect(listed.filter((code, index) => listed.indexOf(code) !== index)).toEqual([]);
  });

  it('are all used by the service', () => {
    const isUsed = (code: string) => code in KEY_REFUSALS || sources.some((text) => text.includes(`'${code}'`));

    expect(listed.filter((code) => !isUsed(code))).toEqual([]);
  });

  it('hold the code of every error class and every refusal', () => {
    const thrown = sources.flatMap((text) =>
      [
        ...text.matchAll(/(?:Error|refusal|invalid)\([^;]*?,\s*'([a-z]+(?:_[a-z]+)+)',?\s*\)/g),
        ...text.matchAll(/\bcode: '([a-z_]+)'/g),
      ].map((match) => match[1]!),
    );

    expect(thrown.length).toBeGreaterThan(25);
    expect([...new Set(thrown)].filter((code) => !listed.includes(code))).toEqual([]);
  });

  it.each([400, 401, 404, 408, 413, 414, 429, 431, 500, 503])('hold the code that stands for status %i', (status) => {
    expect(codes).toContainEqual(expect.objectContaining({ code: codeOfStatus(status), status }));
  });
});
