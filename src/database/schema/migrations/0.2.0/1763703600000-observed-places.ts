import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A link is looked at as each server shows it, since nobody signs the place of its post. */
export class ObservedPlaces1763703600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table observed_binding drop constraint observed_binding_link_hash_key');
    await runner.query('alter table observed_binding add unique (link_hash, feed_id)');
    // For what is due of one server, and for what is being looked at of it.
    await runner.query('drop index observed_binding_due');
    await runner.query('create index observed_binding_due on observed_binding (feed_id, next_look_at)');
    await runner.query(
      'create index observed_binding_busy on observed_binding (feed_id) where leased_until is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index observed_binding_busy, observed_binding_due');
    await runner.query('create index observed_binding_due on observed_binding (next_look_at)');
    await runner.query('alter table observed_binding drop constraint observed_binding_link_hash_feed_id_key');
    await runner.query('alter table observed_binding add unique (link_hash)');
  }
}
