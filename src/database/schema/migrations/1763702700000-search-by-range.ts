import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ambiguous lookup of terms that many identities hold, whatever the size of the table. An index of pairs of characters
 * answers with all rows that match, and the newest of them are chosen afterwards. Here each pair carries the range of
 * link ids that its row is in, 32,768 (2^15) ids each, so that an index over them (`upgrade-steps.ts`, because it takes
 * minutes on a large table) is asked range by range, the newest first, until there is enough.
 */
export class SearchByRange1763702700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Pairs such as `12:ab`, cut as `identity_grams` does it. An odd end is cut off before, because a single character
    // is of no use here.
    await runner.query(`
      create function identity_pairs(link_id bigint, identity text) returns text[]
      language sql immutable strict parallel safe cost 1000 as $$
        select string_to_array(substr(
          regexp_replace(left(identity, length(identity) & ~1), '(..)', range || '\\1', 'g')
            || regexp_replace(left(substr(identity, 2), (length(identity) - 1) & ~1), '(..)', range || '\\1', 'g'),
          2), E'\\x01')
        from (select E'\\x01' || (link_id >> 15) || ':' as range) as ranged
      $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index if exists proof_identity_pairs');
    await runner.query('drop function identity_pairs(bigint, text)');
  }
}
