import { Logger } from '@nestjs/common';
import type { WebReply } from '@signet/look';
import { Counter } from 'prom-client';
import type { DataSource, EntityManager } from 'typeorm';
import type { JobQueues } from '../jobs/job-queues.js';
import { type LeasedRows, LeaseLostError } from '../jobs/leased-rows.js';
import type { DeadRows, Leased, WorkTable } from '../jobs/work-table.js';
import { afterAnswer, afterError, type Attempted, type Decision, giveUp, LONGEST_WAIT_MS } from './delivery-outcome.js';
import type { Delivery } from './delivery.js';

/** A delivery whose attempts end so often with a crash of their server is given up: it may be the cause. */
const MAX_UNFINISHED_RUNS = 20;

/** Time for what surrounds the request: reading, waiting for slots and for a short pause of the host, recording. */
const SPARE_MS = 10_000;

/** Values from `$4` on. */
const OUTCOME = `
  status = $4, turn = turn + 1, attempts = attempts + $5, last_attempt_at = case when $5 = 1 then now() else last_attempt_at end,
  last_status = $6, last_error = $7, dead_at = case when $4 = 'dead' then now() end,
  dead_letter_id = case when $4 = 'dead' and not $8 then gen_random_uuid() end`;

/** Deliveries that were given up, as work that failed for good. */
const DEAD: DeadRows = {
  failedAt: 'coalesce(dead_at, last_attempt_at, round_started_at)',
  data: "jsonb_build_object('delivery', id, 'turn', turn, 'error', last_error)",
  revive: "status = 'pending', turn = turn + 1, attempts = 0, round_started_at = now()",
};

/** A delivery and its receiver, as an attempt begins with them. */
export type Attempt = Pick<Delivery, 'id' | 'subscriptionId' | 'sequence'> &
  Attempted & {
    /** Milliseconds since the present round of the schedule began, by the clock of the database. */
    ageMs: number;
  };

/** What one kind of delivery does in its own way. */
export interface DeliveryKind<OwnAttempt extends Attempt> {
  /** Name of the queue, as operators and metrics know it. */
  queue: string;
  /** Of rows with the columns of `Delivery`. */
  table: string;
  /** As in `WorkTable`; parameters from `$3` on are those of `claimParameters`. */
  dueSql: string;
  /** Milliseconds in which a receiver must have answered. */
  timeoutMs: number;
  /** Attempts at the same time on one server. */
  concurrency: number;
  /** Select of a delivery as an attempt needs it, by its id (`$1`). */
  readSql: string;
  /** Counts the outcomes; made by `turnsOf`. */
  turns: Counter;
  /** Statuses by which a receiver ends its subscription. */
  gone: readonly number[];
  /** @param underWay attempts on this server */
  claimParameters(underWay: OwnAttempt[]): unknown[];
  /** How the log names a delivery, by nothing that a reader of the log could use. */
  nameOf(attempt: OwnAttempt): string;
  /** One word for why it is given up without a request; null where nothing speaks against one. */
  refusal(attempt: OwnAttempt): string | null;
  /** @throws PlatformUnavailableError where no usable answer came */
  send(attempt: OwnAttempt): Promise<WebReply>;
  /**
   * Does what a decision means for the subscription, in the transaction that records it, and first in it, because a
   * removal locks the subscription before its deliveries: the two would wait for each other.
   * @returns what becomes of the row: it is kept with its outcome, is to be removed, or went with the subscription
   */
  settle(manager: EntityManager, attempt: OwnAttempt, decision: Decision): Promise<'keep' | 'remove' | 'removed'>;
}

/**
 * Makes the attempts of one kind of delivery. The outcome of each and the time of the next one are recorded in one
 * statement, so after a crash the message is sent again with the same id and never forgotten.
 */
export class DeliveryRunner<OwnAttempt extends Attempt> {
  readonly rows: LeasedRows;

  private readonly logger: Logger;
  private readonly underWay = new Set<OwnAttempt>();

  /** To be made while the modules are initialised, before the application starts. */
  constructor(
    private readonly dataSource: DataSource,
    jobs: JobQueues,
    private readonly kind: DeliveryKind<OwnAttempt>,
  ) {
    this.logger = new Logger(`Deliveries of ${kind.queue}`);
    this.rows = jobs.register(workOf(kind), {
      concurrency: kind.concurrency,
      claimParameters: () => kind.claimParameters([...this.underWay]),
      run: (leased) => this.attempt(leased),
    });
  }

  /** One attempt; nothing if the delivery or its subscription was removed meanwhile. @throws LeaseLostError */
  async attempt(leased: Leased): Promise<void> {
    const [attempt] = await this.dataSource.query<OwnAttempt[]>(this.kind.readSql, [leased.id]);
    if (!attempt) return;
    this.underWay.add(attempt);
    const decision = await this.decide(attempt, leased).finally(() => this.underWay.delete(attempt));
    await this.record(attempt, leased, decision);
  }

  private async decide(attempt: OwnAttempt, { unfinishedRuns }: Leased): Promise<Decision> {
    if (unfinishedRuns > MAX_UNFINISHED_RUNS) return giveUp(attempt, 'unfinished');
    const refusal = this.kind.refusal(attempt);
    if (refusal !== null) return giveUp(attempt, refusal);
    const startedAt = performance.now();
    try {
      return afterAnswer(attempt, (await this.kind.send(attempt)).status, this.kind.gone);
    } catch (error) {
      return afterError(attempt, error, attempt.ageMs + performance.now() - startedAt);
    }
  }

  /** @throws LeaseLostError if another server has the row by now, or an operator replayed it */
  private async record(attempt: OwnAttempt, leased: Leased, decision: Decision): Promise<void> {
    const { next, status, error } = decision;
    await this.dataSource.transaction(async (manager) => {
      const row = await this.kind.settle(manager, attempt, decision);
      if (row === 'keep') await this.keep(manager, attempt, leased, decision);
      if (row === 'remove') await this.rows.remove(manager, leased);
    });
    this.kind.turns.inc({ outcome: outcomeOf(decision) });
    if (next === 'dead') {
      this.logger.warn(`${this.kind.nameOf(attempt)} is given up: ${error} ${status ?? ''}`.trim());
    }
  }

  private async keep(
    manager: EntityManager,
    { id, sequence, isOnce }: OwnAttempt,
    leased: Leased,
    { next, wasAsked, status, error }: Decision,
  ): Promise<void> {
    const isRetry = typeof next === 'number';
    const values = [isRetry ? 'pending' : next, wasAsked ? 1 : 0, status, error, isOnce];
    await this.rows.finish(manager, leased, isRetry ? next : null, OUTCOME, values);
    const [row]: { turn: number }[] = await manager.query(`select turn from ${this.kind.table} where id = $1`, [id]);
    // A server of version 0.1.0 that runs beside this one knows no leases.
    if (row?.turn !== sequence + 1) throw new LeaseLostError(`delivery ${id} was recorded by another server`);
  }
}

function workOf({ queue, table, timeoutMs, dueSql }: DeliveryKind<never>): WorkTable {
  return {
    ...{ queue, table, dueAt: 'next_attempt_at', leaseMs: timeoutMs + SPARE_MS },
    ...{ mostMs: LONGEST_WAIT_MS, dueSql, dead: DEAD },
  };
}

/** A counter of the turns of a queue, for metrics. */
export function turnsOf(name: string, help: string): Counter {
  return new Counter({ name, help, labelNames: ['outcome'], registers: [] });
}

function outcomeOf({ next, wasAsked }: Decision): string {
  if (typeof next === 'string') return next;
  return wasAsked ? 'failed' : 'postponed';
}
