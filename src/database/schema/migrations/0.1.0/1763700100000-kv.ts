import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Signed patches and the content that they add up to. A patch names its predecessor by place, as a link does (see
 * `core`), so a chain of patches can neither fork nor have a hole.
 *
 * Patches and content are canonical JSON in columns of type text: `jsonb` has another idea of numbers and of the order
 * of names, and what is answered is what was signed.
 */
export class Kv1763700100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table kv_patch (
        id bigint generated always as identity primary key,
        avatar text not null check (avatar ~ '^0x0[23][0-9a-f]{64}$'),
        position_in_chain integer not null check (position_in_chain >= 1),
        previous_position integer generated always as (nullif(position_in_chain - 1, 0)) stored,
        platform text not null,
        identity text not null,
        patch text not null,
        created_at timestamptz not null,
        recorded_at timestamptz not null default clock_timestamp(),
        uuid uuid not null constraint kv_patch_uuid unique,
        signature text not null,
        signature_payload text not null,
        -- Head of a chain, a page of it, its length; the order of columns serves all three.
        constraint kv_patch_position unique (avatar, position_in_chain),
        constraint kv_patch_previous foreign key (avatar, previous_position)
          references kv_patch (avatar, position_in_chain)
      )`);
    await runner.query(`
      create table kv_entry (
        avatar text not null check (avatar ~ '^0x0[23][0-9a-f]{64}$'),
        platform text not null,
        identity text not null,
        content text not null,
        content_bytes integer not null generated always as (octet_length(content)) stored,
        updated_at timestamptz not null default clock_timestamp(),
        -- One entry for each canonical identity; all entries of an Avatar.
        constraint kv_entry_key primary key (avatar, platform, identity)
      )`);
    // Everybody who wrote under one identity: GET /v1/kv/by_identity.
    await runner.query('create index kv_entry_identity on kv_entry (platform, identity)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table kv_entry, kv_patch');
  }
}
