import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far each listener has come in the stream of events, and the events that a listener gave up. */
export class EventHandlers1763700300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table event_handler (
        name text primary key,
        -- Position of the last event that this handler is done with.
        position bigint not null default 0,
        -- Tries of the next event that failed, and when to try again.
        failures integer not null default 0,
        retry_at timestamptz
      )`);
    await runner.query(`
      create table parked_event (
        handler text not null references event_handler (name),
        position bigint not null,
        event_id uuid not null,
        name text not null,
        error text not null,
        parked_at timestamptz not null default clock_timestamp(),
        primary key (handler, position)
      )`);
    // Old events are pruned by age, oldest position first.
    await runner.query('create index domain_event_age on domain_event (recorded_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table parked_event, event_handler');
    await runner.query('drop index domain_event_age');
  }
}
