import { EMPTY_ROOT, holderKey, identityKey, type MapFact, MapState, readMapEntry } from '@signet/verify/map';
import type { IdentityState } from '@signet/verify/map';
import type { EntityManager } from 'typeorm';
import { equalBytes, sha256 } from '../../crypto/hashing.js';
import { LogFinding } from '../log-errors.js';
import type { FeedItem } from '../records/feed-records.js';
import { type Below, isBelow, type MapLeaf, rootOf } from './map-slot.js';
import { readTiles } from './map-store.js';
import { MapTile } from './map-tile.js';

/** Tiles that are read at a time. */
const BATCH = 1000;

/** A tile that another one names. */
interface NamedTile extends Below {
  /** Hex digits in front of it. */
  path: string;
  /** The tree that it is a tile of, in words. */
  tree: string;
}

const MAP = 'the map';
const WRONG_MAP = 'The stored map is not the one that the entries give.';

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

  /** Compares the tiles that are stored, from the highest one down. @throws LogFinding */
  async assertStored(): Promise<void> {
    const [{ top }] = (await this.manager.query('select map_top as top from log_state')) as [{ top: number }];
    const hash = this.map.root();
    if (top === 0 && !equalBytes(hash, EMPTY_ROOT)) throw new LogFinding(WRONG_MAP);
    const named: NamedTile[] = top === 0 ? [] : [{ number: top, hash, path: '', tree: MAP }];
    while (named.length > 0) {
      const some = named.splice(-BATCH);
      const numbers = some.map(({ number }) => number);
      const found = await readTiles(this.manager, numbers);
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
