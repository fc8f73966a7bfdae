import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { logProcess } from '../config/process-log.js';
import { answer, ask } from './process-questions.js';
import { answerWorkersAboutMetrics } from '../operations/metrics/metrics-workers.js';
import { quit, type Stopping } from './stopping.js';

/** Milliseconds before a worker that died is replaced, so that one that cannot live does not keep the machine busy. */
const REPLACE_AFTER_MS = 1000;
/** Milliseconds in which all workers carry out an order: longer than they wait until no new connection arrives. */
const ORDER_PATIENCE_MS = 3000;

/** The message of a service that is ready. */
export interface Banner {
  /** For a terminal; its second paragraph lists one thing a line. */
  plain: string;
  /** The facts of the banner for programs, as fields of a JSON log line. */
  fields: Record<string, unknown>;
}

/**
 * The steps of a stop. The primary, which starts the workers, orders all of them to take each step together: the
 * clients of a worker that went ahead would turn to one that closes next.
 */
type Order = 'announce' | 'hold' | 'close' | 'finish';
/** The question of a worker that serves requests now; its content is the banner. */
const READY = 'ready';

/** Logs that this process serves requests, or lets the primary log it once for all workers. */
export function announceReady(banner: Banner): void {
  if (!cluster.isWorker) logReady(banner);
  // A primary that does not answer has ended, and so does this worker.
  else void ask('primary', READY, ORDER_PATIENCE_MS, banner).catch(() => {});
}

function logReady({ plain, fields }: Banner): void {
  logProcess('info', 'Signet is ready.', fields, plain);
}

/**
 * Ends this worker as the primary orders. Signals are for the primary alone: a terminal or a supervisor sends them to
 * all processes of the service, and workers that each close on their own would lose connections.
 * @param stopping returns null before the service is ready: then there is nothing to finish
 */
export function followPrimary(stopping: () => Stopping | null): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});
  const steps: Record<Order, (current: Stopping, reason: string) => void | Promise<void>> = {
    announce: (current, reason) => current.announce(reason),
    hold: (current) => current.listener.untilQuiet(),
    close: (current) => current.listener.closeListener(),
    finish: (current) => current.finish(0),
  };
  for (const [order, step] of Object.entries(steps)) {
    answer(order, (reason: string) => step(stopping() ?? quit(reason), reason));
  }
}

/** Whether this process is the primary, which only supervises workers. */
export function supervisesWorkers(count: number): boolean {
  return count > 1 && cluster.isPrimary;
}

/**
 * Supervises `count` processes that run this program and share one port (setting WORKERS). The first one starts alone,
 * so that migrations and refusals to start come once; the service is ready when all of them are. A worker that dies is
 * replaced. SIGTERM and SIGINT stop all workers, step by step and together, and this process ends when they have
 * finished their requests. A second signal ends everything at once.
 * @param announceMs how long connections are still accepted while `/readyz` answers `stopping`; none for SIGINT
 */
export function runWorkers(count: number, announceMs: number): void {
  const living = new Set<Worker>();
  const ready = new Set<Worker>();
  let isOneReady = false;
  let areAllReady = false;
  let isStopping = false;
  let exitCode = 0;
  const fork = (): void => void living.add(cluster.fork());

  // Workers accept from one queue of the system. By the default of Node the primary accepts and hands connections on in
  // turns, which is more even, but one that is on its way to a worker that dies is never answered nor closed.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  answerWorkersAboutMetrics();
  answer(READY, ({ plain, fields }: Banner, asker) => {
    const worker = asker as Worker;
    ready.add(worker);
    if (isStopping) return;
    if (areAllReady) return logProcess('info', `Worker ${worker.process.pid} is ready.`);
    if (!isOneReady) for (let index = 1; index < count; index++) fork();
    isOneReady = true;
    areAllReady = ready.size === count;
    if (!areAllReady) return;
    logReady({
      plain: plain.replace('\n\n', `\n\n    Workers    ${count}\n`),
      fields: { ...fields, workers: count },
    });
  });
  cluster.on('exit', (worker, code, signal) => {
    living.delete(worker);
    ready.delete(worker);
    if (isStopping || !isOneReady) {
      exitCode ||= code;
      if (living.size === 0) process.exit(exitCode);
      return;
    }
    logProcess('warn', `Worker ${worker.process.pid} ended (${signal ?? `code ${code}`}); another one is started.`);
    setTimeout(() => isStopping || fork(), REPLACE_AFTER_MS);
  });
  const stop = async (reason: NodeJS.Signals): Promise<void> => {
    if (isStopping) return living.forEach((worker) => worker.process.kill('SIGKILL'));
    isStopping = true;
    if (living.size === 0) process.exit(exitCode);
    // Settles when each of the workers has carried out the order or has ended, or takes too long.
    const order = (what: Order) =>
      Promise.allSettled([...living].map((worker) => ask(worker, what, ORDER_PATIENCE_MS, reason)));
    void order('announce');
    await delay(reason === 'SIGINT' ? 0 : announceMs);
    await order('hold');
    // Cluster closes the listener of this process with that of the last worker.
    await order('close');
    void order('finish');
  };
  process.on('SIGTERM', (signal) => void stop(signal)).on('SIGINT', (signal) => void stop(signal));
  fork();
}
