import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { isUnleased } from '../time-sql.js';
import { UPGRADE_STEPS } from './upgrade-steps.js';

/** `waiting`: for the steps before it, or for a server to take it up; `stuck`: it failed and is tried again. */
export const STEP_STATES = ['waiting', 'running', 'stuck', 'done'] as const;
export type StepState = (typeof STEP_STATES)[number];

/** How far one step of the upgrade is. */
export interface StepProgress {
  id: string;
  /** For people: what is done. */
  title: string;
  state: StepState;
  /** From 0 to 1. */
  part: number;
  /** Why it is stuck or waits; empty if nothing is wrong. For operators. */
  problem: string;
}

const STEPS = `
  select id, problem,
    case when due_at is null then 'done' when not ${isUnleased('upgrade_step')} then 'running'
      when problem <> '' then 'stuck' else 'waiting' end as state,
    case when due_at is null then 1 when total > 0 then least(1, done::float8 / total) else 0 end as part
  from upgrade_step where id = any($1)`;

/** For so long an answer is kept, so that requests and probes do not ask the database each time. */
const KEPT_MS = 1000;

/** How far the long work of this version's upgrade is. Once all of it is done, the database is not asked any more. */
@Injectable()
export class UpgradeStatus {
  private readonly reads = new SingleFlight<StepProgress[]>();
  private kept: StepProgress[] = [];
  private keptAtMs = -Infinity;

  constructor(private readonly dataSource: DataSource) {}

  /**
   * All steps in their order, as of a moment ago. `manager` is that of the transaction which asks: there may be no
   * other connection.
   * @throws the driver's error
   */
  async steps(manager?: EntityManager): Promise<StepProgress[]> {
    if (this.isAllDone || performance.now() - this.keptAtMs <= KEPT_MS) return this.kept;
    return manager ? this.read(manager) : this.reads.join(() => this.read(this.dataSource));
  }

  /** The steps that are not done, in their order. @throws the driver's error */
  async stepsLeft(): Promise<StepProgress[]> {
    return (await this.steps()).filter(({ state }) => state !== 'done');
  }

  /** Whether all of these steps are done; `manager` as above. @throws the driver's error */
  async areDone(ids: string[], manager?: EntityManager): Promise<boolean> {
    const steps = await this.steps(manager);
    return steps.every(({ id, state }) => state === 'done' || !ids.includes(id));
  }

  private get isAllDone(): boolean {
    return this.keptAtMs > -Infinity && this.kept.every(({ state }) => state === 'done');
  }

  private async read(source: DataSource | EntityManager): Promise<StepProgress[]> {
    const rows: Omit<StepProgress, 'title'>[] = await source.query(STEPS, [UPGRADE_STEPS.map(({ id }) => id)]);
    this.kept = UPGRADE_STEPS.map(({ id, title }) => {
      const row = rows.find((one) => one.id === id);
      return { id, title, state: 'waiting', part: 0, problem: '', ...row };
    });
    this.keptAtMs = performance.now();
    return this.kept;
  }
}
