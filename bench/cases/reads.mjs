/** Lookups whose limit is the same SQL by a bare `pg` loop. */
import { avatarsOf, HUB_EVERY, KV_EVERY, LARGE_CONTENTS } from '../seed.mjs';
import { FREQUENT_NAME, handles, person, RARE_NAME } from '../people.mjs';

/** @import { ReadCase } from '../types.d.ts' */

const VARIANTS = 500;
const AT_LEAST_HALF = { ratio: 0.5, text: 'at least 50 % of limit (a)' };

/**
 * A GET request of a case.
 * @param {string} path
 * @param {Record<string, string | number | boolean>} query
 */
const get = (path, query) => {
  const words = new globalThis.URLSearchParams();
  for (const [name, value] of Object.entries(query)) words.set(name, String(value));
  return { method: 'GET', path: `${path}?${words}` };
};

/**
 * Numbers spread evenly over 0..end-1, in an order without locality.
 * @param {number} end
 * @param {number} [count]
 */
function spread(end, count = VARIANTS) {
  return Array.from({ length: count }, (_, place) => Math.floor(((place * 0.6180339887) % 1) * end));
}

/** @param {number} proofs */
const people = (proofs) => spread(avatarsOf(proofs));
/** @param {number} proofs */
const hubs = (proofs) => spread(Math.ceil(avatarsOf(proofs) / HUB_EVERY), 100).map((place) => place * HUB_EVERY);

/** @param {string} name @param {string} title @param {string} term @returns {ReadCase} */
function ambiguous(name, title, term) {
  return { name, title, limit: 'pg', term, requests: () => [get('/v1/proof', { identity: term })] };
}

/** What the map says of the identities of `exact-1`. */
export const MAP_READ = {
  name: 'log-map',
  limit: /** @type {const} */ ('exact-1'),
  /** @param {number} proofs */
  requests: (proofs) =>
    people(proofs).map((index) => get('/v1/log/map', { platform: 'github', identity: handles(index).github })),
};

/** @type {ReadCase[]} */
export const READS = [
  {
    name: 'exact-1',
    title: 'exact lookup by one identity',
    limit: 'pg',
    target: AT_LEAST_HALF,
    requests: (proofs) =>
      people(proofs).map((index) =>
        get('/v1/proof', { platform: 'github', identity: handles(index).github, exact: true }),
      ),
  },
  {
    name: 'exact-20',
    title: 'exact lookup by 20 identities',
    limit: 'pg',
    target: AT_LEAST_HALF,
    requests: (proofs) => {
      const names = people(proofs).map((index) => handles(index).github);
      return names.map((_, place) => {
        const identity = Array.from({ length: 20 }, (_, step) => names[(place + step) % names.length]).join(',');
        return get('/v1/proof', { platform: 'github', identity, exact: true });
      });
    },
  },
  ambiguous('rare-2', 'ambiguous lookup, rare term of 2 characters', RARE_NAME.slice(0, 2)),
  ambiguous('rare-3', 'ambiguous lookup, rare term of 3 characters', RARE_NAME.slice(0, 3)),
  ambiguous('rare-6', 'ambiguous lookup, rare term of 6 characters', RARE_NAME.slice(0, 6)),
  ambiguous('rare-12', 'ambiguous lookup, rare term of 12 characters', RARE_NAME),
  ambiguous('frequent-1', 'ambiguous lookup, frequent term of 1 character', 'a'),
  ambiguous('frequent-3', 'ambiguous lookup, frequent term of 3 characters', FREQUENT_NAME.slice(0, 3)),
  ambiguous('frequent-6', 'ambiguous lookup, frequent term of 6 characters', FREQUENT_NAME.slice(0, 6)),
  ambiguous('frequent-12', 'ambiguous lookup, frequent term of 12 characters', FREQUENT_NAME),
  {
    name: 'exists',
    title: 'state of one binding',
    limit: 'pg',
    target: AT_LEAST_HALF,
    requests: (proofs) =>
      people(proofs).map((index) =>
        get('/v1/proof/exists', {
          platform: 'github',
          identity: handles(index).github,
          public_key: person(index).avatar,
        }),
      ),
  },
  {
    name: 'by-key',
    title: 'lookup by public key',
    limit: 'pg',
    requests: (proofs) =>
      people(proofs).map((index) => get('/v1/proof', { platform: 'self', identity: person(index).avatar })),
  },
  {
    name: 'chain-page',
    title: 'page of 20 links of a chain',
    limit: 'pg',
    target: AT_LEAST_HALF,
    requests: (proofs) =>
      hubs(proofs).map((index, place) =>
        get('/v1/proofchain', { public_key: person(index).avatar, page: 1 + (place % 3) }),
      ),
  },
  {
    name: 'feed-page',
    title: 'page of 100 links of the feed',
    limit: 'pg',
    requests: (proofs) =>
      spread(proofs - 200, 100).map((lastId) => get('/v1/proofchain/changes', { last_id: lastId, count: 100 })),
  },
  {
    name: 'kv-small',
    title: 'KV read, small content',
    limit: 'pg',
    target: AT_LEAST_HALF,
    requests: (proofs) => {
      const writers = Math.floor((avatarsOf(proofs) - 1) / KV_EVERY) - LARGE_CONTENTS;
      return spread(writers).map((place) =>
        get('/v1/kv', { avatar: person((LARGE_CONTENTS + place) * KV_EVERY).avatar }),
      );
    },
  },
  {
    name: 'kv-100k',
    title: 'KV read, content of 100 KiB',
    limit: 'pg',
    target: AT_LEAST_HALF,
    requests: () =>
      spread(LARGE_CONTENTS, LARGE_CONTENTS).map((place) => get('/v1/kv', { avatar: person(place * KV_EVERY).avatar })),
  },
];
