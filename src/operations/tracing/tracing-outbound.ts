import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Span } from '@opentelemetry/api';
import type { Spans } from './spans.js';

/**
 * A message of undici's channels (undici, docs/api/DiagnosticsChannel.md); of the request only what is not secret.
 */
interface RequestMessage {
  request: { method: string; origin: string | URL };
  response?: { statusCode: number };
  error?: Error;
}

/** Makes a span for each outbound request of this process. @returns a function that stops it */
export function traceOutboundRequests(spans: Spans): () => void {
  const running = new WeakMap<object, Span>();
  const listeners: Record<string, (message: RequestMessage) => void> = {
    'undici:request:create': ({ request }) => {
      const { method, origin } = request;
      const host = new URL(origin).hostname;
      const attributes = { 'http.request.method': method, 'server.address': host };
      running.set(request, spans.startClient(method, attributes));
    },
    'undici:request:headers': ({ request, response }) => {
      running.get(request)?.setAttribute('http.response.status_code', response!.statusCode);
    },
    'undici:request:trailers': ({ request }) => end(request, null),
    'undici:request:error': ({ request, error }) => end(request, error?.name ?? 'error'),
  };
  const end = (request: object, failure: string | null) => {
    const span = running.get(request);
    if (span) spans.end(span, failure);
    running.delete(request);
  };
  const entries = Object.entries(listeners) as [string, (message: unknown) => void][];
  for (const [channel, listener] of entries) subscribe(channel, listener);
  return () => {
    for (const [channel, listener] of entries) unsubscribe(channel, listener);
  };
}
