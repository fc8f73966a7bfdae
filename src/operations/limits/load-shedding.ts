import type { Server } from 'node:http';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Environment } from '../../config/environment.js';
import { openFilesLimit } from '../../config/open-files-limit.js';
import { type Bound, CONNECTIONS, ROUTE_CLASSES } from '../../bounds/bounds.js';
import { RefusalCounter } from '../../bounds/refusal-counter.js';
import { ConnectionPool } from '../../database/connections/connection-pool.js';
import { forbidCaching } from '../../http/conditional-requests.js';
import { overloaded } from '../../http/error-body.js';
import { chargeOf } from '../../http/server/served-as.js';
import { ClassSlots } from './class-slots.js';
import { EventLoopGauge } from './event-loop-gauge.js';
import { UnsentAnswers } from './unsent-answers.js';

const POOL_SAMPLE_MS = 500;
const RETRY_SECONDS = 5;
/** Milliseconds between two lines in the log: under load a line for each refusal would make things worse. */
const LOG_PAUSE_MS = 1000;

/**
 * Installs load shedding, which refuses with 503 and `Retry-After` requests that would only wait: all while the event
 * loop is late or requests wait too long for a connection to the database, those of one class while too many of it
 * wait, and large answers while too many wait for slow readers. Health checks, metrics and the files of the page are
 * always answered. Connections beyond the limit of open files are refused at once, even with LOAD_SHEDDING=false.
 */
export function installLoadShedding(app: NestFastifyApplication): void {
  const environment = app.get(Environment);
  const fastify = app.getHttpAdapter().getInstance();
  const refusals = app.get(RefusalCounter);
  const pool = app.get(ConnectionPool);
  const warn = throttledWarnings(new Logger('LoadShedding'));
  boundConnections(fastify.server, () => {
    refusals.count('connections');
    warn('Connections are refused: there are as many as the limit of open files allows.');
  });
  if (!environment.LOAD_SHEDDING) return;
  const classOf = (request: FastifyRequest) => ROUTE_CLASSES[chargeOf(request, environment.SERVICE_NAME).name];
  const refusal = (reply: FastifyReply, why: string): object => {
    warn(`Requests are refused: ${why}.`);
    forbidCaching(reply);
    void reply.status(503).header('Retry-After', String(RETRY_SECONDS)).type('application/json; charset=utf-8');
    return overloaded(why);
  };
  const gauges = gaugesOf(app, pool, environment);
  // Before the body is read, and after the CORS headers are set, so that a browser can read the refusal.
  fastify.addHook('preParsing', (request, reply, _payload, done) => {
    const { refusedBy } = classOf(request);
    const over = gauges.find(({ bound, isOver }) => refusedBy.includes(bound) && isOver());
    if (!over) return done();
    refusals.count(over.bound);
    void reply.send(refusal(reply, over.words));
  });
  const unsent = new UnsentAnswers(environment.MAX_UNSENT_BYTES);
  const slots = new ClassSlots(environment, pool, refusals);
  fastify.addHook('preHandler', async (request, reply) => {
    const why = await slots.enter(request, reply);
    if (why !== null) return reply.send(refusal(reply, why));
  });
  fastify.addHook('onSend', async (request, reply, payload) => {
    slots.leave(request);
    const { name } = chargeOf(request, environment.SERVICE_NAME);
    const counted = name === 'files' ? null : (ROUTE_CLASSES[name].rate ?? 'probes');
    if (unsent.accept(reply.raw, payload, counted)) return payload;
    refusals.count('unsent_bytes');
    return JSON.stringify(refusal(reply, 'too many large answers wait for slow readers'));
  });
}

/** What is measured of the process, and refuses whatever comes while it is over its bound. */
interface Gauge {
  bound: Bound;
  isOver: () => boolean;
  /** Why requests are refused. */
  words: string;
}

function gaugesOf(app: NestFastifyApplication, pool: ConnectionPool, environment: Environment): Gauge[] {
  const eventLoop = new EventLoopGauge();
  let poolWaitMs = 0;
  const timer = setInterval(() => (poolWaitMs = pool.waitMs()), POOL_SAMPLE_MS).unref();
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onClose', async () => {
    clearInterval(timer);
    eventLoop.stop();
  });
  return [
    {
      bound: 'event_loop',
      isOver: () => eventLoop.delayMs > environment.MAX_EVENT_LOOP_DELAY_MS,
      words: 'its event loop is late',
    },
    {
      bound: 'pool_wait',
      isOver: () => poolWaitMs > environment.MAX_POOL_WAIT_MS,
      words: 'requests wait too long for the database',
    },
  ];
}

/**
 * How many connections a process with a limit of `openFiles` open files may accept. A process that accepts until no
 * file is left can neither reach its database nor log, and Node itself throws where it should not.
 */
export function connectionsFor(openFiles: number): number {
  return Math.max(openFiles - CONNECTIONS.reservedFiles, Math.floor(openFiles * CONNECTIONS.leastPart));
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
