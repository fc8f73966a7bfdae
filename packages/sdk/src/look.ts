/** Own looks at posts, records and wallets, for the option `looks` of a client. Needs the package `@signet/look`. */
import { createLooker, type PlatformOptions } from '@signet/look/looker';
import { demandFunctions } from './checks.js';
import type { Looker } from './look/look.js';
import { Looks, type PostOptions } from './look/looks.js';
import { demandMethods, givenTo } from './writes/given-to.js';

export type { Look, Looker } from './look/look.js';
export type { Looks, PostLook, PostOptions } from './look/looks.js';

/**
 * How posts are looked at, with the options of platforms, such as `{ github: { token } }`; in browsers, which send no
 * credentials, only their addresses count.
 */
export interface LooksOptions extends PostOptions, PlatformOptions {
  /**
   * In browsers: asked before each look that sends something, with the hosts that would learn the address of the
   * visitor. The answer false leaves it. Every look is made when absent.
   */
  mayAsk?: ((question: Question) => boolean | Promise<boolean>) | undefined;
  /** Another looker than that of `@signet/look`. */
  looker?: Looker | undefined;
}

/** The hosts that a look would ask. */
export interface Question {
  platform: string;
  identity: string;
  hosts: string[];
  /** `chosen`: hosts that the holder of the identity chose, perhaps the very person that is looked up. */
  reveals: 'platform' | 'resolver' | 'chosen';
}

/**
 * What looks for a client, from where this program runs: in Node at all platforms, in browsers at some.
 * @throws WrongUsageError that names an option that cannot be
 */
export function createLooks(given: LooksOptions = {}): Looks {
  const { mayAsk, looker, which, ...options } = givenTo('createLooks', given);
  demandFunctions(given, 'mayAsk', 'which');
  demandMethods('looker', looker, ['look']);
  return new Looks(looker ?? createLooker({ ...options, ...(mayAsk && { mayAsk }) }), { which });
}
