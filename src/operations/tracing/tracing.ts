import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { withTimeout } from '../../concurrency/with-timeout.js';
import { Environment } from '../../config/environment.js';
import { isPolled } from '../request-log.js';
import { ServedRequests } from '../metrics/served-requests.js';
import type { Spans } from './spans.js';
import { traceDatabase } from './tracing-database.js';
import { traceOutboundRequests } from './tracing-outbound.js';

/** Milliseconds for the last spans; a collector that does not answer must not hold up the stop. */
const SHUTDOWN_MS = 3_000;

/**
 * OpenTelemetry traces, if the standard `OTEL_` settings turn them on; otherwise no package is loaded and no hook
 * added.
 *
 * Choice: spans are made by hooks of ours (requests by Fastify, outbound requests by the diagnostics channels of
 * undici, transactions and their statements by TypeORM), and not by the instrumentation packages, which patch modules
 * while they load: with ES modules that needs a loader on the command line. Spans name routes, hosts and statement
 * texts, never paths, queries, bodies or parameters. Trace ids are taken from `traceparent` and not passed on: the
 * platforms are strangers.
 */
@Injectable()
export class Tracing implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Tracing');
  private readonly stops: (() => void | Promise<void>)[] = [];

  constructor(
    private readonly environment: Environment,
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    private readonly served: ServedRequests,
    private readonly dataSource: DataSource,
  ) {}

  async onModuleInit(): Promise<void> {
    if (!isTracingWanted(this.environment)) return;
    const { Spans } = await import('./spans.js');
    const spans = new Spans(this.environment);
    this.traceRequests(spans);
    this.stops.push(traceOutboundRequests(spans), traceDatabase(this.dataSource, spans), () => spans.shutdown());
    this.logger.log('Traces are sent to the OpenTelemetry collector.');
  }

  async onApplicationShutdown(): Promise<void> {
    const stopped = Promise.allSettled(this.stops.map(async (stop) => stop()));
    await withTimeout(stopped, SHUTDOWN_MS, () => undefined);
  }

  private traceRequests(spans: Spans): void {
    const traced = new WeakMap<object, ReturnType<Spans['startServer']>>();
    const fastify = this.host.httpAdapter.getInstance();
    fastify.addHook('onRequest', (request, _reply, done) => {
      const route = request.routeOptions.url;
      if (!route || isPolled(request)) return done();
      const started = spans.startServer(`${request.method} ${route}`, request.headers['traceparent'], {
        'http.request.method': request.method,
        'http.route': route,
        'signet.request_id': request.id,
      });
      traced.set(request, started);
      spans.runIn(started.context, done);
    });
    // Reading a body leaves the asynchronous context of the hook above.
    fastify.addHook('preValidation', (request, _reply, done) => {
      const started = traced.get(request);
      if (started) spans.runIn(started.context, done);
      else done();
    });
    this.served.ended.subscribe(({ request, status, code, isAborted }) => {
      const span = traced.get(request)?.span;
      if (!span) return;
      span.setAttribute('http.response.status_code', status);
      if (code) span.setAttribute('error.type', code);
      spans.end(span, isAborted ? 'aborted' : status >= 500 ? code || String(status) : null);
    });
  }
}

/** Either endpoint, or the exporter by name; no other exporter than `otlp` is supported. */
export function isTracingWanted(environment: Environment): boolean {
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } = environment;
  if (OTEL_SDK_DISABLED) return false;
  if (OTEL_TRACES_EXPORTER !== undefined) return OTEL_TRACES_EXPORTER === 'otlp';
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = environment;
  return (OTEL_EXPORTER_OTLP_ENDPOINT ?? OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) !== undefined;
}
