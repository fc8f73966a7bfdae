import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Gauge, Registry } from 'prom-client';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { withTimeout } from '../../concurrency/with-timeout.js';
import { type GaugeSource, Measured, type Reading } from '../../measures/measured.js';

/** Milliseconds for which values are used again: several Prometheus servers cost the database no more than one. */
const FRESH_MS = 5_000;
/** Milliseconds after which the metrics are answered without those of the database. */
const PATIENCE_MS = 2_000;

/**
 * The gauges of all providers that are a `GaugeSource`. All but that of the clock are the same on every server; a query
 * takes the maximum of them.
 */
@Injectable()
export class DeploymentGauges implements OnModuleInit {
  private readonly logger = new Logger('Metrics');
  private readonly state = new Registry();
  private readonly readings = new Registry();
  private readonly up = new Gauge({
    name: 'signet_database_up',
    help: 'Whether the database answered in time',
    registers: [this.state],
  });
  private readonly sources: GaugeSource[] = [];
  private readonly gauges = new Map<string, Gauge>();
  private readAtMs = -Infinity;
  private readonly reads = new SingleFlight();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders({ metadataKey: Measured.KEY })) {
      const source = instance as GaugeSource | object;
      if (!('gauges' in source)) continue;
      this.sources.push(source);
      for (const [name, [help, ...labelNames]] of Object.entries(source.gauges)) {
        this.gauges.set(name, new Gauge({ name, help, labelNames, registers: [this.readings] }));
      }
    }
  }

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

  /** Sources are read one after the other, on one connection at a time, and shown when all were read. */
  private async readNow(): Promise<void> {
    try {
      const readings: [string, Reading][] = [];
      for (const source of this.sources) readings.push(...Object.entries(await source.readGauges()));
      for (const [name, reading] of readings) showReading(this.gauges.get(name)!, reading);
      this.readAtMs = performance.now();
    } catch (error) {
      this.logger.warn(`The backlogs cannot be read: ${(error as Error).message}`);
    }
  }
}

function showReading(gauge: Gauge, reading: Reading): void {
  gauge.reset();
  // A gauge without labels is 0 after `reset`.
  if (reading === null) gauge.remove({});
  else if (typeof reading === 'number') gauge.set(reading);
  else for (const [labels, value] of reading) gauge.set(labels, value);
}
