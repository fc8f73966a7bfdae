import { readOtherEntry } from '@signet/verify/internal/log';
import { readEntry } from '@signet/verify/log';
import { EMPTY_ROOT, holderKey, MapState, readMapEntry, type IdentityState } from '@signet/verify/internal/map';
import type { EntityManager } from 'typeorm';
import { equalBytes, sha256 } from '../../crypto/hashing.js';
import { LogFinding } from './log-finding.js';
import { type Below, isBelow, type MapLeaf, rootOf } from '../tree/map/map-slot.js';
import { readTiles } from '../tree/map/map-store.js';
import { MapTile } from '../tree/map/map-tile.js';

/** Tiles that are read at a time. */
const BATCH = 1000;

/** The number of the highest tile, and the root that it must have: of the newest map, and of those that are kept. */
const TOPS = `
  select coalesce(map_top, 0) as number, decode(entry::json ->> 'root', 'hex') as hash
  from (select map_top, size from log_state union all select map_top, size from log_checkpoint) as kept
  join log_leaf on leaf_index = kept.size - 1
  where kept.size >= (
    select max(size) from log_checkpoint where size <= coalesce((select min(since) from map_past), size))`;

/** A tile that another one names. */
interface NamedTile extends Below {
  /** Hex digits in front of it. */
  path: string;
  /** The tree that it is a tile of, in words. */
  tree: string;
}

const MAP = 'the map';
const WRONG_MAP = 'The stored map is not the one that the entries give.';

/**
 * Computes the map anew, in memory, and compares: each entry that commits to it, and the tiles of all maps that are
 * stored whole. Takes about 3 KB for each Avatar with one identity.
 */
export class MapCheck {
  private readonly map = new MapState(sha256);

  constructor(private readonly manager: EntityManager) {}

  /** Takes in the text of the next entry, which is none of the map. */
  apply(text: string): void {
    const bytes = Buffer.from(text);
    this.map.apply(readEntry(bytes) ?? readOtherEntry(bytes));
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

  /**
   * Compares the tiles, from the highest ones down, of the newest map and of those of tree heads from the oldest one on
   * none of whose tiles is forgotten. The entries of the log are those that were compared. @throws LogFinding
   */
  async assertStored(): Promise<void> {
    const maps: Below[] = await this.manager.query(TOPS);
    const isWrong = maps.some(({ number, hash }) => (number === 0) !== equalBytes(hash, EMPTY_ROOT));
    if (isWrong) throw new LogFinding(WRONG_MAP);
    const tops = maps.filter(({ number }) => number > 0);
    const named = tops.map((top): NamedTile => ({ ...top, path: '', tree: MAP }));
    const compared = new Set<string>();
    while (named.length > 0) {
      const some = named.splice(-BATCH).filter(({ number, hash }) => {
        const name = `${number} ${Buffer.from(hash).toString('latin1')}`;
        return !compared.has(name) && compared.add(name);
      });
      const found = await readTiles(this.manager, [...new Set(some.map(({ number }) => number))]);
      for (const tile of some) named.push(...namedBy(tile, found.get(tile.number)));
    }
  }
}

/** The tiles that a stored tile names, once that is the one that it is named as. @throws LogFinding */
function namedBy({ hash, path, tree, number }: NamedTile, bytes: Buffer | undefined): NamedTile[] {
  const name = `"${path}" of ${tree}`;
  if (!bytes) throw new LogFinding(`The tile ${name}, number ${number}, is not in the database any more.`);
  const tile = readTile(name, bytes);
  if (!equalBytes(tile.root(), hash)) {
    throw new LogFinding(
      tree === MAP && path === '' ? WRONG_MAP : `The tile ${name} is not the one that is named above it.`,
    );
  }
  if (!tile.encode().equals(bytes)) {
    throw new LogFinding(`The tile ${name} has hashes that do not follow from its slots.`);
  }
  return tile.all().flatMap((slot, digit) => {
    if (isBelow(slot)) return [{ ...slot, path: path + digit.toString(16), tree }];
    return slot ? treesOf(slot, name, tree !== MAP) : [];
  });
}

/** The tree of holders of a leaf, if it is one of an identity and has tiles. @throws LogFinding */
function treesOf({ key, value, avatar, holders = null }: MapLeaf, name: string, isHolder: boolean): NamedTile[] {
  if (isHolder && !(avatar && equalBytes(holderKey(avatar, sha256), key))) {
    throw new LogFinding(`The tile ${name} names another Avatar than its key.`);
  }
  const { root } = JSON.parse(value) as Partial<IdentityState>;
  if (root === undefined) return [];
  const hash = Buffer.from(root, 'hex');
  const identity = Buffer.from(key).toString('hex');
  if (isBelow(holders))
    return [{ number: holders.number, hash, path: '', tree: `the holders of identity ${identity}` }];
  if (!equalBytes(rootOf(holders), hash)) {
    throw new LogFinding(`The stored holders of identity ${identity} are not those that the entries give.`);
  }
  return holders ? treesOf(holders, name, true) : [];
}

/** A tile whose hashes are computed from its slots, whatever is stored of them. @throws LogFinding */
function readTile(name: string, bytes: Buffer): MapTile {
  try {
    const stored = MapTile.decode(bytes);
    const tile = MapTile.empty();
    for (const [digit, slot] of stored.all().entries()) tile.set(digit, slot);
    return tile;
  } catch (error) {
    throw new LogFinding(`The tile ${name} cannot be read: ${(error as Error).message}`);
  }
}
