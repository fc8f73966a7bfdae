import { createHash } from 'node:crypto';
import { provenValue } from '@signet/verify/internal/map';
import { MapProofs } from '../../src/transparency-log/tree/map/map-proofs.js';
import type { Below } from '../../src/transparency-log/tree/map/map-slot.js';
import { digitOf, MapTile } from '../../src/transparency-log/tree/map/map-tile.js';
import { numberBelow, WIDTH } from '../../src/transparency-log/tree/map/map-tile-layout.js';
import { type KeyChange, MapTrees } from '../../src/transparency-log/tree/map/map-trees.js';
import { readProof } from './read-proof.js';

const KEYS = Array.from({ length: 400 }, (_, number) => createHash('sha256').update(String(number)).digest());
const KEY = KEYS[0]!;
/** Another one whose way goes through the same tile below the highest one. */
const BESIDE = KEYS.find(
  (key) => key !== KEY && digitOf(key, 0) === digitOf(KEY, 0) && digitOf(key, 1) === digitOf(KEY, 1),
)!;

describe('proofs of the map', () => {
  let rows: Map<number, Buffer>;
  let map: Below;
  /** The numbers of the tiles that were read, with the digits in front of each way. */
  let reads: { numbers: number[]; depth: number }[];
  let proofs: MapProofs;

  beforeEach(async () => {
    const trees = new MapTrees(async () => new Map(), { top: 0, next: 1, isShown: true });
    await trees.load([]);
    const root = await trees.change(KEYS.map((key): KeyChange => [key, { key, value: '{"link":1}' }]));
    const { numbers, tiles } = trees.takeChanges(true);
    rows = new Map(numbers.map((number, index) => [number, tiles[index]!]));
    map = { hash: root, number: trees.top };
    reads = [];
    proofs = new MapProofs(async (number, key, depth) => {
      const read: number[] = [];
      for (
        let next = number;
        rows.has(next);
        next = numberBelow(rows.get(next)!, digitOf(key, depth + read.length - 1))
      ) {
        read.push(next);
      }
      reads.push({ numbers: read, depth });
      return read.map((one) => MapTile.decode(rows.get(one)!));
    });
  });
  const isProved = async (key: Uint8Array) => {
    const { leaf, proof } = await proofs.find(map, key);
    return leaf?.value === '{"link":1}' && provenValue(map.hash, key, readProof(proof))?.valueHash != null;
  };
  /** Gives all tiles but the highest one other numbers, as where the map was computed anew. */
  const renumber = () => {
    const moved = (number: number) => (number === map.number ? number : number + 1000);
    rows = new Map(
      [...rows].map(([number, bytes]) => {
        const tile = MapTile.decode(bytes);
        for (let digit = 0; digit < WIDTH; digit++) {
          const slot = tile.slot(digit);
          if (slot && 'number' in slot) tile.set(digit, { hash: slot.hash, number: moved(slot.number) });
        }
        return [moved(number), tile.encode()];
      }),
    );
  };

  it('read tiles that ways have in common once', async () => {
    expect(await isProved(KEY)).toBe(true);
    expect(await isProved(BESIDE)).toBe(true);

    const [first, second] = reads as [(typeof reads)[0], (typeof reads)[0]];
    expect(first).toMatchObject({ depth: 0 });
    expect(second.depth).toBeGreaterThan(0);
    expect(second.numbers).not.toContain(map.number);
  });

  it('are found where the tiles below a known one have other numbers', async () => {
    expect(await isProved(KEY)).toBe(true);
    renumber();

    expect(await isProved(BESIDE)).toBe(true);
    expect(await isProved(KEY)).toBe(true);
  });

  it('are refused where a tile has another value, and given again where it was put back', async () => {
    const before = rows;
    const tile = [...rows].find(([, bytes]) => bytes.includes(KEY))!;
    rows = new Map([
      ...rows,
      [tile[0], Buffer.from(tile[1].toString('latin1').replaceAll('{"link":1}', '{"link":2}'), 'latin1')],
    ]);

    await expect(proofs.find(map, KEY)).rejects.toThrow(RangeError);
    rows = before;
    expect(await isProved(KEY)).toBe(true);
  });

  it('are refused where a tile is missing, though the way to it is known', async () => {
    expect(await isProved(KEY)).toBe(true);
    const last = reads[0]!.numbers.at(-1)!;
    rows.delete(last);

    await expect(proofs.find(map, KEY)).rejects.toThrow(/is missing/);
  });

  it('are refused of another root', async () => {
    expect(await isProved(KEY)).toBe(true);

    await expect(proofs.find({ hash: Buffer.alloc(32, 7), number: map.number }, KEY)).rejects.toThrow(RangeError);
  });
});
