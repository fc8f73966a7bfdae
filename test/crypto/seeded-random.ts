/** Repeatable randomness: the seed is printed, and `TEST_SEED` brings a failed run back. */

const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000_000);

/** A generator of 32-bit numbers after Marsaglia's xorshift; good enough to choose test cases. */
export class SeededRandom {
  private state: number;

  constructor(about: string) {
    process.stdout.write(`${about}: TEST_SEED=${seed}\n`);
    this.state = seed | 1; // the state must not be 0
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) % limit;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}
