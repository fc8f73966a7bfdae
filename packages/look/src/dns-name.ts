import { cleanPasted } from '@signet/verify/internal';
import { canonicalForm } from '@signet/verify/names';
import { InvalidRequestError } from './errors.js';

/** An optional scheme, then the host and port: all up to a path, a query or a fragment. */
const HOST_OF_URL = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/\\?#]*)/i;

/** Top labels of names that never are public: RFC 6761, 6762, 7686, 9476, ICANN's `internal`, and the reverse tree. */
const SPECIAL_TOP_LABELS = ['localhost', 'local', 'internal', 'onion', 'arpa', 'test', 'invalid', 'example', 'alt'];

/**
 * A public domain name as compared and stored: ASCII by UTS 46 (non-transitional, so `faß.de` is not `fass.de`),
 * lowercase, no final dot. A scheme, port, path or query around it is dropped.
 * @throws InvalidRequestError (`invalid_identity`) for IP addresses, names of one label, names of special use, and
 *   names that the DNS cannot hold.
 */
export function canonicalDomainName(text: string): string {
  const host = HOST_OF_URL.exec(cleanPasted(text))![1]!.replace(/:\d{1,5}$/, '');
  const name = canonicalForm('dns', host);
  if (name === null) throw notADomain('expected a domain name of at least two labels, such as alice.example.org');
  const topLabel = name.slice(name.lastIndexOf('.') + 1);
  if (SPECIAL_TOP_LABELS.includes(topLabel)) {
    throw notADomain(`names under .${topLabel} are not public`);
  }
  return name;
}

function notADomain(why: string): InvalidRequestError {
  return new InvalidRequestError(`Not a public domain name: ${why}.`, 'invalid_identity');
}
