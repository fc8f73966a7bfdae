import { setTimeout as delay } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { logProcess, logProcessFailure } from '../config/process-log.js';
import type { OpenDatabase } from '../database/database.js';
import { Readiness } from '../operations/health/readiness.js';

/** Milliseconds that running requests get to finish once the server accepts no more. */
const GRACE_MS = 20_000;

/** Ends a process that serves requests, step by step. */
export class Stopping {
  private step: 'none' | 'announced' | 'finishing' = 'none';

  constructor(
    private readonly app: NestFastifyApplication,
    private readonly database: OpenDatabase,
  ) {}

  get hasBegun(): boolean {
    return this.step !== 'none';
  }

  /** From now on `/readyz` answers `stopping`, and answers have `Connection: close`; requests are served as before. */
  announce(reason: string): void {
    this.step = 'announced';
    logProcess('info', `${reason}: finishing running requests, then stopping.`);
    this.app.get(Readiness).stop();
    this.listener.announce();
  }

  /**
   * Closes the listener if it is open, sends the held answers, waits for running requests, closes the database, and
   * ends the process. A second call does nothing.
   */
  finish(code: number): void {
    if (this.step === 'finishing') return;
    this.step = 'finishing';
    setTimeout(() => process.exit(1), GRACE_MS).unref();
    this.listener.finish();
    this.app
      .close()
      .then(() => this.database.close())
      .then(() => process.exit(code))
      .catch((error: unknown) => {
        logProcessFailure(error);
        process.exit(1);
      });
  }

  /** The steps by which the listener closes; `finish` takes those that are left. */
  get listener() {
    return this.app.getHttpAdapter().getInstance().gracefulClose;
  }
}

/**
 * Stops a process that is not coordinated with others. A process that is stopping already ends at once.
 * @param announceMs how long the listener still accepts while `/readyz` answers `stopping`
 */
export async function stop(stopping: Stopping, reason: string, code: number, announceMs: number): Promise<void> {
  if (stopping.hasBegun) process.exit(1);
  stopping.announce(reason);
  await delay(announceMs);
  await stopping.listener.untilQuiet();
  stopping.finish(code);
}

/**
 * Ends this process on SIGTERM and SIGINT. A person who presses Ctrl-C waits for no load balancer, so SIGINT skips the
 * time of the announcement.
 * @param stopping returns null before the service is ready: then there is nothing to finish
 */
export function followSignals(stopping: () => Stopping | null, announceMs: number): void {
  const follow = (signal: NodeJS.Signals): void => {
    const current = stopping();
    if (current) void stop(current, signal, 0, signal === 'SIGINT' ? 0 : announceMs);
    else quit(signal);
  };
  process.on('SIGTERM', follow).on('SIGINT', follow);
}

/** Ends a process that does not serve yet. */
export function quit(reason: string): never {
  logProcess('info', `${reason}: ended before the service was ready.`);
  process.exit(0);
}
