import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deliveries and batches are their own jobs: rows with a lease. Until version 0.1.0 each had a job in the schema
 * `pgboss` beside it; what waits there is taken over by the upgrade step `webhook_take_over`, and indexes are built by
 * steps too. The schema itself stays, for servers of 0.1.0 that still run; when none does, an operator may drop it.
 * Beside it, the form in which a subscriber hears of events: our own, or that of CloudEvents.
 */
export class LeasedWork1763701000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table webhook_delivery
        -- Until when one server has it to itself; null while none makes an attempt.
        add column leased_until timestamptz,
        -- Attempts in a row of which no outcome was recorded, because their server died.
        add column unfinished_runs integer not null default 0,
        -- When it was given up.
        add column dead_at timestamptz,
        -- The header Content-Type of each attempt: the subscription may have been changed since. A constant default,
        -- so that no row is written anew; servers of 0.1.0 make deliveries of our own form.
        add column content_type text not null default 'application/json'`);
    await runner.query(`
      alter table webhook_subscription
        add column format text not null default 'standard' check (format in ('standard', 'cloudevents'))`);
    await runner.query('alter table archive_batch add column unfinished_runs integer not null default 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index if exists webhook_delivery_dead, webhook_delivery_due');
    await runner.query('alter table archive_batch drop column unfinished_runs');
    await runner.query('alter table webhook_subscription drop column format');
    await runner.query(`
      alter table webhook_delivery drop column leased_until, drop column unfinished_runs, drop column dead_at,
        drop column content_type`);
  }
}
