import { Logger } from '@nestjs/common';

/**
 * What happens to errors that nobody caught. Errors of requests never come here: they are answered and logged with the
 * id of the request.
 *
 * A promise that was rejected and forgotten leaves everything else as it was: it is logged, and no other request
 * notices. An exception out of a callback may have left anything half done: it is logged, running requests are
 * finished, and the process ends with code 1, so that whoever supervises it starts a fresh one.
 */
export function handleStrayErrors(stop: (reason: string, code: number) => void): void {
  const logger = new Logger('StrayErrors');
  process.on('unhandledRejection', (reason) => logger.error('unhandled rejection', stackOf(reason)));
  let isStopping = false;
  process.on('uncaughtException', (error) => {
    logger.fatal('uncaught exception', stackOf(error));
    // A second one must not cut short what the first one lets finish.
    if (!isStopping) stop('uncaught exception', 1);
    isStopping = true;
  });
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
