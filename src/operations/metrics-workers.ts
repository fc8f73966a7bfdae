import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { AggregatorRegistry, type Registry } from 'prom-client';

/**
 * A worker asks the process that looks after the workers (setting WORKERS) for the numbers of all of them; the answer
 * has the same id.
 */
interface Question {
  metricsQuestion: string;
}
interface Answer {
  metricsAnswer: string;
  /** Null if the workers did not answer in time. */
  text: string | null;
}

/** A worker is too busy to tell its numbers; part of them would look like a restart. */
export class MetricsUnavailableError extends Error {}

/** Longer than the library waits for the workers. */
const PATIENCE_MS = 6_000;

/**
 * In the process that looks after the workers: answers their questions. Prometheus asks whichever worker gets the
 * connection.
 */
export function answerWorkersAboutMetrics(): void {
  const all = new AggregatorRegistry();
  cluster.on('message', (worker: Worker, { metricsQuestion }: Partial<Question>) => {
    if (metricsQuestion === undefined) return;
    const answer = (text: string | null) => {
      if (worker.isConnected()) worker.send({ metricsAnswer: metricsQuestion, text } satisfies Answer);
    };
    all.clusterMetrics().then(answer, () => answer(null));
  });
}

/** In a worker: says which numbers are added up with those of the others. */
export function shareMetrics(registries: Registry[]): void {
  AggregatorRegistry.setRegistries(registries);
  // Its constructor is what makes a worker listen.
  new AggregatorRegistry();
}

/** In a worker: the numbers of all workers together. @throws MetricsUnavailableError if they cannot be had in time. */
export async function metricsOfAllWorkers(): Promise<string> {
  const id = randomUUID();
  return new Promise((resolve, reject) => {
    const give = (text: string | null) => {
      clearTimeout(timer);
      process.off('message', listen);
      if (text === null) reject(new MetricsUnavailableError('The workers did not tell their numbers in time.'));
      else resolve(text);
    };
    const listen = (message: Partial<Answer>) => {
      if (message.metricsAnswer === id) give(message.text ?? null);
    };
    const timer = setTimeout(() => give(null), PATIENCE_MS);
    process.on('message', listen);
    process.send!({ metricsQuestion: id } satisfies Question);
  });
}
