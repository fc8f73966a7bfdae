/**
 * Writes docs/reference from the sources: settings, error codes and platforms.
 *
 * npm run reference                 writes the pages
 * npm run reference -- --check      exits with 1 and names the pages that are not up to date
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { errorsPage } from './reference/errors.mjs';
import { platformsPage } from './reference/platforms.mjs';
import { settingsPage } from './reference/settings.mjs';
import { wrapMarkdown } from './reference/wrap-markdown.mjs';

const FOLDER = fileURLToPath(new URL('../docs/reference/', import.meta.url));

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const pages = {
  'settings.md': wrapMarkdown(settingsPage()),
  'errors.md': wrapMarkdown(errorsPage()),
  'platforms.md': wrapMarkdown(await platformsPage()),
};
for (const [name, text] of Object.entries(pages)) {
  if (!values.check) {
    writeFileSync(FOLDER + name, text);
    continue;
  }
  if (readFileSync(FOLDER + name, { encoding: 'utf8', flag: 'a+' }) === text) continue;
  console.error(`docs/reference/${name} is not what the sources say; run: npm run reference`);
  process.exitCode = 1;
}
