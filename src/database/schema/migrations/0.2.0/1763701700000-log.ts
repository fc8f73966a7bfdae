import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The transparency log, and the numbers of patches in their feed. No row that exists is written: what is old is taken
 * into the log, and numbered, by the sequencer. The indexes that it needs are built by upgrade steps.
 */
export class Log1763701700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table kv_patch
        -- Given after the commit: gapless, and later patches always have higher ones. Its cursor in the feed.
        add column feed_id bigint`);
    await runner.query(`
      create table log_state (
        is_only boolean primary key default true check (is_only),
        -- What the tree below is signed as.
        origin text not null,
        verifier_key text not null,
        -- Leaves of the tree; signed or not.
        size bigint not null default 0,
        -- The last record of each feed that is in it.
        last_link_id bigint not null default 0,
        last_patch_id bigint not null default 0,
        -- Why nothing is signed any more; empty: all is well.
        refusal text not null default '',
        started_at timestamptz not null default clock_timestamp()
      )`);
    await runner.query(`
      create table log_leaf (
        leaf_index bigint primary key,
        kind text not null,
        -- The number of the record in its feed.
        record_id bigint not null,
        -- Canonical JSON; its UTF-8 is what the leaf hash is made of.
        entry text not null,
        -- Where a record stands; and no record stands twice.
        constraint log_leaf_record unique (kind, record_id)
      )`);
    await runner.query(`
      create table log_tile (
        level smallint not null,
        number bigint not null,
        -- 32 bytes for each of up to 256 hashes.
        hashes bytea not null check (octet_length(hashes) between 32 and 8192 and octet_length(hashes) % 32 = 0),
        primary key (level, number)
      )`);
    // Hashes do not compress.
    await runner.query('alter table log_tile alter column hashes set storage external');
    await runner.query(`
      create table log_checkpoint (
        -- No two tree heads of one size.
        size bigint primary key,
        root bytea not null check (octet_length(root) = 32),
        -- The signed note, with the signature of the log alone.
        note text not null,
        signed_at timestamptz not null default clock_timestamp()
      )`);
    await runner.query(`
      create table log_cosignature (
        size bigint not null,
        witness text not null,
        -- 8 hex digits.
        key_id text not null,
        -- The signature line as it stands in a note, without its line end.
        line text not null,
        cosigned_at timestamptz not null,
        -- The lines of one tree head.
        primary key (size, witness, key_id)
      )`);
    await runner.query(`
      create table log_past_origin (
        origin text primary key,
        verifier_key text not null,
        -- The last signed note; empty where none was signed.
        note text not null,
        -- Why it ended.
        reason text not null,
        started_at timestamptz not null,
        ended_at timestamptz not null default clock_timestamp()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table log_past_origin, log_cosignature, log_checkpoint, log_tile, log_leaf, log_state');
    await runner.query('drop index if exists kv_patch_unnumbered, kv_patch_feed');
    await runner.query('alter table kv_patch drop column feed_id');
  }
}
