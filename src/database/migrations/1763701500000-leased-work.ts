import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deliveries and batches are their own jobs: rows with a lease. Until version 0.1.0 each had a job in the schema
 * `pgboss` beside it; what waits there is taken over. The schema itself stays, for servers of 0.1.0 that still run;
 * when none does, an operator may drop it.
 */
export class LeasedWork1763701500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table webhook_delivery
        -- Until when one server has it to itself; null while none makes an attempt.
        add column leased_until timestamptz,
        -- Attempts in a row of which no outcome was recorded, because their server died.
        add column unfinished_runs integer not null default 0,
        -- When it was given up.
        add column dead_at timestamptz`);
    await runner.query('alter table archive_batch add column unfinished_runs integer not null default 0');
    // What is due, longest first, for each subscription.
    await runner.query(
      'create index webhook_delivery_due on webhook_delivery (subscription_id, next_attempt_at) where next_attempt_at is not null',
    );
    // What an operator is shown.
    await runner.query(
      'create index webhook_delivery_dead on webhook_delivery (dead_at) where dead_letter_id is not null',
    );
    const [row] = (await runner.query("select to_regclass('pgboss.job') is not null as exists")) as [
      { exists: boolean },
    ];
    if (row.exists) await takeOver(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index webhook_delivery_dead, webhook_delivery_due');
    await runner.query('alter table archive_batch drop column unfinished_runs');
    await runner.query(
      'alter table webhook_delivery drop column leased_until, drop column unfinished_runs, drop column dead_at',
    );
  }
}

/**
 * Jobs that wait for pending deliveries and for batches need nothing: the times stand in their rows. What stands only
 * in jobs: which dead letters are left, since when, and which were replayed a moment before the upgrade.
 */
async function takeOver(runner: QueryRunner): Promise<void> {
  await runner.query(`
    update webhook_delivery set dead_at = job.created_on from pgboss.job
    where job.name = 'webhook.dead' and job.state = 'created' and job.id = dead_letter_id`);
  await runner.query(`
    update webhook_delivery set status = 'pending', turn = turn + 1, attempts = 0, round_started_at = now(), next_attempt_at = now(),
      dead_letter_id = null
    from pgboss.job
    where job.name = 'webhook' and job.state in ('created', 'retry', 'active') and status = 'dead'
      and job.data ->> 'delivery' = webhook_delivery.id::text and job.data ->> 'turn' = turn::text`);
  // Dropped by an operator, or gone after their time.
  await runner.query('update webhook_delivery set dead_letter_id = null where status = $1 and dead_at is null', [
    'dead',
  ]);
}
