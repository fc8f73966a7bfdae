/**
 * Says which texts of the page have to be looked at: translations whose English text has changed since they were made,
 * those that do not use the glossary, and texts that are shown nowhere. Writes the texts of posts into @signet/look.
 * See docs/translating.md.
 *
 * npm run translations                               exits with 1 and names each text that has to be looked at
 * npm run translations -- --accept <key> [<key>…]    notes that these say what the English says: `bind.title` in all
 *                                                    languages, `de:bind.title` in one, `bind.*` all of a file
 * npm run translations -- --store <folder>           with texts elsewhere, which no source is held against
 */
import { parseArgs } from 'node:util';
import { messageOf } from './message-of.mjs';
import { glossaryProblems } from './translations/glossary.mjs';
import { acceptTexts, formsOf, staleTexts, STORE } from './translations/store.mjs';

/** @import { Text } from './translations/store.mjs' */

const { values, positionals } = parseArgs({
  options: { accept: { type: 'boolean', default: false }, store: { type: 'string', default: STORE } },
  allowPositionals: true,
});

try {
  if (values.accept) console.log(`Marked as true: ${acceptTexts(positionals, values.store)} texts.`);
  const stale = staleTexts(values.store);
  const problems = glossaryProblems(values.store);
  if (values.store === STORE) {
    // Compiler and formatter, which take a second or two to load.
    const { writeWordings } = await import('./translations/wordings.mjs');
    const { unusedTexts } = await import('./translations/unused.mjs');
    await writeWordings();
    problems.push(...unusedTexts().map((key) => `${key} is shown nowhere.`));
  }
  report(stale, problems);
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

/** @param {ReturnType<typeof staleTexts>} stale @param {string[]} problems */
function report(stale, problems) {
  for (const { language, key, english, text } of stale) {
    console.log(`${language}:${key}`);
    console.log(`  en: ${shown(english)}`);
    console.log(`  ${language}: ${shown(text)}`);
  }
  for (const problem of problems) console.log(problem);
  if (stale.length > 0) {
    console.log(
      `Made from another English text: ${stale.length}. Correct what is not true any more, then: --accept <key>`,
    );
  }
  if (stale.length + problems.length > 0) process.exitCode = 1;
}

/** @param {Text | undefined} text */
function shown(text) {
  return text === undefined ? '(none)' : formsOf(text).join(' | ');
}
