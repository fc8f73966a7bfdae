import { holdsPrivateKey } from '@signet/verify/internal';
import { readBody, tooLarge } from './bounded-body.js';
import { wrong } from './checks.js';
import { BusyError, errorOf, InvalidRequestError, RateLimitedError, SignetError, UnreachableError } from './errors.js';

/** How a client reaches its server. */
export interface TransportOptions {
  /** Where the service is, with a path if it has one. */
  baseUrl: string;
  /** Another `fetch`; the global one when absent. */
  fetch?: typeof fetch | undefined;
  /** For one try of a request, milliseconds; 30,000 when absent. No limit is longer than 24 days. */
  timeoutMs?: number | undefined;
  /** How often a request is tried again; 3 when absent. */
  retries?: number | undefined;
  /** For one call with all its tries and the waits between them, milliseconds; 120,000 when absent. */
  totalTimeoutMs?: number | undefined;
  /**
   * The longest answer that is read, bytes after decompression; 8 MiB when absent, twice what a server answers at most
   * with its own default settings. Files of the log have smaller limits of their own.
   */
  maxAnswerBytes?: number | undefined;
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
  /** The longest answer, where less is due than `maxAnswerBytes` of the client. */
  maxBytes?: number;
  /** What the answers of one list may have together, and what is left of that. */
  budget?: { bytes: number; left: number };
  /** Whether caches on the way have to ask the server. */
  isFresh?: boolean;
  /** The member of the answer that is a list. */
  list?: string;
  /** The member of the answer that is a text. */
  text?: string;
  /** Whether a value has the form of the answer. */
  hasForm?: (value: unknown) => boolean;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 3;
const TOTAL_TIMEOUT_MS = 120_000;
/** What timers hold: 32 bits with a sign. Those of more end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const MAX_ANSWER_BYTES = 8 << 20;
/** An error has a message and a code. */
const MAX_ERROR_BYTES = 64 * 1024;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
const LONGEST_RETRY_AFTER_MS = 60_000;
/** What Node says when no connection was made, so that no byte of the request was sent. Browsers do not say. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

/** Whether requests can be sent below a value: an http or https URL; in a page also `''` or a path. */
function isAddress(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const isOfThePage = value === '' || value.startsWith('/');
  if (isOfThePage) return 'location' in globalThis;
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

/** Sends requests and reads answers as JSON; tries again where that is safe. Holds no state. */
export class Transport {
  readonly baseUrl: string;
  readonly retries: number;
  readonly timeoutMs: number;
  private readonly fetch: typeof fetch;
  private readonly totalTimeoutMs: number;
  private readonly maxAnswerBytes: number;

  /** @throws WrongUsageError for a `baseUrl` to which nothing can be sent */
  constructor(options: TransportOptions) {
    const { baseUrl, fetch: given } = options;
    if (!isAddress(baseUrl)) {
      throw wrong('baseUrl', 'the address of a server, such as https://signet.example', baseUrl);
    }
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.fetch = given ?? ((input, init) => fetch(input, init));
    this.timeoutMs = Math.min(options.timeoutMs ?? TIMEOUT_MS, LONGEST_TIMER_MS);
    this.retries = options.retries ?? RETRIES;
    this.totalTimeoutMs = Math.min(options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS, LONGEST_TIMER_MS);
    this.maxAnswerBytes = options.maxAnswerBytes ?? MAX_ANSWER_BYTES;
  }

  /** The answer to a request, tried again where that cannot do harm. @throws SignetError, or the reason of `signal` */
  call<Answer>(call: Call): Promise<Answer> {
    return this.repeated(call, (endsAt) => this.once<Answer>(call, endsAt));
  }

  /** The bytes of an answer that is not JSON, tried again as by `call`. @throws as `call` */
  bytes(call: Call): Promise<Uint8Array> {
    return this.repeated(call, async (endsAt) => {
      const { bytes, headers } = await this.received(call, endsAt);
      // Of a proxy or a network that asks for a login: nothing that the server has said.
      if (/^text\/html\b/i.test(headers.get('content-type') ?? '')) throw notOurs(this.baseUrl, 'a web page');
      return bytes;
    });
  }

  /** When a call that begins now has to be over, milliseconds of `performance.now()`. */
  endOfCall(): number {
    return performance.now() + this.totalTimeoutMs;
  }

  /** Waits before another try, and resolves to false at once where there is no time, or there are no tries, left. */
  async waited(failure: unknown, tries: number, endsAt: number, signal: AbortSignal | undefined): Promise<boolean> {
    const wait = waitAfter(failure, tries);
    // A longer wait than a caller expects is the caller's decision: the error has `retryAfterSeconds`.
    if (tries >= this.retries || wait > LONGEST_RETRY_AFTER_MS || performance.now() + wait >= endsAt) return false;
    await pause(wait, signal);
    return true;
  }

  private async repeated<Answer>(call: Call, once: (endsAt: number) => Promise<Answer>): Promise<Answer> {
    const endsAt = this.endOfCall();
    for (let tries = 0; ; tries++) {
      try {
        return await once(endsAt);
      } catch (error) {
        if (!isWorthRetrying(error, call) || !(await this.waited(error, tries, endsAt, call.signal))) throw error;
      }
    }
  }

  /** One try, over at `endsAt` of `endOfCall`. */
  async once<Answer>(call: Call, endsAt: number): Promise<Answer> {
    const parsed = parse((await this.received(call, endsAt)).bytes);
    if (typeof parsed !== 'object' || parsed === null) throw notOurs(this.baseUrl, 'not JSON');
    const { list, text, hasForm = () => true } = call;
    const isWhole = list ? Array.isArray(parsed[list as never]) : !text || typeof parsed[text as never] === 'string';
    if (!isWhole) throw notOurs(this.baseUrl, `without ${list ?? text}`);
    if (!hasForm(parsed)) throw notOurs(this.baseUrl, 'of another form');
    return parsed as Answer;
  }

  /** A successful answer, read whole. */
  private async received(call: Call, endsAt: number): Promise<{ bytes: Uint8Array; headers: Headers }> {
    const { method = 'GET', path, query = {}, body, signal, maxBytes = Infinity, budget, isFresh } = call;
    if (signal && !(signal instanceof AbortSignal)) throw wrong('signal', 'an AbortSignal', signal);
    const timeoutMs = Math.max(1, Math.min(this.timeoutMs, endsAt - performance.now()));
    const limit = AbortSignal.timeout(Math.ceil(timeoutMs));
    const response = await this.open(path, query, {
      method,
      // What is signed for one server goes to no other.
      redirect: method === 'GET' ? 'follow' : 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      ...(isFresh && { cache: 'no-cache' as const }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    if (method !== 'GET' && isRedirect(response)) throw redirected(this.baseUrl, path, response);
    if (!response.ok) throw await this.refusalOf(response, signal);
    const most = Math.min(maxBytes, this.maxAnswerBytes);
    const reading =
      budget && budget.left < most
        ? readBody(response, budget.left, this.baseUrl, tooLarge(this.baseUrl, budget.bytes, 'The list'))
        : readBody(response, most, this.baseUrl);
    const bytes = await this.guarded(reading, signal);
    if (budget) budget.left -= bytes.length;
    return { bytes, headers: response.headers };
  }

  /** The error of an answer that is not a success. @throws UnreachableError where its body breaks off */
  async refusalOf(response: Response, signal: AbortSignal | undefined): Promise<SignetError> {
    const body = await this.guarded(readBody(response, MAX_ERROR_BYTES, this.baseUrl), signal).then(parse, (error) => {
      // What is too long is no reason; the status is.
      if (error instanceof SignetError && error.code === 'answer_too_large') return null;
      throw error;
    });
    return errorOf(response.status, response.headers, body as never);
  }

  /**
   * The bare response of a request; for streams.
   * @throws UnreachableError, or the reason of the signal; InvalidRequestError for a private key, which is sent to
   *   nobody
   */
  async open(path: string, query: Call['query'], init: RequestInit): Promise<Response> {
    const words = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(words.map(([name, value]): [string, string] => [name, String(value)]));
    const url = `${this.baseUrl}${path}${words.length > 0 ? `?${search.toString()}` : ''}`;
    const sent = [url, ...search.values(), ...(typeof init.body === 'string' ? [init.body] : [])];
    if (sent.some(holdsPrivateKey)) {
      throw new InvalidRequestError('This holds a private key. It was not sent: show it to nobody.', {
        status: 400,
        code: 'invalid_identity',
      });
    }
    return this.guarded(this.fetch(url, init), init.signal ?? undefined);
  }

  private async guarded<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
    try {
      return await promise;
    } catch (cause) {
      if (cause instanceof SignetError) throw cause;
      if (cause instanceof DOMException && cause.name === 'TimeoutError') {
        const seconds = Math.min(this.timeoutMs, this.totalTimeoutMs) / 1000;
        const message = `No answer came from ${this.baseUrl} in ${seconds} seconds.`;
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
export function notOurs(baseUrl: string, what: string): SignetError {
  const message = `The answer of ${baseUrl} is ${what}: this is not the address of a Signet server, or something in between answers.`;
  return new SignetError(message, { code: 'invalid_answer', status: 200 });
}

/** Whether an answer sends on. Browsers show no more of it than its type. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** The error for a write to an address that sends on to another, which is named where it is shown. */
function redirected(baseUrl: string, path: string, { headers }: Response): SignetError {
  const to = headers.get('location')?.replace(path, '');
  return wrong('baseUrl', `the address that it redirects writes to${to ? `, ${to}` : ''}`, baseUrl);
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
  const asked = error instanceof SignetError ? error.retryAfterSeconds : undefined;
  if (asked !== undefined) return asked * 1000;
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries) * (0.5 + Math.random() / 2);
}

function isWorthRetrying(error: unknown, { method = 'GET', isRepeatable = method === 'GET' }: Call): boolean {
  if (error instanceof RateLimitedError) return true;
  if (error instanceof BusyError) return isRepeatable;
  if (error instanceof UnreachableError) return isRepeatable || !error.wasSent;
  return isRepeatable && error instanceof SignetError && error.status >= 502 && error.status <= 504;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
