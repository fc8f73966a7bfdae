import type { ServerResponse } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { Subject } from 'rxjs';

/** A request that has ended, in any way. */
export interface ServedRequest {
  /** Of Fastify, or of a file that was sent without it, which has no body. */
  request: { id: string; body?: unknown };
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

/**
 * Watches all requests from outside, by hooks of Fastify and of the files that are sent without it, so that other
 * modules need no code for counting and logging. Observers must not throw.
 */
@Injectable()
export class ServedRequests implements OnModuleInit {
  readonly ended = new Subject<ServedRequest>();
  private readonly codes = new WeakMap<object, string>();

  constructor(private readonly host: HttpAdapterHost<FastifyAdapter>) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance();
    fastify.addHook('onRequest', (request, reply, done) => {
      this.watch(reply.raw, request, request.method, () => request.routeOptions.url ?? 'unmatched');
      done();
    });
    fastify.addHook('preSerialization', (request, _reply, payload, done) => {
      const code = (payload as { code?: unknown } | null)?.code;
      if (typeof code === 'string') this.codes.set(request, code);
      done(null, payload);
    });
  }

  /**
   * `close` comes once for every response: after the last byte, and also when the client goes away or a stream ends.
   */
  private watch(raw: ServerResponse, request: ServedRequest['request'], method: string, route: () => string): void {
    const startedAt = performance.now();
    raw.once('close', () => {
      this.ended.next({
        request,
        method,
        route: route(),
        status: raw.statusCode,
        code: raw.statusCode >= 400 ? (this.codes.get(request) ?? '') : '',
        isAborted: !raw.writableFinished,
        isStream: String(raw.getHeader('content-type')).startsWith('text/event-stream'),
        durationMs: performance.now() - startedAt,
      });
    });
  }
}
