import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Erasures of texts for legal reasons (docs/log.md, "Erase a text"), and how far the log has come with them. */
export class Erasures1763703000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['chain_link', 'kv_patch']) {
      await runner.query(`
        alter table ${table}
          -- Of a row whose texts were erased: when, why, and the hash that the log has of what it was.
          add column erased jsonb`);
    }
    await runner.query(`
      create table erasure (
        -- Gapless, in the order of the erasures: given under the lock of the log.
        id bigint primary key check (id >= 1),
        kind text not null check (kind in ('link', 'kv')),
        -- The number of the record in its feed.
        record_id bigint not null,
        -- No record is erased twice.
        constraint erasure_record unique (kind, record_id)
      )`);
    await runner.query(`
      alter table log_state
        -- The last erasure that is in it.
        add column last_erasure_id bigint not null default 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table log_state drop column last_erasure_id');
    await runner.query('drop table erasure');
    await runner.query('alter table kv_patch drop column erased');
    await runner.query('alter table chain_link drop column erased');
  }
}
