import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps each state of a tile of the map as a row of its own, which is written once. Tiles in the form before are
 * dropped, and the sequencer computes the map anew.
 */
export class MapStates1763703300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('truncate map_tile');
    await runner.query('update log_state set map_size = 0 where map_size > 0');
    await runner.query(`
      alter table map_tile
        -- A tile is what it became after "since" entries until there is a newer row; 0: before the map was shown.
        drop column until,
        -- Null: the tree does not have the tile any more.
        alter column slots drop not null`);
    // For what no reader asks for any more.
    await runner.query('create index map_tile_since on map_tile (since) where since > 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index map_tile_since');
    await runner.query('truncate map_tile');
    await runner.query('update log_state set map_size = 0 where map_size > 0');
    await runner.query('alter table map_tile add column until bigint, alter column slots set not null');
    await runner.query('create index map_tile_past on map_tile (until) where until is not null');
  }
}
