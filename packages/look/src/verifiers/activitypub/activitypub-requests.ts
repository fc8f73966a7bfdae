import type { PlatformUnavailableError } from '../../errors.js';
import { RequestBudget } from '../../web/fetcher.js';
import type { Followed, JsonReply, Fetcher, RequestSigner, WebReply } from '../../web/fetcher.js';
import { unusableAnswer } from '../../web/unusable-answer.js';

const MAX_REQUESTS = 8; // a split domain with one redirect takes six, and both forms of a signed request two
const TOTAL_MS = 10_000;
/** Of a post, and of what else is read: JSON of a megabyte costs a host of whoever likes nothing, and us much. */
const MAX_BYTES = 256 * 1024;

/** All requests of one check, to hosts that users chose: never trusted, and bounded in number and time together. */
export class FediverseRequests {
  private readonly budget = new RequestBudget(MAX_REQUESTS, TOTAL_MS);

  constructor(private readonly web: Fetcher) {}

  /** Whether only answers that allow other origins can be read; those to nodeinfo often do not. */
  get isCrossOrigin(): boolean {
    return this.web.isCrossOrigin === true;
  }

  /** A GET that follows no redirect; every status is returned, with a body of any kind. */
  get(url: string, accept: string): Promise<WebReply> {
    return this.web.send({ ...this.common(url), headers: { accept } });
  }

  getJson<T>(url: string): Promise<JsonReply<T>> {
    return this.web.sendJson<T>({ ...this.common(url), maxBytes: MAX_BYTES });
  }

  /**
   * The one request that may be redirected to another host, and whose type does not matter, because static hosts know
   * none for a file without an ending: webfinger (docs/design/platforms.md 10, split domains).
   */
  getJsonFollowing<T>(url: string, accept: string, maxBytes: number): Promise<JsonReply<T> & Followed> {
    return this.web.sendJsonFollowing<T>({ ...this.common(url), headers: { accept }, maxBytes, isJsonOfAnyType: true });
  }

  /** What signs requests of this program; undefined where it has no key that servers can read. */
  signerOf(): RequestSigner | undefined {
    return this.web.requestSigner;
  }

  /** A GET with headers that sign it. */
  getSigned<T>(url: string, headers: Record<string, string>): Promise<JsonReply<T>> {
    return this.web.sendJson<T>({ ...this.common(url), headers, maxBytes: MAX_BYTES });
  }

  postJson<T>(url: string, body: unknown): Promise<JsonReply<T>> {
    const headers = { 'content-type': 'application/json' };
    return this.web.sendJson<T>({
      ...this.common(url),
      method: 'POST',
      headers,
      maxBytes: MAX_BYTES,
      body: JSON.stringify(body),
    });
  }

  private common(url: string) {
    return { url, trust: 'user', platform: 'activitypub', budget: this.budget } as const;
  }
}

/** The server answered with something that its kind of server does not say. */
export function unusable(): PlatformUnavailableError {
  return unusableAnswer('The server of this account');
}
