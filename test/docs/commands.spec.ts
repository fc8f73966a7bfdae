/** The command in documents, as it is outside of a checkout: the bare name `signet` on npm is of another project. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const textOf = (page: string) => readFileSync(path.join(ROOT, page), 'utf8');

it('names no package of another project', () => {
  expect(PAGES.length).toBeGreaterThan(30);
  expect(PAGES.filter((page) => /npx (--yes |-y )?signet\b|npm (i|install) (-g )?signet\b/.test(textOf(page)))).toEqual(
    [],
  );
});

it('says in every block of commands how to run it without a checkout', () => {
  // The README of the command says so above its first block.
  const pages = PAGES.filter((page) => page !== 'packages/cli/README.md' && page !== 'CHANGELOG.md');
  const bare = pages.filter((page) =>
    [...textOf(page).matchAll(/^```\w*\n([^]*?)^```/gm)].some(([, block]) => /(^|\$\(|\| )signet [a-z]/m.test(block!)),
  );

  expect(bare).toEqual([]);
});
