import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the map over the log is computed (docs/verify.md, 13). `NumberedTiles` makes the table of its tiles. */
export class Map1763703200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table log_state
        -- Entries that are in the map.
        add column map_size bigint not null default 0,
        -- The newest entry that commits to it; null before the first.
        add column map_index bigint`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table log_state drop column map_size, drop column map_index');
  }
}
