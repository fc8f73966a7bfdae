/** Reading for clients that may check what they read: lists, and the proofs of the log. */
import { type CheckedLink, isErased, type SignedLink } from '@signet/verify';
import type { RecordContext } from '@signet/verify/log';
import type { ChainLink, KvPatch, Pagination, ProofRecord } from '../answers.js';
import type { ClientOptions } from './client-options.js';
import { compressed } from '../checks.js';
import { SignetError } from '../errors.js';
import type { LogChecker } from '../log/log-checker.js';
import type { LogOptions } from '../log/log-options.js';
import type { Receipts, WrittenRecord } from '../log/receipts.js';
import type { Looks } from '../look/looks.js';
import type { ObserverOptions, SeenByOthers } from '../observers/observer-options.js';
import type { ObserverQuorum } from '../observers/observer-quorum.js';
import type { CompleteReads } from '../log/completeness.js';
import { type Completion, type ItemCheck, type ListPage, PagedList } from './paged-list.js';
import { Transport, type TransportOptions } from '../transport.js';

/** A list of the service, and how a client that verifies checks it. */
export interface ListRequest<Item> {
  path: string;
  query: Record<string, string | boolean | undefined>;
  /** What the answers of this list call the items. */
  member: string;
  signal: AbortSignal | undefined;
  /** Called with each item before it is checked, also where nothing is checked. */
  receive?: ((item: Item) => void) | undefined;
  /** Makes the check of items: of all from the first on, or of those of one page. */
  check?: ((isFromFirst: boolean) => ItemCheck<Item>) | undefined;
  /** Finds out whether all items are there, for clients with `verify: 'complete'`. */
  completes?: ((complete: CompleteReads) => Promise<Completion<Item>>) | undefined;
  /** Whether items may leave the list, or change their places in it, while it is read. */
  isMoving?: boolean | undefined;
}

/** All pages of one list together, which may be held in memory: 800 patches of the largest size. */
const MAX_LIST_BYTES = 128 << 20;

/** Pages of one list: a chain of two million links has as many. */
const MAX_LIST_PAGES = 100_000;

/** The demands that have a name. */
const DEMANDS: ReadonlySet<unknown> = new Set(['none', 'signatures', 'log', 'complete', 'posts']);

function isDemand(value: unknown): boolean {
  return DEMANDS.has(value) || (typeof value === 'object' && value !== null && 'observers' in value);
}

/** What the parts of a client share. Holds no state but the heads of the log. */
export class CheckedReads {
  readonly transport: Transport;
  /** Whether answers are checked before they are returned. */
  readonly verifies: boolean;
  /** Whether bindings that rest on the word of the server are refused. */
  readonly acceptsOnlyHere: boolean;
  /** Whether answers have to be complete. */
  readonly demandsAll: boolean;
  private readonly logOptions: LogOptions | null;
  private readonly receiptOptions: LogOptions;
  private receiptsMade: Promise<Receipts> | undefined;
  private logChecker: Promise<LogChecker> | undefined;
  private readonly transportOptions: TransportOptions;
  private readonly looksAtPosts: boolean;
  /** What looks at posts. */
  readonly looks: Looks | undefined;
  private readonly observerOptions: ObserverOptions | null;
  private quorumMade: Promise<ObserverQuorum> | undefined;

  /** @throws TypeError for unknown options, `accept` without `verify`, and `verify: 'posts'` without `looks` */
  constructor({ verify = 'none', accept, log = {}, looks, ...options }: ClientOptions) {
    if (!isDemand(verify)) {
      throw new TypeError(
        `verify has to be ${[...DEMANDS].join(', ')} or { observers }, not ${JSON.stringify(verify)}; see ClientOptions.`,
      );
    }
    if (accept !== undefined && accept !== 'here') {
      throw new TypeError(`accept has to be 'here' or absent, not ${JSON.stringify(accept)}.`);
    }
    if (verify === 'posts' && !looks) throw new TypeError("verify: 'posts' needs looks, which looks at them.");
    if (accept === 'here' && verify === 'none') throw new TypeError("accept: 'here' needs verify, which checks links.");
    this.acceptsOnlyHere = accept === 'here';
    this.transport = new Transport(options);
    this.transportOptions = options;
    this.verifies = verify !== 'none';
    this.logOptions = verify === 'log' || verify === 'complete' ? log : null;
    this.demandsAll = verify === 'complete';
    this.receiptOptions = log;
    this.looksAtPosts = verify === 'posts';
    this.looks = looks;
    this.observerOptions = typeof verify === 'object' ? verify : null;
  }

  /**
   * Demands the log's proof of a record with `verify: 'log'` and `complete`, and nothing otherwise.
   * @returns the number of the entry that was made of it; undefined where none is demanded
   * @throws as `LogChecker.prove`
   */
  async prove(item: RecordContext, signal: AbortSignal | undefined): Promise<number | undefined> {
    return this.logOptions ? (await (await this.checker(this.logOptions)).prove(item, signal)).own : undefined;
  }

  /** What demands of answers that they are complete; null unless `verify` is `complete`. */
  async complete(): Promise<CompleteReads | null> {
    const { logOptions } = this;
    if (!logOptions || !this.demandsAll) return null;
    const { CompleteReads } = await import('../log/completeness.js');
    return new CompleteReads(this, await this.checker(logOptions));
  }

  private checker(logOptions: LogOptions): Promise<LogChecker> {
    // Loaded when it is used, so that other clients stay small.
    this.logChecker ??= import('../log/log-checker.js').then(
      ({ LogChecker }) => new LogChecker(this.transport, logOptions),
    );
    return this.logChecker;
  }

  /**
   * Looks at bindings with `verify: 'posts'`, asks others with `verify: { observers }`, and does nothing otherwise.
   * @throws as `Looks.demand` and `ObserverQuorum.demand`
   */
  async demandSeen(
    avatar: string,
    made: CheckedLink[],
    said: Pick<ProofRecord, 'is_valid' | 'look' | 'seenBy'>[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (this.looksAtPosts) await this.looks!.demand(this, avatar, made, said, signal);
    if (this.observerOptions) await (await this.quorum()).demand(avatar, made, said, signal);
  }

  /** What observers saw of bindings that links made; null without `verify: { observers }`, and for wallets. */
  async seenBy(
    avatar: string,
    made: CheckedLink[],
    signal: AbortSignal | undefined,
  ): Promise<(SeenByOthers | null)[] | null> {
    return this.observerOptions && (await this.quorum()).seenBy(avatar, made, signal);
  }

  /** Loaded when it is used, as the checker of the log is. */
  private quorum(): Promise<ObserverQuorum> {
    const { transportOptions, observerOptions } = this;
    this.quorumMade ??= import('../observers/observer-quorum.js').then(
      ({ ObserverQuorum }) => new ObserverQuorum(observerOptions!, transportOptions),
    );
    return this.quorumMade;
  }

  /** The receipt of a write, checked unless `verify` is `none` and none is demanded. @throws as `Receipts.take` */
  async takeReceipt(
    given: string | undefined,
    written: WrittenRecord,
    signal: AbortSignal | undefined,
  ): Promise<string | null> {
    return this.verifies || this.receiptOptions.demandReceipt
      ? (await this.receipts()).take(given, written, signal)
      : (given ?? null);
  }

  /** Loaded when it is used, as the checker of the log is. */
  receipts(): Promise<Receipts> {
    const { transport, receiptOptions, logOptions } = this;
    this.receiptsMade ??= import('../log/receipts.js').then(
      ({ Receipts }) => new Receipts(transport, receiptOptions, logOptions !== null),
    );
    return this.receiptsMade;
  }

  /**
   * All links of an Avatar, unchecked but for what is called erased: with `verify: 'log'` or `complete` the log has to
   * say so, because no signature shows it.
   */
  async linksOf(avatar: string, signal: AbortSignal | undefined): Promise<ChainLink[]> {
    const query = { public_key: avatar };
    const links = await this.list<ChainLink>({
      path: '/v1/proofchain',
      query,
      member: 'proof_chain',
      signal,
    }).toArray();
    for (const link of (links as SignedLink[]).filter(isErased)) {
      await this.prove({ link, avatar: compressed(avatar) }, signal);
    }
    if (this.logOptions && links.some(isErased)) {
      const items = (links as SignedLink[]).map((link) => ({ link, avatar: compressed(avatar) }));
      await (await this.checker(this.logOptions)).demandOrder(items, signal);
    }
    return links;
  }

  /**
   * All links of an Avatar, as `linksOf`, to bear out bindings that are shown: with `verify: 'complete'` they have to
   * be as many as the map counts, which is asked before they are read, so that no revoke is left out.
   * @throws VerificationError (`incomplete`)
   */
  async wholeChainOf(avatar: string, signal: AbortSignal | undefined): Promise<ChainLink[]> {
    const completion = await (await this.complete())?.links(compressed(avatar), signal);
    const links = await this.linksOf(avatar, signal);
    for (const link of links) completion?.add(link);
    await completion?.end();
    return links;
  }

  /** All patches of an Avatar, unchecked. */
  patchesOf(avatar: string, signal: AbortSignal | undefined): Promise<KvPatch[]> {
    return this.list<KvPatch>({ path: '/v1/kv/chain', query: { avatar }, member: 'kv_chain', signal }).toArray();
  }

  list<Item>(request: ListRequest<Item>): PagedList<Item> {
    const { path, query, member, signal, receive, check, completes, isMoving } = request;
    let budget = { bytes: MAX_LIST_BYTES, left: MAX_LIST_BYTES };
    const readPage = (page: number) =>
      this.transport.call<{ pagination: Pagination } & Record<string, Item[]>>({
        path,
        query: { ...query, page },
        budget,
        signal,
      });
    const read = async (page: number, checkItem: ItemCheck<Item> | undefined) => {
      if (page === 1) budget = { ...budget, left: MAX_LIST_BYTES };
      const answer = await readPage(page);
      const { items, total, next } = listPage<Item>(answer, member, this.transport.baseUrl, page);
      if (page >= MAX_LIST_PAGES && next !== 0) throw isTooLong(this.transport.baseUrl, page);
      if (receive) items.forEach(receive);
      const again = async () => (await readPage(page))[member] ?? [];
      if (checkItem) for (const item of items) await checkItem(item, again);
      return { items, total, next };
    };
    const demandsAll = completes && this.demandsAll;
    const completion = async () => completes!((await this.complete())!);
    return new PagedList(read, this.verifies ? check : undefined, demandsAll ? completion : undefined, isMoving);
  }
}

/**
 * The parts of a page of a list. Nothing is behind a page without items, whatever it says.
 * @throws SignetError (`invalid_answer`) where it is no such page
 */
function listPage<Item>(answer: unknown, member: string, baseUrl: string, page: number): ListPage<Item> {
  const { pagination, [member]: items = [] } = (answer ?? {}) as { pagination?: Partial<Pagination> } & Partial<
    Record<string, Item[]>
  >;
  const { total, next } = pagination ?? {};
  if (typeof total !== 'number' || typeof next !== 'number' || !Array.isArray(items)) {
    const message = `The answer of ${baseUrl} is no page of a list: pagination or ${member} is missing, or has another form.`;
    throw new SignetError(message, { code: 'invalid_answer', status: 200 });
  }
  if (next !== 0 && !(next > page)) throw goesInCircles(baseUrl, page, next);
  return { items, total, next: items.length === 0 ? 0 : next };
}

function isTooLong(baseUrl: string, pages: number): SignetError {
  const message = `The list of ${baseUrl} has more than ${pages} pages; no more are read.`;
  return new SignetError(message, { code: 'invalid_answer', status: 200 });
}

function goesInCircles(baseUrl: string, page: number, next: number): SignetError {
  const message = `The list of ${baseUrl} goes in circles: page ${page} is followed by page ${next}.`;
  return new SignetError(message, { code: 'invalid_answer', status: 200 });
}
