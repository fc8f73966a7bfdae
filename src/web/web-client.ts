/** Contract only for now; see the brief. */
export interface WebRequest {
  /** Absolute URL, built by the caller from validated ids; never a pasted one. */
  url: string;
  /**
   * Who chose the host: `operator` (a base URL from the settings, trusted, may be http and private) or `user` (https and port 443 only,
   * public addresses only, checked at connect time).
   */
  trust: 'operator' | 'user';
  /** Platform value; budgets, concurrency and the circuit are kept per platform and per host. */
  platform: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Bytes after decompression; default OUTBOUND_MAX_BYTES. */
  maxBytes?: number;
  /** Milliseconds in all; default OUTBOUND_TIMEOUT_MS. */
  timeoutMs?: number;
  /** Shared by the requests of one verification: bounds their number and their total time. */
  budget?: RequestBudget;
}

export interface WebReply {
  status: number;
  /** Lowercase names; repeated headers joined by `, `. */
  headers: Record<string, string>;
  body: Uint8Array;
}

/** A reply whose body is JSON. `json` is null where the body is empty or the status carries none. */
export interface JsonReply<T> extends WebReply {
  json: T | null;
}

/** At most `requests` requests in `totalMs` milliseconds; the next one throws PlatformUnavailableError. */
export class RequestBudget {
  constructor(requests = 8, totalMs = 10_000) {
    throw new Error(`not written yet ${requests} ${totalMs}`);
  }
}
