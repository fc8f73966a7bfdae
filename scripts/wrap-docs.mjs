/**
 * Wraps the prose of all Markdown files of the repository at 120 columns: part of `npm run format`. With `--check`
 * changes nothing, and fails if a file is wrapped otherwise: part of `npm run lint`. Prettier could do this too, but
 * pads all cells of a table to the same width.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { wrapMarkdown } from './reference/wrap-markdown.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const isCheck = process.argv.includes('--check');

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: ROOT });
for (const name of new Set(files.toString().split('\n').filter(Boolean))) {
  const text = readFileSync(ROOT + name, 'utf8');
  const wrapped = wrapMarkdown(text);
  if (wrapped === text) continue;
  if (!isCheck) {
    writeFileSync(ROOT + name, wrapped);
    continue;
  }
  console.error(`${name} is not wrapped at 120 columns; run: npm run format`);
  process.exitCode = 1;
}
