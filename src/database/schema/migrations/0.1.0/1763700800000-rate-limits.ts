import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What clients did in the present minute, counted for all servers together. Not worth a log: after a crash everybody
 * starts anew.
 */
export class RateLimits1763700800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create unlogged table rate_limit (
        -- '<class> <client>'
        key text primary key,
        requests integer not null,
        -- By the clock of the database.
        ends_at timestamptz not null
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table rate_limit');
  }
}
