import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { Subject } from 'rxjs';

/** A request that has ended, in any way. */
export interface ServedRequest {
  request: FastifyRequest;
  method: string;
  /**
   * The pattern of the route, such as `/v1/proof`, never the path that was asked for; `unmatched` where there is no
   * route.
   */
  route: string;
  /** Status of the answer, even if the client went away before it was sent. */
  status: number;
  /** `code` of an error body; `''` for a success. */
  code: string;
  /** The connection went away before the answer was sent whole. */
  isAborted: boolean;
  /** The answer was an event stream, which lasts as long as its reader likes. */
  isStream: boolean;
  durationMs: number;
}

/** Watches all requests, so that other modules need no code for counting and logging. Observers must not throw. */
@Injectable()
export class ServedRequests implements OnModuleInit {
  readonly ended = new Subject<ServedRequest>();
  private readonly codes = new WeakMap<object, string>();

  constructor(private readonly host: HttpAdapterHost<FastifyAdapter>) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance();
    fastify.addHook('onRequest', (request, { raw }, done) => {
      const startedAt = performance.now();
      // Once for every response: after the last byte, and also when the client goes away or a stream ends.
      raw.once('close', () => {
        this.ended.next({
          request,
          method: request.method,
          route: request.routeOptions.url ?? 'unmatched',
          status: raw.statusCode,
          code: raw.statusCode >= 400 ? (this.codes.get(request) ?? '') : '',
          isAborted: !raw.writableFinished,
          isStream: String(raw.getHeader('content-type')).startsWith('text/event-stream'),
          durationMs: performance.now() - startedAt,
        });
      });
      done();
    });
    fastify.addHook('preSerialization', (request, _reply, payload, done) => {
      const code = (payload as { code?: unknown } | null)?.code;
      if (typeof code === 'string') this.codes.set(request, code);
      done(null, payload);
    });
  }
}
