import { NestFactory } from '@nestjs/core';
import { serveActor } from './actor/serve-actor.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import type { Environment } from './config/environment.js';
import { DeploymentSettings } from './database/deployment-settings.js';
import type { OpenDatabase } from './database/database.js';
import { assertNotMoved } from './database/schema/moved.js';
import { describeDialect, installNextIdDialect } from './nextid/nextid-dialect.js';
import { answerReconnects } from './event-stream/reconnect-answers.js';
import { DomainErrorFilter } from './http/domain-error.filter.js';
import { createFastifyAdapter } from './http/server/fastify-adapter.js';
import { serveApiPage } from './api-description/api-page.js';
import { answerOtherMethods } from './http/server/known-paths.js';
import { ServiceLogger } from './http/service-logger.js';
import { RequestValidationPipe } from './http/validation/validation.js';
import type { RecordKinds } from './ledger/record-kind.js';
import { installLoadShedding } from './operations/limits/load-shedding.js';
import { installRateLimits } from './operations/limits/rate-limits.js';
import { serveFeeds } from './feeds/serve-feeds.js';
import { servePage } from './page/serve-page.js';
import { PlatformService } from './platform/platform.service.js';
import type { WebTransport } from '@signet/look/node';

/**
 * Wires the modules over a database that is open and migrated; the caller listens and closes.
 * @param transport see `AppModule` @param kinds as `transport`
 * @throws InvalidEnvironmentError if settings contradict the platforms.
 * @throws DatabaseUnusableError if the database belongs to a deployment of another SERVICE_NAME, or was moved away.
 */
export async function createApplication(
  environment: Environment,
  database: OpenDatabase,
  transport?: WebTransport,
  kinds?: RecordKinds,
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(environment, database, transport, kinds),
    createFastifyAdapter(environment),
    {
      bodyParser: false,
      abortOnError: false,
      logger: new ServiceLogger(environment.LOG_LEVEL),
    },
  );
  try {
    app.get(PlatformService).assertSettingsFit();
    await assertNotMoved(app.get(DataSource));
    await app.get(DeploymentSettings).assertSame('service_name', environment.SERVICE_NAME);
    app.useGlobalPipes(new RequestValidationPipe());
    app.useGlobalFilters(new DomainErrorFilter());
    installNextIdDialect(app);
    installLoadShedding(app);
    installRateLimits(app);
    answerOtherMethods(app.getHttpAdapter().getInstance());
    serveApiPage(app, (description) => describeDialect(description, environment));
    answerReconnects(app.getHttpAdapter().getInstance());
    serveActor(app);
    serveFeeds(app);
    servePage(app);
    await app.init();
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** The names of the platforms that `app` can bind, as its settings allow. */
export function platformsOf(app: NestFastifyApplication): string[] {
  return app.get(PlatformService).available();
}
