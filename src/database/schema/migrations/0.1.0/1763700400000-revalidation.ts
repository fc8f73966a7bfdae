import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the schedule of rechecks counts, and the history of the checks of each binding. */
export class Revalidation1763700400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table proof
        -- Finished rechecks since the newest create; says which step of the schedule is next.
        add column checks_done integer not null default 0,
        -- Tries in a row that told nothing; says how long to back off.
        add column check_failures integer not null default 0`);
    // Which rechecks of a platform are due, longest overdue first.
    await runner.query('create index proof_due on proof (platform, next_check_at) where next_check_at is not null');
    await runner.query(`
      create table proof_check (
        -- A history ends with its binding.
        proof_id bigint not null constraint proof_check_proof references proof (id) on delete cascade,
        id bigint generated always as identity,
        checked_at timestamptz not null,
        outcome text not null check (outcome in ('valid', 'gone', 'unavailable', 'misconfigured')),
        reason text not null default '',
        -- The newest checks of a binding, and the oldest ones that have to go.
        primary key (proof_id, id)
      )`);
    // Bindings that are older than this table: what is known of them is their last finished check.
    await runner.query(`
      insert into proof_check (proof_id, checked_at, outcome, reason)
      select id, last_checked_at, case when is_valid then 'valid' else 'gone' end, invalid_reason from proof`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table proof_check');
    await runner.query('drop index proof_due');
    await runner.query('alter table proof drop column checks_done, drop column check_failures');
  }
}
