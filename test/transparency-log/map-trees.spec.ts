import { createHash } from 'node:crypto';
import { provenValue, SparseTree, valueHash } from '@signet/verify/internal/map';
import { SeededRandom } from '../crypto/seeded-random.js';
import { MapProofs, type ReadPath } from '../../src/transparency-log/tree/map/map-proofs.js';
import { type Below, isBelow, isLeaf, type Slot } from '../../src/transparency-log/tree/map/map-slot.js';
import { digitOf, MapTile } from '../../src/transparency-log/tree/map/map-tile.js';
import { numberBelow, WIDTH } from '../../src/transparency-log/tree/map/map-tile-layout.js';
import { type KeyChange, MapTrees, type ReadMapTiles } from '../../src/transparency-log/tree/map/map-trees.js';
import { readProof } from './read-proof.js';

/** Tiles as the database would keep them, by their numbers, without those of former maps. */
class KeptTiles {
  top = 0;
  next = 1;
  private readonly rows = new Map<number, Buffer>();

  constructor(readonly isShown: boolean) {}

  readonly read: ReadMapTiles = async (numbers) => new Map(numbers.map((number) => [number, this.rows.get(number)!]));

  private readonly readPath: ReadPath = async (number, key, depth) => {
    const tiles: MapTile[] = [];
    for (
      let next = number;
      next > 0;
      next = numberBelow(this.rows.get(next)!, digitOf(key, depth + tiles.length - 1))
    ) {
      tiles.push(this.tile(next));
    }
    return tiles;
  };

  readonly proofs = new MapProofs(this.readPath);

  mapOf(root: Uint8Array): Slot {
    return this.top > 0 ? { hash: root, number: this.top } : null;
  }

  take(trees: MapTrees, isLast: boolean): void {
    const { numbers, tiles, past } = trees.takeChanges(isLast);
    for (const [index, number] of numbers.entries()) {
      if (this.isShown && this.rows.has(number)) throw new Error(`Tile ${number} was changed.`);
      this.rows.set(number, tiles[index]!);
      this.next = Math.max(this.next, number + 1);
    }
    for (const number of past) {
      if (!this.rows.delete(number)) throw new Error(`Tile ${number} was not there.`);
    }
    this.top = trees.top;
  }

  lose(number: number): void {
    this.rows.delete(number);
  }

  /** What all tiles of the map begin with, and its leaves; each row must be one of these tiles. */
  all() {
    const tiles = this.top > 0 ? this.below(this.top, '') : [];
    if (tiles.length !== this.rows.size) throw new Error(`${this.rows.size - tiles.length} tiles are left behind.`);
    const paths = tiles.map(({ path }) => path).sort();
    const leaves = tiles.flatMap(({ tile }) => tile.all()).filter(isLeaf);
    return { paths, leaves: leaves.sort((one, other) => Buffer.compare(one.key, other.key)) };
  }

  private below(number: number, path: string): { path: string; tile: MapTile }[] {
    const tile = this.tile(number);
    const below = tile
      .all()
      .flatMap((slot, digit) => (isBelow(slot) ? this.below(slot.number, path + digit.toString(16)) : []));
    return [{ path, tile }, ...below];
  }

  private tile(number: number): MapTile {
    return MapTile.decode(this.rows.get(number)!);
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
  it.each([
    ['under new numbers', true],
    ['in place', false],
  ])(
    'give the roots and proofs of the tree in memory, whatever is added, replaced and taken out, %s',
    async (_, isShown) => {
      const random = new SeededRandom('map tiles');
      const tiles = new KeptTiles(isShown);
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
          const { leaf, proof } = await tiles.proofs.find(tiles.mapOf(root), key);
          expect(readProof(proof)).toEqual(plain(tree.prove(key)));
          const shown = provenValue(root, key, readProof(proof));
          expect(shown).toEqual({ valueHash: leaf && valueHash(leaf.value) });
        }
        const { leaves } = tiles.all();
        expect(leaves.map(({ key }) => Buffer.from(key).toString('hex'))).toEqual([...keys.keys()].sort());
        expect(leaves.every(({ avatar }) => avatar === '0x02ab')).toBe(true);
      }
      // A tile for each beginning that two keys share, besides the highest one, which stays; none is left behind.
      const beginnings = new Map([['', 2]]);
      for (const name of keys.keys()) {
        for (let length = 1; length < name.length; length++) {
          const beginning = name.slice(0, length);
          beginnings.set(beginning, (beginnings.get(beginning) ?? 0) + 1);
        }
      }
      const shared = [...beginnings].filter(([, count]) => count > 1).map(([beginning]) => beginning);
      expect(tiles.all().paths).toEqual(shared.sort());
    },
  );

  it('are read back as they were written, whatever stands in their slots, and the longest fits into a page', () => {
    const longest = (avatar?: string, holders: Slot = null) => {
      const value = avatar ? '{"link":9007199254740991}' : `{"holders":9007199254740991,"root":"${'a'.repeat(64)}"}`;
      return { key: Buffer.alloc(32, 255), value, ...(avatar && { avatar }), ...(holders && { holders }) };
    };
    const below = { hash: Buffer.alloc(32, 7), number: 2 ** 48 - 1 };
    const avatar = `0x02${'c'.repeat(64)}`;
    const kinds: Slot[] = [null, below, longest(), longest(avatar), longest(undefined, below)];
    kinds.push(longest(undefined, longest(avatar)));
    const tile = MapTile.empty();
    for (let digit = 0; digit < WIDTH; digit++) tile.set(digit, kinds[digit % kinds.length]!);
    const read = MapTile.decode(tile.encode());

    for (let digit = 0; digit < WIDTH; digit++) expect(read.slot(digit)).toEqual(kinds[digit % kinds.length]);
    for (let digit = 0; digit < WIDTH; digit++) tile.set(digit, kinds.at(-1)!);
    expect(tile.encode().length).toBeLessThan(8000);
  });

  it('refuse bytes that are no tile', () => {
    const tile = MapTile.empty();
    for (let digit = 0; digit < 15; digit++) tile.set(digit, { hash: Buffer.alloc(32, digit), number: digit + 1 });
    tile.set(15, { key: Buffer.alloc(32), value: '{"link":1}' });
    const bytes = tile.encode();

    expect(() => MapTile.decode(bytes.subarray(0, 3))).toThrow(RangeError);
    expect(() => MapTile.decode(bytes.subarray(1))).toThrow(RangeError);
    expect(() => MapTile.decode(bytes.subarray(0, -1))).toThrow(RangeError);
    expect(() => MapTile.decode(Buffer.concat([bytes, Buffer.of(0)]))).toThrow(RangeError);
    expect(() => MapTile.decode(Buffer.concat([bytes.subarray(0, -1), Buffer.of(9)]))).toThrow(RangeError);
  });
});

describe('a tree of holders', () => {
  const avatars = Array.from({ length: 40 }, (_, index) => createHash('sha256').update(`avatar ${index}`).digest());
  const holding = (count: number) =>
    avatars.slice(0, count).map((key): KeyChange => [key, { key, value: '{"link":1}', avatar: '0x02ab' }]);

  it('is nothing, a leaf or a tile, and what is below the tile goes with it', async () => {
    const tiles = new KeptTiles(true);
    const identity = Buffer.alloc(32, 9);
    const become = async (changes: KeyChange[]) => {
      const trees = new MapTrees(tiles.read, tiles);
      await trees.load([{ key: identity, holders: changes.map(([key]) => key) }]);
      const holders = await trees.changeHolders(trees.leafOf(identity)?.holders ?? null, changes);
      await trees.change([[identity, { key: identity, value: '{}', holders }]]);
      tiles.take(trees, true);
      return holders;
    };
    const tree = new SparseTree();
    for (const [key, leaf] of holding(40)) tree.set(key, valueHash(leaf!.value));

    expect(await become(holding(1))).toEqual(holding(1)[0]![1]);
    const grown = await become(holding(40));
    expect(isBelow(grown) && Buffer.from(grown.hash).equals(tree.root())).toBe(true);
    for (const key of avatars) {
      const { leaf, proof } = await tiles.proofs.find(grown, key);
      expect(provenValue(tree.root(), key, readProof(proof))).toEqual({ valueHash: valueHash(leaf!.value) });
    }
    expect(await become(avatars.slice(1).map((key): KeyChange => [key, null]))).toEqual(holding(1)[0]![1]);
    expect(tiles.all().paths).toEqual(['']);
    expect(await become([[avatars[0]!, null]])).toBeNull();
  });

  it('is not changed where its highest tile is missing', async () => {
    const tiles = new KeptTiles(true);
    const identity = Buffer.alloc(32, 9);
    const trees = new MapTrees(tiles.read, tiles);
    const holders = await trees.changeHolders(null, holding(40));
    await trees.change([[identity, { key: identity, value: '{}', holders }]]);
    tiles.take(trees, true);
    tiles.lose((holders as Below).number);

    const loaded = new MapTrees(tiles.read, tiles).load([{ key: identity, holders: [avatars[0]!] }]);
    await expect(loaded).rejects.toThrow(/^The tile \d+ of the map is missing; see docs\/log\.md\.$/);
  });

  it('is not changed where its tiles were not read', async () => {
    const tiles = new KeptTiles(true);
    const trees = new MapTrees(tiles.read, tiles);
    const holders = await trees.changeHolders(null, holding(40));
    tiles.take(trees, true);

    await expect(new MapTrees(tiles.read, { ...tiles, top: 9 }).changeHolders(holders, holding(1))).rejects.toThrow(
      /was not read/,
    );
  });
});

/** Makes changes at once, or in two parts, of which the second is read while the first is made. @returns the root */
async function changeAll(tiles: KeptTiles, changes: [Uint8Array, string | null][], random: SeededRandom) {
  const trees = new MapTrees(tiles.read, tiles);
  const load = (part: typeof changes) => trees.load(part.map(([key]) => ({ key })));
  const make = (part: typeof changes) =>
    trees.change(part.map(([key, value]) => [key, value === null ? null : { key, value, avatar: '0x02ab' }]));
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
