import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The indexes by which 0.1.0 searches cost a new binding as much time of PostgreSQL as all else of its row. A database
 * without bindings is new, so that no server of 0.1.0 works on it, and gets rid of them. Elsewhere they stay for the
 * time of the upgrade, and an operator may drop them after it.
 */
export class OldSearches1763703400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
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
  }
}
