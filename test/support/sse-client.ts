import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

/** One message of an event stream. */
interface SseMessage {
  id: string;
  event: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a client does not know the shape either; tests assert it
  data: any;
}

export interface SseOptions {
  lastEventId?: string | number | undefined;
  headers?: Record<string, string>;
  /** Called for each message, in order. */
  onMessage?: (message: SseMessage) => void;
}

/** A reader of `GET /v1/events`, as WHATWG HTML ("Parsing an event stream") wants it. */
export interface SseReader {
  status: number;
  headers: IncomingMessage['headers'];
  /** What came so far, `ready` and heartbeats included. */
  messages: SseMessage[];
  /** Those that tell of events. */
  readonly events: SseMessage[];
  readonly positions: number[];
  /** What a browser sends as Last-Event-ID when it connects again; empty before the first id. */
  readonly lastEventId: string;
  /** All text so far, as it came. */
  readonly text: string;
  /** Resolves with the messages as soon as `isEnough` holds. @throws Error if the stream ends before. */
  until(isEnough: (reader: SseReader) => boolean): Promise<SseReader>;
  /** Stops and resumes taking bytes from the socket. */
  pause(): void;
  resume(): void;
  close(): void;
  /** Resolves when the stream is over, whoever ended it. */
  ended: Promise<void>;
}

/** Opens a stream, and resolves with the head of the answer. An answer other than 200 is read to its end first. */
export async function openSse(baseUrl: string, path = '/v1/events', options: SseOptions = {}): Promise<SseReader> {
  const headers = {
    Accept: 'text/event-stream',
    ...(options.lastEventId !== undefined && { 'Last-Event-ID': String(options.lastEventId) }),
    ...options.headers,
  };
  const request = get(`${baseUrl}${path}`, { headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => {});
  return readerOf(response, options);
}

function readerOf(response: IncomingMessage, { onMessage }: SseOptions): SseReader {
  const messages: SseMessage[] = [];
  const waiting = new Set<() => void>();
  let text = '';
  let rest = '';
  let lastEventId = '';
  let isOver = false;

  const dispatch = (block: string): void => {
    const fields = fieldsOf(block);
    lastEventId = fields.id ?? lastEventId;
    if (fields.data === undefined) return;
    const message = { id: lastEventId, event: fields.event ?? 'message', data: JSON.parse(fields.data) as unknown };
    messages.push(message);
    onMessage?.(message);
  };
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop()!;
    blocks.forEach(dispatch);
    waiting.forEach((look) => look());
  });
  response.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    response.on('close', () => {
      isOver = true;
      waiting.forEach((look) => look());
      resolve();
    });
  });

  const reader: SseReader = {
    status: response.statusCode!,
    headers: response.headers,
    messages,
    get events() {
      return messages.filter(({ event }) => !['ready', 'heartbeat'].includes(event));
    },
    get positions() {
      return reader.events.map(({ data }) => (data as { position: number }).position);
    },
    get lastEventId() {
      return lastEventId;
    },
    get text() {
      return text;
    },
    until: (isEnough) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (isEnough(reader)) resolve(reader);
          else if (isOver) reject(new Error(`The stream ended too early; the last text was: ${text.slice(-500)}`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void response.destroy(),
    ended,
  };
  return reader;
}

function fieldsOf(block: string): { id?: string; event?: string; data?: string } {
  const fields: Record<string, string> = {};
  for (const line of block.split('\n')) {
    const [, name, value] = /^([^:]*)(?:: ?(.*))?$/.exec(line)!;
    if (!name) continue;
    fields[name] = name === 'data' && 'data' in fields ? `${fields[name]}\n${value ?? ''}` : (value ?? '');
  }
  return fields;
}
