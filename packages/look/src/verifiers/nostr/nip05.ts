import { asciiHost, asciiLower } from '@signet/verify/names';
import { decodeHex } from '@signet/verify';
import type { Fetcher } from '../../web/fetcher.js';
import { unusableAnswer } from '../../web/unusable-answer.js';
import { isOrdinaryName } from '../../web/url-guard.js';

/** Files of whole communities are larger than that of one name, which a server may make of the query. */
const MAX_FILE_BYTES = 512 * 1024;
const KEY_BYTES = 32;
const LOCAL_PART = /^[a-z0-9._-]{1,64}$/;

/** A name of Nostr at a domain (NIP-05). */
export interface DomainName {
  /** `_` stands for the domain itself. */
  local: string;
  domain: string;
}

/** The name that a text means: `name@domain`, or a domain alone; null for what is neither. */
export function domainNameIn(text: string): DomainName | null {
  const [, local = '_', host] = /^(?:([^@]*)@)?([^@]+)$/.exec(text) ?? [];
  const name = { local: asciiLower(local), domain: host === undefined ? '' : asciiHost(host) };
  return LOCAL_PART.test(name.local) && isOrdinaryName(name.domain) ? name : null;
}

/** A name as it is shown: the domain alone where the name is `_`. */
export function shownName({ local, domain }: DomainName): string {
  return local === '_' ? domain : `${local}@${domain}`;
}

/**
 * The 32 bytes of the key that the domain of a name gives for it; null where it gives none. Redirects are not followed,
 * as NIP-05 demands.
 * @throws PlatformUnavailableError if the domain could not be asked
 */
export async function keyOfName({ local, domain }: DomainName, web: Fetcher): Promise<Uint8Array | null> {
  const { status, json } = await web.sendJson<{ names?: Record<string, unknown> }>({
    url: `https://${domain}/.well-known/nostr.json?name=${encodeURIComponent(local)}`,
    trust: 'user',
    platform: 'nostr',
    maxBytes: MAX_FILE_BYTES,
  });
  if (status === 429 || status >= 500) throw unusableAnswer('The domain of this name');
  const names: unknown = status === 200 ? json?.names : undefined;
  if (typeof names !== 'object' || names === null || !Object.hasOwn(names, local)) return null;
  const written = (names as Record<string, unknown>)[local];
  const key = typeof written === 'string' ? decodeHex(written) : null;
  return key?.length === KEY_BYTES ? key : null;
}
