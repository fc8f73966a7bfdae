import { createHash } from 'node:crypto';
import { seed, SeededRandom } from '../support/seeded-random.js';
import {
  appendLeaves,
  consistencyFromTiles,
  consistencyNodes,
  inclusionFromTiles,
  inclusionsFromTiles,
  inclusionNodes,
  newTiles,
  parseTilePath,
  type ReadTiles,
  rootFromTiles,
  rootNodes,
  type Tile,
  tilePath,
  tilesOf,
  tileWidth,
  TreeFrontier,
} from '../../src/internal/log.js';
import { encodeHex, isConsistent, isContradiction, isIncluded, leafHash, treeRoot } from '../../src/log.js';
import { leafHashOf, Rfc6962Tree, rootOfPath, rootsOfProof } from './rfc6962.js';

const LARGEST = 100_000;

const random = new SeededRandom('the tree of the log');
const below = (limit: number) => random.below(limit);
const leaves = Array.from({ length: LARGEST }, (_, index) => leafHashOf(Buffer.from(`entry ${index}`)));
const second = new Rfc6962Tree(leaves);

/** The service gives the faster hash of Node; proofs below use the one of the package. */
const nodeSha256 = (message: Uint8Array) => new Uint8Array(createHash('sha256').update(message).digest());

/** A log that grows in batches and keeps one row for each tile, as the service does. */
class TileStore {
  readonly rows = new Map<string, Uint8Array>();
  size = 0;
  root = treeRoot([]);
  reads = 0;

  readonly readTiles: ReadTiles = async (tiles) => {
    this.reads++;
    return tiles.map((tile) => this.rows.get(`${tile.level}/${tile.number}`) ?? new Uint8Array());
  };

  async growTo(size: number): Promise<Tile[]> {
    const grown = await appendLeaves(this.size, leaves.slice(this.size, size), this.readTiles, nodeSha256);
    for (const { level, number, hashes } of grown.tiles) this.rows.set(`${level}/${number}`, hashes);
    this.size = grown.size;
    this.root = grown.root;
    return grown.tiles;
  }
}

const hexOf = (hashes: Uint8Array[]) => hashes.map(encodeHex).join();

/** Claims that did not hold; one assertion at the end costs less than ten thousand. */
class Findings {
  readonly wrong: string[] = [];

  check(claim: string, holds: boolean): void {
    if (!holds) this.wrong.push(claim);
  }
}

describe('the tree, beside an implementation straight from RFC 6962', () => {
  const store = new TileStore();
  beforeAll(async () => {
    await store.growTo(LARGEST);
  });

  it('has the same root for every size up to 600, whether it grows by leaves, by batches or is read from tiles', async () => {
    const found = new Findings();
    const frontier = new TreeFrontier();
    const growing = new TileStore();
    for (let size = 0; size <= 600; size++) {
      const expected = encodeHex(second.root(size));
      if (size > 0) frontier.add(leaves[size - 1]!);
      if (size % 7 === 0) await growing.growTo(size);

      found.check(`frontier ${size}`, encodeHex(frontier.root()) === expected);
      found.check(`tiles ${size}`, encodeHex(await rootFromTiles(size, store.readTiles)) === expected);
      found.check(`batches ${size}`, growing.size < size || encodeHex(growing.root) === expected);
    }

    expect(found.wrong).toEqual([]);
  });

  it(`agrees on inclusion for every size up to 300 (seed ${seed})`, async () => {
    const found = new Findings();
    for (let size = 1; size <= 300; size++) {
      const root = second.root(size);
      for (const index of new Set([0, size - 1, below(size)])) {
        const path = second.path(index, size);
        const proof = await inclusionFromTiles(index, size, store.readTiles);
        const claim = { leafHash: leaves[index]!, index, size, root, proof: path };
        const about = `${index} in ${size}`;

        found.check(`proof ${about}`, hexOf(proof) === hexOf(path));
        found.check(`verify ${about}`, isIncluded(claim));
        found.check(`second ${about}`, hexOf([rootOfPath(leaves[index]!, index, size, proof)!]) === hexOf([root]));
        found.check(`other index ${about}`, !isIncluded({ ...claim, index: (index + 1) % (size + 1) }));
        found.check(`other root ${about}`, !isIncluded({ ...claim, root: second.root(size + 1) }));
        found.check(`longer ${about}`, !isIncluded({ ...claim, proof: [...path, root] }));
        found.check(`shorter ${about}`, path.length === 0 || !isIncluded({ ...claim, proof: path.slice(1) }));
      }
    }

    expect(found.wrong).toEqual([]);
  });

  it(`agrees on consistency for every size up to 300 (seed ${seed})`, async () => {
    const found = new Findings();
    for (let size2 = 1; size2 <= 300; size2++) {
      for (const size1 of new Set([1, size2, 1 + below(size2)])) {
        const expected = second.proof(size1, size2);
        const proof = await consistencyFromTiles(size1, size2, store.readTiles);
        const [root1, root2] = [second.root(size1), second.root(size2)];
        const claim = { size1, root1, size2, root2, proof: expected };
        const about = `${size1} to ${size2}`;

        found.check(`proof ${about}`, hexOf(proof) === hexOf(expected));
        found.check(`verify ${about}`, isConsistent(claim));
        found.check(`second ${about}`, hexOf(rootsOfProof(size1, size2, root1, proof)!) === hexOf([root1, root2]));
        found.check(`other root1 ${about}`, !isConsistent({ ...claim, root1: second.root(size1 + 1) }));
        found.check(`other root2 ${about}`, !isConsistent({ ...claim, root2: second.root(size2 + 1) }));
        found.check(`longer ${about}`, !isConsistent({ ...claim, proof: [...expected, root2] }));
      }
    }

    expect(found.wrong).toEqual([]);
  });

  it(`takes two roots for a contradiction where they are, and nothing else (seed ${seed})`, () => {
    const found = new Findings();
    for (let size2 = 1; size2 <= 200; size2++) {
      for (const size1 of new Set([0, 1, size2, 1 + below(size2)])) {
        const [root1, root2] = [second.root(size1), second.root(size2)];
        const claim = { size1, root1, size2, root2, proof: size1 === 0 ? [] : second.proof(size1, size2) };
        const about = `${size1} to ${size2}`;
        const isOne = size1 === size2;
        // Of a power of two, and of no entries, the proof holds no root of its own.
        const holdsRoot = !Number.isInteger(Math.log2(size1)) && size1 > 0;

        found.check(`honest ${about}`, !isContradiction(claim));
        found.check(`root1 ${about}`, isContradiction({ ...claim, root1: leaves[7]! }) === (isOne || holdsRoot));
        found.check(`root2 ${about}`, isContradiction({ ...claim, root2: leaves[7]! }) === isOne);
        found.check(`longer ${about}`, !isContradiction({ ...claim, proof: [...claim.proof, root2] }));
        found.check(`smaller ${about}`, isOne || !isContradiction({ ...claim, size1: size2, size2: size1 }));
      }
    }

    expect(found.wrong).toEqual([]);
  });

  it(`agrees on all three for random sizes up to 100,000 (seed ${seed})`, async () => {
    const found = new Findings();
    for (let round = 0; round < 40; round++) {
      const size = 600 + below(LARGEST - 600);
      const index = below(size);
      const size1 = 1 + below(size);
      const [root1, root] = [second.root(size1), second.root(size)];
      const proof = await inclusionFromTiles(index, size, store.readTiles);
      const consistency = await consistencyFromTiles(size1, size, store.readTiles);
      const about = `${index}, ${size1}, ${size}`;

      found.check(`root ${about}`, hexOf([await rootFromTiles(size, store.readTiles)]) === hexOf([root]));
      found.check(`path ${about}`, hexOf(proof) === hexOf(second.path(index, size)));
      found.check(`inclusion ${about}`, isIncluded({ leafHash: leaves[index]!, index, size, root, proof }));
      found.check(`proof ${about}`, hexOf(consistency) === hexOf(second.proof(size1, size)));
      const claim = { size1, root1, size2: size, root2: root, proof: consistency };
      found.check(`consistency ${about}`, isConsistent(claim));
    }

    expect(found.wrong).toEqual([]);
  });

  it('refuses a proof of which one bit differs', async () => {
    const [size1, size2] = [300, 531];
    const [root1, root2] = [second.root(size1), second.root(size2)];
    const path = second.path(size1, size2);
    const proof = second.proof(size1, size2);
    const flip = (hashes: Uint8Array[], place: number) =>
      hashes.map((hash, at) => (at === place ? hash.map((byte, offset) => (offset === 9 ? byte ^ 4 : byte)) : hash));

    expect(proof.length).toBeGreaterThan(5);
    path.forEach((_, place) => {
      const claim = { leafHash: leaves[size1]!, index: size1, size: size2, root: root2, proof: flip(path, place) };
      expect(isIncluded(claim)).toBe(false);
    });
    proof.forEach((_, place) => {
      const claim = { size1, root1, size2, root2, proof: flip(proof, place) };
      expect([isConsistent(claim), isContradiction(claim)]).toEqual([false, false]);
    });
  });

  it('counts entries beyond 2^32', () => {
    const size = 2 ** 45 + 12_345;
    const nodes = inclusionNodes(2 ** 40 + 1, size);

    expect(rootNodes(size).reduce((sum, { level }) => sum + 2 ** level, 0)).toBe(size);
    expect(nodes.length).toBeGreaterThan(40);
    expect(nodes[0]).toEqual([{ level: 0, index: 2 ** 40 }]);
    expect(consistencyNodes(2 ** 40, size).length).toBeGreaterThan(4);
    expect(() => inclusionNodes(2 ** 53, 2 ** 53 + 2)).toThrow(RangeError);
  });
});

describe('a tree that is recomputed entry by entry', () => {
  it('can be put down and taken up again', () => {
    const whole = new TreeFrontier();
    for (const leaf of leaves.slice(0, 1000)) whole.add(leaf);
    const half = new TreeFrontier();
    for (const leaf of leaves.slice(0, 439)) half.add(leaf);

    const resumed = new TreeFrontier(half.size, half.hashes);
    for (const leaf of leaves.slice(439, 1000)) resumed.add(leaf);

    expect(encodeHex(resumed.root())).toBe(encodeHex(whole.root()));
    expect(half.hashes).toHaveLength(7);
  });

  it('refuses hashes that do not fit its size', () => {
    expect(() => new TreeFrontier(3, [leaves[0]!])).toThrow(RangeError);
    expect(() => new TreeFrontier(1, [new Uint8Array(31)])).toThrow(RangeError);
    expect(() => new TreeFrontier(-1)).toThrow(RangeError);
  });
});

describe('tiles', () => {
  it('are read once for a proof, and once for a batch', async () => {
    const store = new TileStore();
    await store.growTo(70_000);
    await store.growTo(70_001);
    const before = store.reads;
    await inclusionFromTiles(12_345, 70_001, store.readTiles);
    await consistencyFromTiles(3, 70_001, store.readTiles);

    expect(before).toBe(1);
    expect(store.reads).toBe(3);
  });

  it('are read once for several proofs, which are those of each entry', async () => {
    const store = new TileStore();
    await store.growTo(70_000);
    const indexes = [12_345, 0, 69_999, 12_346, 12_345];
    const alone = [];
    for (const index of indexes) alone.push(await inclusionFromTiles(index, 70_000, store.readTiles));
    const before = store.reads;

    expect(await inclusionsFromTiles(indexes, 70_000, store.readTiles)).toEqual(alone);
    expect(store.reads - before).toBe(1);
    expect(await inclusionsFromTiles([], 70_000, store.readTiles)).toEqual([]);
    await expect(inclusionsFromTiles([0, 70_000], 70_000, store.readTiles)).rejects.toThrow(RangeError);
  });

  it('change only at the right edge', async () => {
    const store = new TileStore();
    await store.growTo(70_000);

    const changed = await store.growTo(70_200);

    expect(changed.map(({ level, number, width }) => `${level}/${number}:${width}`)).toEqual([
      '0/273:256',
      '0/274:56',
      '1/1:18',
    ]);
  });

  it('of a tree of 70,000 are those of the specification', () => {
    const widths = (level: number) =>
      tilesOf(70_000)
        .filter((tile) => tile.level === level)
        .map(({ width }) => width);

    expect(widths(0)).toEqual([...Array<number>(273).fill(256), 112]);
    expect(widths(1)).toEqual([256, 17]);
    expect(widths(2)).toEqual([1]);
    expect(tilesOf(256)).toHaveLength(2);
    expect(tilesOf(0)).toEqual([]);
    expect(tileWidth(0, 273, 70_000)).toBe(112);
    expect(tileWidth('entries', 274, 70_000)).toBe(0);
  });

  it('that a growing log has to serve anew are those that the smaller one did not have', () => {
    const keys = (tiles: Tile[]) => tiles.map((tile) => tilePath(tile));
    for (const [old, size] of [
      [0, 1],
      [255, 256],
      [256, 257],
      [70_000, 70_700],
      [65_535, 65_537],
      [9, 9],
    ] as const) {
      const before = new Set(keys(tilesOf(old)));

      expect(keys(newTiles(old, size)).sort()).toEqual(
        keys(tilesOf(size))
          .filter((key) => !before.has(key))
          .sort(),
      );
    }
  });

  it('that are too short are an error, not a wrong proof', async () => {
    const readTiles: ReadTiles = async (tiles) => tiles.map(({ width }) => new Uint8Array((width - 1) * 32));

    await expect(inclusionFromTiles(3, 10, readTiles)).rejects.toThrow(RangeError);
    await expect(appendLeaves(10, [leafHash(new Uint8Array())], readTiles)).rejects.toThrow(RangeError);
  });
});

describe('the path of a tile', () => {
  it.each([
    ['tile/0/000', { level: 0, number: 0, width: 256 }],
    ['tile/2/x001/x234/067', { level: 2, number: 1_234_067, width: 256 }],
    ['tile/entries/999.p/255', { level: 'entries', number: 999, width: 255 }],
    ['tile/63/x001/000.p/1', { level: 63, number: 1000, width: 1 }],
  ] as const)('%s is written and read', (path, tile) => {
    expect(tilePath(tile)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
  });

  it.each([
    'tile/0/0',
    'tile/00/000',
    'tile/64/000',
    'tile/0/x000/000',
    'tile/0/001/234',
    'tile/0/x001/234.p/0',
    'tile/0/x001/234.p/256',
    'tile/0/x001/234.p/007',
    'tile/0/x999/x999/x999/x999/x999/999',
    '/tile/0/000',
    'tile/entries/000/',
    'tile/data/000',
    'tile/-1/000',
    'tile/0/000.p/1.p/1',
  ])('%s is refused', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });
});
