import { readRootKey, ROOT_KEYS, type RootKey } from '@signet/verify/dnssec';
import type { DnsOptions } from '../../options/options.js';

/** What is wrong with the option `rootKeys`, for the operator. */
export const NO_ROOT_KEY = 'DNS_ROOT_KEYS (dns.rootKeys) must be DS records: key tag, algorithm, 2, SHA-256 in hex.';

/** The keys of the root that are known, and those of the options; null where one of these is none. */
export function rootKeysOf({ rootKeys = [] }: DnsOptions): readonly RootKey[] | null {
  const further = rootKeys.map(readRootKey);
  const known = further.filter((key) => key !== null);
  return known.length === further.length ? [...ROOT_KEYS, ...known] : null;
}
