import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ambiguous lookup, whatever the size of the table and of the term. An index of pieces of identities answers with all
 * rows that match, and the newest of them are chosen afterwards. So each piece carries the range of link ids that its
 * row is in, 32,768 (2^15) ids each, and the index over them (`upgrade-steps.ts`, because building it takes minutes on
 * a large table) is asked range by range, the newest first, until there is enough.
 *
 * The indexes by which 0.1.0 searches cost a new binding as much time of PostgreSQL as all else of its row. A database
 * without bindings is new, so that no server of 0.1.0 works on it, and gets rid of them. Elsewhere they stay for the
 * time of the upgrade, and an operator may drop them after it.
 */
export class SearchByPieces1763701100000 implements MigrationInterface {
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
    const [proof] = (await runner.query('select exists (select from proof) as "isUsed"')) as [{ isUsed: boolean }];
    if (!proof.isUsed) await runner.query('drop index if exists proof_identity_trigrams, proof_identity_grams');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index if not exists proof_identity_trigrams on proof using gin (identity_folded gin_trgm_ops)
      with (gin_pending_list_limit = 64)`);
    await runner.query(`
      create index if not exists proof_identity_grams on proof using gin (identity_grams(identity_folded))
      with (gin_pending_list_limit = 64)`);
    await runner.query('drop index if exists proof_identity_pieces');
    await runner.query('drop function identity_pieces(bigint, text, text)');
  }
}
