import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was seen at the last successful check of a binding. It outlives the binding, without the text. */
export class Evidence1763700200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table proof_evidence (
        avatar text not null,
        platform text not null,
        identity text not null,
        url text not null,
        seen_at timestamptz not null,
        sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
        account_id text not null default '',
        matched_text text not null default '' check (octet_length(matched_text) <= 4096),
        -- The one look-up: by binding.
        primary key (avatar, platform, identity)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table proof_evidence');
  }
}
