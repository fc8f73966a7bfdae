import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { type PlatformVerifier, PlatformUnavailableError, type ProofClaim, type Verdict } from '@signet/look';
import {
  afterLook,
  isDefect,
  type LookProgress,
  outcomeOf,
  type RecheckOutcome,
  RecheckPace,
} from '@signet/look/schedule';
import { parseObject } from '@signet/verify';
import { statementText } from '@signet/verify/seen';
import { Subject } from 'rxjs';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { InvalidRequestError } from '../domain/domain-errors.js';
import type { BindingEvent } from '../domain/domain-events.js';
import { fromUnixSeconds, unixSeconds, unixSecondsText } from '../domain/unix-time.js';
import { JobQueues } from '../jobs/job-queues.js';
import type { LeasedRows } from '../jobs/leased-rows.js';
import type { Leased, WorkTable } from '../jobs/work-table.js';
import { WebClient } from '../outbound/web-client.js';
import { PlatformService } from '../platform/platform.service.js';
import { forgetBindings } from './observed-links.js';
import { ObserverIdentity } from './observer-identity.js';
import { feedUrl, LOOK_QUEUE, SIGNET } from './observer-work.js';
import { SeenStatements } from './seen-statements.js';

/** Looks that one server makes at the same time. */
const CONCURRENCY = 4;
/** The part of a platform's budget that looks may use; rechecks of this server's own bindings have half of it. */
const BUDGET_SHARE = 0.25;

/** What came of a look, for metrics. */
export type LookOutcome = RecheckOutcome['kind'] | 'withdrawn';

interface BoundRow extends LookProgress, BindingEvent {
  url: string;
  link: string;
  uuid: string;
  createdAt: Date;
  proofLocation: string;
  signaturePayload: string;
  accountId: string | null;
}

const READ = `
  select feed.url, link_hash as link, avatar, platform, identity, uuid, created_at as "createdAt",
    proof_location as "proofLocation", signature_payload as "signaturePayload", account_id as "accountId",
    is_seen as "isSeen", gone_since as "goneSince", failures
  from observed_binding join followed_feed feed on feed.id = feed_id where observed_binding.id = $1`;

/** Looks at bindings of other servers, one by one as they become due, and signs what it saw. */
@Injectable()
export class LookRunner implements OnModuleInit {
  /** Every look, for metrics. Observers must not throw. */
  readonly done = new Subject<{ platform: string; outcome: LookOutcome }>();
  private readonly logger = new Logger('Observer');
  private readonly pace = new RecheckPace();
  private rows: LeasedRows | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly queues: JobQueues,
    private readonly platforms: PlatformService,
    private readonly web: WebClient,
    private readonly identity: ObserverIdentity,
    private readonly statements: SeenStatements,
  ) {}

  onModuleInit(): void {
    const urls = this.environment.LOOK_AT.map(feedUrl);
    const table: WorkTable = {
      queue: LOOK_QUEUE,
      ...{ table: 'observed_binding', dueAt: 'next_look_at', leaseMs: 10 * this.environment.OUTBOUND_TIMEOUT_MS },
      condition: "feed_id = any(select id from followed_feed where kind = 'links' and url = any($3::text[]))",
    };
    this.rows = this.queues.register(table, {
      concurrency: CONCURRENCY,
      run: (leased) => this.look(leased),
      claimParameters: () => [urls],
    });
  }

  private async look(leased: Leased): Promise<void> {
    const [bound] = await this.dataSource.query<BoundRow[]>(READ, [leased.id]);
    if (!bound) return;
    const verifier = this.platforms.get(bound.platform);
    const waitMs = this.waitMs(verifier, bound);
    if (waitMs > 0) return this.rows!.putOff(leased, waitMs);
    if (bound.isSeen !== null && (await this.isWithdrawn(bound))) return this.forget(bound);
    const answer = await this.ask(verifier, bound).catch((error: unknown) => error as Error);
    if (isDefect(answer)) this.logger.error(`A look at ${bound.platform} failed: ${answer.stack}`);
    await this.record(leased, bound, outcomeOf(answer));
  }

  /** Milliseconds until the share of the platform's budget allows a look; 0: now. */
  private waitMs(verifier: PlatformVerifier, { identity }: BoundRow): number {
    const budget = this.platforms.checkBudget(verifier);
    const calls = Math.max(1, Math.floor((budget.requests * BUDGET_SHARE) / budget.requestsPerCheck));
    return this.pace.consume(budget.budgetKey(identity), { calls, seconds: budget.seconds }, Date.now());
  }

  /**
   * Whether the server that is looked at no longer has the binding: revoked, or erased there. Asked before every look
   * but the first; a server that does not answer withdraws nothing.
   */
  private async isWithdrawn({ url, avatar, platform, identity, createdAt }: BoundRow): Promise<boolean> {
    const query = new URLSearchParams({ platform, identity, public_key: avatar });
    try {
      const { status, isJson, json } = await this.web.sendJson<{ created_at?: unknown }>({
        url: `${url}/v1/proof/exists?${query}`,
        ...{ trust: 'operator', platform: SIGNET },
      });
      if (status === 404) return isJson;
      return status === 200 && json?.created_at !== unixSecondsText(createdAt);
    } catch (error) {
      if (error instanceof PlatformUnavailableError) return false;
      throw error;
    }
  }

  private async forget({ link, platform }: BoundRow): Promise<void> {
    await this.dataSource.transaction((manager) => forgetBindings(manager, 'link_hash = $1', [link]));
    this.done.next({ platform, outcome: 'withdrawn' });
  }

  /** Identities and locations are those of a stranger: only the forms that this server would accept are looked at. */
  private async ask(verifier: PlatformVerifier, bound: BoundRow): Promise<Verdict> {
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

  private async record(leased: Leased, bound: BoundRow, outcome: RecheckOutcome): Promise<void> {
    const now = fromUnixSeconds(unixSeconds(new Date()));
    const { state, inMs, says } = afterLook(bound, outcome, now, this.environment.LOOK_SECONDS);
    const verdict = outcome.kind === 'valid' ? outcome.verdict : null;
    const accountId = bound.accountId ?? verdict?.accountId ?? null;
    const { own, verifierKey: signer } = this.identity;
    await this.dataSource.transaction(async (manager) => {
      const set = 'is_seen = $4, gone_since = $5, failures = $6, account_id = $7';
      const values = [state.isSeen, state.goneSince, state.failures, accountId];
      await this.rows!.finish(manager, leased, inMs, set, values);
      if (says === null) return;
      const { link, avatar, platform, identity, uuid } = bound;
      const text = statementText({ link, platform, identity, account: accountId, seen: says });
      const line = own.sign(text, unixSeconds(now)).trimEnd();
      const sha256 = verdict?.evidence?.sha256 ?? '';
      const about = { link, avatar, platform, identity, uuid, accountId, sha256 };
      const signed = { signer, isSeen: says, seenAt: now, line };
      await this.statements.save(manager, { ...about, ...signed }, true);
    });
    this.done.next({ platform: bound.platform, outcome: outcome.kind });
  }
}

function claimOf(bound: BoundRow, proofLocation: string): ProofClaim {
  const { avatar, identity, uuid, createdAt, signaturePayload, accountId, isSeen } = bound;
  const previous = parseObject(signaturePayload)?.['prev'];
  return {
    avatar: AvatarKey.parse(avatar),
    ...{ identity, uuid, createdAt, proofLocation, signPayload: signaturePayload },
    previous: typeof previous === 'string' ? previous : null,
    accountId: accountId ?? undefined,
    isRecheck: isSeen !== null,
  };
}
