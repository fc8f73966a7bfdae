import type { Charge } from '../../http/server/served-as.js';
import { MAX_IDENTITIES } from './proof-lookup.dto.js';

/** Names that an exact look-up finds with the effort of one point. */
const NAMES_OF_A_POINT = 15;
/** Pages that are found with the effort of one point for each term. */
const PAGES_OF_A_POINT = 10;

/**
 * The charge of a look-up of bindings, from its query as it was sent: an exact one is a read, any other one is a
 * search. Each term of a search is a look-up of its own, and all pages before the requested one are found too.
 * @param serviceName the platform value that stands for the key itself, which is always looked up exactly
 */
export function chargeOfLookUp(query: unknown, serviceName: string): Charge {
  const { exact, platform, identity, page } = (query ?? {}) as Record<string, unknown>;
  const terms = termsOf(identity);
  if (exact === 'true' || platform === serviceName)
    return { name: 'reads', points: Math.ceil(terms / NAMES_OF_A_POINT) };
  const depth = typeof page === 'string' && /^\d{1,16}$/.test(page) ? Number(page) : 1;
  return { name: 'searches', points: terms * Math.max(1, Math.ceil(depth / PAGES_OF_A_POINT)) };
}

/** More terms than are allowed are refused when the look-up is read. */
function termsOf(identity: unknown): number {
  return typeof identity === 'string' ? Math.min(identity.split(',').length, MAX_IDENTITIES) : 1;
}
