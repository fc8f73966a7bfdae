import { Injectable, Logger, Optional } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { ArchiveService } from '../../archive/archive.service.js';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { withTimeout } from '../../concurrency/with-timeout.js';
import { Environment } from '../../config/environment.js';
import { UpgradeStatus } from '../../database/schema/upgrade-status.js';
import { ClockWatch } from '../health/clock-watch.js';
import { JobQueues } from '../../jobs/job-queues.js';
import { LogReport } from '../../transparency-log/log-report.js';
import { SeenStatements } from '../../observer/seen-statements.js';
import { PlatformService } from '../../platform/platform.service.js';
import { MAX_COUNTED, readBacklog, type Reading, type Sample } from './backlog.queries.js';

/** Milliseconds for which values are used again: several Prometheus servers cost the database no more than one. */
const FRESH_MS = 5_000;
/** Milliseconds after which the metrics are answered without those of the database. */
const PATIENCE_MS = 2_000;

const LIMIT = `counted up to ${MAX_COUNTED}`;

/** The gauges by short names: name, help, and labels. */
const GAUGES = {
  unnumbered: ['signet_events_unnumbered', `Events without a position in the stream, ${LIMIT}`],
  parked: ['signet_events_parked', `Events that a listener gave up, ${LIMIT}`],
  lag: ['signet_event_handler_lag', 'Events that a listener has not had', 'handler'],
  failures: ['signet_event_handler_failures', 'Failed tries of its next event', 'handler'],
  events: ['signet_event_position', 'Position of the newest event'],
  links: ['signet_links', 'Links of all chains'],
  due: ['signet_rechecks_due', `Rechecks whose time has come, ${LIMIT} for each platform`, 'platform'],
  overdue: ['signet_recheck_overdue_seconds', 'How late the longest overdue recheck is', 'platform'],
  jobs: ['signet_jobs', 'Jobs by queue and state', 'queue', 'state'],
  rows: ['signet_table_rows', 'Rows as PostgreSQL estimates them', 'table'],
  bytes: ['signet_table_bytes', 'Bytes of a table with its indexes', 'table'],
  logSize: ['signet_log_size', 'Entries of the newest tree head of the log'],
  logWaiting: ['signet_log_waiting', 'Links and patches that are not in the log'],
  logAge: ['signet_log_checkpoint_age_seconds', 'Seconds since the log signed its newest tree head'],
  logRefused: ['signet_log_refused', 'Whether this server refuses to sign tree heads'],
  logUnsaved: [
    'signet_log_head_unsaved',
    'Whether this server cannot keep the newest tree head outside of the database',
  ],
  logCosigned: ['signet_log_cosigned_size', 'Entries of the newest tree head that meets the policy'],
  witnessLag: ['signet_log_witness_lag', 'Entries that a witness has not signed', 'witness'],
  witnessAge: ['signet_log_witness_age_seconds', 'Seconds since a witness signed', 'witness'],
  upgradeSteps: ['signet_upgrade_steps_pending', 'Steps of the upgrade that are not done'],
  upgradeStuck: ['signet_upgrade_steps_stuck', 'Steps of the upgrade that failed and are tried again'],
  upgradeStep: ['signet_upgrade_step_progress', 'How much of a step is done, from 0 to 1', 'step'],
  seen: ['signet_seen_links', `Links of other servers by what this one saw last, each ${LIMIT}`, 'seen'],
  archive: ['signet_archive_links', 'Links on their way into the archive', 'state'],
  archiveAge: ['signet_archive_oldest_seconds', 'Age of the oldest link that is signed and not confirmed'],
  wallet: ['signet_archive_wallet_ar', 'What the wallet of the archive holds, as last heard of the gateway'],
  clock: ['signet_clock_ahead_seconds', 'How far the clock of this server is ahead of that of the database'],
  walletLow: ['signet_archive_wallet_low', 'Whether the wallet pays and holds less than ARCHIVE_LOW_BALANCE_AR'],
} satisfies Record<string, [name: string, help: string, ...labels: string[]]>;

type Readings = Record<keyof typeof GAUGES, Reading>;

/**
 * Gauges that are read from the database. All but that of the clock are the same on every server; a query takes the
 * maximum of them.
 */
@Injectable()
export class BacklogMetrics {
  private readonly logger = new Logger('Metrics');
  private readonly state = new Registry();
  private readonly readings = new Registry();
  private readonly up = new Gauge({
    name: 'signet_database_up',
    help: 'Whether the database answered in time',
    registers: [this.state],
  });
  private readonly gauges = Object.entries(GAUGES).map(([key, [name, help, ...labelNames]]) => ({
    key: key as keyof Readings,
    gauge: new Gauge({ name, help, labelNames, registers: [this.readings] }),
  }));
  private readAtMs = -Infinity;
  private readonly reads = new SingleFlight();

  constructor(
    private readonly dataSource: DataSource,
    private readonly archive: ArchiveService,
    private readonly log: LogReport,
    private readonly upgrade: UpgradeStatus,
    private readonly platforms: PlatformService,
    private readonly jobs: JobQueues,
    private readonly environment: Environment,
    private readonly clocks: ClockWatch,
    @Optional() private readonly statements?: SeenStatements,
  ) {}

  /**
   * Returns the gauges, updated if the database answers in a short time; never throws. Otherwise they are left out,
   * because old numbers would look like current ones.
   */
  async read(): Promise<Registry[]> {
    if (performance.now() - this.readAtMs > FRESH_MS) {
      const read = this.reads.join(() => this.readNow());
      await withTimeout(read, PATIENCE_MS, () => undefined);
    }
    const isFresh = performance.now() - this.readAtMs <= FRESH_MS;
    this.up.set(isFresh ? 1 : 0);
    return isFresh ? [this.state, this.readings] : [this.state];
  }

  private async readNow(): Promise<void> {
    try {
      const readings: Readings = {
        ...(await readBacklog(this.dataSource, this.platforms.names())),
        jobs: (await this.jobs.depths()).flatMap(({ queue, ...states }) =>
          Object.entries(states).map(([state, count]): Sample => [{ queue, state }, count]),
        ),
        ...(await this.readLog()),
        ...(await this.readUpgrade()),
        ...(await this.readArchive()),
        clock: (await this.clocks.read())?.aheadOfDatabase ?? null,
        seen: samplesOf('seen', (await this.statements?.counts()) ?? {}),
      };
      for (const { key, gauge } of this.gauges) show(gauge, readings[key]);
      this.readAtMs = performance.now();
    } catch (error) {
      this.logger.warn(`The backlogs cannot be read: ${(error as Error).message}`);
    }
  }

  /** An age or a size that is not known is left out: zero would be one. */
  private async readLog() {
    const log = this.environment.LOG ? await this.log.numbers() : null;
    return {
      logSize: log && log.size,
      logWaiting: log && log.waiting,
      logAge: log && log.checkpointAgeSeconds,
      logRefused: log && Number(log.isRefused),
      logUnsaved: log && Number(log.isHeadUnsaved),
      logCosigned: log && log.cosignedSize,
      witnessLag: samplesOf('witness', log?.witnessLag ?? {}),
      witnessAge: samplesOf('witness', log?.witnessAgeSeconds ?? {}),
    };
  }

  private async readUpgrade() {
    const left = (await this.upgrade.steps()).filter(({ state }) => state !== 'done');
    return {
      upgradeSteps: left.length,
      upgradeStuck: left.filter(({ state }) => state === 'stuck').length,
      upgradeStep: left.map(({ id, part }): Sample => [{ step: id }, part]),
    };
  }

  /** Without a wallet its balance is left out: zero would be a wallet without money. */
  private async readArchive() {
    const status = this.environment.ARCHIVE === 'none' ? null : await this.archive.status();
    if (!status) return { archive: [], archiveAge: 0, wallet: null, walletLow: 0 };
    const { confirmed, unsent, unconfirmed, unsigned, oldest_signed_at: oldest, wallet_balance: balance } = status;
    return {
      archive: samplesOf('state', { confirmed, unsent, unconfirmed, unsigned }),
      archiveAge: oldest === '' ? 0 : Date.now() / 1000 - Number(oldest),
      wallet: balance === '' ? null : Number(balance),
      walletLow: Number(status.is_balance_low),
    };
  }
}

function samplesOf(label: string, numbers: Record<string, number>): Sample[] {
  return Object.entries(numbers).map(([name, number]) => [{ [label]: name }, number]);
}

function show(gauge: Gauge, reading: Reading): void {
  gauge.reset();
  if (reading === null) gauge.remove();
  else if (typeof reading === 'number') gauge.set(reading);
  else for (const [labels, value] of reading) gauge.set(labels, value);
}
