import { errorOf, RateLimitedError, SignetError, UnreachableError } from './errors.js';

/** How a client reaches its server. */
export interface TransportOptions {
  /** Where the service is, with a path if it has one. */
  baseUrl: string;
  /** Another `fetch`; the global one when absent. */
  fetch?: typeof fetch | undefined;
  /** For one try of a request, milliseconds; 30,000 when absent. */
  timeoutMs?: number | undefined;
  /** How often a request is tried again; 3 when absent. */
  retries?: number | undefined;
}

/** One request. */
export interface Call {
  method?: 'GET' | 'POST';
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** May be sent twice without harm. True for GET; a submit is not. */
  isRepeatable?: boolean;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 3;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
/** Longer waits are the caller's decision: the error has `retryAfter`. */
const LONGEST_RETRY_AFTER_MS = 60_000;
/** What Node says when no connection was made, so that no byte of the request was sent. Browsers do not tell. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

/** Sends requests and reads answers as JSON; tries again where that is safe. Holds no state. */
export class Transport {
  readonly baseUrl: string;
  readonly retries: number;
  private readonly fetch: typeof fetch;
  private readonly timeoutMs: number;

  constructor({ baseUrl, fetch: given, timeoutMs = TIMEOUT_MS, retries = RETRIES }: TransportOptions) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.fetch = given ?? ((input, init) => fetch(input, init));
    this.timeoutMs = timeoutMs;
    this.retries = retries;
  }

  /** The answer to a request, tried again where that cannot do harm. @throws SignetError, or the reason of `signal` */
  call<Answer>(call: Call): Promise<Answer> {
    return this.repeated(call, () => this.once<Answer>(call));
  }

  /** The bytes of an answer that is not JSON, tried again as by `call`. @throws as `call` */
  bytes(call: Call): Promise<Uint8Array> {
    return this.repeated(call, async () => {
      const response = await this.received(call);
      // Of a proxy or a network that asks for a login: nothing that the server has said.
      if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) throw notOurs(this.baseUrl, 'a web page');
      return new Uint8Array(await response.arrayBuffer());
    });
  }

  private async repeated<Answer>(call: Call, once: () => Promise<Answer>): Promise<Answer> {
    for (let tries = 0; ; tries++) {
      try {
        return await once();
      } catch (error) {
        if (tries >= this.retries || !isWorthRetrying(error, call)) throw error;
        const wait = waitAfter(error, tries);
        if (wait > LONGEST_RETRY_AFTER_MS) throw error;
        await pause(wait, call.signal);
      }
    }
  }

  /** One try. */
  async once<Answer>(call: Call): Promise<Answer> {
    const parsed = parse(await (await this.received(call)).text());
    if (typeof parsed === 'object' && parsed !== null) return parsed as Answer;
    throw notOurs(this.baseUrl, 'not JSON');
  }

  /** A successful answer, read whole. */
  private async received({ method = 'GET', path, query = {}, body, signal }: Call): Promise<Response> {
    const limit = AbortSignal.timeout(this.timeoutMs);
    const response = await this.open(path, query, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    const read = new Response(await this.guarded(response.arrayBuffer(), signal), { headers: response.headers });
    if (response.ok) return read;
    throw errorOf(response.status, response.headers, parse(await read.text()) as never);
  }

  /** The bare response of a request; for streams. @throws UnreachableError, or the reason of the signal */
  async open(path: string, query: Call['query'], init: RequestInit): Promise<Response> {
    const words = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(words.map(([name, value]): [string, string] => [name, String(value)]));
    const url = `${this.baseUrl}${path}${words.length > 0 ? `?${search.toString()}` : ''}`;
    return this.guarded(this.fetch(url, init), init.signal ?? undefined);
  }

  private async guarded<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
    try {
      return await promise;
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === 'TimeoutError') {
        const message = `No answer came from ${this.baseUrl} in ${this.timeoutMs / 1000} seconds.`;
        throw new UnreachableError(message, { code: 'timeout', retryable: true, wasSent: true, cause });
      }
      if (signal?.aborted) throw signal.reason;
      const code = (cause as { cause?: { code?: string } }).cause?.code;
      const message = `No answer came from ${this.baseUrl}${code === undefined ? '' : ` (${code})`}.`;
      const wasSent = code === undefined || !NOT_SENT.includes(code);
      throw new UnreachableError(message, { code: 'unreachable', retryable: true, wasSent, cause });
    }
  }
}

/** The error for a success that no Signet server would answer. */
function notOurs(baseUrl: string, what: string): SignetError {
  const message = `The answer of ${baseUrl} is ${what}: this is not the address of a Signet server, or something in between answers.`;
  return new SignetError(message, { code: 'invalid_answer', status: 200 });
}

/** Resolves after `ms`. @throws the reason of the signal as soon as it is aborted */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what the caller gave as its reason
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what the caller gave as its reason
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Milliseconds before the next try: what the server asked for, or 0.2, 0.4, 0.8 … 10 s with a spread of a half. */
export function waitAfter(error: unknown, tries: number): number {
  const asked = error instanceof RateLimitedError ? error.retryAfter : undefined;
  if (asked !== undefined) return asked * 1000;
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries) * (0.5 + Math.random() / 2);
}

function isWorthRetrying(error: unknown, { method = 'GET', isRepeatable = method === 'GET' }: Call): boolean {
  if (error instanceof RateLimitedError) return isRepeatable || error.status === 429;
  if (error instanceof UnreachableError) return isRepeatable || !error.wasSent;
  return isRepeatable && error instanceof SignetError && error.status >= 502 && error.status <= 504;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
