import type { FastifyRequest } from 'fastify';
import type { Environment } from '../../config/environment.js';

/**
 * Classes of requests by their cost. Each has a limit of its own, and words for what is counted in its refusals. Where
 * others bear the cost, all servers count together: more servers must not mean more requests.
 */
const CLASSES = {
  reads: { setting: 'RATE_LIMIT_READS', isShared: false, words: 'reads' },
  searches: { setting: 'RATE_LIMIT_SEARCHES', isShared: false, words: 'searches for one term' },
  documents: { setting: 'RATE_LIMIT_DOCUMENTS', isShared: false, words: 'reads of the documents of this server' },
  payloads: { setting: 'RATE_LIMIT_PAYLOADS', isShared: false, words: 'writes' },
  submits: { setting: 'RATE_LIMIT_SUBMITS', isShared: true, words: 'submits that ask a platform' },
  streams: { setting: 'RATE_LIMIT_STREAMS', isShared: true, words: 'new event streams' },
  admin: { setting: 'RATE_LIMIT_ADMIN', isShared: false, words: 'admin calls' },
} as const;

export type RouteClass = keyof typeof CLASSES;

/** All limits, as the settings have them: points of one client in one window; an ordinary request costs one. */
export function quotasOf(environment: Environment) {
  return Object.entries(CLASSES).map(([name, { setting, isShared, words }]) => {
    return { name: name as RouteClass, limit: environment[setting], isShared, words };
  });
}

/** One rate limit. */
export type Quota = ReturnType<typeof quotasOf>[number];

/** The class and the points with which a request is counted before it is served. */
export interface Charge {
  name: RouteClass;
  points: number;
}

/** The parts of a request that decide its cost before its body is read. */
export interface Asked {
  method: string;
  /** Pattern of the route, such as `/v1/proof/payload`; undefined if no route matches. */
  route: string | undefined;
  query: unknown;
}

/** Seconds of the window of every limit. */
export const WINDOW_SECONDS = 60;

/**
 * Probes of load balancers and supervisors, which cost next to nothing; refusing one takes the server out of service.
 */
const PROBES = /^\/(healthz|livez|readyz)$/;
/** Files of the page, which are kept in memory. A page whose scripts or pictures are refused is broken for good. */
const PAGE_FILES = /^\/([a-z-]+\.(svg|js)|example\.json|assets\/.*)$/;
/** Texts that are kept, for people who read the description or the page, and for operators. */
const DOCUMENTS = /^\/(metrics|openapi\.json|asyncapi\.json|docs(\/.*)?)?$/;
/** Views of the page, and pictures for links to them. They cost some work, so they may be refused before documents. */
const VIEWS = /^\/((a|p|revoke|kv)\/\*|bind|kv|verify|transparency|console|(embed|seal)\/.*)$/;

/** Pictures of seals: drawing one takes some ten milliseconds, five times a view. */
const PICTURES = /^\/seal\/.*$/;
const POINTS_OF_A_PICTURE = 5;

/** Bytes of a body or an answer that are in the price of every request; each time as much again costs a point more. */
const BYTES_OF_A_POINT = 64 * 1024;
/** Bytes assumed for a body without a stated length. */
const UNKNOWN_LENGTH_BYTES = 1024 * 1024;
/** More terms are refused when the search is read. */
const MAX_TERMS = 50;
/** Names that an exact lookup finds with the effort of one point. */
const NAMES_OF_A_POINT = 25;
/** Pages that are found with the effort of one point for each term. */
const PAGES_OF_A_POINT = 10;

/** Whether the route is a file of the page. */
export function isPageFile(route = ''): boolean {
  return PAGE_FILES.test(route);
}

/**
 * Whether the route is answered however busy the server is: probes, the metrics that show the load, and the files of
 * the page, since a document that was served is of no use without them.
 */
export function isAlwaysServed(route = ''): boolean {
  return PROBES.test(route) || isPageFile(route) || route === '/metrics';
}

/** Whether the route is answered from memory. */
export function isDocument(route = ''): boolean {
  return DOCUMENTS.test(route) || isPageFile(route) || VIEWS.test(route);
}

/**
 * The charge of a request; null if it is not counted. A submit is first counted as a payload, and later as a submit too
 * if its body shows that a platform has to be asked.
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
  if (route !== '/v1/proof') return once('reads');
  const isSearch = exact !== 'true' && platform !== serviceName;
  if (isSearch) return { name: 'searches', points: priceOfSearch(identity, page) };
  return { name: 'reads', points: Math.ceil(termsOf(identity) / NAMES_OF_A_POINT) };
}

/** The charge of a request that the server has. */
export function chargeOfRequest({ method, query, routeOptions }: FastifyRequest, serviceName: string): Charge | null {
  return chargeOf({ method, route: routeOptions.url, query }, serviceName);
}

/** Points of a search: each term is a lookup of its own, and all pages before the requested one are found too. */
function priceOfSearch(identity: unknown, page: unknown): number {
  const depth = typeof page === 'string' && /^\d{1,16}$/.test(page) ? Number(page) : 1;
  return termsOf(identity) * Math.max(1, Math.ceil(depth / PAGES_OF_A_POINT));
}

function termsOf(identity: unknown): number {
  return typeof identity === 'string' ? Math.min(identity.split(',').length, MAX_TERMS) : 1;
}

/** Points beyond the first, for the bytes of the request and of its answer. */
export function pointsOfBytes(contentLength: string | undefined, isChunked: boolean, answerBytes: number): number {
  const bodyBytes = isChunked ? UNKNOWN_LENGTH_BYTES : Math.min(Number(contentLength ?? 0), UNKNOWN_LENGTH_BYTES);
  return Math.floor(bodyBytes / BYTES_OF_A_POINT) + Math.floor(answerBytes / BYTES_OF_A_POINT);
}
