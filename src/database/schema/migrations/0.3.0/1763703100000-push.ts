import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Browsers that are told of changes of an Avatar by Web Push, and what waits to be told to them. */
export class Push1763703100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table push_subscription (
        -- Who knows it may remove the row.
        id uuid primary key default gen_random_uuid(),
        avatar text not null check (avatar ~ '^0x0[23][0-9a-f]{64}$'),
        -- Who knows it may send to the browser (RFC 8030, 8.3), so it is never logged.
        endpoint text not null,
        -- The domain of the endpoint, for bounds.
        domain text not null,
        -- What messages are encrypted with (RFC 8291), in Base64url.
        p256dh text not null,
        auth text not null,
        language text not null,
        -- Since when nothing has arrived, if a delivery was given up.
        failing_since timestamptz,
        created_at timestamptz not null default clock_timestamp(),
        constraint push_subscription_name unique (avatar, endpoint)
      )`);
    // What one endpoint follows: a bound.
    await runner.query('create index push_subscription_endpoint on push_subscription using hash (endpoint)');
    // What one domain has: a bound.
    await runner.query('create index push_subscription_domain on push_subscription (domain)');
    await runner.query(`
      create table push_delivery (
        id uuid primary key default gen_random_uuid(),
        subscription_id uuid not null references push_subscription (id) on delete cascade,
        message_id uuid not null,
        type text not null,
        -- The Avatar that the event is about: another one where it has bound the same account.
        subject text not null,
        -- What the event is about; empty where it is about the key alone.
        platform text not null default '',
        identity text not null default '',
        happened_at timestamptz not null,
        -- What was delivered is removed.
        status text not null default 'pending' check (status in ('pending', 'dead')),
        turn integer not null default 0,
        attempts integer not null default 0,
        round_started_at timestamptz not null,
        next_attempt_at timestamptz,
        last_attempt_at timestamptz,
        last_status integer,
        last_error text not null default '',
        leased_until timestamptz,
        unfinished_runs integer not null default 0,
        dead_letter_id uuid,
        dead_at timestamptz,
        created_at timestamptz not null default clock_timestamp(),
        -- An event that is announced twice is sent once; erasures find the deliveries of an event.
        constraint push_delivery_message unique (message_id, subscription_id),
        check ((status = 'pending') = (next_attempt_at is not null))
      )`);
    // What waits for one subscription: a bound, and its removal.
    await runner.query('create index push_delivery_of on push_delivery (subscription_id)');
    // What is due, longest first.
    await runner.query(
      'create index push_delivery_due on push_delivery (next_attempt_at) where next_attempt_at is not null',
    );
    // What an operator is shown, and what is forgotten.
    await runner.query("create index push_delivery_dead on push_delivery (dead_at) where status = 'dead'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table push_delivery, push_subscription');
  }
}
