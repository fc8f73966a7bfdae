import { hiddenParameter } from '../../database/connections/prepared.js';
import type { Condition } from './proof-lists.js';

/**
 * What pg_trgm can look up on every database: it knows letters and digits, and on one of locale C no others than these.
 */
const HAS_TRIGRAM = /[a-z0-9]{3}/;

/** What an ambiguous lookup looks for, as a condition for each way to look for it. */
export interface AmbiguousTerms {
  /** How many different terms there are. */
  count: number;
  /** By the indexes of identities. */
  indexed: Condition;
  /**
   * By the index of pairs within ranges; absent where it cannot tell, and for several terms, each of which it would
   * look up by itself. @param first as of `compared`
   */
  inRange?: ((first: number) => Condition) | undefined;
  /** By comparing. @param first number of the first parameter in its statement */
  compared(first: number): Condition;
}

/** Null where nothing can match. */
export function ambiguousTerms(platform: string | undefined, texts: string[]): AmbiguousTerms | null {
  const indexed = containing(platform, texts);
  if (!indexed) return null;
  const compared = (first: number) => comparing(platform, texts, first);
  const terms = termsOf(texts);
  const count = terms.length;
  // The index of pairs does not know single characters.
  if (count > 1 || [...terms[0]!].length === 1) return { count, indexed, compared };
  return { count, indexed, inRange: (first) => containingInRange(platform, texts, first), compared };
}

/**
 * Rows of `proof` (alias `p`) whose identity holds one of the texts, in any letter case. Null where nothing can match.
 *
 * Terms are looked up in one of three ways: in the index of trigrams; in the index of characters and pairs (see the
 * migration `search`), which decides alone for one or two characters; and longer terms without a trigram in the same
 * index with a second look, which is hidden from the index of trigrams (`|| ''`): without a trigram that is read from
 * end to end.
 * Parameters are hidden from the planner: knowing that a term is frequent, it would read the whole table.
 */
function containing(platform: string | undefined, texts: string[]): Condition | null {
  const terms = termsOf(texts);
  if (terms.length === 0) return null;
  const parameters: unknown[] = [];
  const hidden = (value: unknown, type: string) => hiddenParameter(parameters.push(value), type);
  const trigram = terms.filter((term) => HAS_TRIGRAM.test(term)).map(patternOf);
  const others = terms.filter((term) => !HAS_TRIGRAM.test(term)).map((term) => ({ term, grams: gramsOf(term) }));
  const short = others.filter(({ grams }) => grams.length === 1).flatMap(({ grams }) => grams);
  const conditions = [
    ...(trigram.length === 1 ? [`p.identity_folded like ${hidden(trigram[0], 'text')}`] : []),
    ...(trigram.length > 1 ? [`p.identity_folded like any(${hidden(trigram, 'text[]')}::text[])`] : []),
    ...(short.length > 0 ? [`identity_grams(p.identity_folded) && ${hidden(short, 'text[]')}`] : []),
    ...others
      .filter(({ grams }) => grams.length > 1)
      .map(
        ({ term, grams }) =>
          `(identity_grams(p.identity_folded) @> ${hidden(grams, 'text[]')} and p.identity_folded || '' like ${hidden(patternOf(term), 'text')})`,
      ),
  ];
  const onPlatform = platform ? ` and p.platform = ${hidden(platform, 'text')}` : '';
  return { sql: `(${conditions.join(' or ')})${onPlatform}`, parameters };
}

/**
 * Matching rows within a range of link ids (`range.number`), by the index of pairs within ranges (see the migration
 * `search-by-range`), for terms of two characters and more.
 * @param first number of the first parameter in its statement
 */
function containingInRange(platform: string | undefined, texts: string[], first: number): Condition {
  const terms = termsOf(texts).map((term) => ({ term, grams: gramsOf(term) }));
  const parameters: unknown[] = [];
  const hidden = (value: unknown, type: string) => hiddenParameter(first - 1 + parameters.push(value), type);
  const inRange = (pairs: string[]) =>
    `(select array_agg(range.number || ':' || pair) from unnest(${hidden(pairs, 'text[]')}) as pair)`;
  const indexed = '(identity_pairs(p.link_id, p.identity_folded) collate "C")';
  const single = terms.filter(({ grams }) => grams.length === 1).map(({ grams }) => grams[0]!);
  const conditions = [
    ...(single.length > 0 ? [`${indexed} && ${inRange(single)}`] : []),
    ...terms
      .filter(({ grams }) => grams.length > 1)
      .map(
        ({ term, grams }) =>
          `(${indexed} @> ${inRange(grams)} and p.identity_folded || '' like ${hidden(patternOf(term), 'text')})`,
      ),
  ];
  const onPlatform = platform ? ` and p.platform = ${hidden(platform, 'text')}` : '';
  return { sql: `(${conditions.join(' or ')})${onPlatform}`, parameters };
}

/**
 * Matching rows by comparing alone, without an index, for rows that are at hand anyway.
 * @param first number of the first parameter in its statement
 */
function comparing(platform: string | undefined, texts: string[], first: number): Condition {
  const patterns = texts.filter((text) => !text.includes('\0')).map((text) => patternOf(text.trim().toLowerCase()));
  const sql = `p.identity_folded like any(${hiddenParameter(first, 'text[]')}::text[])`;
  return platform
    ? { sql: `${sql} and p.platform = ${hiddenParameter(first + 1, 'text')}`, parameters: [patterns, platform] }
    : { sql, parameters: [patterns] };
}

/** No database text holds U+0000, so nothing can contain it. */
function termsOf(texts: string[]): string[] {
  return [...new Set(texts.filter((text) => !text.includes('\0')).map((text) => text.trim().toLowerCase()))];
}

/** The single character, or all pairs of neighbours, by code points as PostgreSQL counts characters. */
function gramsOf(term: string): string[] {
  const characters = [...term];
  if (characters.length === 1) return characters;
  return [...new Set(characters.slice(1).map((character, index) => characters[index]! + character))];
}

/** `%`, `_` and the escape itself mean themselves. */
function patternOf(term: string): string {
  return `%${term.replace(/[\\%_]/g, '\\$&')}%`;
}
