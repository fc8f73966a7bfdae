import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { readBuildInfo } from '../../config/build-info.js';
import type { Environment } from '../../config/environment.js';

/**
 * Starts and ends spans with the OpenTelemetry SDK, whose packages are loaded with this file and therefore only if
 * traces are on. Spans go in batches to an OTLP/HTTP collector as JSON; if it is away, only spans are lost. The
 * exporter reads OTEL_EXPORTER_OTLP_* and the resource OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES from the
 * environment of the process by themselves.
 */
export class Spans {
  private readonly provider: TracerProvider;
  private readonly propagator = new W3CTraceContextPropagator();
  /** The span of the current asynchronous context. */
  private readonly current = new AsyncLocalStorage<Context>();

  constructor(environment: Environment) {
    const ours = resourceFromAttributes({ 'service.name': 'signet', 'service.version': readBuildInfo().revision });
    this.provider = new TracerProvider({
      resource: defaultResource()
        .merge(ours)
        .merge(detectResources({ detectors: [envDetector] })),
      sampler: samplerOf(environment),
      spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
    });
  }

  /**
   * Starts the span of an incoming request. In `context` other spans become its children.
   * @param traceparent the header of W3C Trace Context; what is not well-formed does not count
   */
  startServer(name: string, traceparent: unknown, attributes: Attributes): { span: Span; context: Context } {
    const parent = this.propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
    const span = this.tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    return { span, context: trace.setSpan(parent, span) };
  }

  /** Starts the span of an outbound request; outside of an incoming request, as in a recheck, it is its own trace. */
  startClient(name: string, attributes: Attributes, startTime?: Date): Span {
    const options = { kind: SpanKind.CLIENT, attributes, ...(startTime && { startTime }) };
    return this.tracer.startSpan(name, options, this.current.getStore() ?? ROOT_CONTEXT);
  }

  end(span: Span, failure: string | null): void {
    if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    span.end();
  }

  /** Runs `work`, and what it begins, in a context. */
  runIn(context: Context, work: () => void): void {
    this.current.run(context, work);
  }

  /** Whether the current context has a span. */
  get isTracing(): boolean {
    return this.current.getStore() !== undefined;
  }

  /** Sends the remaining spans. */
  shutdown(): Promise<void> {
    return this.provider.shutdown();
  }

  private get tracer() {
    return this.provider.getTracer('signet');
  }
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: Environment): Sampler {
  const root = rootSampler(name.replace('parentbased_', ''), Number(share));
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, share: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(share) : new AlwaysOnSampler();
}
