import { createHash } from 'node:crypto';
import { provenValue, SparseTree, valueHash } from '@signet/verify/map';
import { SeededRandom } from '../crypto/seeded-random.js';
import { findKey, leavesOf, type ReadPath } from '../../src/transparency-log/map/map-proofs.js';
import { MapTile } from '../../src/transparency-log/map/map-tile.js';
import { MAP_TREE, MapTrees, type ReadMapTiles } from '../../src/transparency-log/map/map-trees.js';

/** Tiles as the database would keep them, by tree and path. */
class KeptTiles {
  private readonly rows = new Map<string, Buffer>();

  readonly read: ReadMapTiles = async (places) =>
    places.map(({ tree, path }) => this.rows.get(`${tree}/${path}`) ?? null);

  readonly readPath: ReadPath = async (tree, digits, depth) => {
    const tiles: MapTile[] = [];
    for (const bytes of this.onPath(tree, digits, depth)) tiles.push(MapTile.decode(bytes));
    return tiles;
  };

  /** At most three at once. */
  private *onPath(tree: string, digits: string, depth: number) {
    for (let length = depth; length < depth + 3; length++) {
      const bytes = this.rows.get(`${tree}/${digits.slice(0, length)}`);
      if (!bytes) return;
      yield bytes;
    }
  }

  take(trees: MapTrees, isLast: boolean): void {
    for (const { place, bytes } of trees.takeChanges(isLast)) {
      if (bytes) this.rows.set(`${place.tree}/${place.path}`, bytes);
      else this.rows.delete(`${place.tree}/${place.path}`);
    }
  }

  paths(): string[] {
    return [...this.rows.keys()].map((name) => name.slice(`${MAP_TREE}/`.length)).sort();
  }

  all() {
    return [...this.rows.values()].map((bytes) => MapTile.decode(bytes));
  }
}

/** Keys of which many begin with the same bits, as somebody may grind them. */
function someKey(random: SeededRandom): Uint8Array {
  const key = createHash('sha256')
    .update(String(random.below(401)))
    .digest();
  const shared = random.below(4);
  if (shared > 0) key.fill(0xa5, 0, shared * 5);
  return key;
}

describe('the tiles of the map', () => {
  it('give the roots and proofs of the tree in memory, whatever is added, replaced and taken out', async () => {
    const random = new SeededRandom('map tiles');
    const tiles = new KeptTiles();
    const tree = new SparseTree();
    const keys = new Map<string, Uint8Array>();
    for (let round = 0; round < 60; round++) {
      const changes = new Map<string, [Uint8Array, string | null]>();
      // Later rounds take out more than they add, so that subtrees with one leaf come about.
      const share = round < 30 ? 80 : 20;
      for (let change = random.below(13); change > 0; change--) {
        const known = [...keys.values()];
        const key = known.length > 0 && random.below(2) === 0 ? known[random.below(known.length)]! : someKey(random);
        changes.set(Buffer.from(key).toString('hex'), [key, random.below(100) < share ? `{"link":${round}}` : null]);
      }
      const root = await changeAll(tiles, [...changes.values()], random);
      for (const [name, [key, value]] of changes) {
        tree.set(key, value === null ? null : valueHash(value));
        if (value === null) keys.delete(name);
        else keys.set(name, key);
      }

      expect(Buffer.from(root)).toEqual(Buffer.from(tree.root()));
      for (const key of [...changes.values()].map(([one]) => one).concat(someKey(random))) {
        const { leaf, proof } = await findKey(tiles.readPath, MAP_TREE, key);
        expect(proof).toEqual(plain(tree.prove(key)));
        const shown = provenValue(root, key, proof);
        expect(shown).toEqual({ valueHash: leaf && valueHash(leaf.value) });
      }
      const leaves = leavesOf(tiles.all());
      expect(leaves.map(({ key }) => Buffer.from(key).toString('hex'))).toEqual([...keys.keys()].sort());
      expect(leaves.every(({ avatar }) => avatar === '0x02ab')).toBe(true);
    }
    // A tile for each beginning that two keys share, besides the highest one; none is left behind.
    const beginnings = new Map(keys.size > 0 ? [['', 2]] : []);
    for (const name of keys.keys()) {
      for (let length = 1; length < name.length; length++) {
        const beginning = name.slice(0, length);
        beginnings.set(beginning, (beginnings.get(beginning) ?? 0) + 1);
      }
    }
    const shared = [...beginnings].filter(([, count]) => count > 1).map(([beginning]) => beginning);
    expect(tiles.paths()).toEqual(shared.sort());
  });

  it('refuse bytes that are no tile', () => {
    const tile = MapTile.empty();
    for (let digit = 0; digit < 16; digit++) tile.set(digit, { hash: Buffer.alloc(32, digit) });
    const bytes = tile.encode();

    expect(() => MapTile.decode(bytes.subarray(1))).toThrow(RangeError);
    expect(() => MapTile.decode(bytes.subarray(0, -1))).toThrow(RangeError);
    expect(() => MapTile.decode(Buffer.concat([bytes, Buffer.of(0)]))).toThrow(RangeError);
  });
});

/** Makes changes at once, or in two parts, of which the second is read while the first is made. @returns the root */
async function changeAll(tiles: KeptTiles, changes: [Uint8Array, string | null][], random: SeededRandom) {
  const trees = new MapTrees(tiles.read);
  const load = (part: typeof changes) => trees.load(part.map(([key]) => ({ tree: MAP_TREE, key })));
  const make = (part: typeof changes) =>
    trees.change(
      MAP_TREE,
      part.map(([key, value]) => [key, value === null ? null : { key, value, avatar: '0x02ab' }]),
    );
  if (random.below(2) === 0) {
    await load(changes);
  } else {
    const [first, second] = [true, false].map((isFirst) => changes.filter(([key]) => key[0]! < 0x80 === isFirst));
    await load(first!);
    await Promise.all([make(first!), load(second!)]);
    tiles.take(trees, false);
    changes = second!;
  }
  const root = await make(changes);
  tiles.take(trees, true);
  return root;
}

function plain({ siblings, end }: ReturnType<SparseTree['prove']>) {
  return {
    siblings: siblings.map((hash) => Buffer.from(hash)),
    end: end && { key: Buffer.from(end.key), valueHash: Buffer.from(end.valueHash) },
  };
}
