import { InvalidRequestError } from '../../errors.js';

/** What a pasted location says. `host` is null for a bare id; it is the host of the page otherwise. */
export type PastedLocation =
  | { host: null; id: string }
  /**
   * `remoteHost`: the page is `/@user@remoteHost/...`, a view of a post on another server, unless that host is its own.
   */
  | { host: string; id: string; remoteHost: string | null }
  /** An address that is not a page and names no id; the server redirects it to the page. */
  | { host: string; objectPath: string };

const ID = /^[0-9A-Za-z_-]{1,64}$/;
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const OBJECT = new RegExp(`^/(?:objects|activities)/${UUID}$`, 'i');

/** Path of a page of a post on each family of servers; the last group is the id. */
const PAGES = [
  // Mastodon: /@user/ID, /@user@other/ID, behind /web and /deck too; GoToSocial: /@user/statuses/ID; Soapbox, Takahe:
  // /@user/posts/ID
  /^(?:\/web|\/deck)?\/@[^/@]+(?:@([^/@]+))?\/(?:statuses\/|posts\/)?([^/]+)$/,
  // Mastodon: /users/user/statuses/ID, from 4.5 on /ap/users/NUMBER/statuses/ID; /statuses/ID, /web/statuses/ID
  /^(?:\/users\/[^/@]+|\/ap\/users\/\d+|\/web)?\/statuses\/()([^/]+)$/,
  // Misskey and relatives: /notes/ID; Pleroma and relatives: /notice/ID; Mitra: /post/ID
  /^\/(?:notes|notice|post)\/()([^/]+)$/,
  // Pixelfed: /p/user/ID, /i/web/post/ID
  /^\/(?:p\/[^/@]+|i\/web\/post)\/()([^/]+)$/,
];

/**
 * Clients on the web for any server. Their addresses name the server whose ids they show: Elk as the first part of the
 * path, Phanpy behind `#/`.
 */
const CLIENTS = [
  { host: /^(?:main\.)?elk\.zone$/, view: ({ pathname }: URL) => /^\/([^/@]+)(\/@.+)$/.exec(pathname) },
  { host: /^(?:dev\.)?phanpy\.social$/, view: ({ hash }: URL) => /^#\/([^/?@]+)\/s(\/[^/?]+)(?:\?.*)?$/.exec(hash) },
];

/**
 * Reads the id of a post, or the address of its page with or without a scheme. Letter case is part of an id.
 * @throws InvalidRequestError (`invalid_proof_location`)
 */
export function readLocation(text: string): PastedLocation {
  if (ID.test(text)) return { host: null, id: text };
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
  const url = behindClient(plainUrl(address));
  const path = url.pathname.replace(/\/$/, '').replace(/\/embed$/, '');
  if (OBJECT.test(path)) return { host: url.hostname, objectPath: path };
  for (const page of PAGES) {
    const [, remoteHost = '', id = ''] = page.exec(path) ?? [];
    if (ID.test(id)) return { host: url.hostname, id, remoteHost: remoteHost.toLowerCase() || null };
  }
  throw notALocation();
}

/** @throws InvalidRequestError (`invalid_proof_location`) unless it is an address of the web without user and port */
function plainUrl(address: string): URL {
  if (!URL.canParse(address)) throw notALocation();
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol) || url.port !== '' || url.username !== '' || url.password !== '') {
    throw notALocation();
  }
  return url;
}

/**
 * The address on the server itself of what a client shows; other addresses as they are.
 * @throws InvalidRequestError (`invalid_proof_location`) if the address of a client names no server and post
 */
function behindClient(url: URL): URL {
  const client = CLIENTS.find(({ host }) => host.test(url.hostname));
  if (!client) return url;
  const [, server = '', path = ''] = client.view(url) ?? [];
  if (server === '') {
    throw notALocation(`this address on ${url.hostname} names no server and post; give the one on your server`);
  }
  return plainUrl(`https://${server}${path.startsWith('/@') ? path : `/statuses${path}`}`);
}

/**
 * The id in the address to which a server redirects one of its `/objects/...`; null unless it is a `/notice/ID` of the
 * same host.
 */
export function idOfNotice(address: string, host: string): string | null {
  if (!URL.canParse(address, `https://${host}`)) return null;
  const url = new URL(address, `https://${host}`);
  const id = /^\/notice\/([^/]+)$/.exec(url.pathname)?.[1] ?? '';
  return url.origin === `https://${host}` && ID.test(id) ? id : null;
}

export function notALocation(
  why = 'expected the id of the post, or the address of its page on your server',
): InvalidRequestError {
  return new InvalidRequestError(`Not a post of this account: ${why}.`, 'invalid_proof_location');
}
