/** Reading for clients that may check what they read: lists, and the proofs of the log. */
import type { CheckedLink, SignedLink } from '@signet/verify';
import type { KeyState } from '@signet/verify/key-events';
import type { RecordContext } from '@signet/verify/internal/log';
import type { ChainLink, KvPatch } from '../answers.js';
import { compressed } from '../checks.js';
import { nullWhereNotFound, WrongUsageError } from '../errors.js';
import type { ReadWrites } from '../keys/applied-keys.js';
import { keyChain } from '../keys/key-calls.js';
import type { KeyEvent } from '../keys/key-types.js';
import type { CompleteReads } from '../log/completeness.js';
import type { LogChecker, ProvenEntries } from '../log/log-checker.js';
import type { Receipts, WrittenRecord } from '../log/receipts.js';
import type { SeenByOthers } from '../observers/observer-options.js';
import type { ObserverQuorum } from '../observers/observer-quorum.js';
import type * as Rules from '../rules.js';
import type { ClientOptions } from './client-options.js';
import {
  type Completeness,
  type Completion,
  invalidList,
  type ItemCheck,
  listPage,
  NO_PAGE,
  PagedList,
  type Reading,
} from './paged-list.js';
import { ON_THE_SERVER, type Resting, type Witnesses } from './resting.js';
import { readSettings, type Settings } from './settings.js';
import { Transport } from '../transport.js';

/** A list of the service, and how a client that verifies checks it. */
export interface ListRequest<Item> {
  path: string;
  query: Record<string, string | boolean | undefined>;
  /** What the answers of this list call the items. */
  member: string;
  signal: AbortSignal | undefined;
  /** Whether a value is an item; any object is one when absent. */
  isItem?: ((value: unknown) => boolean) | undefined;
  /** Called with each item before it is checked, also where nothing is checked. */
  receive?: ((item: Item) => void) | undefined;
  /** Finds out what `query` has to ask for, before a page is read. */
  settle?: (() => Promise<void>) | undefined;
  /** Why the list cannot be asked for, which shows when it is read. */
  wrong?: WrongUsageError | null | undefined;
  /**
   * Makes the check of items: of all from the first on, or of those of one page. Without one no signature covers them.
   */
  check?: ((isFromFirst: boolean, rules: typeof Rules) => ItemCheck<Item> | Promise<ItemCheck<Item>>) | undefined;
  /** Finds out whether all items are there, for clients with `demand: { complete }`. */
  completes?: ((complete: CompleteReads) => Promise<Completion<Item>>) | undefined;
  /** Whether a server that does not know the list (404) has nothing of it. */
  isOptional?: boolean | undefined;
  /** Whether items may leave the list, or change their places in it, while it is read. */
  isMoving?: boolean | undefined;
}

/** All pages of one list together, which may be held in memory: 800 patches of the largest size. */
const MAX_LIST_BYTES = 128 << 20;
/** Pages of one list: a chain of two million links has as many. */
const MAX_LIST_PAGES = 100_000;

/** What the parts of a client share. Holds no state but the heads of the log. */
export class CheckedReads {
  readonly transport: Transport;
  readonly settings: Settings;
  /** The name under which keys are looked up; null before it is known. */
  serviceName: string | null;
  /** Whether the server has `GET /v1/resolve`, as far as is known. */
  answersAtOnce = true;
  private rulesLoaded: Promise<typeof Rules> | undefined;
  private receiptsMade: Promise<Receipts> | undefined;
  private logChecker: Promise<LogChecker> | undefined;
  private quorumMade: Promise<ObserverQuorum> | undefined;

  /**
   * @param base whose settings these are, and who knows of the log and of observers what this knows
   * @throws WrongUsageError for options that do not exist, or do not go together
   */
  constructor(
    private readonly options: ClientOptions,
    private readonly base?: CheckedReads,
  ) {
    this.settings = base?.settings ?? readSettings(options);
    this.transport = new Transport(options);
    this.serviceName = base?.serviceName ?? null;
  }

  /** Reads as this does, and knows what this knows, by another `fetch`. @param fetchOf makes it of that of this */
  over(fetchOf: (otherwise: typeof fetch) => typeof fetch): CheckedReads {
    const { fetch: own = (input, init) => fetch(input, init) } = this.options;
    return new CheckedReads({ ...this.options, fetch: fetchOf(own) }, this);
  }

  /** Whether answers are checked before they are returned. */
  get verifies(): boolean {
    return this.settings.verifies;
  }

  get demandsAll(): boolean {
    return this.settings.demandsAll;
  }

  /** The rules of `@signet/verify`, and with them the curve: loaded when they are used, so that a client is small. */
  rules(): Promise<typeof Rules> {
    this.rulesLoaded ??= import('../rules.js');
    return this.rulesLoaded;
  }

  /** On what an answer rests that was checked as this client is set. @param map by which it was found to be complete */
  resting(map: Completeness | null = null): Resting {
    const { verifies, demandsLog } = this.settings;
    if (!verifies) return ON_THE_SERVER;
    const record = demandsLog ? 'log' : 'server';
    return { key: 'signature', record, whole: map ? 'map' : 'server', map };
  }

  /** On what it rests that the server shows nothing. @param map by which there is nothing */
  restingOfNone(map: Completeness | null): Resting {
    return map ? { ...ON_THE_SERVER, whole: 'map', map } : ON_THE_SERVER;
  }

  /**
   * Demands the log's proof of a record with `demand: { log }`, `{ complete }` and `{ platform }` alone.
   * @returns the number of the entry that was made of it; undefined where none is demanded
   * @throws as `LogChecker.prove`
   */
  async prove(item: RecordContext, signal: AbortSignal | undefined): Promise<number | undefined> {
    return (await this.entriesOf(item, signal))?.own;
  }

  /** The entries of a record, as `prove` demands them; undefined where none are demanded. */
  async entriesOf(item: RecordContext, signal: AbortSignal | undefined): Promise<ProvenEntries | undefined> {
    return this.settings.demandsLog ? (await this.checker()).prove(item, signal) : undefined;
  }

  /** What demands of answers that they are complete; null without `demand: { complete }`. */
  async complete(): Promise<CompleteReads | null> {
    if (!this.demandsAll) return null;
    const { CompleteReads } = await import('../log/completeness.js');
    return new CompleteReads(this, await this.checker());
  }

  private checker(): Promise<LogChecker> {
    this.logChecker ??= this.base
      ? this.base.checker().then((checker) => checker.over(this.transport))
      : import('../log/log-checker.js').then(({ LogChecker }) => new LogChecker(this.transport, this.settings.log));
    return this.logChecker;
  }

  /**
   * Looks at bindings with `demand: { posts }`, asks others with `demand: { observers }`.
   * @param areValid whether the server says so of each
   * @returns what was found of each
   * @throws as `Looks.demand` and `ObserverQuorum.demand`
   */
  async witnesses(
    avatar: string,
    made: CheckedLink[],
    areValid: boolean[],
    signal: AbortSignal | undefined,
  ): Promise<Omit<Witnesses, 'isProved'>[]> {
    const { demandsPosts, demandsObservers, looks } = this.settings;
    const seen = demandsPosts ? await looks!.demand(this, avatar, made, areValid, signal) : [];
    const words = demandsObservers ? await (await this.quorum()).demand(avatar, made, areValid, signal) : [];
    return made.map((_, index) => ({ look: seen[index] ?? null, observers: words[index] ?? null }));
  }

  /** What observers saw of bindings that links made; null for wallets. @throws WrongUsageError without observers */
  async seenBy(avatar: string, made: CheckedLink[], signal: AbortSignal | undefined): Promise<(SeenByOthers | null)[]> {
    return (await this.quorum()).seenBy(avatar, made, signal);
  }

  /** @throws WrongUsageError without observers, or for a list of them that cannot be read */
  private quorum(): Promise<ObserverQuorum> {
    if (this.base) return this.base.quorum();
    const { observers } = this.settings;
    if (!observers) throw new WrongUsageError('seenBy needs the option observers, who are asked.');
    this.quorumMade ??= import('../observers/observer-quorum.js').then(
      ({ ObserverQuorum }) => new ObserverQuorum(observers, this.options),
    );
    return this.quorumMade;
  }

  /** The receipt of a write, checked unless the server is trusted and none is demanded. @throws as `Receipts.take` */
  async takeReceipt(
    given: string | undefined,
    written: WrittenRecord,
    signal: AbortSignal | undefined,
  ): Promise<string | null> {
    return this.verifies || this.settings.log.demandReceipt
      ? (await this.receipts()).take(given, written, signal)
      : (given ?? null);
  }

  /** Loaded when it is used, as the checker of the log is. */
  receipts(): Promise<Receipts> {
    const { transport, settings } = this;
    this.receiptsMade ??= import('../log/receipts.js').then(
      ({ Receipts }) => new Receipts(transport, settings.log, settings.demandsLog),
    );
    return this.receiptsMade;
  }

  /**
   * All links of an Avatar, unchecked but for what is called erased: with `demand: { log }` the log has to say so,
   * because no signature shows it.
   */
  async linksOf(avatar: string, signal: AbortSignal | undefined): Promise<ChainLink[]> {
    const query = { public_key: avatar };
    const links = await this.list<ChainLink>({
      path: '/v1/proofchain',
      query,
      member: 'proof_chain',
      signal,
    }).toArray();
    if (!this.settings.demandsLog) return links;
    const { isErased } = await this.rules();
    for (const link of (links as SignedLink[]).filter(isErased)) {
      await this.prove({ link, avatar: compressed(avatar) }, signal);
    }
    if (links.some(isErased)) {
      const items = (links as SignedLink[]).map((link) => ({ link, avatar: compressed(avatar) }));
      await (await this.checker()).demandOrder(items, signal);
    }
    return links;
  }

  /** All key events of an Avatar, checked as this client is set. */
  keysOf(avatar: string, signal: AbortSignal | undefined): Promise<KeyEvent[]> {
    return keyChain(this, avatar, { signal }).toArray();
  }

  /** What holds for the keys of an Avatar now. @throws as `keyStateNow` */
  async keyStateOf(
    avatar: string,
    complete: CompleteReads | null,
    signal: AbortSignal | undefined,
    writes?: ReadWrites,
  ): Promise<KeyState> {
    return (await import('../keys/applied-keys.js')).keyStateNow(this, avatar, { complete, writes }, signal);
  }

  /**
   * All links of an Avatar, as `linksOf`, to bear out bindings that are shown: with `demand: { complete }` they have to
   * be as many as the map counts, which is asked before they are read, so that no revoke is left out.
   * @returns the links, and by which state of the map they are all; what the key events say with that demand alone
   * @throws VerificationError (`incomplete`)
   */
  async wholeChainOf(
    avatar: string,
    signal: AbortSignal | undefined,
  ): Promise<{ links: ChainLink[]; map: Completeness | null; keys: KeyState | null }> {
    const complete = await this.complete();
    const completion = await complete?.links(compressed(avatar), signal);
    const links = await this.linksOf(avatar, signal);
    for (const link of links) completion?.add(link);
    const map = (await completion?.end()) ?? null;
    const writes = map ? { links: links.length, map } : undefined;
    return { links, map, keys: complete && (await this.keyStateOf(compressed(avatar), complete, signal, writes)) };
  }

  /** All patches of an Avatar, unchecked. */
  patchesOf(avatar: string, signal: AbortSignal | undefined): Promise<KvPatch[]> {
    return this.list<KvPatch>({ path: '/v1/kv/chain', query: { avatar }, member: 'kv_chain', signal }).toArray();
  }

  list<Item>(request: ListRequest<Item>): PagedList<Item> {
    const { path, query, signal, receive, wrong, check, completes, isMoving, isOptional, settle } = request;
    let budget = { bytes: MAX_LIST_BYTES, left: MAX_LIST_BYTES };
    const readPage = (page: number) => this.transport.call({ path, query: { ...query, page }, budget, signal });
    const pageOf = (answer: unknown, page: number) => {
      const found = listPage<Item>(answer, request, this.transport.baseUrl, page);
      if (receive) found.items.forEach(receive);
      return found;
    };
    const read = async (page: number, checkItem: ItemCheck<Item> | undefined) => {
      if (page === 1) budget = { ...budget, left: MAX_LIST_BYTES };
      const answer = await (isOptional ? readPage(page).catch(nullWhereNotFound) : readPage(page));
      const { items, total, next } = pageOf(answer ?? NO_PAGE, page);
      if (page >= MAX_LIST_PAGES && next !== 0) {
        throw invalidList(`The list of ${this.transport.baseUrl} has more than ${page} pages; no more are read.`);
      }
      const again = async () => pageOf(await readPage(page), page).items;
      if (checkItem) for (const item of items) await checkItem(item, again);
      return { items, total, next };
    };
    const begin = async (isFromFirst: boolean): Promise<Reading<Item>> => {
      if (wrong) throw wrong;
      await settle?.();
      const complete = isFromFirst && completes ? await this.complete() : null;
      const completion = complete ? await completes!(complete) : undefined;
      const checkItem = check && this.verifies ? await check(isFromFirst, await this.rules()) : undefined;
      return { check: checkItem, completion };
    };
    const resting = (map: Completeness | null) => (check ? this.resting(map) : ON_THE_SERVER);
    return new PagedList({ begin, read, resting, isWhole: this.demandsAll && completes !== undefined, isMoving });
  }
}
