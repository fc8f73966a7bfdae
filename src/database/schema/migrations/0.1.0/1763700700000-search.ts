import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * KiB of new entries that wait unsorted before they are merged into a GIN index, the least that PostgreSQL allows. Each
 * look-up reads them from end to end: with the default of 4 MiB, a rare term takes milliseconds instead of a tenth of
 * one after some thousand submits.
 */
const PENDING_KIB = 64;

/**
 * The road for ambiguous look-ups that trigrams cannot serve: terms of one or two characters, and longer ones without
 * three ASCII letters or digits in a row (pg_trgm sees nothing else, and on a database of locale C nothing beyond
 * ASCII). Each identity is indexed by its single characters and its pairs of neighbours.
 */
export class Search1763700700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Pairs are cut by regular expressions, from the first and from the second character on, because a loop in SQL
    // takes five times as long. U+0001 separates them; no identity holds a control character. Odd ends leave a single
    // character or an empty text, which do no harm.
    await runner.query(`
      create function identity_grams(identity text) returns text[]
      language sql immutable strict parallel safe cost 1000 as $$
        select string_to_array(identity, null)
          || string_to_array(regexp_replace(identity, '(..)', E'\\\\1\\x01', 'g'), E'\\x01')
          || string_to_array(regexp_replace(substr(identity, 2), '(..)', E'\\\\1\\x01', 'g'), E'\\x01')
      $$`);
    // Ambiguous look-up: what trigrams cannot serve.
    await runner.query(`
      create index proof_identity_grams on proof using gin (identity_grams(identity_folded))
      with (gin_pending_list_limit = ${PENDING_KIB})`);
    await runner.query(`alter index proof_identity_trigrams set (gin_pending_list_limit = ${PENDING_KIB})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter index proof_identity_trigrams reset (gin_pending_list_limit)');
    await runner.query('drop index proof_identity_grams');
    await runner.query('drop function identity_grams(text)');
  }
}
