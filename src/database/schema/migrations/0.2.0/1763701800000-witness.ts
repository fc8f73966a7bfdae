import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The two roles of a witness: logs that this service watches, and witnesses that watch its own log. */
export class Witness1763701800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // One row for each log, changed by compare-and-set: the witness signs nothing that is not stored here first.
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
    await runner.query(`
      create table log_witness (
        -- The log of this deployment that it is asked about; another origin is another log.
        origin text not null,
        -- The verifier key of the witness.
        verifier_key text not null,
        -- The tree that the witness signed last, as far as is known here.
        size bigint not null default 0,
        cosigned_at timestamptz,
        -- What went wrong with the last request; empty if nothing did.
        problem text not null default '',
        -- No server asks before; also the lease of the one that asks.
        next_at timestamptz not null default clock_timestamp(),
        primary key (origin, verifier_key)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table log_witness, witnessed_log');
  }
}
