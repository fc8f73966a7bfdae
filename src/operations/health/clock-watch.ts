import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type GaugeSource, Measured, type Readings } from '../../measures/measured.js';
import { SingleFlight } from '../../concurrency/single-flight.js';

const LOOK_MS = 60_000;
/** Milliseconds for which a reading of the clocks is used again. */
const FRESH_MS = 5_000;
/**
 * Milliseconds after which an answer is dropped, because it does not show at which moment the database read its clock.
 */
const SLOW_MS = 5_000;
const REMIND_MS = 3_600_000;
/** Seconds of difference at which clocks disagree. Servers more than 300 seconds apart refuse each other's payloads. */
export const CLOCKS_DISAGREE_SECONDS = 60;

/** What the clocks say; whole seconds. */
export interface Clocks {
  /** How far the clock of this server is ahead of that of the database; negative where it is behind. */
  aheadOfDatabase: number;
  /** How far the newest link lies in the future of the database, because its clock was put back; 0 elsewhere. */
  newestLinkAhead: number;
}

const GAUGES = {
  signet_clock_ahead_seconds: ['How far the clock of this server is ahead of that of the database'],
} as const;

const CLOCKS = `
  select clock_timestamp() as now, (select recorded_at from chain_link order by id desc limit 1) as newest`;

/** Compares the clock of this server with that of the database, and says in the log where they disagree. */
@Injectable()
@Measured()
export class ClockWatch implements OnApplicationBootstrap, OnModuleDestroy, GaugeSource<typeof GAUGES> {
  readonly gauges = GAUGES;
  private readonly logger = new Logger('Clock');
  private readonly looks = new SingleFlight();
  private timer: NodeJS.Timeout | undefined;
  private seen: Clocks | null = null;
  private seenAtMs = -Infinity;
  private warnedAtMs = -Infinity;

  constructor(private readonly dataSource: DataSource) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.read(), LOOK_MS).unref();
    void this.read();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.looks.settle();
  }

  /**
   * Returns the clocks as read in the last seconds. If the database does not answer, returns the reading before, or
   * null if there is none.
   */
  async read(): Promise<Clocks | null> {
    if (performance.now() - this.seenAtMs > FRESH_MS) await this.looks.join(() => this.readClocks());
    return this.seen;
  }

  async readGauges(): Promise<Readings<typeof GAUGES>> {
    return { signet_clock_ahead_seconds: (await this.read())?.aheadOfDatabase ?? null };
  }

  private async readClocks(): Promise<void> {
    const startedAt = performance.now();
    const row = await this.dataSource.query<{ now: Date; newest: Date | null }[]>(CLOCKS).then(
      ([one]) => one!,
      () => null,
    );
    const tookMs = performance.now() - startedAt;
    if (!row || tookMs > SLOW_MS) return;
    const seconds = (ms: number) => Math.round(ms / 1000);
    this.seen = {
      aheadOfDatabase: seconds(Date.now() - tookMs / 2 - row.now.getTime()),
      newestLinkAhead: Math.max(0, seconds((row.newest ?? row.now).getTime() - row.now.getTime())),
    };
    this.seenAtMs = performance.now();
    this.logProblem(this.seen);
  }

  private logProblem(clocks: Clocks): void {
    const hasWarned = this.warnedAtMs !== -Infinity;
    const problem = problemOf(clocks);
    if (problem === null) {
      if (hasWarned) this.logger.log('The clocks agree again.');
      this.warnedAtMs = -Infinity;
    } else if (performance.now() - this.warnedAtMs > REMIND_MS) {
      this.logger.warn(problem);
      this.warnedAtMs = performance.now();
    }
  }
}

/** Whether clocks disagree by so much that an operator has to know. */
export function disagree({ aheadOfDatabase, newestLinkAhead }: Clocks): boolean {
  return Math.max(Math.abs(aheadOfDatabase), newestLinkAhead) >= CLOCKS_DISAGREE_SECONDS;
}

function problemOf(clocks: Clocks): string | null {
  if (!disagree(clocks)) return null;
  const { aheadOfDatabase: ahead, newestLinkAhead } = clocks;
  const end = 'Set the clocks right (NTP): new records get no time before that of the record that they follow.';
  if (Math.abs(ahead) < CLOCKS_DISAGREE_SECONDS) {
    return `The newest link is ${newestLinkAhead} seconds in the future: the clock was ahead, and was put back. ${end}`;
  }
  const where = ahead > 0 ? 'ahead of' : 'behind';
  return `The clock of this server is ${Math.abs(ahead)} seconds ${where} that of the database. ${end}`;
}
