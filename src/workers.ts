import cluster from 'node:cluster';
import { logProcess } from './config/process-log.js';
import { answerWorkersAboutMetrics } from './operations/metrics-workers.js';

/** Milliseconds before a worker that died is replaced, so that one that cannot live does not keep the machine busy. */
const REPLACE_AFTER_MS = 1000;

/** What is said once the service is ready. */
export interface Banner {
  /** For a terminal; its second paragraph lists one thing a line. */
  plain: string;
  /** The same for programs. */
  fields: Record<string, unknown>;
}

/** What a worker says when it serves requests. */
interface ReadyMessage {
  banner: Banner;
}

/**
 * Tells people that this process serves requests: by itself, or through the process that looks after the workers, which
 * says it once.
 */
export function announceReady(banner: Banner): void {
  if (cluster.isWorker) process.send!({ banner } satisfies ReadyMessage);
  else logReady(banner);
}

function logReady({ plain, fields }: Banner): void {
  logProcess('info', 'Signet is ready.', fields, plain);
}

/**
 * Looks after `count` processes that run this program and share one port (setting WORKERS). The first one starts alone,
 * so that migrations and refusals to start come once. A worker that dies is replaced; SIGTERM and SIGINT are handed on,
 * and this process ends when all workers have finished their requests. A second signal ends everything at once.
 */
export function runWorkers(count: number): void {
  let isReady = false;
  let isStopping = false;
  let exitCode = 0;
  const workers = () => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);

  answerWorkersAboutMetrics();
  cluster.on('message', (worker, message: Partial<ReadyMessage>) => {
    if (message.banner === undefined || isStopping) return;
    if (isReady) return logProcess('info', `Worker ${worker.process.pid} is ready.`);
    isReady = true;
    for (let index = 1; index < count; index++) cluster.fork();
    const { plain, fields } = message.banner;
    logReady({
      plain: plain.replace('\n\n', `\n\n    Workers    ${count}\n`),
      fields: { ...fields, workers: count },
    });
  });
  cluster.on('exit', (worker, code, signal) => {
    if (isStopping || !isReady) {
      exitCode ||= code;
      if (workers().length === 0) process.exit(exitCode);
      return;
    }
    const how = signal ?? `code ${code}`;
    logProcess('warn', `Worker ${worker.process.pid} ended (${how}); another one is started.`);
    setTimeout(() => isStopping || cluster.fork(), REPLACE_AFTER_MS);
  });
  const stop = (): void => {
    const signal = isStopping ? 'SIGKILL' : 'SIGTERM';
    isStopping = true;
    if (workers().length === 0) process.exit(exitCode);
    workers().forEach((worker) => worker.process.kill(signal));
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  cluster.fork();
}

/** Ctrl-C in a terminal reaches the workers too; they wait for the word of the process that looks after them. */
export function leaveInterruptsToPrimary(): void {
  if (cluster.isWorker) process.removeAllListeners('SIGINT').on('SIGINT', () => {});
}

/** Whether this process only looks after others. */
export function looksAfterWorkers(count: number): boolean {
  return count > 1 && cluster.isPrimary;
}
