import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { PlatformUnavailableError } from '@signet/look';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { JobQueues } from '../jobs/job-queues.js';
import type { LeasedRows } from '../jobs/leased-rows.js';
import { LONGEST_RETRY_MS } from '../jobs/worker.js';
import type { Leased, WorkTable } from '../jobs/work-table.js';
import { WebClient } from '../outbound/web-client.js';
import { type CollectedItem, CollectedStatements } from './collected-statements.js';
import { type FollowedLink, ObservedLinks } from './observed-links.js';
import { ObserverIdentity } from './observer-identity.js';
import { feedUrl, LOOK_QUEUE, shownUrl, SIGNET } from './observer-work.js';
import { SeenStatements } from './seen-statements.js';

const COUNT = 100;
/** A page of a feed ends at 2 MB. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
const COMPRESSED_KEY = /^0x0[23][0-9a-f]{64}$/;
/** Milliseconds until the next request at the end of a feed, and after a failure. */
const POLL_MS = { links: 30_000, statements: 300_000 };
const RETRY_MS = 60_000;
const SET_BACK =
  'its feed lacks what it ended with, or shows something else there: it was set back to an older state. It is read ' +
  'again from its beginning';

/** A feed, as far as it was read. */
interface Feed {
  kind: 'links' | 'statements';
  url: string;
  lastId: number;
  items: number;
  problem: string;
}

/**
 * Follows the feeds of other servers: links of those in LOOK_AT, and statements of those in OBSERVERS. Each feed is
 * read by one server at a time, page by page; a page and its cursor are stored together, so that a kill repeats a page.
 */
@Injectable()
export class FeedFollower implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger('Observer');
  private rows: LeasedRows | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly queues: JobQueues,
    private readonly web: WebClient,
    private readonly identity: ObserverIdentity,
    private readonly links: ObservedLinks,
    private readonly collected: CollectedStatements,
    private readonly statements: SeenStatements,
  ) {
    // Before the settings are judged, which may name another budget.
    web.rates.declare(SIGNET, { plain: { requests: 5, seconds: 1 } });
  }

  onModuleInit(): void {
    const leaseMs = 2 * this.environment.OUTBOUND_TIMEOUT_MS + 60_000;
    const table: WorkTable = {
      queue: 'follow',
      table: 'followed_feed',
      dueAt: 'next_at',
      leaseMs,
      mostMs: LONGEST_RETRY_MS,
      // Feeds that are no longer among the settings stay, and are not read.
      condition: "kind || ' ' || url = any($3::text[])",
    };
    const names = this.feeds().map(({ kind, url }) => `${kind} ${url}`);
    this.rows = this.queues.register(table, {
      concurrency: 2,
      run: (leased) => this.readPage(leased),
      claimParameters: () => [names],
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const { kind, url } of this.feeds()) {
      const sql = 'insert into followed_feed (kind, url) values ($1, $2) on conflict (kind, url) do nothing';
      await this.dataSource.query(sql, [kind, url]);
    }
  }

  private feeds(): Pick<Feed, 'kind' | 'url'>[] {
    const { LOOK_AT } = this.environment;
    const statements = this.identity.believed.observers.flatMap(({ urls }) => urls);
    return [
      ...LOOK_AT.map((url) => ({ kind: 'links' as const, url: feedUrl(url) })),
      ...statements.map((url) => ({ kind: 'statements' as const, url: feedUrl(url) })),
    ];
  }

  private async readPage(leased: Leased): Promise<void> {
    const sql = 'select kind, url, last_id as "lastId", items, problem from followed_feed where id = $1';
    const [feed] = await this.dataSource.query<Feed[]>(sql, [leased.id]);
    const { kind, lastId, items } = feed!;
    if (kind === 'links' && items >= this.environment.LOOK_LINKS) {
      return this.retryLater(
        leased,
        feed!,
        `LOOK_LINKS (${this.environment.LOOK_LINKS}) are read; the rest is not followed`,
      );
    }
    let shown: { id: number }[];
    try {
      shown = await this.fetch(feed!);
    } catch (error) {
      if (!(error instanceof PlatformUnavailableError)) throw error;
      return this.retryLater(leased, feed!, error.message);
    }
    if (lastId > 0 && !(await this.isContinued(leased, feed!, shown))) return this.beginAgain(leased, feed!);
    const page = shown.filter(({ id }) => id > lastId);
    // Before the transaction: the embedded database has one connection.
    const said = kind === 'links' ? [] : await this.collected.read(feed!.url, page as CollectedItem[]);
    const broken = await this.dataSource.transaction(async (manager) => {
      const newest = page.at(-1)?.id ?? lastId;
      const inMs = shown.length < COUNT ? POLL_MS[kind] : 0;
      const set = "last_id = $4, items = items + $5, problem = ''";
      await this.rows!.finish(manager, leased, inMs, set, [newest, page.length]);
      for (const statement of said) await this.statements.save(manager, statement, false);
      return kind === 'links' ? this.links.applyPage(manager, Number(leased.id), page as FollowedLink[]) : [];
    });
    for (const avatar of broken) this.logger.warn(`${shownUrl(feed!.url)}: the chain of ${avatar} does not verify`);
    if (page.length > 0) this.queues.wake(LOOK_QUEUE);
    else await this.statements.forgetOld();
  }

  /**
   * Whether a page that begins with the last item that was read shows the feed that was read before. The newest
   * statement is the last until it moves behind it, or is taken back.
   */
  private async isContinued({ id }: Leased, { kind, lastId }: Feed, [first]: { id: number }[]): Promise<boolean> {
    if (kind === 'statements') return first !== undefined;
    return first?.id === lastId && this.links.isKnownHead(Number(id), first as FollowedLink);
  }

  /** Reads a feed that was set back from its beginning; `items` goes on, so that LOOK_LINKS bounds all that is read. */
  private async beginAgain(leased: Leased, { kind, url }: Feed): Promise<void> {
    if (kind === 'links') this.logger.error(`${shownUrl(url)}: ${SET_BACK}.`);
    await this.dataSource.transaction(async (manager) => {
      await this.rows!.finish(manager, leased, RETRY_MS, 'last_id = 0, problem = $4', [SET_BACK]);
      await this.links.forgetChains(manager, Number(leased.id));
    });
  }

  /** Tries again later. The first failure in a row is news. */
  private async retryLater(leased: Leased, { url, problem }: Feed, reason: string): Promise<void> {
    if (problem !== reason) this.logger.warn(`${shownUrl(url)} is not followed: ${reason}`);
    await this.rows!.finish(this.dataSource.manager, leased, RETRY_MS, 'problem = $4', [reason]);
  }

  /**
   * A page that begins with the last item that was read.
   * @throws PlatformUnavailableError for anything that is not a page of the feed
   */
  private async fetch({ kind, url, lastId }: Feed): Promise<{ id: number }[]> {
    const after = Math.max(0, lastId - 1);
    const path = kind === 'links' ? '/v1/proofchain/changes' : '/v1/proofs/seen/changes';
    const { status, json } = await this.web.sendJson<Record<string, unknown>>({
      url: `${url}${path}?last_id=${after}&count=${COUNT}`,
      trust: 'operator',
      platform: SIGNET,
      maxBytes: MAX_PAGE_BYTES,
    });
    const page = json?.[kind];
    if (status !== 200 || !isPage(page, after)) {
      throw new PlatformUnavailableError(`The answer (status ${status}) is no page of the feed.`);
    }
    return page;
  }
}

/** Items with ascending ids behind the cursor; what else they hold is checked by those who take them. */
function isPage(page: unknown, lastId: number): page is { id: number }[] {
  if (!Array.isArray(page) || page.length > COUNT) return false;
  let last = lastId;
  return page.every((item: unknown) => {
    if (typeof item !== 'object' || item === null) return false;
    const { id, avatar } = item as { id?: unknown; avatar?: unknown };
    const isNext = Number.isSafeInteger(id) && (id as number) > last;
    last = id as number;
    return isNext && typeof avatar === 'string' && COMPRESSED_KEY.test(avatar);
  });
}
