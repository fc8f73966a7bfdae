import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where the log is signed, so that a server notices a database that was restored; and what witnesses claim. */
export class LogPlace1763702850000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table log_state
        -- Cluster, database, timeline and folder, where the log was signed last; null until a server has looked.
        add column place jsonb,
        -- The transaction that wrote this row. Where the rows were copied it is another one than in xmin.
        add column written_by xid8`);
    // A trigger, because servers of the version before write beside those of this one. For updates only: a restore
    // inserts, also one of data alone, and logical replication fires no ordinary triggers.
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
      alter table log_witness
        -- Entries that it says it has signed, where those are more than the log has; null: it claims nothing.
        add column claimed_size bigint`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table log_witness drop column claimed_size');
    await runner.query('drop trigger log_state_written_by on log_state');
    await runner.query('drop function log_state_written_by()');
    await runner.query('alter table log_state drop column place, drop column written_by');
  }
}
