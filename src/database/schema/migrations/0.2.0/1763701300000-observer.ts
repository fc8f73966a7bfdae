import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bindings of other servers that this one looks at, and what was seen of bindings, here and by others. */
export class Observer1763701300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table followed_feed (
        id bigint generated always as identity primary key,
        -- links: of a server that is looked at; statements: of an observer.
        kind text not null,
        url text not null,
        -- Cursor of the feed, and items that were read of it.
        last_id bigint not null default 0,
        items bigint not null default 0,
        -- What went wrong with the last request; empty if nothing did.
        problem text not null default '',
        next_at timestamptz not null default now(),
        leased_until timestamptz,
        unfinished_runs integer not null default 0,
        unique (kind, url)
      )`);
    await runner.query(`
      create table observed_chain (
        feed_id bigint not null references followed_feed on delete cascade,
        avatar text not null,
        -- Of the newest link that was read: what the next one has to name.
        signature text not null,
        created_at text not null,
        -- Something in the chain did not verify: nothing behind it is believed.
        is_broken boolean not null default false,
        primary key (feed_id, avatar)
      )`);
    await runner.query(`
      create table observed_binding (
        id bigint generated always as identity primary key,
        feed_id bigint not null references followed_feed on delete cascade,
        -- SHA-256 of the text that its link signs, 64 hex digits. A link is looked at as each server shows it, since
        -- nobody signs the place of its post.
        link_hash text not null,
        avatar text not null,
        platform text not null,
        identity text not null,
        uuid uuid not null,
        created_at timestamptz not null,
        proof_location text not null,
        signature_payload text not null,
        -- Seen at the first look that saw it; null where the platform has none.
        account_id text,
        -- What was said last; null if nothing was.
        is_seen boolean,
        gone_since timestamptz,
        failures integer not null default 0,
        next_look_at timestamptz not null default now(),
        leased_until timestamptz,
        unfinished_runs integer not null default 0,
        unique (link_hash, feed_id)
      )`);
    // For links that replace or revoke a binding.
    await runner.query('create index observed_binding_name on observed_binding (avatar, platform, identity)');
    // For what is due of one server, and for what is being looked at of it.
    await runner.query('create index observed_binding_due on observed_binding (feed_id, next_look_at)');
    await runner.query(
      'create index observed_binding_busy on observed_binding (feed_id) where leased_until is not null',
    );
    await runner.query('create sequence seen_statement_feed_id');
    await runner.query(`
      create table seen_statement (
        link_hash text not null,
        -- Name and id of the key that signed it.
        signer text not null,
        avatar text not null,
        platform text not null,
        identity text not null,
        uuid uuid not null,
        account_id text,
        is_seen boolean not null,
        seen_at timestamptz not null,
        -- The signature line, without its line break.
        line text not null,
        -- SHA-256 of what was read, hex; empty where nothing was, or where another server looked.
        evidence_sha256 text not null default '',
        -- Place in the feed of this server's own statements; null for those of others.
        feed_id bigint unique,
        primary key (link_hash, signer)
      )`);
    // For look-ups by Avatar, and by identity, in the order of their answers.
    await runner.query('create index seen_statement_avatar on seen_statement (avatar, link_hash, signer)');
    await runner.query(
      'create index seen_statement_identity on seen_statement (platform, identity, link_hash, signer)',
    );
    // For counts of what this server saw.
    await runner.query('create index seen_statement_own on seen_statement (is_seen) where feed_id is not null');
    // For a record that is erased, and for statements that are too old to be kept.
    await runner.query('create index seen_statement_uuid on seen_statement (uuid)');
    await runner.query('create index seen_statement_age on seen_statement (seen_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table seen_statement, observed_binding, observed_chain, followed_feed');
    await runner.query('drop sequence seen_statement_feed_id');
  }
}
