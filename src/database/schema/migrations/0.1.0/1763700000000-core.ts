import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Links, the bindings derived from them, domain events, and what a deployment remembers about itself.
 *
 * A link names its predecessor by place: `(avatar, previous_position)` must exist and `(avatar, position_in_chain)` is
 * unique, so a chain can neither fork nor have a hole, whatever the application does. This needs one index where a
 * `previous_id` column needs two, and makes any page of a long chain, and its length, one index look-up.
 */
export class Core1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create extension if not exists pg_trgm');
    await runner.query(`
      create table deployment_setting (
        name text primary key,
        value text not null
      )`);
    await runner.query(`
      create table chain_link (
        id bigint primary key,
        avatar text not null check (avatar ~ '^0x0[23][0-9a-f]{64}$'),
        position_in_chain integer not null check (position_in_chain >= 1),
        previous_position integer generated always as (nullif(position_in_chain - 1, 0)) stored,
        action text not null check (action in ('create', 'delete')),
        platform text not null,
        identity text not null,
        proof_location text not null default '',
        created_at timestamptz not null,
        recorded_at timestamptz not null default clock_timestamp(),
        uuid uuid not null constraint chain_link_uuid unique,
        signature text not null,
        signature_payload text not null,
        extra jsonb not null default '{}',
        archive_id text not null default '',
        -- Head of a chain, a page of it, its length; the order of columns serves all three.
        constraint chain_link_position unique (avatar, position_in_chain),
        constraint chain_link_previous foreign key (avatar, previous_position)
          references chain_link (avatar, position_in_chain)
      )`);
    await runner.query(`
      create table proof (
        id bigint generated always as identity primary key,
        avatar text not null,
        platform text not null,
        identity text not null,
        identity_folded text not null,
        proof_location text not null default '',
        link_id bigint not null constraint proof_link references chain_link (id),
        created_at timestamptz not null,
        last_checked_at timestamptz not null,
        is_valid boolean not null,
        invalid_reason text not null default '',
        account_id text,
        gone_since timestamptz,
        next_check_at timestamptz,
        check (is_valid = (invalid_reason = '')),
        -- One binding; all bindings of an Avatar; exists.
        constraint proof_binding unique (avatar, platform, identity)
      )`);
    // Exact look-up: by platform and identity, and without a platform as one pair for each of them.
    await runner.query('create index proof_identity on proof (platform, identity)');
    // Ambiguous look-up: substrings of three characters and more.
    await runner.query('create index proof_identity_trigrams on proof using gin (identity_folded gin_trgm_ops)');
    // The newest bindings first; ambiguous look-up of frequent terms.
    await runner.query('create unique index proof_newest on proof (link_id)');
    await runner.query(`
      create table domain_event (
        id uuid primary key default gen_random_uuid(),
        -- Order of recording; has gaps and late arrivals, so only the relay reads it.
        draw bigint generated always as identity,
        -- Given by the relay after the commit: gapless, and later events always have higher ones.
        position bigint constraint domain_event_position unique,
        name text not null,
        payload jsonb not null,
        recorded_at timestamptz not null default clock_timestamp()
      )`);
    // What the relay has not numbered yet.
    await runner.query('create index domain_event_waiting on domain_event (draw) where position is null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table domain_event, proof, chain_link, deployment_setting');
  }
}
