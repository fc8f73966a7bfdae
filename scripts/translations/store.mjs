/**
 * The texts of the page in all languages, and of each translation which English text it was made from.
 *
 * `languages/<language>/<area>.json` holds texts by their names: a sentence, or one for each plural form.
 * `made-from/<language>.json` holds a hash of the English text for each key (`area.name`). Nothing of it is built into
 * the page.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A sentence, or one for each plural form.
 * @typedef {string | Record<string, string>} Text
 */

/** The folder `i18n` of the page. */
export const STORE = fileURLToPath(new URL('../../web/src/i18n', import.meta.url));
/** The language that the others are made from. */
const ENGLISH = 'en';

/**
 * Words of all languages, English first.
 * @param {string} [store]
 */
export function languagesOf(store = STORE) {
  const others = readdirSync(path.join(store, 'languages')).filter((language) => language !== ENGLISH);
  return [ENGLISH, ...others.sort()];
}

/**
 * The texts of a language by their keys, in the order of the files.
 * @param {string} language
 * @param {string} [store]
 * @returns {Map<string, Text>}
 */
export function textsOf(language, store = STORE) {
  const folder = path.join(store, 'languages', language);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Map(
    files
      .sort()
      .flatMap((file) =>
        Object.entries(readJson(path.join(folder, file))).map(([name, text]) => [
          `${file.replace(/json$/, '')}${name}`,
          text,
        ]),
      ),
  );
}

/**
 * The sentences of a text: one, or one for each of its plural forms.
 * @param {Text} text
 */
export function formsOf(text) {
  return typeof text === 'string' ? [text] : Object.values(text);
}

/**
 * The translations that nobody has held against the English text as it is now, by language and key.
 * @param {string} [store]
 * @returns one item each: `language`, `key`, `english`, `text` (undefined where there is none)
 */
export function staleTexts(store = STORE) {
  const english = textsOf(ENGLISH, store);
  return translationsOf(store).flatMap((language) => {
    const texts = textsOf(language, store);
    const madeFrom = madeFromOf(language, store);
    return [...english]
      .filter(([key, text]) => madeFrom[key] !== hashOf(text))
      .map(([key, text]) => ({ language, key, english: text, text: texts.get(key) }));
  });
}

/**
 * Notes that translations say what the English text says now, and forgets texts that are no more.
 * @param {string[]} names keys, with `*` for any letters, and with `<language>:` before them for one language alone
 * @param {string} [store]
 * @returns how many texts were marked
 * @throws Error for a name that no text has, and for a text without a translation
 */
export function acceptTexts(names, store = STORE) {
  const english = textsOf(ENGLISH, store);
  const languages = translationsOf(store);
  const wanted = names.map((name) => wantedOf(name, languages, [...english.keys()]));
  let count = 0;
  for (const language of languages) {
    const texts = textsOf(language, store);
    const before = madeFromOf(language, store);
    /** @type {Record<string, string>} */
    const madeFrom = {};
    for (const [key, text] of english) {
      const isWanted = wanted.some((want) => want.languages.includes(language) && want.pattern.test(key));
      if (isWanted && !texts.has(key)) throw new Error(`There is no text ${key} in ${language}.`);
      if (isWanted && before[key] !== hashOf(text)) count++;
      if (isWanted) madeFrom[key] = hashOf(text);
      else if (before[key] !== undefined) madeFrom[key] = before[key];
    }
    mkdirSync(path.join(store, 'made-from'), { recursive: true });
    writeFileSync(madeFromFile(language, store), `${JSON.stringify(madeFrom, null, 2)}\n`);
  }
  return count;
}

/** @param {string} name @param {string[]} languages @param {string[]} keys */
function wantedOf(name, languages, keys) {
  const [, language, key = name] = /^(?:([a-z]+):)?(.*)$/.exec(name) ?? [];
  if (language !== undefined && !languages.includes(language)) throw new Error(`There are no texts in ${language}.`);
  const letters = key.split('*').map((part) => part.replace(/\W/g, '\\$&'));
  const pattern = new RegExp(`^${letters.join('.*')}$`);
  if (!keys.some((one) => pattern.test(one))) throw new Error(`No text is named ${key}.`);
  return { languages: language === undefined ? languages : [language], pattern };
}

/** @param {string} store */
function translationsOf(store) {
  return languagesOf(store).slice(1);
}

/**
 * 32 bits are enough to see that a text was changed. Plural forms count in any order.
 * @param {Text} text
 */
function hashOf(text) {
  const sorted = typeof text === 'string' ? text : Object.entries(text).sort();
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 8);
}

/** @param {string} language @param {string} store */
const madeFromFile = (language, store) => path.join(store, 'made-from', `${language}.json`);

/** @param {string} language @param {string} store @returns {Record<string, string>} */
function madeFromOf(language, store) {
  const file = madeFromFile(language, store);
  return existsSync(file) ? readJson(file) : {};
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
