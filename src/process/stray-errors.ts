import { Logger } from '@nestjs/common';

/**
 * Handles errors that were not caught, unlike those of requests. A rejected promise that was not awaited is only
 * logged. An exception in a callback may have left anything half done: it is logged, running requests are finished, and
 * the process ends with code 1, so that its supervisor starts a fresh one.
 */
export function handleStrayErrors(stop: (reason: string, code: number) => void): void {
  const logger = new Logger('StrayErrors');
  process.on('unhandledRejection', (reason) => logger.error('A rejected promise was not handled.', stackOf(reason)));
  let isStopping = false;
  process.on('uncaughtException', (error) => {
    logger.fatal('An exception was not caught.', stackOf(error));
    // A second exception must not end the requests that the first one lets finish.
    if (!isStopping) stop('uncaught exception', 1);
    isStopping = true;
  });
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
