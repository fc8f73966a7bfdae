import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import {
  InvalidRequestError,
  PlatformUnavailableError,
  type PlatformVerifier,
  type ProofClaim,
  type Verdict,
} from '@signet/look';
import { afterLook, type LookProgress, type RecheckOutcome } from '@signet/look/internal';
import { parseObject } from '@signet/verify/internal';
import { statementText } from '@signet/verify/internal/log';
import { Counter } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import { Environment } from '../config/environment.js';
import { isUnleased } from '../database/time-sql.js';
import { AvatarKey } from '../domain/avatar-key.js';
import type { BindingEvent } from '../domain/domain-events.js';
import { fromUnixSeconds, unixSeconds, unixSecondsText } from '../domain/unix-time.js';
import { JobQueues } from '../jobs/job-queues.js';
import type { LeasedRows } from '../jobs/leased-rows.js';
import { isFree, type Leased, type WorkTable } from '../jobs/work-table.js';
import { type CounterSource, Measured } from '../measures/measured.js';
import { WebClient } from '../outbound/web-client.js';
import { PacedChecks } from '../platform/paced-checks.js';
import { PlatformService } from '../platform/platform.service.js';
import { forgetBindings } from './observed-links.js';
import { ObserverIdentity } from './observer-identity.js';
import { feedUrl, LOOK_QUEUE, SIGNET, TWIN_DELAY } from './observer-work.js';
import { lockStatements, SeenStatements } from './seen-statements.js';

/** Looks that one server makes at the same time. */
const CONCURRENCY = 4;
/** The part of a platform's budget that looks may use; rechecks of this server's own bindings have half of it. */
const BUDGET_SHARE = 0.25;
/** For so long the bindings of a platform may wait for its budget. */
const LONGEST_QUEUE_MS = 30 * 86_400_000;

interface BoundRow extends LookProgress, BindingEvent {
  id: string;
  feedId: string;
  url: string;
  link: string;
  uuid: string;
  createdAt: Date;
  proofLocation: string;
  signaturePayload: string;
  accountId: string | null;
}

/** The first account that any look saw for the link. It holds for every server that shows the link. */
const ACCOUNT = 'select account_id from observed_binding where link_hash = $1 and account_id is not null limit 1';

const READ = `
  select mine.id, feed_id as "feedId", feed.url, link_hash as link, avatar, platform, identity, uuid,
    created_at as "createdAt", proof_location as "proofLocation", signature_payload as "signaturePayload",
    (${ACCOUNT.replace('$1', 'mine.link_hash')}) as "accountId", is_seen as "isSeen", gone_since as "goneSince", failures
  from observed_binding as mine join followed_feed as feed on feed.id = feed_id where mine.id = $1`;

/**
 * The servers that are looked at take turns, so that one with many bindings, or with hosts that hang, does not hold up
 * the looks at the others: the more of a server's bindings are being looked at, the later is the turn of its next one.
 */
const DUE = `
  select id from (
    select work.id, work.next_look_at,
      busy.looks + row_number() over (partition by feed.id order by work.next_look_at) as turn
    from followed_feed as feed
      cross join lateral (
        select count(*) as looks from observed_binding as mine
        where feed_id = feed.id and not ${isUnleased('mine')}) as busy
      cross join lateral (
        select id, next_look_at from observed_binding as one
        where feed_id = feed.id and ${isFree({ dueAt: 'next_look_at' }, 'one')}
        order by next_look_at limit $1 for update skip locked) as work
    where feed.kind = 'links' and feed.url = any($3::text[])) as due
  order by turn, next_look_at limit $1`;

/** What one look found is so for the servers that show the link at the same place. */
const SHARE = `
  update observed_binding as twin set is_seen = mine.is_seen, gone_since = mine.gone_since, failures = mine.failures,
    next_look_at = mine.next_look_at + interval '${TWIN_DELAY}'
  from observed_binding as mine
  where mine.id = $1 and twin.link_hash = mine.link_hash and twin.proof_location = mine.proof_location
    and twin.id <> mine.id and ${isUnleased('twin')}`;

/** Looks at bindings of other servers, one by one as they become due, and signs what it saw. */
@Injectable()
@Measured()
export class LookRunner implements OnModuleInit, CounterSource {
  private readonly looks = new Counter({
    name: 'signet_looks_total',
    help: 'Looks at bindings of other servers',
    labelNames: ['platform', 'outcome'],
    registers: [],
  });
  readonly counters = [this.looks];
  private readonly logger = new Logger('Observer');
  private readonly checks: PacedChecks;
  private rows: LeasedRows | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly queues: JobQueues,
    private readonly platforms: PlatformService,
    private readonly web: WebClient,
    private readonly identity: ObserverIdentity,
    private readonly statements: SeenStatements,
  ) {
    const words = { one: 'A look at', several: 'Looks at' };
    const share = BUDGET_SHARE / environment.LOOK_AT.length;
    this.checks = new PacedChecks(platforms, share, words, this.logger);
  }

  onModuleInit(): void {
    const urls = this.environment.LOOK_AT.map(feedUrl);
    const table: WorkTable = {
      queue: LOOK_QUEUE,
      table: 'observed_binding',
      dueAt: 'next_look_at',
      leaseMs: 10 * this.environment.OUTBOUND_TIMEOUT_MS,
      mostMs: 2000 * this.environment.LOOK_SECONDS + LONGEST_QUEUE_MS,
      dueSql: DUE,
    };
    this.rows = this.queues.register(table, {
      concurrency: CONCURRENCY,
      run: (leased) => this.lookAt(leased),
      claimParameters: () => [urls],
    });
  }

  private async lookAt(leased: Leased): Promise<void> {
    const [bound] = await this.dataSource.query<BoundRow[]>(READ, [leased.id]);
    if (!bound) return;
    const verifier = this.platforms.get(bound.platform);
    // Each server that is looked at has its share of the budget.
    const key = `${bound.feedId} ${this.platforms.checkBudget(verifier).budgetKey(bound.identity)}`;
    const waitMs = this.checks.pace.consume(key, this.checks.paceOf(verifier), Date.now());
    if (waitMs > 0) return this.rows!.putOff(leased, waitMs);
    if (bound.isSeen !== null && (await this.isWithdrawn(bound))) return this.forget(bound);
    const answer = await this.askPlatform(verifier, bound).catch((error: unknown) => error as Error);
    await this.record(leased, bound, this.checks.judge(answer, bound.platform, key, new Date()));
  }

  /**
   * Whether the server that showed the binding no longer has it: revoked, or erased there. Asked before every look but
   * the first; a server that does not answer withdraws nothing.
   */
  private async isWithdrawn({ url, avatar, platform, identity, createdAt }: BoundRow): Promise<boolean> {
    const query = new URLSearchParams({ platform, identity, public_key: avatar });
    try {
      const { status, isJson, json } = await this.web.sendJson<{ created_at?: unknown }>({
        url: `${url}/v1/proof/exists?${query}`,
        trust: 'operator',
        platform: SIGNET,
      });
      if (status === 404) return isJson;
      return status === 200 && json?.created_at !== unixSecondsText(createdAt);
    } catch (error) {
      if (error instanceof PlatformUnavailableError) return false;
      throw error;
    }
  }

  private async forget({ id, platform }: BoundRow): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await lockStatements(manager);
      await forgetBindings(manager, 'id = $1', [id]);
    });
    this.looks.inc({ platform, outcome: 'withdrawn' });
  }

  /** Identities and locations are those of a stranger: only the forms that this server would accept are looked at. */
  private async askPlatform(verifier: PlatformVerifier, bound: BoundRow): Promise<Verdict> {
    try {
      const identity = this.platforms.canonicalIdentity(verifier, bound.identity);
      this.platforms.assertLocationGiven(verifier, bound.proofLocation);
      const location = await this.platforms.canonicalLocation(verifier, bound.proofLocation, identity);
      if (identity === bound.identity) return await this.platforms.verify(verifier, claimOf(bound, location));
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
    }
    throw new PlatformUnavailableError('The identity or the location has a form that is not known here.');
  }

  /** Signs a statement, and keeps it in the transaction of `manager`. */
  private async saveStatement(
    manager: EntityManager,
    { link, avatar, platform, identity, uuid, accountId }: BoundRow,
    isSeen: boolean,
    seenAt: Date,
    sha256 = '',
  ): Promise<void> {
    const { own, verifierKey: signer } = this.identity;
    const text = statementText({ link, platform, identity, account: accountId, seen: isSeen });
    const line = own.sign(text, unixSeconds(seenAt)).trimEnd();
    const about = { link, avatar, platform, identity, uuid, accountId, sha256 };
    await this.statements.save(manager, { ...about, signer, isSeen, seenAt, line }, true);
  }

  private async record(leased: Leased, bound: BoundRow, outcome: RecheckOutcome): Promise<void> {
    const now = fromUnixSeconds(unixSeconds(new Date()));
    const { state, inMs, says } = afterLook(bound, outcome, now, this.environment.LOOK_SECONDS);
    const verdict = outcome.kind === 'valid' ? outcome.verdict : null;
    const accountId = bound.accountId ?? verdict?.accountId ?? null;
    const isDone = await this.dataSource.transaction(async (manager) => {
      await lockStatements(manager);
      const [known] = await manager.query<{ account_id: string }[]>(ACCOUNT, [bound.link]);
      // Another look saw the first account meanwhile: this one is made again, with that account.
      if (known && bound.accountId === null) return false;
      const set = 'is_seen = $4, gone_since = $5, failures = $6, account_id = $7';
      const values = [state.isSeen, state.goneSince, state.failures, accountId];
      await this.rows!.finish(manager, leased, inMs, set, values);
      await manager.query(SHARE, [bound.id]);
      if (says === null || (!says && (await isElsewhere(manager, bound)))) return true;
      await this.saveStatement(manager, { ...bound, accountId }, says, now, verdict?.evidence?.sha256);
      return true;
    });
    if (!isDone) return this.rows!.putOff(leased, 0);
    this.looks.inc({ platform: bound.platform, outcome: outcome.kind });
  }
}

/**
 * Whether another server shows the link at a place where it was seen, or where it was not looked for to the end. What
 * one server says of the place is not signed by the Avatar, so a post that is missing there may be somewhere else.
 */
async function isElsewhere(manager: EntityManager, { id, link }: BoundRow): Promise<boolean> {
  const sql =
    'select from observed_binding where link_hash = $1 and id <> $2 and is_seen is distinct from false limit 1';
  const rows: unknown[] = await manager.query(sql, [link, id]);
  return rows.length > 0;
}

function claimOf(bound: BoundRow, proofLocation: string): ProofClaim {
  const { avatar, identity, uuid, createdAt, signaturePayload, accountId, isSeen } = bound;
  const previous = parseObject(signaturePayload)?.['prev'];
  return {
    avatar: AvatarKey.parse(avatar),
    identity,
    uuid,
    createdAt,
    proofLocation,
    signPayload: signaturePayload,
    previous: typeof previous === 'string' ? previous : null,
    accountId: accountId ?? undefined,
    isRecheck: isSeen !== null,
  };
}
