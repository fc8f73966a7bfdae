import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The tiles of the map over the log, each state of a tile under a number of its own, by which the tile above names it.
 * Where an unreleased state of 0.2.0 has kept them in another form, the sequencer computes the map anew.
 */
export class NumberedTiles1763703500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop table if exists map_tile');
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
    // The number of the highest tile of the map: of the newest one, and of the one that a tree head ends with.
    await runner.query('alter table log_state add column map_top bigint not null default 0');
    await runner.query('alter table log_checkpoint add column map_top bigint');
    await runner.query('update log_state set map_size = 0 where map_size > 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table log_checkpoint drop column map_top');
    await runner.query('alter table log_state drop column map_top');
    await runner.query('drop table map_past, map_tile');
    await runner.query('update log_state set map_size = 0 where map_size > 0');
  }
}
