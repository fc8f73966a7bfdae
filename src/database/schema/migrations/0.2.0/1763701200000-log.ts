import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The transparency log, and the numbers of patches in their feed. No row that exists is written: what is old is taken
 * into the log, and numbered, by the sequencer. The indexes that it needs are built by upgrade steps. Erasures of texts
 * for legal reasons (docs/log.md, "Erase a text") are entries of the log. Beside it stand its map and both roles of a
 * witness.
 */
export class Log1763701200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table kv_patch
        -- Given after the commit: gapless, and later patches always have higher ones. Its cursor in the feed.
        add column feed_id bigint`);
    for (const table of ['chain_link', 'kv_patch']) {
      await runner.query(`
        alter table ${table}
          -- Of a row whose texts were erased: when, why, and the hash that the log has of what it was.
          add column erased jsonb`);
    }
    await runner.query(`
      create table erasure (
        -- Gapless, in the order of the erasures: given under the lock of the log.
        id bigint primary key check (id >= 1),
        -- As entries of the log name it.
        kind text not null,
        -- The number of the record in its feed.
        record_id bigint not null,
        -- No record is erased twice.
        constraint erasure_record unique (kind, record_id)
      )`);
    await runner.query(`
      -- What erasures have still to do in events and deliveries, behind their commit.
      create table erasure_rest (
        id bigint generated always as identity primary key,
        -- The record that was erased.
        uuid uuid not null,
        avatar text not null,
        -- Null, with the identity, of a kind of record that names none.
        platform text,
        -- Erased with this row, when all is done.
        identity text,
        -- Whether no other record names the identity.
        is_last boolean not null,
        -- The position of the last event that was looked at.
        events_after bigint not null default 0,
        -- The events that had texts: deliveries are found by them.
        event_ids uuid[] not null default '{}'
      )`);
    await runner.query(`
      -- Entries of content that an erased patch changed: what they hold is incomplete for good.
      create table incomplete_entry (
        avatar text not null,
        -- Hex of the key of the identity (packages/verify, map-keys.ts): what was erased has no name any more.
        identity_key text not null,
        primary key (avatar, identity_key)
      )`);
    await runner.query(`
      create table log_state (
        is_only boolean primary key default true check (is_only),
        -- What the tree below is signed as.
        origin text not null,
        verifier_key text not null,
        -- Leaves of the tree; signed or not.
        size bigint not null default 0,
        -- Entries that are in the map, and the newest entry that commits to it; null before the first.
        map_size bigint not null default 0,
        map_index bigint,
        -- The number of the highest tile of the newest map.
        map_top bigint not null default 0,
        -- Cluster, database, timeline and folder, where the log was signed last; null until a server has looked.
        place jsonb,
        -- The transaction that wrote this row. Where the rows were copied it is another one than in xmin.
        written_by xid8,
        -- Why nothing is signed any more; empty: all is well.
        refusal text not null default '',
        started_at timestamptz not null default clock_timestamp()
      )`);
    // For updates only: a restore inserts, also one of data alone, and logical replication fires no ordinary triggers.
    await runner.query(`
      create function log_state_written_by() returns trigger language plpgsql as $$
      begin
        new.written_by := pg_current_xact_id();
        return new;
      end $$`);
    await runner.query(`
      create trigger log_state_written_by before update on log_state
      for each row execute function log_state_written_by()`);
    await runner.query(`
      create table log_feed (
        -- A kind of records, as their entries name it; or 'erasure', or 'map'.
        kind text primary key,
        -- The last record of the feed, or the last erasure, that is in the tree; how many entries of the map are in it.
        -- No feed has gaps, so these numbers add up to the size in log_state: rows of another time do not.
        last_id bigint not null
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
        signed_at timestamptz not null default clock_timestamp(),
        -- The number of the highest tile of the map that the tree head ends with; null: it ends with none.
        map_top bigint
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
        -- The note by which its key names the next log; empty where the key was not at hand.
        next_note text not null default '',
        -- Why it ended.
        reason text not null,
        started_at timestamptz not null,
        ended_at timestamptz not null default clock_timestamp()
      )`);
    // The map over the log (docs/verify.md, 13): each state of a tile under a number of its own, by which the tile
    // above names it.
    await runner.query(`
      create table map_tile (
        number bigint primary key,
        -- What stands at each of 16 digits: nothing, a leaf, or hash and number of a further tile.
        bytes bytea not null
      )`);
    // Every tile fits into a page, and hashes cannot be compressed.
    await runner.query('alter table map_tile alter column bytes set storage plain');
    await runner.query(`
      create table map_past (
        -- The number of entries from which on the map does not have these tiles.
        since bigint primary key,
        tiles bigint[] not null
      )`);
    // Logs that this service watches as a witness. One row for each, changed by compare-and-set: the witness signs
    // nothing that is not stored here first.
    await runner.query(`
      create table witnessed_log (
        origin text primary key,
        -- SHA-256 of the origin, 64 hex digits: where monitors look it up.
        origin_hash text not null unique,
        size bigint not null check (size >= 0),
        root bytea not null check (octet_length(root) = 32),
        -- The checkpoint with the signature of its log and of this witness.
        note text not null,
        cosigned_at timestamptz not null
      )`);
    // Witnesses that watch the log of this service.
    await runner.query(`
      create table log_witness (
        -- The log of this deployment that it is asked about; another origin is another log.
        origin text not null,
        -- The verifier key of the witness.
        verifier_key text not null,
        -- The tree that the witness signed last, as far as is known here.
        size bigint not null default 0,
        cosigned_at timestamptz,
        -- Entries that it says it has signed, where those are more than the log has; null: it claims nothing.
        claimed_size bigint,
        -- What went wrong with the last request; empty if nothing did.
        problem text not null default '',
        -- No server asks before; also the lease of the one that asks.
        next_at timestamptz not null default clock_timestamp(),
        primary key (origin, verifier_key)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table log_witness, witnessed_log');
    await runner.query('drop table map_past, map_tile');
    await runner.query(
      'drop table log_past_origin, log_cosignature, log_checkpoint, log_tile, log_leaf, log_feed, log_state',
    );
    await runner.query('drop function log_state_written_by()');
    await runner.query('drop table incomplete_entry, erasure_rest, erasure');
    await runner.query('alter table chain_link drop column erased');
    await runner.query('drop index if exists kv_patch_unnumbered, kv_patch_feed');
    await runner.query('alter table kv_patch drop column erased, drop column feed_id');
  }
}
