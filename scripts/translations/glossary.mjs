/**
 * The glossary of the page, `glossary.json` of the store: for each English term the words that stand for it in the
 * other languages, of which one has to be in each translation of a text that has the term. Words are beginnings or
 * parts, as inflections and compounds need them. `otherSense` names texts in which the English word means something
 * else, `otherwise` by language those that say it in another way.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { formsOf, languagesOf, STORE, textsOf } from './store.mjs';

/** @import { Text } from './store.mjs' */

/**
 * English words, and by language the words of which one stands for them.
 * @typedef {Record<'en' | 'zh' | 'ja' | 'ko' | 'de' | 'fr' | 'es' | 'pt', string[]> & { otherSense?: string[],
 *   otherwise?: Record<string, string[]> }} Term
 */

/**
 * The terms as they stand in the file.
 * @param {string} [store]
 * @returns {Record<string, Term>}
 */
export function glossaryOf(store = STORE) {
  return JSON.parse(readFileSync(path.join(store, 'glossary.json'), 'utf8'));
}

/**
 * A sentence for each translation that does not use the glossary, and for each exception that is not needed.
 * @param {string} [store]
 */
export function glossaryProblems(store = STORE) {
  const [english, ...others] = languagesOf(store).map((language) => ({ language, texts: textsOf(language, store) }));
  return Object.entries(glossaryOf(store)).flatMap(([name, term]) => {
    const isTerm = wholeWords(term.en);
    const withTerm = [...english.texts].filter(([, text]) => formsOf(text).some(isTerm)).map(([key]) => key);
    const otherSense = term.otherSense ?? [];
    return [
      ...unneeded(name, 'otherSense', otherSense, withTerm),
      ...others.flatMap(({ language, texts }) => {
        const words = term[/** @type {'en'} */ (language)];
        const lacking = withTerm.filter((key) => {
          const [text, original] = [texts.get(key), english.texts.get(key)];
          return text && original && !otherSense.includes(key) && lacks(text, original, { isTerm, words });
        });
        const otherwise = term.otherwise?.[language] ?? [];
        return [
          ...unneeded(name, `otherwise.${language}`, otherwise, lacking),
          ...lacking
            .filter((key) => !otherwise.includes(key))
            .map(
              (key) =>
                `${language}:${key} does not say “${name}” (${words.join(', ')}): ${formsOf(texts.get(key) ?? '').join(' | ')}`,
            ),
        ];
      }),
    ];
  });
}

/**
 * Whether a form of a translation has none of the words, and the English form for its plural category has the term.
 * @param {Text} text
 * @param {Text} english
 * @param {{ isTerm: (text: string) => boolean, words: string[] }} term
 */
function lacks(text, english, { isTerm, words }) {
  const formsByName = typeof text === 'string' ? { other: text } : text;
  return Object.entries(formsByName).some(([category, form]) => {
    const original = typeof english === 'string' ? english : (english[category] ?? english.other);
    return isTerm(original) && !words.some((word) => form.toLowerCase().includes(word.toLowerCase()));
  });
}

/**
 * A test for texts that hold one of the words as a whole; names in braces are no words.
 * @param {string[]} words
 * @returns {(text: string) => boolean}
 */
function wholeWords(words) {
  const pattern = new RegExp(`(?<![\\w.{-])(?:${words.join('|')})(?![\\w}])`, 'i');
  return (text) => pattern.test(text);
}

/** @param {string} name @param {string} place @param {string[]} keys @param {string[]} needed */
function unneeded(name, place, keys, needed) {
  return keys.filter((key) => !needed.includes(key)).map((key) => `“${name}”.${place} names ${key} without need.`);
}
