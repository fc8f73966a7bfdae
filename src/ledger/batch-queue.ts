import { RECORD_QUEUE } from '../bounds/bounds.js';
import type { RefusalCounter } from '../bounds/refusal-counter.js';
import { OverloadedError } from '../domain/domain-errors.js';

/** Items of one transaction: enough that the commit costs each of them little, few enough that it stays short. */
const MAX_BATCH = 200;
/** Bytes of the items of one transaction, where there is more than one: some ten milliseconds of this process. */
const MAX_BATCH_BYTES = 1_000_000;

/** An item that waits to be recorded, and its caller. */
export interface Waiting<Item, Result> {
  item: Item;
  /** Approximate size of the item. */
  bytes: number;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/** The items that wait to be recorded, in their order, as many and as large as may wait. */
export class BatchQueue<Item, Result> {
  private next: Waiting<Item, Result>[] = [];
  /** All that waits: for the next batch, or for a transaction of its own. */
  private readonly held = { items: 0, bytes: 0 };

  constructor(private readonly refusals: RefusalCounter) {}

  /** Whether nothing waits for the next batch. */
  get isEmpty(): boolean {
    return this.next.length === 0;
  }

  /** How many items the next batch would have at most, if it were taken now. */
  get nextLength(): number {
    return Math.min(this.next.length, MAX_BATCH);
  }

  /** @throws OverloadedError if too many wait already */
  add(one: Waiting<Item, Result>): void {
    if (this.held.items >= RECORD_QUEUE.items || this.held.bytes + one.bytes > RECORD_QUEUE.bytes) {
      this.refusals.count('record_queue');
      throw new OverloadedError('Too many changes wait to be recorded; try again shortly.');
    }
    this.hold([one]);
    this.next.push(one);
  }

  take(most = MAX_BATCH): Waiting<Item, Result>[] {
    let bytes = 0;
    const end = this.next.findIndex((one, index) => {
      bytes += one.bytes;
      return index === most || (index > 0 && bytes > MAX_BATCH_BYTES);
    });
    const batch = this.next.splice(0, end < 0 ? this.next.length : end);
    this.release(batch);
    return batch;
  }

  /** Puts items that were taken in front of all others. They are taken however many wait. */
  putBack(items: Waiting<Item, Result>[]): void {
    this.hold(items);
    this.next.unshift(...items);
  }

  /** Counts items that wait elsewhere, for a transaction of their own, until `release`. */
  hold(items: Waiting<Item, Result>[]): void {
    this.count(items, 1);
  }

  /** Counts these items no longer. */
  release(items: Waiting<Item, Result>[]): void {
    this.count(items, -1);
  }

  private count(items: Waiting<Item, Result>[], sign: 1 | -1): void {
    this.held.items += sign * items.length;
    this.held.bytes += sign * items.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}
