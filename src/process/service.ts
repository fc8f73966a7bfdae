import 'reflect-metadata';
import cluster from 'node:cluster';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Environment } from '../config/environment.js';
import { isOutOfFiles } from '../config/open-files-limit.js';
import { logProcess, logProcessFailure } from '../config/process-log.js';
import { isForPeople } from '../database/command-database.js';
import { openDatabase, type OpenDatabase } from '../database/database.js';
import { waitForDatabase } from './database-wait.js';
import { explainMissingRights } from '../database/schema/missing-rights.js';
import { migrate } from '../database/schema/migrator.js';
import { loadSettings } from './load-settings.js';
import { whenVersionFits } from './unready-server.js';
import { followSignals, stop, Stopping } from './stopping.js';
import { handleStrayErrors } from './stray-errors.js';
import { announceReady, type Banner, followPrimary, supervisesWorkers, runWorkers } from './workers.js';

/** The service cannot listen on the address and port of its settings. */
class AddressUnusableError extends Error {}

/**
 * Starts the service, or the primary of its workers, with the settings of the environment. Ends the process with a
 * message if that fails.
 * @throws Error if files or modules could not be opened: main.ts explains what to do
 */
export async function startService(): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (isOutOfFiles(error) || (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') throw error;
    if (error instanceof AddressUnusableError || isForPeople(error)) logProcess('error', error.message);
    else logProcessFailure(error);
    process.exit(1);
  }
}

async function start(): Promise<void> {
  const { environment, mistyped } = loadSettings(process.env);
  if (!cluster.isWorker) for (const sentence of mistyped) logProcess('warn', sentence);
  const announceMs = 1000 * environment.SHUTDOWN_DELAY_SECONDS;
  if (supervisesWorkers(environment.WORKERS)) return runWorkers(environment.WORKERS, announceMs);
  let stopping: Stopping | null = null;
  if (cluster.isWorker) followPrimary(() => stopping);
  else followSignals(() => stopping, announceMs);
  const opened = await whenVersionFits(environment, () =>
    waitForDatabase(
      () => open(environment),
      (message) => logProcess('warn', message),
    ),
  );
  await listen(opened.app, environment);
  const ready = (stopping = new Stopping(opened.app, opened.database));
  handleStrayErrors((reason, code) => void stop(ready, reason, code, 0));
  announceReady(banner(opened, environment));
}

interface Opened {
  app: NestFastifyApplication;
  database: OpenDatabase;
  /** Platforms that can be bound, by their names. */
  platforms: string[];
}

/** Opens the database, and meanwhile loads the application. */
async function open(environment: Environment): Promise<Opened> {
  const [database, { createApplication, platformsOf }] = await Promise.all([
    openDatabase(environment),
    import('../application.js'),
  ]);
  try {
    await migrate(database.directUrl, undefined, { log: (message) => logProcess('warn', message) });
    const app = await createApplication(environment, database);
    return { app, database, platforms: platformsOf(app) };
  } catch (error) {
    await database.close();
    throw database.kind === 'postgres' ? await explainMissingRights(database.directUrl, error) : error;
  }
}

/** @throws AddressUnusableError if the address is in use, not of this machine or not allowed. */
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

/** The message of a service that is ready: fields for programs, a block of lines for people. */
function banner({ app, database, platforms }: Opened, environment: Environment): Banner {
  const { port } = app.getHttpServer().address() as { port: number };
  const base = `http://localhost:${port}`;
  const plain = `
  Signet is ready.

    Address    ${base}${environment.HOST === '0.0.0.0' ? ' (all interfaces)' : ` (${environment.HOST})`}
    Database   ${database.description}
    Platforms  ${platforms.join(', ')}
    API        ${base}/docs

  Try next: npm run demo${port === 3000 ? '' : `   (BASE_URL=${base})`}
  ${environment.WEB ? `Open the page: ${base}` : `The page for people is switched off (WEB=off).`}
`;
  return { plain, fields: { address: base, host: environment.HOST, database: database.description, platforms } };
}
