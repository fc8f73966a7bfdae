import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who is told by webhook, and what was sent to them; and enough of a parked event to announce it again after its row is
 * pruned.
 */
export class Webhooks1763700500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table webhook_subscription (
        id uuid primary key default gen_random_uuid(),
        url text not null,
        secret text not null,
        -- Valid beside the present one for a while after a rotation.
        previous_secret text,
        previous_secret_until timestamptz,
        -- Empty: all.
        types text[] not null default '{}',
        platform text,
        avatar text check (avatar ~ '^0x0[23][0-9a-f]{64}$'),
        is_enabled boolean not null default true,
        disabled_reason text not null default '',
        is_configured boolean not null default false,
        created_at timestamptz not null default clock_timestamp(),
        check (is_enabled = (disabled_reason = ''))
      )`);
    // What the setting names is found again by its URL, so that a restart makes no second one.
    await runner.query('create unique index webhook_configured on webhook_subscription (url) where is_configured');
    await runner.query(`
      create table webhook_delivery (
        id uuid primary key default gen_random_uuid(),
        subscription_id uuid not null references webhook_subscription (id) on delete cascade,
        message_id uuid not null,
        type text not null,
        body text not null,
        status text not null default 'pending' check (status in ('pending', 'delivered', 'dead')),
        -- Grows with every outcome; a job that carries an older one comes too late.
        turn integer not null default 0,
        -- Requests since round_started_at.
        attempts integer not null default 0,
        round_started_at timestamptz not null,
        next_attempt_at timestamptz,
        last_attempt_at timestamptz,
        last_status integer,
        last_error text not null default '',
        dead_letter_id uuid,
        created_at timestamptz not null default clock_timestamp(),
        -- An event that is announced twice is sent once.
        constraint webhook_delivery_message unique (subscription_id, message_id),
        check ((status = 'pending') = (next_attempt_at is not null))
      )`);
    // The log of one subscription, newest first; pruning by number.
    await runner.query('create index webhook_delivery_log on webhook_delivery (subscription_id, created_at desc, id)');
    // The log of all; pruning by age.
    await runner.query('create index webhook_delivery_age on webhook_delivery (created_at desc, id)');
    await runner.query(`alter table parked_event add payload jsonb, add recorded_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table parked_event drop payload, drop recorded_at');
    await runner.query('drop table webhook_delivery, webhook_subscription');
  }
}
