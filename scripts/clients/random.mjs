/** Numbers at random that a seed repeats. */

/** @typedef {(limit: number) => number} Random a whole number below the limit */

/** `TEST_SEED` repeats the changes of a run. */
export const SEED = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1e9));

/**
 * A linear congruential generator: `random(n)` is a whole number below n.
 * @param {number} seed
 * @returns {Random}
 */
export function generator(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor(state / 65536) % limit;
  };
}
