import { holderKey, identityKey, type MapFact, MapState, readMapEntry, valueHash, valueText } from '@signet/verify/map';
import type { EntityManager } from 'typeorm';
import { equalBytes, sha256 } from '../../crypto/hashing.js';
import { LogFinding } from '../log-errors.js';
import type { FeedItem } from '../records/feed-records.js';
import { isLeaf, MapTile, WIDTH as TILE_WIDTH } from './map-tile.js';

/** Tiles that are read at a time. */
const BATCH = 1000;

/** Parameters: the tree, hex, and the path behind which tiles are read, as they are now. */
const TILES = `
  select distinct on (tree, path) encode(tree, 'hex') as tree, path, slots from map_tile
  where (tree, path) > (decode($1, 'hex'), $2) order by tree, path, since desc limit ${BATCH}`;

/** The tile that is in front of all others. */
const TOP = `
  select '' as tree, path, slots from map_tile where tree = '' and path = '' order by since desc limit 1`;

interface TileRow {
  tree: string;
  path: string;
  /** Null: the tree does not have the tile any more. */
  slots: Buffer | null;
}

/** One tree while its tiles are read, the highest first. */
interface TreeCheck {
  tree: string;
  root: Uint8Array;
  leaves: number;
  /** Hashes of tiles that were named and not read yet, by their paths. */
  named: Map<string, Uint8Array>;
}

/** What the map takes from a record. */
export function factOf(item: FeedItem): MapFact {
  if ('patch' in item) return { kind: 'kv', avatar: item.patch.avatar };
  const { avatar, action, id, platform, identity, erased } = item.link;
  const key = erased ? Buffer.from(erased.identity_key ?? '', 'hex') : identityKey(platform, identity, sha256);
  return { kind: 'link', avatar, action: action as 'create' | 'delete', id, identity: key };
}

/**
 * Computes the map anew, in memory, and compares: each entry that commits to it, and all tiles that are stored. Takes
 * about 3 KB for each Avatar with one identity.
 */
export class MapCheck {
  private readonly map = new MapState(sha256);

  constructor(private readonly manager: EntityManager) {}

  /** Takes in the next entry, which is none of the map. */
  apply(fact: MapFact): void {
    this.map.apply(fact);
  }

  /** Compares the next entry, which is one of the map. @throws LogFinding */
  assertEntry(text: string): void {
    const index = this.map.size;
    const entry = readMapEntry(Buffer.from(text));
    if (entry?.size !== index)
      throw new LogFinding(`Entry ${index} does not commit to the map of the entries before it.`);
    const root = Buffer.from(this.map.root()).toString('hex');
    if (entry.root !== root) {
      throw new LogFinding(`Entry ${index} commits to the map ${entry.root}; the entries before it give ${root}.`);
    }
    this.map.apply(null);
  }

  /** Compares the tiles that are stored. @throws LogFinding */
  async assertStored(): Promise<void> {
    let check: TreeCheck = { tree: '', root: new Uint8Array(32), leaves: 0, named: new Map() };
    const identities = { trees: 0, leaves: 0 };
    let last = { tree: '', path: '' };
    for (
      let rows: TileRow[] = await this.manager.query(TOP);
      rows.length > 0;
      rows = await this.manager.query(TILES, [last.tree, last.path])
    ) {
      for (const { tree, path, slots } of rows) {
        last = { tree, path };
        if (!slots) continue;
        if (tree !== check.tree) {
          this.assertTree(check);
          identities.trees += 1;
          check = { tree, root: new Uint8Array(32), leaves: 0, named: new Map() };
        }
        const tile = readTile(nameOf(tree, path), slots);
        compareTile(check, path, tile);
        if (!tile.encode().equals(slots)) {
          throw new LogFinding(`The tile ${nameOf(tree, path)} has hashes that do not follow from its slots.`);
        }
        identities.leaves += tree === '' ? tile.leaves().filter(({ value }) => value.includes('"holders"')).length : 0;
      }
    }
    this.assertTree(check);
    if (identities.trees !== identities.leaves) {
      throw new LogFinding(
        `${identities.leaves} identities are in the map, and ${identities.trees} of them have tiles.`,
      );
    }
  }

  /** Whether a tree whose tiles were all read is that of the map, or of an identity in it. @throws LogFinding */
  private assertTree({ tree, root, leaves, named }: TreeCheck): void {
    const [missing] = named.keys();
    if (missing !== undefined)
      throw new LogFinding(`The tile ${nameOf(tree, missing)} is not in the database any more.`);
    const isMap = tree === '';
    const value = valueText({ holders: leaves, root: Buffer.from(root).toString('hex') });
    const expected = isMap ? this.map.root() : this.map.prove(Buffer.from(tree, 'hex')).end?.valueHash;
    const found = isMap ? root : valueHash(value, sha256);
    if (expected && equalBytes(expected, found)) return;
    throw new LogFinding(
      isMap
        ? 'The stored map is not the one that the entries give.'
        : `The stored holders of identity ${tree} are not those that the entries give.`,
    );
  }
}

/** A tile whose hashes are computed from its slots, whatever is stored of them. @throws LogFinding */
function readTile(name: string, bytes: Buffer): MapTile {
  try {
    const stored = MapTile.decode(bytes);
    const tile = MapTile.empty();
    for (let digit = 0; digit < TILE_WIDTH; digit++) tile.set(digit, stored.slot(digit));
    return tile;
  } catch (error) {
    throw new LogFinding(`The tile ${name} cannot be read: ${(error as Error).message}`);
  }
}

/** @throws LogFinding */
function compareTile(check: TreeCheck, path: string, tile: MapTile): void {
  const name = nameOf(check.tree, path);
  const hash = tile.root();
  if (path === '') check.root = hash;
  else {
    const named = check.named.get(path);
    if (!named || !equalBytes(named, hash))
      throw new LogFinding(`The tile ${name} is not the one that the tile above it names.`);
    check.named.delete(path);
  }
  for (let digit = 0; digit < TILE_WIDTH; digit++) {
    const slot = tile.slot(digit);
    if (slot === null) continue;
    if (!isLeaf(slot)) {
      check.named.set(path + digit.toString(16), slot.hash);
      continue;
    }
    check.leaves += 1;
    const isHolder = check.tree !== '';
    if (isHolder && !(slot.avatar && equalBytes(holderKey(slot.avatar, sha256), slot.key))) {
      throw new LogFinding(`The tile ${name} names another Avatar than its key.`);
    }
  }
}

function nameOf(tree: string, path: string): string {
  return tree === '' ? `"${path}" of the map` : `"${path}" of the holders of identity ${tree}`;
}
