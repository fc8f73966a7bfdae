import { WebFailure } from './web-failure.js';

/**
 * Names that lead to this machine or network, or nowhere (IANA special-use domain names, RFC 6762 appendix G, ICANN's
 * list of collisions).
 */
const SPECIAL_TOP_LEVELS = new Set(
  'alt arpa corp example home host internal intranet invalid lan local localdomain localhost mail onion private test'.split(
    ' ',
  ),
);

/** One label: letters, digits and inner hyphens. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Checks a URL whose host a user chose, before any name is looked up: https, port 443, no credentials, and an ordinary
 * name of at least two labels, written in the one form that the URL parser makes of it. So every spelling of an IP
 * address (decimal, octal, hex, short, IPv6), a trailing dot, percent-encoding and look-alike characters are all
 * refused.
 * @throws WebFailure `refused`
 */
export function guardUserUrl(text: string): URL {
  const url = parse(text);
  const written = /^https:\/\/([^/?#]*)/.exec(text)?.[1]?.replace(/:443$/, '');
  if (url.protocol !== 'https:' || url.port !== '' || written !== url.hostname || !isOrdinaryName(url.hostname)) {
    throw new WebFailure('refused', 'not an https URL with an ordinary host on port 443');
  }
  return url;
}

/**
 * Checks a URL below a base URL of the operator, who may use http, private addresses and any port.
 * @throws WebFailure `refused`
 */
export function guardOperatorUrl(text: string): URL {
  const url = parse(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new WebFailure('refused', 'not an http or https URL');
  return url;
}

/** True for a lowercase ASCII host name of at least two labels that is not reserved for special use. */
export function isOrdinaryName(hostname: string): boolean {
  const labels = hostname.split('.');
  const topLevel = labels.at(-1) ?? '';
  return (
    hostname.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^[0-9]/.test(topLevel) && // no top-level name starts with a digit, but octal and hex numbers do
    !SPECIAL_TOP_LEVELS.has(topLevel)
  );
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch (cause) {
    throw new WebFailure('refused', 'not a URL', { cause });
  }
}
