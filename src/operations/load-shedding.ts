import underPressure from '@fastify/under-pressure';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Environment } from '../config/environment.js';
import { ConnectionPool } from '../database/connection-pool.js';
import { UnsentAnswers } from './load-shedding-readers.js';
import { isUnlimited } from './rate-limit-classes.js';

/** How often the pool is looked at; the event loop is measured over a second. */
const LOOK_MS = 500;
const RETRY_SECONDS = 5;
/** Under load a line for each refusal would make things worse. */
const LOG_PAUSE_MS = 1000;

const REASONS: Record<string, string> = {
  eventLoopDelay: 'its event loop is late',
  healthCheck: 'requests wait too long for the database',
};

/**
 * Refuses with 503 and `Retry-After` what would only wait: while the event loop is late, or while requests wait too long for a connection to the database,
 * and large answers while too many wait for slow readers. Health, metrics and the API page are answered as long as anything is.
 * To be called after CORS is enabled, so that a browser can read the refusal.
 */
export async function shedLoad(app: NestFastifyApplication): Promise<void> {
  const environment = app.get(Environment);
  if (!environment.LOAD_SHEDDING) return;
  const pool = app.get(ConnectionPool);
  const log = occasionally(new Logger('LoadShedding'));
  const refusal = (reply: FastifyReply, reason: string): object => {
    log(`requests are refused: ${reason}`);
    void reply.status(503).header('Retry-After', String(RETRY_SECONDS)).type('application/json; charset=utf-8');
    return { message: `This server has too much to do: ${reason}. Try again shortly.`, code: 'overloaded' };
  };
  await app.register(underPressure as unknown as Parameters<typeof app.register>[0], {
    maxEventLoopDelay: environment.MAX_EVENT_LOOP_DELAY_MS,
    healthCheck: async () => pool.waitMs() < environment.MAX_POOL_WAIT_MS,
    healthCheckInterval: LOOK_MS,
    pressureHandler: (request: FastifyRequest, reply: FastifyReply, type: string) =>
      isUnlimited(request.routeOptions.url) ? undefined : refusal(reply, REASONS[type] ?? type),
  });

  const unsent = new UnsentAnswers(environment.MAX_UNSENT_BYTES);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', async (_request, reply, payload) => {
      if (unsent.admit(reply.raw, payload)) return payload;
      return JSON.stringify(refusal(reply, 'too many large answers wait for slow readers'));
    });
}

function occasionally(logger: Logger): (message: string) => void {
  let quietUntil = 0;
  return (message) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + LOG_PAUSE_MS;
    logger.warn(message);
  };
}
