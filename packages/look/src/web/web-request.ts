import { WebFailure } from './web-failure.js';

/** One request to a platform, with the limits that hold for it. */
export interface WebRequest {
  /** Absolute URL, built by the caller from validated ids; never a pasted one. */
  url: string;
  /**
   * Who chose the host: `operator` (a base URL from the settings, trusted, may be http and private) or `user` (https
   * and port 443 only, public addresses only, checked at connect time).
   */
  trust: 'operator' | 'user';
  /** Platform value; budgets, concurrency and the circuit are kept per platform and host. */
  platform: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Whether a 200 is read as JSON whatever type it states, as of files on static hosts; absent: no. */
  isJsonOfAnyType?: boolean;
  /** Bytes after decompression, where that is less than OUTBOUND_MAX_BYTES. */
  maxBytes?: number;
  /** Milliseconds in all; default OUTBOUND_TIMEOUT_MS. */
  timeoutMs?: number;
  /**
   * Milliseconds from the connection to the end of the reply's headers, for servers that may think longer than a
   * platform does.
   */
  headersMs?: number;
  /** Posts for which this request is paid if it is answered with a 200; absent: none. */
  paidReads?: number;
  /** Shared by the requests of one verification: bounds their number and their total time. */
  budget?: RequestBudget;
}

/** The answer to a request, of any status. */
export interface WebReply {
  status: number;
  /** Lowercase names; repeated headers joined by `, `. */
  headers: Record<string, string>;
  body: Uint8Array;
}

/** A reply of which JSON was expected. */
export interface JsonReply<T> extends WebReply {
  /**
   * Null where the reply carries no JSON: a 204, a redirect, a 4xx with another kind of body. JSON may itself be null;
   * see `isJson`.
   */
  json: T | null;
  /** Whether the body was JSON. Distinguishes an API's own 404 from that of a proxy or a bot wall. */
  isJson: boolean;
}

/** The end of a chain of redirects. */
export interface Followed {
  /** Where the reply came from in the end. */
  url: string;
}

/**
 * At most `requests` requests in `totalMs` milliseconds, counted from the first; the next one throws
 * PlatformUnavailableError.
 */
export class RequestBudget {
  /** In milliseconds of `performance.now()`. */
  private endsAt: number | undefined;

  constructor(
    private requests = 8,
    private readonly totalMs = 10_000,
  ) {}

  /**
   * Counts one request against the budget. Returns how many milliseconds it may last.
   * @throws WebFailure if nothing is left.
   */
  consume(): number {
    const now = performance.now();
    this.endsAt ??= now + this.totalMs;
    const remainingMs = this.endsAt - now;
    if (this.requests <= 0 || remainingMs <= 0)
      throw new WebFailure('exhausted', 'the budget of this verification is used up');
    this.requests -= 1;
    return remainingMs;
  }
}
