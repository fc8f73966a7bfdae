import type { SeededRandom } from './seeded-random.js';

/** One to eight bytes changed, a part repeated, left out, or the end cut. */
export function changedBytes(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const copy = bytes.slice();
  const [from, length] = [random.below(copy.length), 1 + random.below(64)];
  switch (random.below(5)) {
    case 0:
      return copy.slice(0, from);
    case 1:
      return Buffer.concat([copy.slice(0, from), copy.slice(from + length)]);
    case 2:
      return Buffer.concat([copy.slice(0, from + length), copy.slice(from)]);
    default:
      for (let left = 1 + random.below(8); left > 0; left -= 1) copy[random.below(copy.length)] = random.below(256);
      return copy;
  }
}
