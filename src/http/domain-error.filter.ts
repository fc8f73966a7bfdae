import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isConnectionLost } from '../database/pg-errors.js';
import { DomainError, NotFoundError, PlatformUnavailableError } from '../domain/domain-errors.js';
import { codeOfStatus, type ErrorBody } from './error-body.js';

/** Seconds after which a client may try again while the database cannot be reached. */
const DATABASE_RETRY_SECONDS = 5;

interface Answer extends ErrorBody {
  status: number;
  retryAfterSeconds?: number | undefined;
}

/**
 * The only place that knows which status an error becomes: what was not found is 404, all else of ours is 400, a database that cannot be
 * reached is 503, the framework's own errors keep their status, and what nobody foresaw is logged in full and answered with 500.
 */
@Catch()
export class DomainErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { status, retryAfterSeconds, message, code } = answerTo(error);
    if (status === 500)
      this.logger.error(`${request.id} ${request.method} ${request.routeOptions?.url ?? '?'} failed`, stackOf(error));
    if (status === 503) this.logger.warn(`${request.id} the database cannot be reached: ${(error as Error).message}`);
    if (reply.sent || reply.raw.headersSent) return;
    if (retryAfterSeconds !== undefined) void reply.header('Retry-After', String(Math.ceil(retryAfterSeconds)));
    void reply.status(status).type('application/json; charset=utf-8').send({ message, code });
  }
}

function answerTo(error: unknown): Answer {
  if (error instanceof PlatformUnavailableError) {
    return { status: 400, message: error.message, code: error.code, retryAfterSeconds: error.retryAfterSeconds };
  }
  if (error instanceof DomainError) {
    return { status: error instanceof NotFoundError ? 404 : 400, message: error.message, code: error.code };
  }
  if (isConnectionLost(error)) {
    const message = 'The database cannot be reached right now; try again shortly.';
    return { status: 503, message, code: 'database_unavailable', retryAfterSeconds: DATABASE_RETRY_SECONDS };
  }
  const status = statusOf(error);
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
