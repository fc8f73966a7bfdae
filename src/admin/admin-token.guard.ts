import { randomBytes } from 'node:crypto';
import { HttpException, Injectable, UnauthorizedException } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Environment } from '../config/environment.js';
import { clientNetwork } from '../http/server/client-address.js';
import { equalBytes, hmacSha256 } from '../crypto/hashing.js';

/** Wrong tokens that one client (see `clientNetwork`) may send in a window; an operator who mistypes stays below. */
const MAX_FAILURES = 10;
const WINDOW_SECONDS = 60;

/**
 * Admits requests with `Authorization: Bearer <ADMIN_TOKEN>`. A missing and a wrong token get the same answer in the
 * same time: keyed hashes of equal length are compared, in constant time. After too many wrong tokens, an address gets
 * 429 for the rest of the window, even with the right token.
 */
@Injectable()
export class AdminTokenGuard implements CanActivate {
  private readonly failures = new RateLimiterMemory({ points: MAX_FAILURES, duration: WINDOW_SECONDS });
  private readonly key = randomBytes(32);
  private readonly expected: Uint8Array;

  constructor(private readonly environment: Environment) {
    this.expected = hmacSha256(this.key, environment.ADMIN_TOKEN ?? '');
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const client = clientNetwork(request.ip);
    const seconds = await this.secondsToWait(client);
    if (seconds > 0) {
      void reply.header('Retry-After', String(seconds));
      throw new HttpException('Too many requests with a wrong admin token; try again later.', 429);
    }
    if (equalBytes(hmacSha256(this.key, bearerOf(request.headers.authorization)), this.expected)) return true;
    await this.failures.penalty(client);
    void reply.header('WWW-Authenticate', 'Bearer');
    throw new UnauthorizedException('This needs the admin token, as Authorization: Bearer <token>.');
  }

  private async secondsToWait(client: string): Promise<number> {
    if (!this.environment.RATE_LIMIT) return 0;
    const found = await this.failures.get(client);
    return found && found.consumedPoints >= MAX_FAILURES ? Math.max(1, Math.ceil(found.msBeforeNext / 1000)) : 0;
  }
}

/** The token, `''` if there is none; the scheme ignores letter case (RFC 9110 section 11.1). */
function bearerOf(header = ''): string {
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
}
