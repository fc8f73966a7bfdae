import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What erasures have still to do in events and deliveries, behind their commit. */
export class ErasureRest1763701600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table erasure_rest (
        id bigint generated always as identity primary key,
        -- The record that was erased.
        uuid uuid not null,
        avatar text not null,
        platform text not null,
        -- Erased with this row, when all is done.
        identity text not null,
        -- Whether no other record names the identity.
        is_last boolean not null,
        -- The position of the last event that was looked at.
        events_after bigint not null default 0,
        -- The events that had texts: deliveries are found by them.
        event_ids uuid[] not null default '{}'
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table erasure_rest');
  }
}
