/** What a program may ask about: a key, an address or an account, as people write them. */
import type { Hex } from '@signet/verify';
import { findKey, quoted } from '../checks.js';
import { WrongUsageError } from '../errors.js';
import type { PlatformName } from '../platform-names.js';

/**
 * Who is asked for: a key (33 or 65 bytes of hex), an Ethereum address (also `eip155:1:0x…`), an account as
 * `github:alice`, or its platform and identity.
 */
export type Who = string | { platform: PlatformName; identity: string };

/** What is asked for, taken apart. */
export type AskedFor = { key: Hex } | { platform: PlatformName; identity: string };

const ADDRESS = /^(?:eip155:[0-9]{1,32}:)?(0x[0-9a-f]{40})$/i;
const ACCOUNT = /^([a-z][a-z0-9]{1,31}):(.+)$/s;

/** @throws WrongUsageError for what is none of them */
export function readWho(who: Who): AskedFor {
  if (typeof who === 'object' && who !== null) {
    const { platform, identity } = who;
    if (typeof platform === 'string' && typeof identity === 'string' && identity.trim() !== '') {
      return { platform, identity };
    }
  }
  if (typeof who === 'string') {
    const key = findKey(who);
    if (key !== null) return { key };
    const address = ADDRESS.exec(who)?.[1];
    if (address !== undefined) return { platform: 'ethereum', identity: address.toLowerCase() };
    const [, platform, identity] = ACCOUNT.exec(who) ?? [];
    if (platform !== undefined && identity !== undefined) return { platform, identity };
  }
  throw new WrongUsageError(
    `resolve takes a key, an Ethereum address, an account such as "github:alice", or { platform, identity }, not ${quoted(who)}.`,
  );
}
