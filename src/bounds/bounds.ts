import type { SlotLimits } from '../concurrency/slots.js';
import type { Environment } from '../config/environment.js';

/*
 * Who may use how much of this process and of its connections to the database: the one table of all bounds. The name of
 * a bound is the label `by` of `signet_refused_total`. docs/operations.md, "Bounds", is this table for operators.
 */

/** Seconds in which the points of one client are counted. */
export const WINDOW_SECONDS = 60;

interface Rate {
  /** The points that one client has in a window; an ordinary request costs one. */
  setting: keyof Environment;
  /** Whether all servers count together, because others bear the cost: more servers must not mean more requests. */
  isShared: boolean;
  /** What is counted, in refusals. */
  words: string;
}

/** What one client may ask for in a window. */
export const RATES = {
  reads: { setting: 'RATE_LIMIT_READS', isShared: false, words: 'reads' },
  searches: { setting: 'RATE_LIMIT_SEARCHES', isShared: false, words: 'searches for one term' },
  documents: { setting: 'RATE_LIMIT_DOCUMENTS', isShared: false, words: 'reads of the documents of this server' },
  payloads: { setting: 'RATE_LIMIT_PAYLOADS', isShared: false, words: 'writes' },
  submits: { setting: 'RATE_LIMIT_SUBMITS', isShared: true, words: 'submits that ask a platform' },
  streams: { setting: 'RATE_LIMIT_STREAMS', isShared: true, words: 'new event streams' },
  admin: { setting: 'RATE_LIMIT_ADMIN', isShared: false, words: 'admin calls' },
} as const satisfies Record<string, Rate>;
export type RateName = keyof typeof RATES;

/** Requests with a wrong admin token that one client may send in a window; an operator who mistypes stays below. */
export const MAX_WRONG_TOKENS = 10;

interface PoolShare {
  /** The part of the connections that those who ask may use together; at least one connection. */
  part: number;
  /** How many may wait, for each connection of the share or in all. MAX_POOL_WAIT_MS is the tighter bound. */
  waiting: { forEach: number } | { inAll: number };
  /** Who asks, in refusals. */
  words: string;
}

/**
 * The parts of the pool: reads by key, reads of what is known to be large and the lookups before a write, each for a
 * statement; searches and admin calls, each for a request. They leave a tenth of it for health checks, commits, streams
 * and the work behind the scenes, of which each kind takes one connection at a time.
 */
export const POOL_SHARES = {
  reads: { part: 0.3, waiting: { inAll: 2000 }, words: 'reads' },
  large_reads: { part: 0.2, waiting: { inAll: 2000 }, words: 'reads of much' },
  writes: { part: 0.1, waiting: { inAll: 2000 }, words: 'writes' },
  searches: { part: 0.2, waiting: { forEach: 25 }, words: 'searches' },
  admin: { part: 0.1, waiting: { forEach: 25 }, words: 'admin' },
} as const satisfies Record<string, PoolShare>;
export type ShareName = keyof typeof POOL_SHARES;

/** Requests for documents; they share one reader of the database, or need none. */
export const DOCUMENT_SLOTS: SlotLimits = { running: 16, waiting: 400 };

/** Large answers that clients have not read yet. Together they may have MAX_UNSENT_BYTES. */
export const UNSENT = {
  /** Smaller answers fit the buffers of the kernel, more or less, and are not counted. */
  largeBytes: 64 * 1024,
  /** The part of all bytes that the answers of one rate limit may hold. */
  partOfOneClass: 1 / 2,
  /** A client that reads more slowly than this is disconnected, after the grace. */
  slowestBytesPerMs: 32,
  graceMs: 10_000,
};

/** Connections of clients, as a part of the files that the process may open. */
export const CONNECTIONS = {
  /** Files that are not for clients: the database and its replicas, platforms, webhooks. */
  reservedFiles: 256,
  /** The part of clients where the limit of open files is very low. */
  leastPart: 0.5,
};

/**
 * What may wait for the transaction under way that records it, of each kind of record. At a few hundred a transaction
 * it waits a second or two.
 */
export const RECORD_QUEUE = { items: 2000, bytes: 32_000_000 };

/** Requests to one host, by who chose it: a host that the operator chose serves a whole platform. */
export const HOST_SLOTS: Record<'user' | 'operator', SlotLimits> = {
  user: { running: 2, waiting: 16 },
  operator: { running: 6, waiting: 128 },
};

/**
 * Requests to all hosts, in four kinds that never wait for each other. Hosts chosen by users may hang on purpose, and
 * names below a domain cost nothing, so a domain has a bound of its own.
 */
export const OUTBOUND_SLOTS: Record<'users' | 'webhooks' | 'push' | 'operator', SlotLimits> = {
  users: { running: 32, waiting: 256, runningPerKey: 8 },
  webhooks: { running: 32, waiting: 256 },
  push: { running: 16, waiting: 256, runningPerKey: 4 },
  operator: { running: 32, waiting: 256 },
};

/** Subscriptions to pushes, which strangers make, and what may wait for one. Rows are about a kilobyte. */
export const PUSH_SUBSCRIPTIONS = {
  /** Of one Avatar at one push service: nobody who fills up one service keeps the owner out of another. */
  ofAvatar: 100,
  /** Avatars that one browser follows. */
  ofEndpoint: 50,
  /** At one domain that is none of `PUSH_SERVICES`. */
  ofDomain: 1000,
  inAll: 100_000,
  /** Deliveries that wait for one subscription: further news are left out, until some arrived. */
  waiting: 50,
};

/** Hosts of the makers of browsers, and what is below them: as many may subscribe there as fit. */
export const PUSH_SERVICES = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  'push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
];

interface BoundFacts {
  /** The setting that raises or lowers it; absent: it is fixed. */
  setting?: keyof Environment;
  /** The answer to a request that it refuses; absent: the request waits, or there is no request. */
  status?: number;
  code?: string;
}

const TOO_MANY = { status: 429, code: 'too_many_requests' };
const OVERLOADED = { status: 503, code: 'overloaded' };
const UNASKED = { status: 400, code: 'platform_unavailable' };

/** All bounds, in the order in which a request meets them. */
export const BOUNDS = {
  connections: {},
  event_loop: { setting: 'MAX_EVENT_LOOP_DELAY_MS', ...OVERLOADED },
  pool_wait: { setting: 'MAX_POOL_WAIT_MS', ...OVERLOADED },
  rate_reads: { setting: RATES.reads.setting, ...TOO_MANY },
  rate_searches: { setting: RATES.searches.setting, ...TOO_MANY },
  rate_documents: { setting: RATES.documents.setting, ...TOO_MANY },
  rate_payloads: { setting: RATES.payloads.setting, ...TOO_MANY },
  rate_submits: { setting: RATES.submits.setting, ...TOO_MANY },
  rate_streams: { setting: RATES.streams.setting, ...TOO_MANY },
  rate_admin: { setting: RATES.admin.setting, ...TOO_MANY },
  wrong_tokens: TOO_MANY,
  documents: OVERLOADED,
  pool_searches: { setting: 'DATABASE_POOL_SIZE', ...OVERLOADED },
  pool_admin: { setting: 'DATABASE_POOL_SIZE', ...OVERLOADED },
  pool_reads: { setting: 'DATABASE_POOL_SIZE', ...OVERLOADED },
  pool_large_reads: { setting: 'DATABASE_POOL_SIZE', ...OVERLOADED },
  pool_writes: { setting: 'DATABASE_POOL_SIZE', ...OVERLOADED },
  streams: { setting: 'MAX_EVENT_STREAMS', ...TOO_MANY },
  streams_of_client: { setting: 'MAX_EVENT_STREAMS_PER_CLIENT', ...TOO_MANY },
  replays: { setting: 'RATE_LIMIT_REPLAYS' },
  outbound_host: UNASKED,
  outbound_users: UNASKED,
  outbound_operator: UNASKED,
  outbound_webhooks: {},
  outbound_push: UNASKED,
  outbound_rate: { setting: 'RATE_BUDGETS', ...UNASKED },
  push_subscriptions: { status: 400, code: 'too_many_subscriptions' },
  record_queue: OVERLOADED,
  unsent_bytes: { setting: 'MAX_UNSENT_BYTES', ...OVERLOADED },
} as const satisfies Record<string, BoundFacts>;
export type Bound = keyof typeof BOUNDS;

export type RouteClass =
  'probes' | 'metrics' | 'files' | 'documents' | 'pictures' | 'reads' | 'searches' | 'payloads' | 'streams' | 'admin';

interface RouteClassFacts {
  /** The limit that a request of the class is counted with; null: it is not counted. */
  rate: RateName | null;
  /** Points of a request; absent: one. */
  points?: number;
  /** What may refuse a request before it is handled, beside the rate limit, in this order. */
  refusedBy: readonly Bound[];
}

const NO_BOUNDS: readonly Bound[] = [];
const BUSY: readonly Bound[] = ['event_loop', 'pool_wait'];

/** Classes of routes by what their requests cost. Each route names its own (`ServedAs`). */
export const ROUTE_CLASSES: Record<RouteClass, RouteClassFacts> = {
  /** Of load balancers and supervisors; refusing one takes the server out of service. */
  probes: { rate: null, refusedBy: NO_BOUNDS },
  /** Shows the load. */
  metrics: { rate: 'documents', refusedBy: ['documents'] },
  /** Files of the page, which lie in memory once: a page whose scripts or pictures are refused is broken for good. */
  files: { rate: 'documents', refusedBy: NO_BOUNDS },
  /** Texts that are kept, and views of the page, which cost some work: they need no connection of their own. */
  documents: { rate: 'documents', refusedBy: ['event_loop', 'documents'] },
  /** Pictures of seals: drawing one takes some ten milliseconds, five times a view. */
  pictures: { rate: 'documents', points: 5, refusedBy: ['event_loop', 'documents'] },
  reads: { rate: 'reads', refusedBy: BUSY },
  searches: { rate: 'searches', refusedBy: [...BUSY, 'pool_searches'] },
  payloads: { rate: 'payloads', refusedBy: BUSY },
  streams: { rate: 'streams', refusedBy: BUSY },
  admin: { rate: 'admin', refusedBy: [...BUSY, 'pool_admin'] },
};
