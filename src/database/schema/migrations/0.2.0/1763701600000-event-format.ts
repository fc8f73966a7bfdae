import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The form in which a subscriber is told of events: our own, or that of CloudEvents. */
export class EventFormat1763701600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Constant defaults, so that no row is written anew; servers of version 0.1.0 make deliveries of our own form.
    await runner.query(`
      alter table webhook_subscription
        add column format text not null default 'standard' check (format in ('standard', 'cloudevents'))`);
    await runner.query(`
      alter table webhook_delivery
        -- The header Content-Type of each attempt: the subscription may have been changed since.
        add column content_type text not null default 'application/json'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhook_subscription drop column format');
    await runner.query('alter table webhook_delivery drop column content_type');
  }
}
