import { asciiHost, asciiLower, NAME_PATTERNS } from '@signet/verify/names';
import type { InvalidVerdict } from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';
import type { Handle } from './activitypub-handle.js';
import { unusable, type FediverseRequests } from './activitypub-requests.js';

const HANDLE = new RegExp(NAME_PATTERNS.activitypub);
const MAX_WEBFINGER_BYTES = 64 * 1024;
const ACCEPT = 'application/jrd+json, application/json';
const ACTOR_TYPES = [
  /^application\/activity\+json$/i,
  /^application\/ld\+json; *profile="https:\/\/www\.w3\.org\/ns\/activitystreams"$/i,
];

/** The part of a webfinger answer that we read (RFC 7033). Every member is optional: we did not write that server. */
interface WebfingerReply {
  subject?: unknown;
  links?: unknown;
}

/** The rel of the page of an account in webfinger, as Mastodon, Misskey, Pleroma and others write it. */
const PROFILE_PAGE = 'http://webfinger.net/rel/profile-page';

/** Where an account is served. */
export interface ServedAccount {
  apiHost: string;
  /** The address of the actor, as its server writes it. */
  actor: string;
  /**
   * The address of its page as its server writes it; absent where it names none. It is never normalised: Mastodon
   * compares addresses character by character (app/services/verify_link_service.rb).
   */
  profileUrl?: string | undefined;
}

interface Account {
  /** `user@host`, lowercase, the host in ASCII; null where the server does not say. */
  subject: string | null;
  /** URL of the actor. */
  self: string;
  /** Addresses of pages that are said to be that of the account. */
  pages: string[];
}

/**
 * Finds the host that serves the API for an account. It may be another than the host of its name (split domain); that
 * one must then say of itself that it serves this name, because any domain can point at the actor of another account.
 * @returns the host and the page of the account, or a verdict where the server knows no such account
 * @throws PlatformUnavailableError if a server could not be asked or made no sense
 */
export async function findApiHost(
  requests: FediverseRequests,
  { user, host }: Handle,
): Promise<ServedAccount | InvalidVerdict> {
  const name = `${user}@${host}`;
  const account = await askWebfinger(requests, host, name);
  if ('valid' in account) return account;
  if (account.subject !== null && account.subject !== name) {
    return invalid(
      `The server of ${host} calls this account by another name${shownName(account.subject)}; use the full name that it shows as the identity.`,
    );
  }
  const apiHost = hostOf(account.self);
  const served = {
    apiHost,
    actor: account.self,
    profileUrl: account.pages.find((page) => isPageOf(page, [host, apiHost])),
  };
  if (apiHost === host) return served;
  const counterpart = await askWebfinger(requests, apiHost, `${user}@${apiHost}`);
  if (!('valid' in counterpart) && counterpart.subject === null) throw unusable();
  if ('valid' in counterpart || counterpart.subject !== name || counterpart.self !== account.self) {
    return invalid(`${host} names another server for ${name}, and that server does not confirm it.`);
  }
  return served;
}

/** What `host` says about `acct:<name>`. */
async function askWebfinger(
  requests: FediverseRequests,
  host: string,
  name: string,
): Promise<Account | InvalidVerdict> {
  const url = `https://${host}/.well-known/webfinger?resource=${encodeURIComponent(`acct:${name}`)}`;
  const { status, json } = await requests.getJsonFollowing<WebfingerReply>(url, ACCEPT, MAX_WEBFINGER_BYTES);
  if (status === 404 || status === 410) return invalid(`The server ${host} knows no account ${name}.`);
  if (status !== 200 || !Array.isArray(json?.links)) throw unusable();
  const self = json.links.map(actorUrlOf).find((href) => href !== null);
  if (!self && json.links.some(isIncomplete)) throw unusable();
  if (!self) return invalid(`${name} is not an ActivityPub account.`);
  const subject = typeof json.subject === 'string' ? nameIn(json.subject) : null;
  const pages = json.links.map(profilePageOf).filter((href) => href !== null);
  return { subject, self, pages };
}

/** `acct:` dropped, lowercase; servers may write their own host in Unicode. */
function nameIn(subject: string): string {
  const name = asciiLower(subject.replace(/^acct:/i, ''));
  const at = name.lastIndexOf('@') + 1;
  return name.slice(0, at) + (asciiHost(name.slice(at)) || name.slice(at));
}

/** The other name for a sentence, where it is one; nothing else that a server says is repeated. */
function shownName(subject: string): string {
  return HANDLE.test(subject) ? `, ${subject}` : '';
}

/** The address of the actor, if this link names it. */
function actorUrlOf(link: unknown): string | null {
  const { rel, type, href } = (link ?? {}) as { rel?: unknown; type?: unknown; href?: unknown };
  const isActor = rel === 'self' && typeof type === 'string' && ACTOR_TYPES.some((pattern) => pattern.test(type));
  return isActor && typeof href === 'string' ? href : null;
}

/** The address of the page of the account, if this link names it. */
function profilePageOf(link: unknown): string | null {
  const { rel, type = 'text/html', href } = (link ?? {}) as { rel?: unknown; type?: unknown; href?: unknown };
  return rel === PROFILE_PAGE && type === 'text/html' && typeof href === 'string' ? href : null;
}

/** Whether a page is one of these hosts: a server may say anything of pages elsewhere, such as those of others. */
function isPageOf(page: string, hosts: string[]): boolean {
  if (!URL.canParse(page)) return false;
  const { protocol, port, username, password, hostname } = new URL(page);
  return protocol === 'https:' && port + username + password === '' && hosts.includes(hostname);
}

/** Whether a link lacks what tells whether it names the actor, or where the actor is (RFC 7033, 4.4.4). */
function isIncomplete(link: unknown): boolean {
  const { rel, type, href } = (link ?? {}) as { rel?: unknown; type?: unknown; href?: unknown };
  return typeof rel !== 'string' || (rel === 'self' && (typeof type !== 'string' || typeof href !== 'string'));
}

/** The host of an https address on the standard port without credentials. The web client judges the host itself. */
function hostOf(address: string): string {
  if (!URL.canParse(address)) throw unusable();
  const { protocol, port, username, password, hostname } = new URL(address);
  if (protocol !== 'https:' || port + username + password !== '') throw unusable();
  return hostname;
}
