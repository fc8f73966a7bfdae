import type { Environment } from '../../config/environment.js';

/** What requests cost, in a word for each kind: limits are counted for each of them apart. */
export type RouteClass = 'reads' | 'searches' | 'documents' | 'payloads' | 'submits' | 'streams' | 'admin';

/** One rate limit. */
export interface Quota {
  name: RouteClass;
  /** Points of one client in one window; an ordinary request costs one. */
  limit: number;
  /** Whether all servers count together: where others pay for a request, more servers must not mean more requests. */
  isShared: boolean;
}

/** What a request is counted as before it is served. */
export interface Charge {
  name: RouteClass;
  points: number;
}

/** A request, as far as its cost can be told before its body is read. */
export interface Asked {
  method: string;
  /** As registered, such as `/v1/proof/payload`; undefined where there is none. */
  route: string | undefined;
  query: unknown;
}

/** Seconds of the window of every limit. */
export const WINDOW_SECONDS = 60;

/** What load balancers and supervisors ask. It costs next to nothing, and refusing it would take the server away. */
const PROBES = /^\/(healthz|livez|readyz)$/;
/** Texts and files that are kept, for people who read the description or the page, and for operators. */
const DOCUMENTS = /^\/(metrics|openapi\.json|asyncapi\.json|docs(\/.*)?|[a-z]+\.(svg|js)|assets\/.*)?$/;
/** Views of the page, and pictures for links to them. They cost some work, so they may be refused before documents. */
const VIEWS = /^\/((a|p|revoke|kv)\/\*|bind|kv|verify|transparency|console|(embed|seal)\/.*)$/;

/** The seal of a key, drawn for whoever asks for one that is not kept: some ten milliseconds, five times a view. */
const PICTURES = /^\/seal\/.*$/;
const POINTS_OF_A_PICTURE = 5;

/** Bytes of a body or an answer that are in the price of every request; each time as much again costs a point more. */
const BYTES_OF_A_POINT = 64 * 1024;
/** What a body may have whose length nobody says beforehand. */
const UNKNOWN_LENGTH_BYTES = 1024 * 1024;
/** More terms are refused when the search is read. */
const MAX_TERMS = 50;
/** Pages that are found with the effort of one point for each term. */
const PAGES_OF_A_POINT = 10;

/** Whether the route is answered however busy the server is: probes, and the metrics that tell how busy it is. */
export function isAlwaysServed(route = ''): boolean {
  return PROBES.test(route) || route === '/metrics';
}

/** Whether the route is answered from memory. */
export function isDocument(route = ''): boolean {
  return DOCUMENTS.test(route) || VIEWS.test(route);
}

/**
 * What the request is counted as; null if it is not. A submit starts among the payloads, and is counted among the
 * submits too when its body says that a platform has to be asked.
 * @param serviceName the platform value that stands for the key itself, which is always looked up exactly
 */
export function chargeOf({ method, route = '', query }: Asked, serviceName: string): Charge | null {
  if (PROBES.test(route)) return null;
  const once = (name: RouteClass): Charge => ({ name, points: 1 });
  if (PICTURES.test(route)) return { name: 'documents', points: POINTS_OF_A_PICTURE };
  if (isDocument(route)) return once('documents');
  if (route.startsWith('/admin/')) return once('admin');
  if (route === '/v1/events') return once('streams');
  if (method !== 'GET' && method !== 'HEAD') return once('payloads');
  const { exact, platform, identity, page } = (query ?? {}) as Record<string, unknown>;
  const isSearch = route === '/v1/proof' && exact !== 'true' && platform !== serviceName;
  return isSearch ? { name: 'searches', points: priceOfSearch(identity, page) } : once('reads');
}

/** Each term is looked up by itself, and to reach a page all before it are found: a search costs both. */
function priceOfSearch(identity: unknown, page: unknown): number {
  const terms = typeof identity === 'string' ? Math.min(identity.split(',').length, MAX_TERMS) : 1;
  const depth = typeof page === 'string' && /^\d{1,16}$/.test(page) ? Number(page) : 1;
  return terms * Math.max(1, Math.ceil(depth / PAGES_OF_A_POINT));
}

/** What a request costs more than one point, for the bytes that were read of it and written for it. */
export function pointsOfBytes(contentLength: string | undefined, isChunked: boolean, answerBytes: number): number {
  const bodyBytes = isChunked ? UNKNOWN_LENGTH_BYTES : Math.min(Number(contentLength ?? 0), UNKNOWN_LENGTH_BYTES);
  return Math.floor(bodyBytes / BYTES_OF_A_POINT) + Math.floor(answerBytes / BYTES_OF_A_POINT);
}

/** All limits, as the settings have them. */
export function quotasOf(environment: Environment): Quota[] {
  return [
    { name: 'reads', limit: environment.RATE_LIMIT_READS, isShared: false },
    { name: 'searches', limit: environment.RATE_LIMIT_SEARCHES, isShared: false },
    { name: 'documents', limit: environment.RATE_LIMIT_DOCUMENTS, isShared: false },
    { name: 'payloads', limit: environment.RATE_LIMIT_PAYLOADS, isShared: false },
    { name: 'submits', limit: environment.RATE_LIMIT_SUBMITS, isShared: true },
    { name: 'streams', limit: environment.RATE_LIMIT_STREAMS, isShared: true },
    { name: 'admin', limit: environment.RATE_LIMIT_ADMIN, isShared: false },
  ];
}
