import type { Server } from 'node:http';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment.js';
import { openFilesLimit } from '../../config/open-files-limit.js';
import { ConnectionPool } from '../../database/connections/connection-pool.js';
import { sharesOf } from '../../database/connections/connection-shares.js';
import { forbidCaching } from '../../http/conditional-requests.js';
import { overloaded } from '../../http/error-body.js';
import { ClassSlots } from './load-shedding-classes.js';
import { EventLoopGauge } from './load-shedding-event-loop.js';
import { UnsentAnswers } from './load-shedding-readers.js';
import { chargeOfRequest, isAlwaysServed, isDocument, isPageFile } from './rate-limit-classes.js';

const POOL_SAMPLE_MS = 500;
const RETRY_SECONDS = 5;
/** Milliseconds between two lines in the log: under load a line for each refusal would make things worse. */
const LOG_PAUSE_MS = 1000;
/** File descriptors that are not for clients: the database and its replicas, platforms, webhooks, files. */
const RESERVED = 256;
/** The share of clients where the limit of open files is very low. */
const LEAST_SHARE = 0.5;

/**
 * Installs load shedding, which refuses with 503 and `Retry-After` requests that would only wait: all while the event
 * loop is late or requests wait too long for a connection to the database, those of one class while too many of it
 * wait, and large answers while too many wait for slow readers. Health checks, metrics and the files of the page are
 * always answered. Connections beyond the limit of open files are refused at once, even with LOAD_SHEDDING=false.
 */
export function installLoadShedding(app: NestFastifyApplication): void {
  const environment = app.get(Environment);
  const fastify = app.getHttpAdapter().getInstance();
  const warn = throttledWarnings(new Logger('LoadShedding'));
  boundConnections(fastify.server, () =>
    warn('Connections are refused: there are as many as the limit of open files allows.'),
  );
  if (!environment.LOAD_SHEDDING) return;
  const reason = refusalReason(app, environment);
  const refusal = (reply: FastifyReply, why: string): object => {
    warn(`Requests are refused: ${why}.`);
    forbidCaching(reply);
    void reply.status(503).header('Retry-After', String(RETRY_SECONDS)).type('application/json; charset=utf-8');
    return overloaded(why);
  };
  // Before the body is read, and after the CORS headers are set, so that a browser can read the refusal.
  fastify.addHook('preParsing', (request, reply, _payload, done) => {
    const why = reason(request.routeOptions.url);
    if (why === null) done();
    else void reply.send(refusal(reply, why));
  });
  const unsent = new UnsentAnswers(environment.MAX_UNSENT_BYTES);
  const slots = new ClassSlots(environment);
  fastify.addHook('preHandler', async (request, reply) => {
    if (isPageFile(request.routeOptions.url)) return;
    const why = await slots.enter(request, reply);
    if (why !== null) return reply.send(refusal(reply, why));
  });
  sharesOf(app.get(DataSource)).waitMs = environment.MAX_POOL_WAIT_MS;
  fastify.addHook('onSend', async (request, reply, payload) => {
    slots.leave(request);
    const charge = chargeOfRequest(request, environment.SERVICE_NAME);
    const counted = isPageFile(request.routeOptions.url) ? null : (charge?.name ?? 'probes');
    if (unsent.accept(reply.raw, payload, counted)) return payload;
    return JSON.stringify(refusal(reply, 'too many large answers wait for slow readers'));
  });
}

/** Returns a function that returns why a request of a route should be refused now, or null. */
function refusalReason(
  app: NestFastifyApplication,
  environment: Environment,
): (route: string | undefined) => string | null {
  const pool = app.get(ConnectionPool);
  const eventLoop = new EventLoopGauge();
  let poolWaitMs = 0;
  const timer = setInterval(() => (poolWaitMs = pool.waitMs()), POOL_SAMPLE_MS).unref();
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onClose', async () => {
    clearInterval(timer);
    eventLoop.stop();
  });
  return (route) => {
    if (isAlwaysServed(route)) return null;
    if (eventLoop.delayMs > environment.MAX_EVENT_LOOP_DELAY_MS) return 'its event loop is late';
    if (isDocument(route)) return null;
    return poolWaitMs > environment.MAX_POOL_WAIT_MS ? 'requests wait too long for the database' : null;
  };
}

/**
 * How many connections a process with a limit of `openFiles` open files may accept. A process that accepts until no
 * file is left can neither reach its database nor log, and Node itself throws where it should not.
 */
export function connectionsFor(openFiles: number): number {
  return Math.max(openFiles - RESERVED, Math.floor(openFiles * LEAST_SHARE));
}

/** Makes `server` refuse connections beyond `connectionsFor` at once; `onRefusal` is called for each. */
function boundConnections(server: Server, onRefusal: () => void): void {
  const limit = connectionsFor(openFilesLimit());
  if (limit === Infinity) return;
  server.maxConnections = limit;
  server.on('drop', onRefusal);
}

/** Returns a function that logs a warning at most once in `LOG_PAUSE_MS`. */
function throttledWarnings(logger: Logger): (message: string) => void {
  let quietUntil = 0;
  return (message) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + LOG_PAUSE_MS;
    logger.warn(message);
  };
}
