import cluster from 'node:cluster';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { BOUNDS } from '../../bounds/bounds.js';
import { RefusalCounter } from '../../bounds/refusal-counter.js';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { ConnectionPool } from '../../database/connections/connection-pool.js';
import { EventStreamService } from '../../event-stream/event-stream.service.js';
import { traitsOf } from '../../http/server/served-as.js';
import { PlatformService } from '../../platform/platform.service.js';
import { type CounterSource, Measured } from '../../measures/measured.js';
import { readBuildInfo } from '../../config/build-info.js';
import { WebClient } from '../../outbound/web-client.js';
import { DeploymentGauges } from './deployment-gauges.js';
import { metricsOfAllWorkers, shareMetrics } from './metrics-workers.js';
import { type ServedRequest, ServedRequests } from './served-requests.js';

/** Seconds. Reads take milliseconds, a submit that asks a platform takes up to ten seconds. */
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const CHECK_BUCKETS = [0.001, 0.01, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Milliseconds for which the text is kept; no graph needs it more often. */
const KEPT_MS = 500;

/**
 * The metrics that Prometheus reads at `/metrics`. Every label comes from a list that this build or its operator knows
 * (routes, platforms, codes, queues), never from a request, so requests cannot fill the memory with labels, and no key,
 * identity or address is in them.
 *
 * The other modules do not depend on it: requests are watched by hooks of the server, checks emit their
 * outcomes, and providers that are `Measured` are found.
 */
@Injectable()
export class Metrics implements OnModuleInit {
  private readonly registry = new Registry();
  private readonly requests = this.histogram(
    'signet_http_request_duration_seconds',
    'Requests',
    REQUEST_BUCKETS,
    'method route status',
  );
  private readonly aborted = this.counter('signet_http_aborted_total', 'Requests whose client went away', 'route');
  private readonly submits = this.counter(
    'signet_submits_total',
    'Submitted records by what came of them',
    'kind action platform outcome',
  );
  private readonly checks = this.histogram(
    'signet_check_duration_seconds',
    'Questions to platforms',
    CHECK_BUCKETS,
    'platform reason outcome',
  );
  private readonly refused = this.counter(
    'signet_refused_total',
    'What was refused, by the bound that refused it',
    'by',
  );
  private readonly exposing = new SingleFlight<string>();
  private exposition = '';
  private exposedAtMs = -Infinity;

  constructor(
    private readonly served: ServedRequests,
    private readonly platforms: PlatformService,
    private readonly pool: ConnectionPool,
    private readonly streams: EventStreamService,
    private readonly web: WebClient,
    private readonly deployment: DeploymentGauges,
    private readonly discovery: DiscoveryService,
    private readonly refusals: RefusalCounter,
  ) {}

  onModuleInit(): void {
    this.served.ended.subscribe((served) => this.countRequest(served));
    this.platforms.checks.subscribe(({ platform, isRecheck, outcome, durationMs }) =>
      this.checks.observe({ platform, reason: isRecheck ? 'recheck' : 'create', outcome }, durationMs / 1000),
    );
    // From zero on, so that the first refusal is an increase.
    for (const by of Object.keys(BOUNDS)) this.refused.inc({ by }, 0);
    this.refusals.counted.subscribe(({ by, times }) => this.refused.inc({ by }, times));
    for (const { instance } of this.discovery.getProviders({ metadataKey: Measured.KEY })) {
      const { counters = [] } = instance as Partial<CounterSource>;
      for (const counter of counters) this.registry.registerMetric(counter);
    }
    if (cluster.isWorker) shareMetrics([this.registry, processMetrics()]);
    this.addGauges();
  }

  /**
   * The numbers in the text exposition format of Prometheus; with WORKERS, those of all workers of this server
   * together. Kept for a moment, so that frequent requests cost no more than that.
   * @throws UnavailableError if the machine is too busy to add them up
   */
  async expose(): Promise<string> {
    if (performance.now() - this.exposedAtMs > KEPT_MS) {
      this.exposition = await this.exposing.join(() => this.read());
      this.exposedAtMs = performance.now();
    }
    return this.exposition;
  }

  private async read(): Promise<string> {
    const deployment = Registry.merge(await this.deployment.read());
    const own = cluster.isWorker
      ? await metricsOfAllWorkers()
      : await Registry.merge([this.registry, processMetrics()]).metrics();
    return `${own}\n${await deployment.metrics()}`;
  }

  private countRequest(served: ServedRequest): void {
    const { method, route, status, isAborted, isStream, durationMs } = served;
    if (isAborted && !isStream) this.aborted.inc({ route });
    // A stream lasts as long as its reader likes, which is no measure of this server; open streams have a gauge of
    // their own.
    else if (!isStream) this.requests.observe({ method, route, status: String(status) }, durationMs / 1000);
    this.countSubmit(served);
  }

  private countSubmit({ request, status, code, isAborted }: ServedRequest): void {
    const { submits: kind } = traitsOf(request);
    if (kind === undefined) return;
    const body = (request.body ?? {}) as { platform?: unknown; action?: unknown };
    const platform = this.platforms.names().find((name) => name === body.platform) ?? 'other';
    const isLinkAction = body.action === 'create' || body.action === 'delete';
    const action = kind !== 'link' ? kind : isLinkAction ? String(body.action) : 'other';
    const outcome = isAborted ? 'aborted' : status < 400 ? 'recorded' : code || String(status);
    this.submits.inc({ kind, action, platform, outcome });
  }

  private addGauges(): void {
    const { pool, streams, web } = this;
    const { builtAt, revision } = readBuildInfo();
    const build = { revision, node: process.version };
    this.gauge('signet_build_info', 'Always 1; the labels tell which build runs', Object.keys(build)).set(build, 1);
    this.gauge('signet_build_timestamp_seconds', 'When this build was made').set(builtAt);
    this.gauge('signet_pool_connections', 'Connections of this server to its database', ['state'], (gauge) => {
      gauge.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      gauge.set({ state: 'idle' }, pool.idleCount);
    });
    this.gauge('signet_pool_waiting', 'Requests that wait for a connection', [], (gauge) =>
      gauge.set(pool.waitingCount),
    );
    this.gauge('signet_event_streams_open', 'Open event streams of this server', [], (gauge) =>
      gauge.set(streams.openStreams),
    );
    // By platform and not by host: hosts may be chosen by users.
    this.gauge('signet_circuits_open', 'Hosts that are left alone because they kept failing', ['platform'], (gauge) => {
      gauge.reset();
      for (const { key, state } of web.circuits()) {
        if (state !== 'closed') gauge.inc({ platform: key.slice(0, key.indexOf('@')) });
      }
    });
  }

  private gauge(name: string, help: string, labelNames: string[] = [], read?: (gauge: Gauge) => void): Gauge {
    const collect = read && { collect: (): void => read(gauge) };
    // The values of workers are added up, except those of the build, which all share.
    const aggregator = name.startsWith('signet_build') ? 'first' : 'sum';
    const gauge: Gauge = new Gauge({ name, help, labelNames, aggregator, registers: [this.registry], ...collect });
    return gauge;
  }

  private counter(name: string, help: string, labels: string): Counter {
    return new Counter({ name, help, labelNames: labels.split(' '), registers: [this.registry] });
  }

  private histogram(name: string, help: string, buckets: number[], labels: string): Histogram {
    return new Histogram({ name, help, buckets, labelNames: labels.split(' '), registers: [this.registry] });
  }
}

/**
 * Sums that prom-client names like counters though they are gauges, which promtool refuses. The numbers stand in
 * `nodejs_active_handles`, `_requests` and `_resources`, by type.
 */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

let shared: Registry | undefined;

/**
 * Metrics of the process, which several applications may share: memory, CPU time, garbage collection, event-loop delay.
 * Their observers stay for the life of the process, so the registry is made once, and only if metrics are on.
 */
function processMetrics(): Registry {
  if (!shared) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
    for (const name of MISNAMED) shared.removeSingleMetric(name);
  }
  return shared;
}
