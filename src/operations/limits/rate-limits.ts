import { HttpException, HttpStatus } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment.js';
import { RATES, ROUTE_CLASSES, type RateName, WINDOW_SECONDS } from '../../bounds/bounds.js';
import { RefusalCounter } from '../../bounds/refusal-counter.js';
import { clientNetwork } from '../../http/server/client-address.js';
import { chargeOf, traitsOf } from '../../http/server/served-as.js';
import { PlatformService } from '../../platform/platform.service.js';
import { forgetOldCounts, type Quota, RateLimiter, type RateVerdict, SharedRateLimiter } from './rate-limiter.js';

const FORGET_MS = 5 * 60_000;
/** Bytes of a body or an answer that are in the price of every request; each time as much again costs a point more. */
const BYTES_OF_A_POINT = 64 * 1024;
/** Bytes assumed for a body without a stated length. */
const UNKNOWN_LENGTH_BYTES = 1024 * 1024;

/**
 * Installs rate limits for each client and class of route, unless RATE_LIMIT is off. Every answer shows what is left,
 * in the fields `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): `"reads";q=1200;w=60` and
 * `"reads";r=1199;t=60`. A refusal is 429 with `Retry-After`. Points are counted, not requests: a search costs by its
 * terms and its page, and each 64 KiB of a body or an answer costs one more, counted when the answer is sent.
 *
 * The first count is taken before the body is read and after the CORS headers are set, so that a browser can read the
 * refusal.
 */
export function installRateLimits(app: NestFastifyApplication): void {
  const environment = app.get(Environment);
  if (!environment.RATE_LIMIT) return;
  const dataSource = app.get(DataSource);
  const refusals = app.get(RefusalCounter);
  const limiters = quotasOf(environment).map((quota) =>
    RATES[quota.name].isShared ? new SharedRateLimiter(quota, dataSource) : new RateLimiter(quota),
  );
  const limits = new Map(limiters.map((limiter) => [limiter.quota.name, limiter]));
  const count = async (name: RateName, points: number, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const limiter = limits.get(name)!;
    const verdict = await limiter.consume(clientNetwork(request.ip), points);
    addLimitHeaders(reply, limiter, verdict);
    if (verdict.isAllowed) return;
    refusals.count(`rate_${name}`);
    refuse(reply, limiter, verdict);
  };
  const platforms = app.get(PlatformService);

  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('preParsing', async (request, reply) => {
    const { name, points } = chargeOf(request, environment.SERVICE_NAME);
    const { rate } = ROUTE_CLASSES[name];
    if (rate !== null) await count(rate, points, request, reply);
  });
  fastify.addHook('preHandler', async (request, reply) => {
    const { asksPlatform, submits } = traitsOf(request);
    const isAsking = asksPlatform || (submits === 'link' && platforms.asksOthers(request.body));
    if (isAsking) await count('submits', 1, request, reply);
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const { rate } = ROUTE_CLASSES[chargeOf(request, environment.SERVICE_NAME).name];
    const { headers } = request.raw;
    const isChunked = headers['transfer-encoding'] !== undefined;
    const points = pointsOfBytes(headers['content-length'], isChunked, Number(reply.getHeader('content-length') ?? 0));
    if (rate !== null && points > 0) await limits.get(rate)!.charge(clientNetwork(request.ip), points);
  });
  // A failure here fails the next request too, and is answered and logged there.
  const timer = setInterval(() => void forgetOldCounts(dataSource).catch(() => {}), FORGET_MS).unref();
  fastify.addHook('onClose', async () => clearInterval(timer));
}

/** All limits, as the settings have them. */
export function quotasOf(environment: Environment): Quota[] {
  return Object.entries(RATES).map(([name, { setting }]) => ({ name: name as RateName, limit: environment[setting] }));
}

/** Points beyond the first, for the bytes of the request and of its answer. */
export function pointsOfBytes(contentLength: string | undefined, isChunked: boolean, answerBytes: number): number {
  const bodyBytes = isChunked ? UNKNOWN_LENGTH_BYTES : Math.min(Number(contentLength ?? 0), UNKNOWN_LENGTH_BYTES);
  return Math.floor(bodyBytes / BYTES_OF_A_POINT) + Math.floor(answerBytes / BYTES_OF_A_POINT);
}

function addLimitHeaders(reply: FastifyReply, { quota }: RateLimiter, { remaining, resetSeconds }: RateVerdict): void {
  const fields = {
    'ratelimit-policy': `"${quota.name}";q=${quota.limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"${quota.name}";r=${remaining};t=${resetSeconds}`,
  };
  for (const [name, item] of Object.entries(fields)) {
    const current = reply.getHeader(name);
    void reply.header(name, current === undefined ? item : `${String(current)}, ${item}`);
  }
}

function refuse(reply: FastifyReply, { quota }: RateLimiter, { resetSeconds }: RateVerdict): never {
  void reply.header('Retry-After', String(resetSeconds));
  throw new HttpException(
    `Too many requests: this address may make ${quota.limit} ${RATES[quota.name].words} in ${WINDOW_SECONDS} seconds; try again in ${resetSeconds} s.`,
    HttpStatus.TOO_MANY_REQUESTS,
  );
}
