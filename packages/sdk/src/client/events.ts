import { createParser, type EventSourceMessage, type ParseError } from 'eventsource-parser';
import { tooLarge } from '../bounded-body.js';
import { wrong } from '../checks.js';
import { InvalidRequestError, NotFoundError, SignetError, UnreachableError } from '../errors.js';
import type { PlatformName } from '../platform-names.js';
import type { Schemas } from '../schemas.js';
import { notOurs, pause, type Transport, waitAfter } from '../transport.js';

/** An event of keys, which is about no identity: the stream has empty texts there. */
type OfKeys<Event> = Omit<Event, 'platform' | 'identity'>;

/** What happened. */
type StreamEvent =
  | Schemas['ProofBoundEvent']
  | Schemas['ProofRevokedEvent']
  | Schemas['ProofInvalidatedEvent']
  | Schemas['ProofRestoredEvent']
  | Schemas['KvPatchedEvent']
  | Schemas['LinkArchivedEvent']
  | OfKeys<Schemas['KeyCommittedEvent']>
  | OfKeys<Schemas['KeyPendingEvent']>
  | OfKeys<Schemas['KeyFrozenEvent']>
  | OfKeys<Schemas['KeyThawedEvent']>
  | OfKeys<Schemas['KeySucceededEvent']>
  | OfKeys<Schemas['KeyVetoedEvent']>
  | OfKeys<Schemas['KeyAddedEvent']>
  | OfKeys<Schemas['KeyRevokedEvent']>;

/**
 * `proof.bound`, `proof.revoked`, `proof.invalidated`, `proof.restored`, `kv.patched`, `link.archived`,
 * `key.committed`, `key.pending`, `key.frozen`, `key.thawed`, `key.succeeded`, `key.vetoed`, `key.added` or
 * `key.revoked`. Those of keys have no platform and no identity.
 */
export type EventType = StreamEvent['type'];

/**
 * What happened: a union by `type`, so that `event.type === 'proof.invalidated'` makes `event.reason` known. `id` stays
 * the same when an event is repeated, `position` is its place in the one sequence of all events, and `recorded_at` is
 * UNIX seconds as text. A server of a later version may send other types, which a `switch` without a `default` ignores.
 */
export type SignetEvent<Type extends EventType = EventType> = Extract<StreamEvent, { type: Type }>;

/** Which events, and from where on. */
export interface EventOptions<Type extends EventType = EventType> {
  /** Go on behind this position; 0 begins with the oldest event that is kept. Absent: from now on. */
  after?: number | undefined;
  avatar?: string | undefined;
  platform?: PlatformName | undefined;
  /** All when absent. */
  types?: readonly Type[] | undefined;
  /** Ends the stream. */
  signal?: AbortSignal | undefined;
  /** Called when the stream is open (again), and now and then, with the position that is reached. */
  onPosition?: ((position: number) => void) | undefined;
}

/** A server says something every few seconds; after so long a connection is taken for dead. */
const LONGEST_SILENCE_MS = 90_000;
/** Characters of an event, or of a line that has no end yet. An event names what happened; it has some hundred. */
const MAX_EVENT_CHARACTERS = 1 << 20;

/**
 * Events as they happen, for ever: connects again by itself, behind the last event, when a connection ends for any
 * reason. A server that never answered with a stream of events is not asked again.
 * @throws WrongUsageError for `types` that are no list; InvalidRequestError for a filter or position that the server
 *   refuses; SignetError (`answer_too_large`) for an event that has no end, which would come again, and
 *   (`invalid_answer`) for the address of another server, and for an event that is none; the reason of the signal
 */
export async function* followEvents<Type extends EventType>(
  transport: Transport,
  options: EventOptions<Type>,
): AsyncGenerator<SignetEvent<Type>, void> {
  const { avatar, platform, types, signal, onPosition } = options;
  if (types !== undefined && !Array.isArray(types)) {
    throw wrong('types', 'a list of types of events', types);
  }
  let after = options.after;
  let wasOpen = false;
  let broken: SignetError | undefined;
  for (let tries = 0; ; tries++) {
    let failure: unknown;
    try {
      const query = { avatar, platform, types: types?.join(','), after };
      for await (const { event, id, data } of messagesOf(transport, query, signal)) {
        tries = 0;
        wasOpen = true;
        if (id !== undefined) after = Number(id);
        if (event === 'ready' || event === 'heartbeat') onPosition?.(Number(id));
        else {
          const happened = eventOf(data);
          if (!happened) throw (broken = notOurs(transport.baseUrl, 'a stream with an event that is none'));
          yield happened as SignetEvent<Type>;
        }
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error === broken) throw error;
      if (error instanceof InvalidRequestError || error instanceof NotFoundError) throw error;
      if (error instanceof SignetError && error.code === 'answer_too_large') throw error;
      // A proxy may show a page of its own while the server is away: that is waited for.
      if (!wasOpen && error instanceof SignetError && error.code === 'invalid_answer' && error.status === 200)
        throw error;
      failure = error;
    }
    await pause(waitAfter(failure, tries), signal);
  }
}

/** Null for a text that is no event: without it, what happened would be passed over. */
function eventOf(data: string): object | null {
  const event = jsonIn(data) as { type?: unknown; platform?: string; identity?: string } | null;
  if (typeof event?.type !== 'string') return null;
  if (event.platform === '') {
    delete event.platform;
    delete event.identity;
  }
  return event;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The position of the newest event: what a stream that starts now goes on from. @throws SignetError */
export async function newestPosition(transport: Transport, signal: AbortSignal | undefined): Promise<number> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(silent(transport.timeoutMs)), transport.timeoutMs);
  try {
    const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
    for await (const { event, id } of messagesOf(transport, {}, either)) {
      if (event === 'ready') return Number(id);
    }
  } finally {
    clearTimeout(timer);
  }
  const facts = { code: 'unreachable', retryable: true, wasSent: true } as const;
  throw new UnreachableError('The event stream ended before it said where it is.', facts);
}

/** The messages of one connection. */
async function* messagesOf(
  transport: Transport,
  query: Record<string, string | number | undefined>,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventSourceMessage> {
  const ended = new AbortController();
  const headers = { Accept: 'text/event-stream' };
  const either = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  let silence = setTimeout(() => ended.abort(silent(LONGEST_SILENCE_MS)), LONGEST_SILENCE_MS);
  try {
    const response = await transport.open('/v1/events', query, { headers, signal: either });
    if (!response.ok || !response.body) throw await transport.refusalOf(response, either);
    const type = response.headers.get('content-type') ?? '';
    if (!/^text\/event-stream\b/i.test(type)) throw notOurs(transport.baseUrl, 'no stream of events');
    const waiting: EventSourceMessage[] = [];
    let problem: ParseError | undefined;
    const parser = createParser({
      maxBufferSize: MAX_EVENT_CHARACTERS,
      onEvent: (message) => waiting.push(message),
      onError: (error) => (problem = error),
    });
    const decoder = new TextDecoder();
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(silence);
      silence = setTimeout(() => ended.abort(silent(LONGEST_SILENCE_MS)), LONGEST_SILENCE_MS);
      parser.feed(decoder.decode(part.value, { stream: true }));
      yield* waiting.splice(0);
      // Other errors are of lines that a reader skips (WHATWG HTML, "Interpreting an event stream").
      if (problem?.type === 'max-buffer-size-exceeded') {
        throw tooLarge(transport.baseUrl, MAX_EVENT_CHARACTERS, 'An event');
      }
    }
  } finally {
    clearTimeout(silence);
    ended.abort();
  }
}

function silent(ms: number): UnreachableError {
  const seconds = ms / 1000;
  const facts = { code: 'timeout', retryable: true, wasSent: true } as const;
  return new UnreachableError(`The event stream was silent for ${seconds} seconds.`, facts);
}
