import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Links on their way into the permanent storage. An item is written when its document is signed, in the order of the
 * links, so the newest item tells how far signing has come. Like a link it names its predecessor by place, together
 * with the id under which that stands in the storage: a document that names another id cannot be stored.
 */
export class Archive1763700600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table archive_batch (
        id bigint generated always as identity primary key,
        -- The signed transaction in which the items travel; empty where they travel one by one, or until it is made.
        parcel text not null default '',
        created_at timestamptz not null,
        -- When everything was accepted; null before, and again when something has to be sent again.
        sent_at timestamptz,
        -- Tries in a row that failed, and looks since it was sent that found something missing; both say how long to wait.
        failures integer not null default 0,
        looks integer not null default 0,
        -- When to go on; null once every item is confirmed.
        next_at timestamptz,
        -- Until when one server has it to itself.
        leased_until timestamptz,
        -- When a job was sent for it because the one it had seemed lost; null once a server took it.
        reminded_at timestamptz,
        last_error text not null default '',
        failed_at timestamptz
      )`);
    // Batches to go on with, oldest first.
    await runner.query('create index archive_batch_due on archive_batch (next_at) where next_at is not null');
    await runner.query(`
      create table archive_item (
        link_id bigint primary key constraint archive_item_link references chain_link (id),
        avatar text not null,
        position_in_chain integer not null check (position_in_chain >= 1),
        previous_position integer generated always as (nullif(position_in_chain - 1, 0)) stored,
        uuid uuid not null,
        archive_id text not null constraint archive_item_id unique check (archive_id ~ '^[A-Za-z0-9_-]{43}$'),
        previous_archive_id text,
        -- Exactly what is sent: another signature would be another id.
        signed_bytes bytea not null,
        state text not null default 'signed' check (state in ('signed', 'sent', 'confirmed')),
        batch_id bigint constraint archive_item_batch references archive_batch (id),
        -- How often it was sent; says how long to wait before it is sent again.
        times_sent integer not null default 0,
        signed_at timestamptz not null,
        confirmed_at timestamptz,
        check ((position_in_chain = 1) = (previous_archive_id is null)),
        -- The predecessor of the next link.
        constraint archive_item_place unique (avatar, position_in_chain, archive_id),
        constraint archive_item_previous foreign key (avatar, previous_position, previous_archive_id)
          references archive_item (avatar, position_in_chain, archive_id)
      )`);
    // What the next batch is made of.
    await runner.query('create index archive_item_unbatched on archive_item (link_id) where batch_id is null');
    // The items of a batch.
    await runner.query('create index archive_item_of_batch on archive_item (batch_id)');
    // Length and age of the back-log.
    await runner.query("create index archive_item_unconfirmed on archive_item (signed_at) where state <> 'confirmed'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table archive_item, archive_batch');
  }
}
