/** For every route of the service: what is sent to it to make it cost time, or why nothing is. */
import { anAvatar, aWallet } from '../support/avatar.js';
import { ANSWERS } from '../../src/nextid/answer-members.js';
import { ALIASES } from '../../src/nextid/request-aliases.js';
import type { LargeData } from '../support/large-data.js';
import { isLongRun } from '../support/tier.js';
import {
  bodyWith,
  hostileBodies,
  hostileMembers,
  hostilePatches,
  hostilePaths,
  hostilePosts,
  hostileQueries,
  type HostileRequest,
  postOf,
} from './hostile-requests.js';

/** What the requests are made of, known when both services run. */
export interface World {
  /** What the first service holds. */
  large: LargeData;
  /** The platforms of the service. */
  platforms: string[];
  /** A link that it has recorded. */
  link: { uuid: string; platform: string; identity: string };
  /** The largest file of the page. */
  asset: string;
  /** A checkpoint that a watched log has signed, and its origin's hash. */
  checkpoint: string;
  originHash: string;
  /** Submits of posts, which the stand-in of GitHub shows: each is verified and refused. */
  posts: HostileRequest[];
  /** A submit that only its signature is wrong of, over a patch of as many bytes. */
  badlySigned: { [bytes: number]: string };
  /** Key events that are signed, of Avatars that have as many as one may have, as bodies by what they are. */
  oneTooMany: { [what: string]: string };
}

/** The first service has the largest things that may be stored; the second a log, every platform and the dialect. */
export type Service = 'large' | 'whole';

export interface RouteRequests {
  /** Where it is asked; both when absent. */
  on?: Service[];
  /** Whether its code differs by the platforms that a service has. */
  isOfPlatforms?: boolean;
  /** Each is measured by itself, and counts for what a minute may cost. */
  each?: (world: World) => HostileRequest[];
  /** As these, whose cost lies in reading them, whatever is stored. */
  bodies?: () => HostileRequest[];
  /** Many that cost little: together they stay below the bound, or are measured in halves. */
  together?: (world: World) => HostileRequest[];
}

const BOTH: Service[] = ['large', 'whole'];

/** Where a route is asked. */
export const servicesOf = ({ on = BOTH }: RouteRequests): Service[] => on;

/**
 * Which of these gets its `bodies`: that of the dialect, which has more to do with them, otherwise the first. The long
 * run sends them to both.
 */
export function bodiesGoTo(route: string, requests: RouteRequests): Service[] {
  const services = servicesOf(requests);
  return isLongRun ? services : route in ALIASES ? ['whole'] : services.slice(0, 1);
}

/** Which gets what is sent together: both where their code differs, otherwise the one that holds more. */
export function togetherGoTo(route: string, requests: RouteRequests): Service[] {
  const services = servicesOf(requests);
  const differs = route in ALIASES || route in ANSWERS || requests.isOfPlatforms;
  return isLongRun || differs ? services : services.slice(0, 1);
}

/** A name that as many Avatars hold as an answer of the map names. */
export const CROWDED = 'held-by-many';

const avatar = anAvatar('cost').key;
const wallet = aWallet('cost');
const UUID = '909353ef-a9bb-4b4b-be79-a1e4eb82bd57';
const SIGNATURE = Buffer.alloc(65, 1).toString('base64');
const LINK = { action: 'create', platform: 'ethereum', identity: wallet.address, public_key: avatar.compressed };
const SUBMIT = { ...LINK, uuid: UUID, created_at: '1763700000', proof_location: 'x' };
const PATCH = { avatar: avatar.compressed, platform: 'self', identity: avatar.uncompressed };
const KV_SUBMIT = { ...PATCH, uuid: UUID, created_at: 1763700000, signature: SIGNATURE };
const SUBKEY = {
  avatar: avatar.compressed,
  algorithm: 'es256',
  public_key: `0x${'17'.repeat(64)}`,
  rp_id: 'a.example',
};
const KEY_EVENT = { avatar: avatar.compressed, action: 'key.freeze', fields: {} };
const KEY_SUBMIT = { ...KEY_EVENT, uuid: UUID, created_at: 1763700000, signature: SIGNATURE };
const MANY_KEYS = JSON.stringify({ recovery: Array.from({ length: 10_000 }, () => `key:${'ab'.repeat(32)}`) });
const PUSH = {
  avatar: avatar.compressed,
  endpoint: 'https://push.invalid/send/1',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};
const BINDING = { platform: 'ethereum', identity: wallet.address, public_key: avatar.compressed };

const get = (what: string, path: string): HostileRequest => ({ what, path });
/** A text or a file that is kept in memory. No parameter is read of it: all are parsed as those of `/v1/platforms`. */
const kept = (path: string): RouteRequests => ({
  each: () => [get('as it is', path)],
  together: () => hostileQueries(path, isLongRun || path === '/v1/platforms' ? { x: 'y' } : {}),
});
const queried = (path: string, params: Record<string, string>, on?: Service[]): RouteRequests => ({
  ...(on && { on }),
  together: () => hostileQueries(path, params),
});
/** What is asked of one binding, of a name that very many hold too. */
const ofPopular = (path: string): RouteRequests => ({
  each: ({ large: { popular, longChain } }) => [
    get('a name that very many hold', `${path}?platform=ethereum&identity=${popular}&public_key=${longChain}`),
  ],
  together: () => hostileQueries(path, BINDING),
});
/** The parts of a path that stands for anything below it. */
const below = (path: string): RouteRequests => ({
  each: () => [get('a path of many parts', `${path}/${'a/'.repeat(7000)}`)],
  together: () => hostilePaths(`${path}/{}`, 'a'),
});

export const ROUTES: Record<string, RouteRequests> = {
  'POST /v1/proof/payload': {
    bodies: () => hostileBodies('/v1/proof/payload', LINK),
    each: ({ large: { longChain, popular } }) => [
      postOf(
        '/v1/proof/payload',
        'a very long chain, and a name that very many hold',
        JSON.stringify({ ...LINK, public_key: longChain, identity: popular }),
      ),
    ],
    together: ({ platforms }) => [
      ...hostileMembers('/v1/proof/payload', LINK),
      ...platforms.flatMap((platform) =>
        hostileMembers('/v1/proof/payload', { identity: 'x' }).map(({ what, init }) => ({
          what: `${platform} and ${what}`,
          path: '/v1/proof/payload',
          init: { method: 'POST', body: JSON.stringify({ ...LINK, platform, ...JSON.parse(init!.body!) }) },
        })),
      ),
    ],
  },
  'POST /v1/proof': {
    bodies: () => [
      ...hostileBodies('/v1/proof', SUBMIT, 'proof_location'),
      bodyWith(
        '/v1/proof',
        'extra as a list',
        SUBMIT,
        `"extra":[${'{"signature":"one of very many"},'.repeat(5000)}0]`,
      ),
      bodyWith('/v1/proof', 'a long signature', SUBMIT, `"extra":{"signature":"${'A'.repeat(1_000_000)}"}`),
    ],
    each: ({ posts, large: { longChain, popular } }) => [
      ...posts,
      postOf(
        '/v1/proof',
        'an invented uuid, for a very long chain',
        JSON.stringify({ ...SUBMIT, public_key: longChain, identity: popular }),
      ),
    ],
    together: () => [
      ...hostileMembers('/v1/proof', SUBMIT),
      ...hostileMembers('/v1/proof', { signature: 'x', wallet_signature: 'x', wallet_message: 'x', chain_id: 'x' }).map(
        ({ what, init }) => bodyWith('/v1/proof', `extra with ${what}`, SUBMIT, `"extra":${init!.body!}`),
      ),
    ],
  },
  'POST /v1/proof/restore_pubkey': {
    each: ({ link }) =>
      [4096, 65_000].flatMap((size) =>
        hostilePosts(size - link.uuid.length - 1).map(([what, text]) =>
          postOf(
            '/v1/proof/restore_pubkey',
            `${size} characters: ${what}`,
            JSON.stringify({ ...link, uuid: undefined, proof_post: `${link.uuid}\n${text}` }),
          ),
        ),
      ),
    together: ({ link }) =>
      hostileMembers('/v1/proof/restore_pubkey', { ...link, proof_post: 'x', signature: SIGNATURE }),
  },
  'POST /v1/kv/payload': {
    bodies: () => [
      ...hostileBodies('/v1/kv/payload', { ...PATCH, patch: {} }),
      ...hostilePatches('/v1/kv/payload', PATCH),
    ],
    together: () => hostileMembers('/v1/kv/payload', { ...PATCH, patch: {} }),
  },
  'POST /v1/kv': {
    bodies: () => [...hostileBodies('/v1/kv', { ...KV_SUBMIT, patch: {} }), ...hostilePatches('/v1/kv', KV_SUBMIT)],
    each: ({ large, badlySigned }) => [
      ...Object.entries(badlySigned).map(([bytes, body]) =>
        postOf('/v1/kv', `${bytes} bytes that another key signed`, body),
      ),
      postOf(
        '/v1/kv',
        'an invented uuid, for an Avatar of 1,000 patches',
        JSON.stringify({
          ...KV_SUBMIT,
          avatar: large.hoarder,
          identity: large.hoarder,
          created_at: 0,
          patch: { text: '"'.repeat(32_000) },
        }),
      ),
    ],
    together: () => hostileMembers('/v1/kv', { ...KV_SUBMIT, patch: {} }),
  },
  'POST /v1/subkey/payload': {
    on: ['whole'],
    bodies: () => hostileBodies('/v1/subkey/payload', SUBKEY, 'rp_id'),
    together: () => hostileMembers('/v1/subkey/payload', SUBKEY),
  },
  'POST /v1/subkey': {
    on: ['whole'],
    bodies: () => hostileBodies('/v1/subkey', { ...SUBKEY, signature: SIGNATURE }, 'name'),
    together: () => hostileMembers('/v1/subkey', { ...SUBKEY, name: 'x', signature: SIGNATURE }),
  },
  'GET /v1/subkey': queried('/v1/subkey', { avatar: avatar.compressed, algorithm: 'es256', public_key: 'x' }, [
    'whole',
  ]),

  'GET /v1/proof': {
    each: ({ large: { collectors, identity, popular, lessPopular, longChain } }) => [
      get('a name that very many hold', `/v1/proof?platform=ethereum&identity=${popular}&exact=true`),
      get('its last page', `/v1/proof?platform=ethereum&identity=${popular}&exact=true&page=50`),
      get('a page behind it', `/v1/proof?platform=ethereum&identity=${popular}&exact=true&page=51`),
      get('it on any platform', `/v1/proof?identity=${popular}&exact=true`),
      get('fifty names that very many hold', `/v1/proof?identity=${lessPopular.join()}&exact=true`),
      get('their tenth page', `/v1/proof?identity=${lessPopular.join()}&exact=true&page=10`),
      get('a part of a name that very many hold', `/v1/proof?identity=${popular.slice(0, 12)}`),
      get('an Avatar of very many links', `/v1/proof?platform=self&identity=${longChain}`),
      get(
        'fifty short terms',
        `/v1/proof?identity=${Array.from({ length: 50 }, (_, n) => String.fromCharCode(97 + (n % 26)) + (n > 25 ? 'x' : '')).join()}`,
      ),
      get('more terms than are allowed', `/v1/proof?identity=${'a,'.repeat(7500)}`),
      get('a far page', '/v1/proof?identity=a&page=100000000'),
      get('an Avatar of 1,000 bindings', `/v1/proof?platform=self&identity=${collectors[0]}`),
      get('twenty Avatars of 1,000 bindings', `/v1/proof?platform=self&identity=${collectors.join()}`),
      get('an identity that many hold', `/v1/proof?platform=ethereum&identity=${identity}&exact=true`),
      get('a part of identities that many hold', '/v1/proof?identity=0x'),
      get('a part of identities that is rare', `/v1/proof?identity=${identity.slice(9, 14)}`),
    ],
    together: () => hostileQueries('/v1/proof', { platform: 'ethereum', identity: 'nobody', exact: 'true', page: '1' }),
  },
  'POST /v1/keys/payload': {
    bodies: () => [
      ...hostileBodies('/v1/keys/payload', KEY_EVENT),
      bodyWith('/v1/keys/payload', 'many recovery keys', { ...KEY_EVENT, fields: undefined }, `"fields":${MANY_KEYS}`),
    ],
    together: () => hostileMembers('/v1/keys/payload', KEY_EVENT),
  },
  'POST /v1/keys': {
    each: ({ oneTooMany }) => Object.entries(oneTooMany).map(([what, body]) => postOf('/v1/keys', what, body)),
    bodies: () => [
      ...hostileBodies('/v1/keys', KEY_SUBMIT),
      bodyWith('/v1/keys', 'many recovery keys', { ...KEY_SUBMIT, fields: undefined }, `"fields":${MANY_KEYS}`),
    ],
    together: () => hostileMembers('/v1/keys', KEY_SUBMIT),
  },
  'GET /v1/keys': {
    each: ({ large: { keyrings } }) => [
      get('as many commits and vetoes as may be', `/v1/keys?avatar=${keyrings.commits}`),
      get('as many keys of apps as may be', `/v1/keys?avatar=${keyrings.apps}`),
    ],
    together: () => hostileQueries('/v1/keys', { avatar: avatar.compressed }),
  },
  'GET /v1/keys/chain': {
    each: ({ large: { keyrings } }) =>
      Object.entries(keyrings).flatMap(([kind, keyring]) => [
        get(`the first page of as many ${kind} as may be`, `/v1/keys/chain?avatar=${keyring}`),
        get(`the last page of as many ${kind} as may be`, `/v1/keys/chain?avatar=${keyring}&page=98`),
      ]),
    together: () => hostileQueries('/v1/keys/chain', { avatar: avatar.compressed, page: '1' }),
  },
  'GET /v1/keys/changes': {
    each: () => [get('the feed', '/v1/keys/changes?last_id=0&count=100')],
    together: () => hostileQueries('/v1/keys/changes', { last_id: '999999999', count: '10' }),
  },
  'GET /v1/resolve': {
    each: ({ large: { collectors, contract, hoarder, identity, longChain, popular } }) =>
      [
        ['a name that very many hold', `platform=ethereum&identity=${popular}`],
        ['an identity that many hold', `platform=ethereum&identity=${identity}`],
        ['an Avatar of very many links', `public_key=${longChain}`],
        ['an Avatar of 1,000 bindings', `public_key=${collectors[0]}`],
        ['an Avatar of 1,000 bindings in the log', `public_key=${avatar.compressed}`],
        ['an Avatar of large links', `public_key=${contract}`],
        ['an Avatar of much content', `public_key=${hoarder}`],
        ['a name that as many hold as a map names', `platform=github&identity=${CROWDED}`],
      ].map(([what, query]) => get(what!, `/v1/resolve?${query}&proved_by=map`)),
    together: () => [
      ...hostileQueries('/v1/resolve', { platform: 'ethereum', identity: 'nobody', proved_by: 'log' }),
      ...hostileQueries('/v1/resolve', { public_key: avatar.compressed }),
    ],
  },
  'GET /v1/proof/exists': ofPopular('/v1/proof/exists'),
  'GET /v1/proof/evidence': ofPopular('/v1/proof/evidence'),
  'GET /v1/proof/history': ofPopular('/v1/proof/history'),
  'GET /v1/proofchain': {
    each: ({ large: { collectors, contract, longChain, holders } }) => [
      get('the middle of a very long chain', `/v1/proofchain?public_key=${longChain}&page=${Math.floor(holders / 40)}`),
      get('a page behind it', `/v1/proofchain?public_key=${longChain}&page=100000000`),
      get('a page of a long chain', `/v1/proofchain?public_key=${collectors[0]}&page=25`),
      get('a page of large links', `/v1/proofchain?public_key=${contract}`),
    ],
    together: () => hostileQueries('/v1/proofchain', { public_key: avatar.compressed, page: '1' }),
  },
  'GET /v1/proofchain/changes': {
    each: ({ large: { beforeContract } }) => [
      get('the feed', '/v1/proofchain/changes?last_id=0&count=100'),
      get('large links', `/v1/proofchain/changes?last_id=${beforeContract}&count=100`),
    ],
    together: () => hostileQueries('/v1/proofchain/changes', { last_id: '999999999', count: '10' }),
  },
  // All content of an Avatar is the one answer above 2 MB, and is measured by itself.
  'GET /v1/kv': queried('/v1/kv', { avatar: avatar.compressed }),
  'GET /v1/kv/chain': {
    each: ({ large: { hoarder } }) => [get('a page of large patches', `/v1/kv/chain?avatar=${hoarder}&page=100`)],
    together: () => hostileQueries('/v1/kv/chain', { avatar: avatar.compressed, page: '1' }),
  },
  'GET /v1/kv/changes': {
    each: () => [get('large patches', '/v1/kv/changes?last_id=980&count=100')],
    together: () => hostileQueries('/v1/kv/changes', { last_id: '999999999', count: '10' }),
  },
  'GET /v1/kv/by_identity': {
    each: ({ large: { crowded, popular } }) => [
      ...[1, 50, 51].map((page) =>
        get(
          `a name under which very many wrote, page ${page}`,
          `/v1/kv/by_identity?platform=ethereum&identity=${popular}&page=${page}`,
        ),
      ),
      get('large content of many', `/v1/kv/by_identity?platform=ethereum&identity=${crowded}`),
    ],
    together: () => hostileQueries('/v1/kv/by_identity', { platform: 'ethereum', identity: wallet.address, page: '1' }),
  },
  'GET /v1/events': {
    // Streams that open are measured by themselves, below.
    together: () => hostileQueries('/v1/events', { avatar: 'x', platform: 'x', types: 'x', after: 'x', format: 'x' }),
  },
  'GET /actor': kept('/actor'),
  'GET /.well-known/webfinger': queried('/.well-known/webfinger', { resource: 'acct:self@signet.example.org' }),
  'GET /v1/platforms': kept('/v1/platforms'),
  'GET /v1/platforms/:platform/account': {
    isOfPlatforms: true,
    together: () => [
      ...hostileQueries('/v1/platforms/bluesky/account', { name: 'x' }),
      ...hostilePaths('/v1/platforms/{}/account?name=x', 'bluesky'),
    ],
  },

  'GET /v1/log': { ...kept('/v1/log'), on: ['whole'] },
  'GET /v1/log/map': {
    on: ['whole'],
    each: () => [
      get('an Avatar', `/v1/log/map?avatar=${avatar.compressed}`),
      get('an identity that nobody holds', '/v1/log/map?platform=github&identity=nobody'),
      get('an identity that 1,000 Avatars hold', `/v1/log/map?platform=github&identity=${CROWDED}`),
      get(
        'an Avatar that does not hold it',
        `/v1/log/map?platform=github&identity=${CROWDED}&avatar=${avatar.compressed}`,
      ),
    ],
    together: () => [
      ...hostileQueries('/v1/log/map', { avatar: avatar.compressed }),
      ...hostileQueries('/v1/log/map', { platform: 'github', identity: CROWDED }),
      ...hostileQueries('/v1/log/map', { avatar: avatar.compressed, platform: 'ethereum', identity: wallet.address }),
    ],
  },
  'GET /v1/log/proof': {
    on: ['whole'],
    each: ({ link }) => [get('a proof', `/v1/log/proof?uuid=${link.uuid}`)],
    together: () => hostileQueries('/v1/log/proof', { uuid: UUID, kind: 'link', id: '1' }),
  },
  'GET /v1/log/receipt': {
    on: ['whole'],
    each: ({ link }) => [get('a receipt', `/v1/log/receipt?uuid=${link.uuid}`)],
    together: () => hostileQueries('/v1/log/receipt', { uuid: UUID }),
  },
  'GET /log/checkpoint': { ...kept('/log/checkpoint'), on: ['whole'] },
  'GET /log/tile/entries/*': {
    on: ['whole'],
    each: () => [
      get('a whole bundle', '/log/tile/entries/000'),
      get('a part of one', '/log/tile/entries/005.p/64'),
      get('one that is not there', '/log/tile/entries/x999/999'),
    ],
    together: () => [...hostilePaths('/log/tile/entries/{}', 'x'), ...hostilePaths('/log/tile/entries/x001/{}', '000')],
  },
  'GET /log/tile/:level/*': {
    on: ['whole'],
    each: () => [get('a whole tile', '/log/tile/0/000'), get('a part of one', '/log/tile/0/005.p/64')],
    together: () => hostilePaths('/log/tile/{}/{}', '0', '000'),
  },
  'GET /log/cosigned/checkpoint': { ...kept('/log/cosigned/checkpoint'), on: ['whole'] },
  'GET /log/cosigned/tile/entries/*': { on: ['whole'], ...below('/log/cosigned/tile/entries') },
  'GET /log/cosigned/tile/:level/*': {
    on: ['whole'],
    together: () => hostilePaths('/log/cosigned/tile/{}/{}', '0', '000'),
  },

  'POST /witness/add-checkpoint': {
    on: ['whole'],
    each: ({ checkpoint }) => {
      const line = checkpoint.trimEnd().split('\n').at(-1)!;
      const lines = (count: number, text: (n: number) => string) =>
        Array.from({ length: count }, (_, n) => `${text(n)}\n`);
      const post = (what: string, body: string) => postOf('/witness/add-checkpoint', what, body);
      return [
        post('its line a hundred times', `old 0\n\n${checkpoint}${lines(99, () => line).join('')}`),
        post(
          'a hundred lines of others',
          `old 0\n\n${checkpoint}${lines(99, (n) => `\u2014 x${n} ${'A'.repeat(96)}`).join('')}`,
        ),
        post(
          'a hundred bad lines of its key',
          `old 0\n\n${checkpoint}${lines(99, () => line.replace(/.{9}$/, 'AAAAAAAA=')).join('')}`,
        ),
        post('a proof of many hashes', `old 1\n${lines(300, () => `${'A'.repeat(43)}=`).join('')}\n${checkpoint}`),
        post('16 KiB of lines', '\n'.repeat(16 * 1024)),
        post('16 KiB of one line', 'x'.repeat(16 * 1024)),
        post('a megabyte', 'x'.repeat(1024 * 1024)),
      ];
    },
  },
  'GET /witness/:hash/checkpoint': {
    on: ['whole'],
    each: ({ originHash }) => [get('a checkpoint', `/witness/${originHash}/checkpoint`)],
    together: () => hostilePaths('/witness/{}/checkpoint', '0'.repeat(64)),
  },
  'GET /v1/proofs/seen': {
    on: ['whole'],
    each: () => [
      get('what very many said', `/v1/proofs/seen?avatar=${avatar.compressed}`),
      get('the last page of what very many said', `/v1/proofs/seen?link=${'0'.repeat(64)}&page=200`),
      get('an account of which very many spoke', `/v1/proofs/seen?platform=github&identity=${'x'.repeat(256)}`),
      get('a name of very many links', `/v1/proofs/seen?platform=github&identity=${CROWDED}`),
      get('its last page', `/v1/proofs/seen?platform=github&identity=${CROWDED}&page=100`),
    ],
    together: () => hostileQueries('/v1/proofs/seen', { avatar: avatar.compressed, page: '2' }),
  },
  'GET /v1/proofs/seen/changes': {
    on: ['whole'],
    each: () => [get('a full page', '/v1/proofs/seen/changes?last_id=0&count=100')],
    together: () => hostileQueries('/v1/proofs/seen/changes', { last_id: '0', count: '100' }),
  },
  'GET /v1/proofs/seen/keys': kept('/v1/proofs/seen/keys'),
  'GET /v1/witness': { ...kept('/v1/witness'), on: ['whole'] },

  'GET /badge/:platform/:file': {
    each: ({ large: { identity, popular, longChain } }) => [
      get('an identity that many hold', `/badge/ethereum/${identity}.svg`),
      get('a name that very many hold', `/badge/ethereum/${popular}.svg`),
      get('a name that very many hold, and a key', `/badge/ethereum/${popular}.svg?avatar=${longChain}`),
    ],
    together: () => [
      ...hostilePaths('/badge/{}/{}.svg', 'ethereum', wallet.address),
      ...hostileQueries(`/badge/ethereum/${wallet.address}.svg`, { avatar: avatar.compressed, theme: 'dark' }),
    ],
  },
  'GET /embed/:platform/:identity': {
    together: () => [
      ...hostilePaths('/embed/{}/{}', 'ethereum', wallet.address),
      ...hostileQueries(`/embed/ethereum/${wallet.address}`, { avatar: avatar.compressed }),
    ],
  },
  'GET /seal/:file': {
    each: () => {
      let number = 0;
      return [
        { what: 'another key each time', path: () => `/seal/${anAvatar(`seal ${(number += 1)}`).key.compressed}.png` },
      ];
    },
    together: () => hostilePaths('/seal/{}.png', avatar.compressed),
  },
  'GET /picture/:key': {
    each: ({ large: { hoarder } }) => [get('a key that has written much', `/picture/${hoarder}`)],
    together: () => hostilePaths('/picture/{}', avatar.compressed),
  },
  'GET /feed.atom': queried('/feed.atom', { before: 'link.9-kv.9-key.9' }),
  'GET /a/:file(^.+\\.(?:atom|json|vcf)$)': {
    each: ({ large: { collectors, hoarder, longChain } }) => [
      get('news of very many links', `/a/${longChain}.atom`),
      get('news of much content', `/a/${hoarder}.atom`),
      get('a card of 1,000 bindings', `/a/${collectors[0]}.vcf`),
    ],
    together: () => hostilePaths('/a/{}.atom', avatar.compressed),
  },
  'GET /p/:platform/:file(^.+\\.atom$)': {
    each: ({ large: { popular } }) => [get('news of a name that very many hold', `/p/ethereum/${popular}.atom`)],
    together: () => hostilePaths('/p/{}/{}.atom', 'ethereum', wallet.address),
  },
  'GET /@*': {
    each: () => [get('a path of many parts', `/@${'a/'.repeat(7000)}`), get('a long name', `/@${'a.'.repeat(7000)}`)],
    together: () => hostilePaths('/@{}', 'alice.example.org'),
  },
  'GET /v1/hidden': {
    each: () => [get('as many as are taken', `/v1/hidden?${`item=key:${avatar.compressed}&`.repeat(50)}`)],
    together: () => hostileQueries('/v1/hidden', { item: 'identity:github:alice' }),
  },
  'GET /v1/push': kept('/v1/push'),
  // Refused by its address, behind all that is checked before a push service is asked: tests ask none.
  'POST /v1/push/subscriptions': {
    bodies: () => hostileBodies('/v1/push/subscriptions', PUSH, 'endpoint'),
    together: () => hostileMembers('/v1/push/subscriptions', PUSH),
  },
  'GET /v1/push/subscriptions/:id': { together: () => hostilePaths('/v1/push/subscriptions/{}', UUID) },
  'DELETE /v1/push/subscriptions/:id': {
    together: () =>
      hostilePaths('/v1/push/subscriptions/{}', UUID).map((request) => ({ ...request, init: { method: 'DELETE' } })),
  },
  'GET /a/*': {
    each: ({ large: { collectors, hoarder, longChain } }) => [
      get('an Avatar of very many links', `/a/${longChain}`),
      get('an Avatar of 1,000 bindings', `/a/${collectors[0]}`),
      get('an Avatar of much content', `/a/${hoarder}`),
      get('a path of many parts', `/a/${'a/'.repeat(7000)}`),
    ],
    together: () => hostilePaths('/a/{}', avatar.compressed),
  },
  'GET /p/*': {
    isOfPlatforms: true,
    each: ({ large: { identity, popular } }) => [
      get('a name that very many hold', `/p/ethereum/${popular}`),
      get('an identity that many hold', `/p/ethereum/${identity}`),
      get('a path of many parts', `/p/${'a/'.repeat(7000)}`),
    ],
    together: () => [...hostilePaths('/p/{}/{}', 'ethereum', wallet.address), ...hostilePaths('/p/github/{}', 'x')],
  },
  'GET /revoke/*': below('/revoke'),
  'GET /bind/*': below('/bind'),
  'GET /kv/*': below('/kv'),
  'GET /lost/*': below('/lost'),
  'GET /recovery/*': below('/recovery'),
  'GET /': kept('/'),
  'GET /lost': kept('/lost'),
  'GET /icon-192.png': kept('/icon-192.png'),
  'GET /icon-512.png': kept('/icon-512.png'),
  'GET /manifest.webmanifest': kept('/manifest.webmanifest'),
  'GET /worker.js': kept('/worker.js'),
  'GET /bind': kept('/bind'),
  'GET /kv': kept('/kv'),
  'GET /verify': kept('/verify'),
  'GET /transparency': kept('/transparency'),
  'GET /console': kept('/console'),
  'GET /look-frame': kept('/look-frame'),
  'GET /embed.js': kept('/embed.js'),
  'GET /example': kept('/example'),
  'GET /example.json': kept('/example.json'),
  'GET /favicon.svg': kept('/favicon.svg'),
  'GET /platform-icons.svg': kept('/platform-icons.svg'),
  'GET /further-platform-icons.svg': kept('/further-platform-icons.svg'),
  'GET /assets/:name': {
    each: ({ asset }) => [get('the largest', asset)],
    together: () => hostilePaths('/assets/{}', 'x.js'),
  },
  'GET /docs': kept('/docs'),
  'GET /docs/start.js': kept('/docs/start.js'),
  'GET /docs/swagger-ui.css': kept('/docs/swagger-ui.css'),
  'GET /docs/swagger-ui-bundle.js': kept('/docs/swagger-ui-bundle.js'),
  'GET /docs/favicon-32x32.png': kept('/docs/favicon-32x32.png'),
  'GET /openapi.json': kept('/openapi.json'),
  'GET /asyncapi.json': kept('/asyncapi.json'),
  'GET /metrics': kept('/metrics'),
  'GET /healthz': kept('/healthz'),
  'GET /livez': kept('/livez'),
  'GET /readyz': kept('/readyz'),
};

/** Paths that no route serves. */
export const NO_ROUTE: RouteRequests = below('/nothing');

/** Routes whose cost is bounded by who may ask them. */
export const UNMEASURED: [RegExp, string][] = [
  [/^[A-Z]+ \/admin\//, 'only with ADMIN_TOKEN; what comes without it is refused before anything is looked up'],
];
