/** Own looks at posts, records and wallets, for the option `looks` of a client. Needs the package `@signet/look`. */
import { createLooker } from '@signet/look/looker';
import type { Looker } from './look/look.js';
import { Looks, type PostOptions } from './look/looks.js';

export type { Look, Looker } from './look/look.js';
export type { Looks, PostLook, PostOptions } from './look/looks.js';

/** How posts are looked at. */
export interface LooksOptions extends PostOptions {
  /**
   * Credentials and addresses under the names of the service's settings, such as `GITHUB_TOKEN`; in browsers, which are
   * given no credentials, only addresses count.
   */
  settings?: Record<string, string | string[]> | undefined;
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

/** What looks for a client, from where this program runs: in Node at all platforms, in browsers at some. */
export function createLooks({ settings = {}, mayAsk, looker, ...options }: LooksOptions = {}): Looks {
  return new Looks(looker ?? createLooker({ settings, ...(mayAsk && { mayAsk }) }), options);
}
