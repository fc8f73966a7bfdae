import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { logProcess } from './config/process-log.js';
import { withTimeout } from './concurrency/with-timeout.js';
import { answerWorkersAboutMetrics } from './operations/metrics/metrics-workers.js';
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
 * The steps that the primary, the process that starts the workers, orders all of them to take when it stops. A worker
 * that went a step ahead would send its clients to one that is about to close.
 */
type Order = 'announce' | 'hold' | 'close' | 'finish';
/** A message from the primary to a worker; `reason` is the signal, for the log. */
interface OrderMessage {
  order: Order;
  reason: string;
}
/** A message from a worker to the primary: the worker serves requests, or has carried out an order. */
type Report = { banner: Banner } | { done: Order };

/** Logs that this process serves requests, or lets the primary log it once for all workers. */
export function announceReady(banner: Banner): void {
  if (cluster.isWorker) report({ banner });
  else logReady(banner);
}

function report(message: Report): void {
  process.send!(message);
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
  process.on('message', ({ order, reason }: Partial<OrderMessage>) => {
    if (order === undefined) return;
    const current = stopping() ?? quit(reason!);
    const steps: Record<Order, () => void | Promise<void>> = {
      announce: () => current.announce(reason!),
      hold: () => current.untilQuiet(),
      close: () => current.closeListener(),
      finish: () => current.finish(0),
    };
    void Promise.resolve(steps[order]()).then(() => report({ done: order }));
  });
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
  cluster.on('message', (worker, message: Partial<{ banner: Banner }>) => {
    if (message.banner === undefined) return;
    ready.add(worker);
    if (isStopping) return;
    if (areAllReady) return logProcess('info', `Worker ${worker.process.pid} is ready.`);
    if (!isOneReady) for (let index = 1; index < count; index++) fork();
    isOneReady = true;
    areAllReady = ready.size === count;
    if (!areAllReady) return;
    const { plain, fields } = message.banner;
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
    const order = (what: Order) => allDo(living, { order: what, reason });
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

/** Settles when each of the workers has carried out the order or has ended, or takes too long. */
async function allDo(workers: Set<Worker>, message: OrderMessage): Promise<void> {
  const done = [...workers].map(
    (worker) =>
      new Promise<void>((resolve) => {
        const listen = ({ done }: Partial<{ done: Order }>): void => {
          if (done === message.order) end();
        };
        const end = (): void => {
          worker.off('message', listen).off('exit', end);
          resolve();
        };
        worker.on('message', listen).on('exit', end);
        if (worker.isConnected()) worker.send(message, () => {});
      }),
  );
  await withTimeout(Promise.all(done), ORDER_PATIENCE_MS, () => []);
}
