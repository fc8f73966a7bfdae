import type { Pagination } from '../answers.js';
import { SignetError } from '../errors.js';
import { isObject } from './answer-forms.js';
import type { ListRequest } from './checked-reads.js';
import type { Resting } from './resting.js';
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

/** What one reading of a list needs. */
export interface Reading<Item> {
  /** The check of items, which is made of each once. */
  check: ItemCheck<Item> | undefined;
  completion: Completion<Item> | undefined;
}

/** What a list is made of. */
interface ListParts<Item> {
  /** Called before the first page is read: of all from the first on, or of one page. */
  begin: (isFromFirst: boolean) => Promise<Reading<Item>>;
  /** Reads a page, and checks each item of it once. */
  read: (page: number, check: ItemCheck<Item> | undefined) => Promise<ListPage<Item>>;
  /** On what the list rests that was read to its end, by which state of the map it is complete. */
  resting: (map: Completeness | null) => Resting;
  /** Whether it has to be complete. */
  isWhole: boolean;
  /** Whether items may leave the list, or change their places in it, while it is read. */
  isMoving?: boolean | undefined;
}

/** A list that reads its pages by itself: `for await`, one page, or all of it. */
export class PagedList<Item> implements AsyncIterable<Item> {
  /** On what the list rests that was read to its end last; null before. */
  resting: Resting | null = null;

  constructor(private readonly parts: ListParts<Item>) {}

  /** One page; the first is 1. With `demand: { complete }` too, a page by itself does not show what is left out. */
  async page(number: number): Promise<ListPage<Item>> {
    const { check } = await this.parts.begin(false);
    return this.parts.read(number, check);
  }

  /**
   * All items, or the first `limit`. With `demand: { complete }` the list is read to its end also where `limit` is
   * less, and a look-up that is not complete is read again, twice at most: what changes while it is read may look as if
   * it was left out.
   */
  toArray({ limit = Infinity }: { limit?: number } = {}): Promise<Item[]> {
    const read = () => this.readAll(limit);
    return this.parts.isMoving ? untilComplete(read) : read();
  }

  private async readAll(limit: number): Promise<Item[]> {
    const items: Item[] = [];
    if (limit <= 0) return items;
    for await (const item of this) {
      if (items.length < limit) items.push(item);
      if (items.length >= limit && !this.parts.isWhole) break;
    }
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Item> {
    this.resting = null;
    const { check, completion } = await this.parts.begin(true);
    for (let page = 1; page !== 0;) {
      const { items, next } = await this.parts.read(page, check);
      for (const item of items) {
        completion?.add(item);
        yield item;
      }
      page = next;
    }
    this.resting = this.parts.resting((await completion?.end()) ?? null);
  }
}

/** The page of a list that a server does not know. */
export const NO_PAGE = { pagination: { total: 0, next: 0 } };

/**
 * The parts of a page of a list. Nothing is behind a page without items, whatever it says.
 * @throws SignetError (`invalid_answer`) where it is no such page
 */
export function listPage<Item>(
  answer: unknown,
  { member, isItem = isObject }: Pick<ListRequest<Item>, 'member' | 'isItem'>,
  baseUrl: string,
  page: number,
): ListPage<Item> {
  const { pagination, [member]: items = [] } = (answer ?? {}) as { pagination?: Partial<Pagination> } & Partial<
    Record<string, Item[]>
  >;
  const { total, next } = pagination ?? {};
  if (
    typeof total !== 'number' ||
    typeof next !== 'number' ||
    !Array.isArray(items) ||
    !items.every((item) => isItem(item))
  ) {
    const what = `pagination or ${member} is missing, or has another form.`;
    throw invalidList(`The answer of ${baseUrl} is no page of a list: ${what}`);
  }
  if (next !== 0 && !(next > page)) {
    throw invalidList(`The list of ${baseUrl} goes in circles: page ${page} is followed by page ${next}.`);
  }
  return { items, total, next: items.length === 0 ? 0 : next };
}

/** The error of an answer that is no list. */
export function invalidList(message: string): SignetError {
  return new SignetError(message, { code: 'invalid_answer', status: 200 });
}
