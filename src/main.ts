import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApplication } from './application.js';
import { Environment, InvalidEnvironmentError, loadEnvironment } from './config/environment.js';
import { DatabaseUnusableError, openDatabase, type OpenDatabase } from './database/database.js';
import { DataFolderInUseError } from './database/data-folder-lock.js';
import { migrate } from './database/migrator.js';
import { PlatformService } from './platform/platform.service.js';

/** Milliseconds that running requests get to finish after a signal. */
const STOP_GRACE_MS = 20_000;

await start().catch((error: unknown) => {
  const isForPeople = [InvalidEnvironmentError, DatabaseUnusableError, DataFolderInUseError].some(
    (kind) => error instanceof kind,
  );
  console.error(isForPeople ? (error as Error).message : error);
  process.exit(1);
});

async function start(): Promise<void> {
  const environment = loadEnvironment(process.env);
  const database = await openDatabase(environment);
  await migrate(database.directUrl);
  const app = await createApplication(environment, database);
  await app.listen(environment.PORT, environment.HOST);
  stopOnSignals(app, database);
  console.log(await banner(app, environment, database));
}

/** Stop accepting, finish what runs, close the database. A second signal ends at once. */
function stopOnSignals(app: NestFastifyApplication, database: OpenDatabase): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    console.log(`${signal}: finishing running requests, then stopping.`);
    setTimeout(() => process.exit(1), STOP_GRACE_MS).unref();
    app
      .close()
      .then(() => database.close())
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function banner(app: NestFastifyApplication, environment: Environment, database: OpenDatabase): Promise<string> {
  const { port } = app.getHttpServer().address() as { port: number };
  const base = `http://localhost:${port}`;
  return `
  Signet is ready.

    Address    ${base}${environment.HOST === '0.0.0.0' ? ' (all interfaces)' : ` (${environment.HOST})`}
    Database   ${database.description}
    Platforms  ${app.get(PlatformService).available().join(', ')}
    API page   ${base}/docs

  Try next: npm run demo${port === 3000 ? '' : `   (BASE_URL=${base})`}
`;
}
