import pg from 'pg';

/**
 * Puts the clock of one database, and of no other on its server, `seconds` ahead (or back, where negative) of the true
 * time, for sessions that begin from now on and for those that have begun behind an earlier step: `now()` and
 * `clock_timestamp()` are found in a schema in front of those of PostgreSQL, and behind that of the tables.
 */
export async function stepDatabaseClock(url: string, seconds: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    await client.query(`
      create schema if not exists stepped_clock;
      create table if not exists stepped_clock.step (seconds float8 not null);
      delete from stepped_clock.step;
      insert into stepped_clock.step values (${seconds})`);
    for (const name of ['clock_timestamp', 'now']) {
      await client.query(`
        create or replace function stepped_clock.${name}() returns timestamptz language sql volatile as $$
          select pg_catalog.${name}() + make_interval(secs => seconds) from stepped_clock.step
        $$`);
    }
    await client.query(`alter database "${rows[0]!.name}" set search_path = public, stepped_clock, pg_catalog`);
  } finally {
    await client.end();
  }
}
