import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the operator has hidden from the page, and had hidden: rows are never removed, so they are the audit trail. */
export class Hiding1763702100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table hidden_item (
        id uuid primary key default gen_random_uuid(),
        kind text not null check (kind in ('identity', 'key', 'profile')),
        -- Of an identity; empty otherwise.
        platform text not null default '',
        identity text not null default '',
        -- Of a key and a profile; empty otherwise.
        avatar text not null default '' check (avatar = '' or avatar ~ '^0x0[23][0-9a-f]{64}$'),
        reason text not null,
        hidden_at timestamptz not null default clock_timestamp(),
        -- Null while it is hidden.
        lifted_at timestamptz,
        lifted_reason text not null default '',
        check ((kind = 'identity') = (avatar = '')),
        check ((kind = 'identity') = (platform <> '')),
        check ((kind = 'identity') = (identity <> ''))
      )`);
    // One row for what is hidden now; what servers keep in memory.
    await runner.query(`
      create unique index hidden_item_now on hidden_item (kind, platform, identity, avatar) where lifted_at is null`);
    // The list for operators, newest first.
    await runner.query('create index hidden_item_newest on hidden_item (hidden_at desc, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table hidden_item');
  }
}
