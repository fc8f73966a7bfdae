import { HttpException, HttpStatus } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment.js';
import { clientNetwork } from '../../http/server/client-address.js';
import { isWallet } from '@signet/look';
import { PlatformService } from '../../platform/platform.service.js';
import { type Charge, chargeOfRequest, pointsOfBytes, quotasOf, WINDOW_SECONDS } from './rate-limit-classes.js';
import { forgetOldCounts, RateLimiter, SharedRateLimiter, type RateVerdict } from './rate-limiter.js';

const FORGET_MS = 5 * 60_000;

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
  const limiters = quotasOf(environment).map((quota) =>
    quota.isShared ? new SharedRateLimiter(quota, dataSource) : new RateLimiter(quota),
  );
  const limits = new Map(limiters.map((limiter) => [limiter.quota.name, limiter]));
  const count = async ({ name, points }: Charge, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const limiter = limits.get(name)!;
    const verdict = await limiter.consume(clientNetwork(request.ip), points);
    addLimitHeaders(reply, limiter, verdict);
    if (!verdict.isAllowed) refuse(reply, limiter, verdict);
  };
  const asksPlatform = outboundSubmits(app.get(PlatformService), environment);

  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('preParsing', async (request, reply) => {
    const charge = chargeOfRequest(request, environment.SERVICE_NAME);
    if (charge) await count(charge, request, reply);
  });
  fastify.addHook('preHandler', async (request, reply) => {
    const isSubmit = request.method === 'POST' && request.routeOptions.url === '/v1/proof';
    if (isSubmit && asksPlatform(request.body)) await count({ name: 'submits', points: 1 }, request, reply);
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const charge = chargeOfRequest(request, environment.SERVICE_NAME);
    const { headers } = request.raw;
    const isChunked = headers['transfer-encoding'] !== undefined;
    const points = pointsOfBytes(headers['content-length'], isChunked, Number(reply.getHeader('content-length') ?? 0));
    if (charge && points > 0) await limits.get(charge.name)!.charge(clientNetwork(request.ip), points);
  });
  // A failure here fails the next request too, and is answered and logged there.
  const timer = setInterval(() => void forgetOldCounts(dataSource).catch(() => {}), FORGET_MS).unref();
  fastify.addHook('onClose', async () => clearInterval(timer));
}

/**
 * Returns a function that returns whether the body of a submit makes this server send a request: a create on a
 * platform, or a wallet that may be a contract.
 */
function outboundSubmits(platforms: PlatformService, environment: Environment): (body: unknown) => boolean {
  const asksChains = environment.ETH_RPC_URLS !== undefined;
  return (body) => {
    const { action, platform } = (body ?? {}) as { action?: unknown; platform?: unknown };
    if (action !== 'create' || typeof platform !== 'string' || !platforms.names().includes(platform)) return false;
    return !isWallet(platforms.get(platform)) || (platform === 'ethereum' && asksChains);
  };
}

/** Adds one limit to the rate limit headers of the answer. */
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
    `Too many requests: this address may make ${quota.limit} ${quota.words} in ${WINDOW_SECONDS} seconds; try again in ${resetSeconds} s.`,
    HttpStatus.TOO_MANY_REQUESTS,
  );
}
