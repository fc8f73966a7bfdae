import { untilComplete } from './until-complete.js';

/** One page of a list. */
export interface ListPage<Item> {
  items: Item[];
  /** Of all pages together. */
  total: number;
  /** Number of the next page; 0 when this is the last. */
  next: number;
}

/** By what an answer was found to be complete. */
export interface Completeness {
  /** The name of the log. */
  origin: string;
  /** How many entries of the log the map is about that was asked. Later entries are not in it. */
  size: number;
  /** UNIX seconds at which enough witnesses had signed that; null without a policy that asks for witnesses. */
  cosignedAt: number | null;
  /** Items of the answer that are newer than the map: of these, more may be left out. */
  newer: number;
  /**
   * Records of the answer whose text was erased. They are there, and what they said is not: the content of an
   * entry may lack members (`incomplete`).
   */
  erased: number;
}

/** Finds out whether all items of a list are there. */
export interface Completion<Item> {
  /** Called with each item, in the order of the list. */
  add(item: Item): void;
  /** Called behind the last item. @throws VerificationError (`incomplete`) */
  end(): Promise<Completeness>;
}

/** Checks an item; `again` reads its page once more. @throws VerificationError */
export type ItemCheck<Item> = (item: Item, again: () => Promise<Item[]>) => void | Promise<void>;

/** A list that reads its pages by itself: `for await`, one page, or all of it. */
export class PagedList<Item> implements AsyncIterable<Item> {
  /**
   * With `verify: 'complete'`, by what the list that was read to its end last was found to be complete. Null before,
   * and for other clients.
   */
  complete: Completeness | null = null;

  constructor(
    /** Reads a page, and checks each item of it once. */
    private readonly read: (page: number, check: ItemCheck<Item> | undefined) => Promise<ListPage<Item>>,
    /** Makes the check of items: of all from the first on, or of those of one page. */
    private readonly checker?: ((isFromFirst: boolean) => ItemCheck<Item>) | undefined,
    /** Called before the first page is read. */
    private readonly completes?: (() => Promise<Completion<Item>>) | undefined,
    /** Whether items may leave the list, or change their places in it, while it is read. */
    private readonly isMoving = false,
  ) {}

  /** One page; the first is 1. With `verify: 'complete'` too, a page by itself does not show what is left out. */
  page(number: number): Promise<ListPage<Item>> {
    return this.read(number, this.checker?.(false));
  }

  /**
   * All items, or the first `limit`. With `verify: 'complete'` the list is read to its end also where `limit` is less,
   * and a look-up that is not complete is read again, twice at most: what changes while it is read may look as if it
   * was left out.
   */
  toArray({ limit = Infinity }: { limit?: number } = {}): Promise<Item[]> {
    const read = () => this.readAll(limit);
    return this.isMoving ? untilComplete(read) : read();
  }

  private async readAll(limit: number): Promise<Item[]> {
    const items: Item[] = [];
    if (limit <= 0) return items;
    for await (const item of this) {
      if (items.length < limit) items.push(item);
      if (items.length >= limit && !this.completes) break;
    }
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Item> {
    this.complete = null;
    const completion = await this.completes?.();
    const check = this.checker?.(true);
    for (let page = 1; page !== 0;) {
      const { items, next } = await this.read(page, check);
      for (const item of items) {
        completion?.add(item);
        yield item;
      }
      page = next;
    }
    this.complete = (await completion?.end()) ?? null;
  }
}
