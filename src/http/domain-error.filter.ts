import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SignetError } from '@signet/verify/errors';
import { TooManyWaitError } from '../bounds/refusal-counter.js';
import { isConnectionLost, isStorageFull, isTooSlow } from '../database/pg-errors.js';
import { NotFoundError, OverloadedError, UnavailableError } from '../domain/domain-errors.js';
import { codeOfStatus, type ErrorBody, MAX_BODY_BYTES, overloaded } from './error-body.js';

/** What a database that cannot serve a right request becomes, and the seconds after which a client may try again. */
const DATABASE_TROUBLES = [
  {
    matches: isConnectionLost,
    code: 'database_unavailable',
    message: 'The database cannot be reached right now; try again shortly.',
    retryAfterSeconds: 5,
  },
  {
    matches: isTooSlow,
    code: 'database_slow',
    message: 'The database took too long; try again shortly.',
    retryAfterSeconds: 5,
  },
  {
    matches: isStorageFull,
    code: 'storage_full',
    message: 'The database has no room to write; the operator has to make some. Reads still work.',
    retryAfterSeconds: 60,
  },
];

const BODY_TOO_LARGE = `The body is larger than ${MAX_BODY_BYTES / 2 ** 20} MiB, which is the limit.`;

/** As for requests that load shedding refuses. */
const OVERLOADED_RETRY_SECONDS = 5;

interface Answer extends ErrorBody {
  status: number;
  retryAfterSeconds?: number | undefined;
}

/**
 * The only place that maps errors to statuses. A `NotFoundError` is 404 and every other expected error is 400, except
 * that a lack of capacity or of the database is 503. Errors of the framework keep their status. Any other error is
 * logged in full and answered with 500.
 */
@Catch()
export class DomainErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { status, retryAfterSeconds, message, code } = answerTo(error);
    const where = { request_id: request.id, method: request.method, route: request.routeOptions?.url ?? 'unmatched' };
    if (status === 500) this.logger.error({ message: 'The request failed.', ...where }, stackOf(error));
    if (status === 503) {
      // A full disk stays full until an operator does something; the others pass.
      const level = code === 'storage_full' ? 'error' : 'warn';
      this.logger[level]({ message: `${code}: ${(error as Error).message}`, ...where });
    }
    if (reply.sent || reply.raw.headersSent) return;
    if (retryAfterSeconds !== undefined) void reply.header('Retry-After', String(Math.ceil(retryAfterSeconds)));
    void reply.status(status).type('application/json; charset=utf-8').send({ message, code });
  }
}

function answerTo(error: unknown): Answer {
  if (error instanceof SignetError) {
    const { message, code, retryAfterSeconds } = error;
    if (error instanceof OverloadedError) {
      return { status: 503, message, code, retryAfterSeconds: OVERLOADED_RETRY_SECONDS };
    }
    const status = error instanceof UnavailableError ? 503 : error instanceof NotFoundError ? 404 : 400;
    return { status, message, code, retryAfterSeconds };
  }
  if (error instanceof TooManyWaitError) {
    return { ...overloaded(error.message), status: 503, retryAfterSeconds: OVERLOADED_RETRY_SECONDS };
  }
  const trouble = DATABASE_TROUBLES.find(({ matches }) => matches(error));
  if (trouble) return { ...trouble, status: 503 };
  const status = statusOf(error);
  if (status === 413) return { status, message: BODY_TOO_LARGE, code: codeOfStatus(status) };
  if (status !== undefined && status < 500)
    return { status, message: (error as Error).message, code: codeOfStatus(status) };
  return {
    status: 500,
    message: 'Something went wrong on our side; the request id is in our log.',
    code: 'internal_error',
  };
}

/** The status that Nest or Fastify gave the error. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : undefined;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
