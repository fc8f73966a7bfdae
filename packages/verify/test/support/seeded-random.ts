/** Repeatable randomness: the seed is printed, and `TEST_SEED` brings a failed run back. */

export const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000_000);

/** A generator of numbers after Marsaglia's xorshift; good enough to choose test cases. */
export class SeededRandom {
  private state = seed | 1; // the state must not be 0

  constructor(about: string) {
    process.stdout.write(`${about}: TEST_SEED=${seed}\n`);
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) % limit;
  }
}
