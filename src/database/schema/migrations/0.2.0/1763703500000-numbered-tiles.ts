import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps each state of a tile of the map under a number of its own, by which the tile above names it: new tiles go to the
 * end of the table and of its index. Tiles in the form before are dropped, and the sequencer computes the map anew.
 */
export class NumberedTiles1763703500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop table map_tile');
    await runner.query(`
      create table map_tile (
        number bigint primary key,
        -- What stands at each of 16 digits: nothing, a leaf, or hash and number of a further tile.
        bytes bytea not null
      )`);
    // No tile is so large that it would not fit into a page, and hashes cannot be compressed.
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
    await runner.query(`
      create table map_tile (
        tree bytea not null, path text collate "C" not null, since bigint not null, until bigint, slots bytea not null,
        primary key (tree, path, since)
      )`);
    await runner.query('create index map_tile_past on map_tile (until) where until is not null');
    await runner.query('update log_state set map_size = 0 where map_size > 0');
  }
}
