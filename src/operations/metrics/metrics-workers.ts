import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { AggregatorRegistry, Gauge, type MetricObject, Registry } from 'prom-client';

/**
 * With WORKERS, Prometheus asks the worker that gets the connection. This worker asks the primary, the process that
 * supervises the workers, which asks all of them. Questions and answers have ids.
 */
type Message = { metricsQuestion: string } | { metricsOrder: string } | MetricsReport | MetricsAnswer;
/** A message from a worker to the primary: its own numbers. */
interface MetricsReport {
  metricsReport: string;
  metrics: MetricObject[];
}
/** A message from the primary to the worker that asked: the numbers of all. */
interface MetricsAnswer {
  metricsAnswer: string;
  text: string;
}

/** The primary did not answer: the machine is too busy. */
export class MetricsUnavailableError extends Error {}

/** Milliseconds in which a worker has to report its numbers, or counts as missing. */
const REPORT_MS = 2_000;
/** Milliseconds for the primary's answer: longer than `REPORT_MS`. Prometheus waits ten seconds by default. */
const PATIENCE_MS = 6_000;

/**
 * In the primary: answers the questions of workers. A worker that does not report in time, because it is busy or
 * blocked, is counted as missing, and its last numbers are used: without them sums would fall, which Prometheus takes
 * for a restart.
 */
export function answerWorkersAboutMetrics(): void {
  const last = new Map<Worker, MetricObject[]>();
  const pending = new Map<string, { waiting: Set<Worker>; answer: () => void }>();
  const ask = (id: string, asker: Worker): void => {
    const workers = Object.values(cluster.workers ?? {}).flatMap((worker) => (worker?.isConnected() ? [worker] : []));
    const waiting = new Set(workers);
    const answer = (): void => {
      clearTimeout(timer);
      pending.delete(id);
      void textOf([...last.values()], waiting.size).then((text) => send(asker, { metricsAnswer: id, text }));
    };
    const timer = setTimeout(answer, REPORT_MS);
    pending.set(id, { waiting, answer });
    for (const worker of workers) send(worker, { metricsOrder: id });
  };
  cluster.on('message', (worker: Worker, message: Partial<MetricsReport & { metricsQuestion: string }>) => {
    if (message.metricsQuestion !== undefined) ask(message.metricsQuestion, worker);
    if (message.metricsReport === undefined) return;
    last.set(worker, message.metrics!);
    const question = pending.get(message.metricsReport);
    question?.waiting.delete(worker);
    if (question?.waiting.size === 0) question.answer();
  });
  cluster.on('exit', (worker) => void last.delete(worker));
}

function textOf(metrics: MetricObject[][], missing: number): Promise<string> {
  const all = AggregatorRegistry.aggregate(metrics);
  const help = 'Workers of this server that did not report in time; their numbers are older';
  new Gauge({ name: 'signet_workers_missing', help, registers: [all] }).set(missing);
  return all.metrics();
}

function send(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

/** In a worker: registers the numbers that are added up with those of the others. */
export function shareMetrics(registries: Registry[]): void {
  process.on('message', ({ metricsOrder }: Partial<{ metricsOrder: string }>) => {
    if (metricsOrder === undefined) return;
    const reported = Registry.merge(registries).getMetricsAsJSON();
    void reported.then((metrics) => process.send!({ metricsReport: metricsOrder, metrics } satisfies Message));
  });
}

/** In a worker: the numbers of all workers together. @throws MetricsUnavailableError if the primary does not answer */
export async function metricsOfAllWorkers(): Promise<string> {
  const id = randomUUID();
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      process.off('message', listen);
    };
    const listen = (message: Partial<MetricsAnswer>): void => {
      if (message.metricsAnswer !== id) return;
      end();
      resolve(message.text!);
    };
    const timer = setTimeout(() => {
      end();
      reject(new MetricsUnavailableError('The numbers of the workers were not added up in time.'));
    }, PATIENCE_MS);
    process.on('message', listen);
    process.send!({ metricsQuestion: id } satisfies Message);
  });
}
