import { Injectable, Logger, Optional } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { ArchiveService, type ArchiveStatus } from '../../archive/archive.service.js';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { withTimeout } from '../../concurrency/with-timeout.js';
import { Environment } from '../../config/environment.js';
import { type StepProgress, UpgradeStatus } from '../../database/schema/upgrade-status.js';
import { JobQueues } from '../../jobs/job-queues.js';
import type { Depth } from '../../jobs/leased-rows.js';
import { type LogNumbers, LogReport } from '../../transparency-log/log-report.js';
import { SeenStatements } from '../../observer/seen-statements.js';
import { PlatformService } from '../../platform/platform.service.js';
import { type Backlog, BacklogQueries, MAX_COUNTED } from './backlog.queries.js';

/** Milliseconds for which values are used again: several Prometheus servers cost the database no more than one. */
const FRESH_MS = 5_000;
/** Milliseconds after which the metrics are answered without those of the database. */
const PATIENCE_MS = 2_000;

const LIMIT = `counted up to ${MAX_COUNTED}`;

/** Gauges that are read from the database. They are the same on every server; a query takes the maximum of them. */
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
  private readonly gauges = {
    unnumbered: this.gauge('signet_events_unnumbered', `Events without a position in the stream, ${LIMIT}`),
    parked: this.gauge('signet_events_parked', `Events that a listener gave up, ${LIMIT}`),
    lag: this.gauge('signet_event_handler_lag', 'Events that a listener has not had', ['handler']),
    failures: this.gauge('signet_event_handler_failures', 'Failed tries of its next event', ['handler']),
    events: this.gauge('signet_event_position', 'Position of the newest event'),
    links: this.gauge('signet_links', 'Links of all chains'),
    due: this.gauge('signet_rechecks_due', `Rechecks whose time has come, ${LIMIT} for each platform`, ['platform']),
    overdue: this.gauge('signet_recheck_overdue_seconds', 'How late the longest overdue recheck is', ['platform']),
    jobs: this.gauge('signet_jobs', 'Jobs by queue and state', ['queue', 'state']),
    rows: this.gauge('signet_table_rows', 'Rows as PostgreSQL estimates them', ['table']),
    bytes: this.gauge('signet_table_bytes', 'Bytes of a table with its indexes', ['table']),
    logSize: this.gauge('signet_log_size', 'Entries of the newest tree head of the log'),
    logWaiting: this.gauge('signet_log_waiting', 'Links and patches that are not in the log'),
    logAge: this.gauge('signet_log_checkpoint_age_seconds', 'Seconds since the log signed its newest tree head'),
    logRefused: this.gauge('signet_log_refused', 'Whether this server refuses to sign tree heads'),
    logUnsaved: this.gauge(
      'signet_log_head_unsaved',
      'Whether this server cannot keep the newest tree head outside of the database',
    ),
    logCosigned: this.gauge('signet_log_cosigned_size', 'Entries of the newest tree head that meets the policy'),
    witnessLag: this.gauge('signet_log_witness_lag', 'Entries that a witness has not signed', ['witness']),
    witnessAge: this.gauge('signet_log_witness_age_seconds', 'Seconds since a witness signed', ['witness']),
    upgradeSteps: this.gauge('signet_upgrade_steps_pending', 'Steps of the upgrade that are not done'),
    upgradeStuck: this.gauge('signet_upgrade_steps_stuck', 'Steps of the upgrade that failed and are tried again'),
    upgradeStep: this.gauge('signet_upgrade_step_progress', 'How much of a step is done, from 0 to 1', ['step']),
    seen: this.gauge('signet_seen_links', 'Links of other servers by what this one saw last', ['seen']),
    archive: this.gauge('signet_archive_links', 'Links on their way into the archive', ['state']),
    archiveAge: this.gauge('signet_archive_oldest_seconds', 'Age of the oldest link that is signed and not confirmed'),
    wallet: this.gauge(
      'signet_archive_wallet_ar',
      'What the wallet of the archive holds, as last heard of the gateway',
    ),
    walletLow: this.gauge(
      'signet_archive_wallet_low',
      'Whether the wallet pays and holds less than ARCHIVE_LOW_BALANCE_AR',
    ),
  };
  private readAtMs = -Infinity;
  private readonly reads = new SingleFlight();

  constructor(
    private readonly queries: BacklogQueries,
    private readonly archive: ArchiveService,
    private readonly log: LogReport,
    private readonly upgrade: UpgradeStatus,
    private readonly platforms: PlatformService,
    private readonly jobs: JobQueues,
    private readonly environment: Environment,
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
      const backlog = await this.queries.read(this.platforms.names());
      const depths = await this.jobs.depths();
      const log = this.environment.LOG ? await this.log.numbers() : null;
      const steps = await this.upgrade.steps();
      const archive = this.environment.ARCHIVE === 'none' ? null : await this.archive.status();
      const seen = await this.statements?.counts();
      this.readings.resetMetrics();
      this.show(backlog);
      for (const depth of depths) this.showQueue(depth);
      this.showLog(log);
      this.showUpgrade(steps);
      for (const [answer, count] of Object.entries(seen ?? {})) this.gauges.seen.set({ seen: answer }, count);
      if (archive) this.showArchive(archive);
      // Zero would be a wallet without money.
      if (!archive?.walletBalance) this.gauges.wallet.remove();
      this.readAtMs = performance.now();
    } catch (error) {
      this.logger.warn(`The backlogs cannot be read: ${(error as Error).message}`);
    }
  }

  private show(backlog: Backlog): void {
    const { gauges } = this;
    gauges.unnumbered.set(backlog.unnumberedEvents);
    gauges.parked.set(backlog.parkedEvents);
    gauges.events.set(backlog.newestEvent);
    gauges.links.set(backlog.newestLink);
    for (const [handler, lag] of Object.entries(backlog.handlerLag)) gauges.lag.set({ handler }, lag);
    for (const [handler, count] of Object.entries(backlog.handlerFailures)) gauges.failures.set({ handler }, count);
    for (const [platform, count] of Object.entries(backlog.dueProofs)) gauges.due.set({ platform }, count);
    for (const [platform, late] of Object.entries(backlog.oldestDueSeconds)) gauges.overdue.set({ platform }, late);
    for (const [table, { rows, bytes }] of Object.entries(backlog.tables)) {
      gauges.rows.set({ table }, rows);
      gauges.bytes.set({ table }, bytes);
    }
  }

  private showQueue({ queue, ...states }: Depth & { queue: string }): void {
    for (const [state, count] of Object.entries(states)) this.gauges.jobs.set({ queue, state }, count);
  }

  private showLog(log: LogNumbers | null): void {
    const { logSize, logCosigned, logWaiting, logAge, logRefused, logUnsaved, witnessLag, witnessAge } = this.gauges;
    // Zero would be an age, or a size.
    if (!log || log.checkpointAgeSeconds === null) logAge.remove();
    if (!log || log.cosignedSize === null) logCosigned.remove();
    if (!log) return [logSize, logWaiting, logRefused, logUnsaved].forEach((gauge) => gauge.remove());
    logSize.set(log.size);
    logWaiting.set(log.waiting);
    logRefused.set(log.isRefused ? 1 : 0);
    logUnsaved.set(log.isHeadUnsaved ? 1 : 0);
    if (log.checkpointAgeSeconds !== null) logAge.set(log.checkpointAgeSeconds);
    if (log.cosignedSize !== null) logCosigned.set(log.cosignedSize);
    for (const [witness, lag] of Object.entries(log.witnessLag)) witnessLag.set({ witness }, lag);
    for (const [witness, age] of Object.entries(log.witnessAgeSeconds)) witnessAge.set({ witness }, age);
  }

  private showUpgrade(steps: StepProgress[]): void {
    const { upgradeSteps, upgradeStuck, upgradeStep } = this.gauges;
    const left = steps.filter(({ state }) => state !== 'done');
    upgradeSteps.set(left.length);
    upgradeStuck.set(left.filter(({ state }) => state === 'stuck').length);
    for (const { id, part } of left) upgradeStep.set({ step: id }, part);
  }

  private showArchive({ oldestSignedAt, walletBalance, isBalanceLow, ...counts }: ArchiveStatus): void {
    const { confirmed, unsent, unconfirmed, unsigned } = counts;
    const { archive, archiveAge, wallet, walletLow } = this.gauges;
    for (const [state, count] of Object.entries({ confirmed, unsent, unconfirmed, unsigned })) {
      archive.set({ state }, count);
    }
    wallet.set(Number(walletBalance));
    walletLow.set(isBalanceLow ? 1 : 0);
    archiveAge.set(oldestSignedAt ? (Date.now() - oldestSignedAt.getTime()) / 1000 : 0);
  }

  private gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.readings] });
  }
}
