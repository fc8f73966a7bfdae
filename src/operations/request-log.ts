import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { traitsOf } from '../http/server/served-as.js';
import { type ServedRequest, ServedRequests } from './metrics/served-requests.js';

/** Whether machines send a request of this kind every few seconds; it is of interest only when it fails. */
export function isPolled(request: FastifyRequest): boolean {
  return ['probes', 'metrics'].includes(traitsOf(request).class ?? '');
}

/**
 * One line for each request, when it is over. It names the route and never the path, the query, a header or the body,
 * so no key, identity, signature or token can get into it.
 */
@Injectable()
export class RequestLog implements OnModuleInit {
  private readonly logger = new Logger('Request');

  constructor(private readonly served: ServedRequests) {}

  onModuleInit(): void {
    this.served.ended.subscribe((served) => this.write(served));
  }

  private write(served: ServedRequest): void {
    const level = levelOf(served);
    if (!Logger.isLevelEnabled(level)) return;
    const { request, method, route, status, code, isAborted, durationMs } = served;
    this.logger[level]({
      message: `${method} ${route} ${isAborted ? 'aborted' : status}`,
      request_id: request.id,
      method,
      route,
      status,
      ...(code && { code }),
      ...(isAborted && { aborted: true }),
      duration_ms: Math.round(durationMs * 10) / 10,
    });
  }
}

/** A 500 is a bug, so an error; other 5xx pass by themselves, so a warning; a 4xx is the caller's mistake. */
function levelOf({ status, request }: ServedRequest): 'error' | 'warn' | 'log' | 'debug' {
  if (status === 500) return 'error';
  if (status > 500) return 'warn';
  return isPolled(request) ? 'debug' : 'log';
}
