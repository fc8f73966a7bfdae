import type { Environment } from '../config/environment.js';

/** What requests cost, in a word for each kind: limits are counted for each of them apart. */
export type RouteClass = 'reads' | 'payloads' | 'submits' | 'streams' | 'admin';

/** One rate limit. */
export interface Quota {
  name: RouteClass;
  /** Requests of one client in one window. */
  limit: number;
  /** Whether all servers count together: where others pay for a request, more servers must not mean more requests. */
  isShared: boolean;
}

/** Seconds of the window of every limit. */
export const WINDOW_SECONDS = 60;

/** What operators and people who read the description need, however busy the server is. */
const UNLIMITED = /^\/(healthz|livez|readyz|metrics|openapi\.json|docs(\/.*)?)$/;

/** Whether the route is neither limited nor refused under load. */
export function isUnlimited(route: string | undefined): boolean {
  return UNLIMITED.test(route ?? '');
}

/**
 * The class of a request before its body is read. A submit starts among the payloads, and is counted among the submits
 * too when its body says that a platform has to be asked.
 * @param route as registered, such as `/v1/proof/payload`; undefined where there is none
 */
export function classOf(method: string, route = ''): RouteClass | null {
  if (isUnlimited(route)) return null;
  if (route.startsWith('/admin/')) return 'admin';
  if (route === '/v1/events') return 'streams';
  return method === 'GET' || method === 'HEAD' ? 'reads' : 'payloads';
}

/** All limits, as the settings have them. */
export function quotasOf(environment: Environment): Quota[] {
  return [
    { name: 'reads', limit: environment.RATE_LIMIT_READS, isShared: false },
    { name: 'payloads', limit: environment.RATE_LIMIT_PAYLOADS, isShared: false },
    { name: 'submits', limit: environment.RATE_LIMIT_SUBMITS, isShared: true },
    { name: 'streams', limit: environment.RATE_LIMIT_STREAMS, isShared: true },
    { name: 'admin', limit: environment.RATE_LIMIT_ADMIN, isShared: false },
  ];
}
