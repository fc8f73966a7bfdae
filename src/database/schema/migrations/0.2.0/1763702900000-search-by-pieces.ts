import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ambiguous lookup, whatever the size of the table and of the term. An index of pieces of identities answers with all
 * rows that match, and the newest of them are chosen afterwards. So each piece carries the range of link ids that its
 * row is in, 32,768 (2^15) ids each, and the index over them (`upgrade-steps.ts`, because building it takes minutes on
 * a large table) is asked range by range, the newest first, until there is enough.
 */
export class SearchByPieces1763702900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Pieces such as `12:a`, `12:ab` and `12:abc`, for each one, two and three characters in a row, and `12@github`.
    // They are cut by regular expressions, from each offset on, because a loop in SQL takes five times as long. Ends
    // that are too short for a piece are left out first. U+0001 separates them; no identity holds a control character.
    await runner.query(`
      create function identity_pieces(link_id bigint, platform text, identity text) returns text[]
      language sql immutable strict parallel safe cost 1000 as $$
        select string_to_array(
          range || '@' || platform
            || regexp_replace(identity, '(.)', piece, 'g')
            || regexp_replace(left(identity, length(identity) / 2 * 2), '(..)', piece, 'g')
            || regexp_replace(left(substr(identity, 2), (length(identity) - 1) / 2 * 2), '(..)', piece, 'g')
            || regexp_replace(left(identity, length(identity) / 3 * 3), '(...)', piece, 'g')
            || regexp_replace(left(substr(identity, 2), (length(identity) - 1) / 3 * 3), '(...)', piece, 'g')
            || regexp_replace(left(substr(identity, 3), (length(identity) - 2) / 3 * 3), '(...)', piece, 'g'),
          E'\\x01')
        from (select range, E'\\x01' || range || ':\\1' as piece from (select (link_id >> 15)::text as range) as r) as ranged
      $$`);
    // An index and a function of the same purpose, in databases that had an unreleased version.
    await runner.query('drop index if exists proof_identity_pairs');
    await runner.query('drop function if exists identity_pairs(bigint, text)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index if exists proof_identity_pieces');
    await runner.query('drop function identity_pieces(bigint, text, text)');
  }
}
