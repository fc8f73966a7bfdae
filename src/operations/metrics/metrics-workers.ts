import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, Gauge, type MetricObject, Registry } from 'prom-client';
import { answer, ask, NoAnswerError } from '../../process/process-questions.js';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { withTimeout } from '../../concurrency/with-timeout.js';
import { UnavailableError } from '../../domain/domain-errors.js';

/*
 * With WORKERS, Prometheus asks the worker that gets the connection. This worker asks the primary, the process that
 * supervises the workers, which asks all of them.
 */

const NUMBERS_OF_ALL = 'metrics of all workers';
const NUMBERS_OF_ONE = 'metrics of this worker';

/** Milliseconds in which a worker has to report its numbers, or counts as missing. */
const REPORT_MS = 2_000;
/** Milliseconds for which numbers that come later are still taken, for the next sum. */
const LATE_MS = 60_000;
/** Milliseconds for the primary's answer: longer than `REPORT_MS`. Prometheus waits ten seconds by default. */
const PATIENCE_MS = 6_000;

/**
 * In the primary: answers the questions of workers. A worker that does not report in time, because it is busy or
 * blocked, is counted as missing, and its last numbers are used: without them sums would fall, which Prometheus takes
 * for a restart.
 */
export function answerWorkersAboutMetrics(): void {
  const last = new Map<Worker, MetricObject[]>();
  cluster.on('exit', (worker) => void last.delete(worker));
  answer(NUMBERS_OF_ALL, async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected()) as Worker[];
    const report = async (worker: Worker) => {
      last.set(worker, await ask<MetricObject[]>(worker, NUMBERS_OF_ONE, LATE_MS));
    };
    const late = () => Promise.reject(new NoAnswerError('A worker did not report in time.'));
    const reports = await Promise.allSettled(workers.map((worker) => withTimeout(report(worker), REPORT_MS, late)));
    const all = AggregatorRegistry.aggregate([...last.values()]);
    const help = 'Workers of this server that did not report in time; their numbers are older';
    const missing = reports.filter(({ status }) => status === 'rejected').length;
    new Gauge({ name: 'signet_workers_missing', help, registers: [all] }).set(missing);
    return all.metrics();
  });
}

/** In a worker: registers the numbers that are added up with those of the others. */
export function shareMetrics(registries: Registry[]): void {
  answer(NUMBERS_OF_ONE, () => Registry.merge(registries).getMetricsAsJSON());
}

const questions = new SingleFlight<string>();

/**
 * In a worker: the numbers of all workers together, which requests of the same moment share.
 * @throws UnavailableError if the machine is too busy
 */
export async function metricsOfAllWorkers(): Promise<string> {
  return questions
    .join(() => ask('primary', NUMBERS_OF_ALL, PATIENCE_MS))
    .catch((error: unknown) => {
      if (!(error instanceof NoAnswerError)) throw error;
      const message = 'The numbers of the workers were not added up in time.';
      throw new UnavailableError(message, 'unavailable', { retryAfterSeconds: 5 });
    });
}
