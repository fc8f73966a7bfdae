import { randomBytes } from 'node:crypto';
import {
  type CanActivate,
  type ExecutionContext,
  HttpException,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { MAX_WRONG_TOKENS, WINDOW_SECONDS } from '../bounds/bounds.js';
import { RefusalCounter } from '../bounds/refusal-counter.js';
import { Environment } from '../config/environment.js';
import { clientNetwork } from '../http/server/client-address.js';
import { equalBytes, hmacSha256 } from '../crypto/hashing.js';

/**
 * Admits requests with `Authorization: Bearer <ADMIN_TOKEN>`. A missing and a wrong token get the same answer in the
 * same time: keyed hashes of equal length are compared, in constant time. After too many wrong tokens, an address gets
 * 429 for the rest of the window, even with the right token.
 */
@Injectable()
export class AdminTokenGuard implements CanActivate {
  private readonly failures = new RateLimiterMemory({ points: MAX_WRONG_TOKENS, duration: WINDOW_SECONDS });
  private readonly key = randomBytes(32);
  private readonly expected: Uint8Array;

  constructor(
    private readonly environment: Environment,
    private readonly refusals: RefusalCounter,
  ) {
    this.expected = hmacSha256(this.key, environment.ADMIN_TOKEN ?? '');
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const client = clientNetwork(request.ip);
    const seconds = await this.secondsToWait(client);
    if (seconds > 0) {
      this.refusals.count('wrong_tokens');
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
    return found && found.consumedPoints >= MAX_WRONG_TOKENS ? Math.max(1, Math.ceil(found.msBeforeNext / 1000)) : 0;
  }
}

/** The token, `''` if there is none; the scheme ignores letter case (RFC 9110 section 11.1). */
function bearerOf(header = ''): string {
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
}
