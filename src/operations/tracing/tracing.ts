import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Context, Span } from '@opentelemetry/api';
import { DataSource } from 'typeorm';
import { withTimeout } from '../../concurrency/with-timeout.js';
import { Environment } from '../../config/environment.js';
import { PROBES } from '../request-log.js';
import { type ServedRequest, ServedRequests } from '../metrics/served-requests.js';
import { SpanMaker } from './tracing-spans.js';
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
  /** The span of the current asynchronous context. */
  private readonly current = new AsyncLocalStorage<Context>();
  private readonly spans = new WeakMap<object, { span: Span; context: Context }>();
  private readonly stops: (() => void | Promise<void>)[] = [];

  constructor(
    private readonly environment: Environment,
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    private readonly served: ServedRequests,
    private readonly dataSource: DataSource,
  ) {}

  async onModuleInit(): Promise<void> {
    if (!isTracingWanted(this.environment)) return;
    const { startTracingSdk } = await import('./tracing-sdk.js');
    const { tracer, shutdown } = startTracingSdk(this.environment);
    const maker = new SpanMaker(tracer, await import('@opentelemetry/api'), () => this.current.getStore());
    this.traceRequests(maker);
    this.stops.push(traceOutboundRequests(maker), traceDatabase(this.dataSource, maker), shutdown);
    this.logger.log('Traces are sent to the OpenTelemetry collector.');
  }

  async onApplicationShutdown(): Promise<void> {
    const stopped = Promise.allSettled(this.stops.map(async (stop) => stop()));
    await withTimeout(stopped, SHUTDOWN_MS, () => undefined);
  }

  private traceRequests(maker: SpanMaker): void {
    const fastify = this.host.httpAdapter.getInstance();
    fastify.addHook('onRequest', (request, _reply, done) => {
      const route = request.routeOptions.url;
      if (!route || PROBES.has(route)) return done();
      const started = maker.startServer(`${request.method} ${route}`, request.headers.traceparent, {
        'http.request.method': request.method,
        'http.route': route,
        'signet.request_id': request.id,
      });
      this.spans.set(request, started);
      this.current.run(started.context, done);
    });
    // Reading a body leaves the asynchronous context of the hook above.
    fastify.addHook('preValidation', (request, _reply, done) => {
      const started = this.spans.get(request);
      if (started) this.current.run(started.context, done);
      else done();
    });
    this.served.ended.subscribe((served) => this.endServer(maker, served));
  }

  private endServer(maker: SpanMaker, { request, status, code, isAborted }: ServedRequest): void {
    const started = this.spans.get(request);
    if (!started) return;
    started.span.setAttribute('http.response.status_code', status);
    const failure = isAborted ? 'aborted' : status >= 500 ? code || String(status) : null;
    if (code) started.span.setAttribute('error.type', code);
    maker.end(started.span, failure);
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
