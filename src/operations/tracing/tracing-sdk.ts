import type { Tracer } from '@opentelemetry/api';
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
import type { Environment } from '../../config/environment.js';
import { readBuildInfo } from '../../config/build-info.js';

/** How spans leave the process. */
export interface TracingSdk {
  tracer: Tracer;
  /** Sends the remaining spans. */
  shutdown: () => Promise<void>;
}

/**
 * Starts the OpenTelemetry SDK, whose packages are loaded with this file and therefore only if traces are on. Spans go
 * in batches to an OTLP/HTTP collector as JSON; if it is away, only spans are lost. The exporter reads
 * OTEL_EXPORTER_OTLP_* and the resource OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES from the environment of the
 * process by themselves.
 */
export function startTracingSdk(environment: Environment): TracingSdk {
  const ours = resourceFromAttributes({ 'service.name': 'signet', 'service.version': readBuildInfo().revision });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(ours)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(environment),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  return { tracer: provider.getTracer('signet'), shutdown: () => provider.shutdown() };
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: Environment): Sampler {
  const root = rootSampler(name.replace('parentbased_', ''), Number(share));
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, share: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(share) : new AlwaysOnSampler();
}
