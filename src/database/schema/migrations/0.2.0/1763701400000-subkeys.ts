import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Subkeys of NextID's clients (DIALECT=nextid): stored and listed, of no power. */
export class Subkeys1763701400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table subkey (
        id bigint generated always as identity primary key,
        avatar text not null,
        algorithm text not null,
        public_key text not null,
        rp_id text not null,
        name text not null,
        signature text not null,
        created_at timestamptz not null default now(),
        unique (avatar, algorithm, public_key, rp_id)
      )`);
    await runner.query('create index subkey_public_key on subkey (algorithm, public_key)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table subkey');
  }
}
