import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The map over the log (docs/verify.md, section 13). The sequencer computes it from the entries that are there. */
export class Map1763703200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table map_tile (
        -- Empty: the map; otherwise the tree of those who hold an identity, by the key of that identity.
        tree bytea not null,
        -- Hex digits that all keys of the tile begin with.
        path text collate "C" not null,
        -- After how many entries of the log the tree came to have it, and ceased to; null: it has it still.
        since bigint not null,
        until bigint,
        -- What stands at each of the 16 next digits: nothing, a leaf, or the hash of a further tile.
        slots bytea not null,
        primary key (tree, path, since)
      )`);
    // For what no reader asks for any more.
    await runner.query('create index map_tile_past on map_tile (until) where until is not null');
    await runner.query(`
      alter table log_state
        -- Entries that are in the map.
        add column map_size bigint not null default 0,
        -- The newest entry that commits to it; null before the first.
        add column map_index bigint`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table log_state drop column map_size, drop column map_index');
    await runner.query('drop table map_tile');
  }
}
