import type { Attributes, Context, Span, SpanContext, Tracer } from '@opentelemetry/api';

type Api = typeof import('@opentelemetry/api');

// W3C Trace Context, section 3.2: version, trace id, id of the parent, flags.
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Starts and ends spans. The library is passed to the constructor, because it is loaded only if traces are on. */
export class SpanMaker {
  constructor(
    private readonly tracer: Tracer,
    private readonly api: Api,
    private readonly current: () => Context | undefined,
  ) {}

  /** Starts the span of an incoming request. */
  startServer(
    name: string,
    traceparent: string | string[] | undefined,
    attributes: Attributes,
  ): { span: Span; context: Context } {
    const { ROOT_CONTEXT, SpanKind, trace, isSpanContextValid } = this.api;
    const caller = callerOf(traceparent);
    const parent = caller && isSpanContextValid(caller) ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
    const span = this.tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    return { span, context: trace.setSpan(parent, span) };
  }

  /** Starts the span of an outbound request; outside of an incoming request, as in a recheck, it is its own trace. */
  startClient(name: string, attributes: Attributes, startTime?: Date): Span {
    const { ROOT_CONTEXT, SpanKind } = this.api;
    const options = { kind: SpanKind.CLIENT, attributes, ...(startTime && { startTime }) };
    return this.tracer.startSpan(name, options, this.current() ?? ROOT_CONTEXT);
  }

  /** Whether the current context has a span. */
  get isTracing(): boolean {
    return this.current() !== undefined;
  }

  end(span: Span, failure: string | null): void {
    if (failure !== null) span.setStatus({ code: this.api.SpanStatusCode.ERROR, message: failure });
    span.end();
  }
}

function callerOf(traceparent: string | string[] | undefined): SpanContext | null {
  const parts = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  return parts && { traceId: parts[1]!, spanId: parts[2]!, traceFlags: Number.parseInt(parts[3]!, 16), isRemote: true };
}
