import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApplication } from './application.js';
import { Environment, InvalidEnvironmentError, loadEnvironment } from './config/environment.js';
import { logProcess, logProcessFailure } from './config/process-log.js';
import { DatabaseUnusableError, openDatabase, type OpenDatabase } from './database/database.js';
import { whenDatabaseIsThere } from './database/database-wait.js';
import { DataFolderInUseError } from './database/data-folder-lock.js';
import { DataFolderUnusableError } from './database/data-folder-problems.js';
import { explainMissingRights } from './database/missing-rights.js';
import { migrate } from './database/migrator.js';
import { PlatformService } from './platform/platform.service.js';
import { assertSettingsReadable } from './settings-check.js';
import { whenVersionFits } from './unready-server.js';
import { handleStrayErrors } from './stray-errors.js';
import { announceReady, type Banner, leaveInterruptsToPrimary, looksAfterWorkers, runWorkers } from './workers.js';

/** Milliseconds that running requests get to finish after a signal. */
const STOP_GRACE_MS = 20_000;

/** The service cannot listen where it was told to. */
class AddressUnusableError extends Error {}

await start().catch((error: unknown) => {
  // main.ts says what to do.
  if (['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  const isForPeople = [
    InvalidEnvironmentError,
    DatabaseUnusableError,
    DataFolderInUseError,
    DataFolderUnusableError,
    AddressUnusableError,
  ].some((kind) => error instanceof kind);
  if (isForPeople) logProcess('error', (error as Error).message);
  else logProcessFailure(error);
  process.exit(1);
});

async function start(): Promise<void> {
  const environment = loadEnvironment(process.env);
  assertSettingsReadable(environment);
  if (looksAfterWorkers(environment.WORKERS)) return runWorkers(environment.WORKERS);
  process.on('SIGTERM', quit).on('SIGINT', quit);
  const { app, database } = await whenVersionFits(environment, () =>
    whenDatabaseIsThere(
      () => open(environment),
      (message) => logProcess('warn', message),
    ),
  );
  await listen(app, environment);
  const stop = stopper(app, database);
  process.off('SIGTERM', quit).off('SIGINT', quit);
  process.on('SIGTERM', (signal) => stop(signal, 0)).on('SIGINT', (signal) => stop(signal, 0));
  leaveInterruptsToPrimary();
  handleStrayErrors(stop);
  announceReady(banner(app, environment, database));
}

/** Before anything is served there is nothing to finish. */
function quit(signal: NodeJS.Signals): void {
  logProcess('info', `${signal}: ended before the service was ready.`);
  process.exit(0);
}

async function open(environment: Environment): Promise<{ app: NestFastifyApplication; database: OpenDatabase }> {
  const database = await openDatabase(environment);
  try {
    await migrate(database.directUrl, undefined, { say: (message) => logProcess('warn', message) });
    return { app: await createApplication(environment, database), database };
  } catch (error) {
    await database.close();
    throw database.kind === 'postgres' ? await explainMissingRights(database.directUrl, error) : error;
  }
}

/** @throws AddressUnusableError if the address is taken, not ours or not allowed. */
async function listen(app: NestFastifyApplication, { PORT, HOST }: Environment): Promise<void> {
  try {
    // Not `app.listen`, which logs an error of its own before ours.
    await app.getHttpAdapter().getInstance().listen({ port: PORT, host: HOST });
  } catch (error) {
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${PORT} of ${HOST} is in use by another program. Stop that one, or set PORT to another port.`,
      EACCES: `This user may not listen on port ${PORT}. Set PORT to one above 1023.`,
      EADDRNOTAVAIL: `${HOST} is not an address of this machine. Set HOST to one that is, or to 0.0.0.0 for all.`,
      ENOTFOUND: `HOST names ${HOST}, which is not an address.`,
    };
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
    throw reason ? new AddressUnusableError(reason, { cause: error }) : error;
  }
}

/** Stops accepting, finishes what runs, closes the database. A second call ends at once. */
function stopper(app: NestFastifyApplication, database: OpenDatabase): (reason: string, code: number) => void {
  let isStopping = false;
  return (reason, code) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    logProcess('info', `${reason}: finishing running requests, then stopping.`);
    setTimeout(() => process.exit(1), STOP_GRACE_MS).unref();
    app
      .close()
      .then(() => database.close())
      .then(() => process.exit(code))
      .catch((error: unknown) => {
        logProcessFailure(error);
        process.exit(1);
      });
  };
}

/** What is said once the service serves: for programs by member, for people as a block of lines. */
function banner(app: NestFastifyApplication, environment: Environment, database: OpenDatabase): Banner {
  const { port } = app.getHttpServer().address() as { port: number };
  const base = `http://localhost:${port}`;
  const platforms = app.get(PlatformService).available();
  const plain = `
  Signet is ready.

    Address    ${base}${environment.HOST === '0.0.0.0' ? ' (all interfaces)' : ` (${environment.HOST})`}
    Database   ${database.description}
    Platforms  ${platforms.join(', ')}
    API page   ${base}/docs

  Try next: npm run demo${port === 3000 ? '' : `   (BASE_URL=${base})`}
`;
  return { plain, fields: { address: base, host: environment.HOST, database: database.description, platforms } };
}
