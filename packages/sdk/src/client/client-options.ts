import type { LogOptions } from '../log/log-options.js';
import type { Looks } from '../look/looks.js';
import type { PlatformProofOptions } from '../look/platform-proofs.js';
import type { ObserverOptions } from '../observers/observer-options.js';
import type { TransportOptions } from '../transport.js';

/**
 * What has to hold of every answer besides its signatures, which are always checked. Demands combine: an answer has to
 * meet each of them, or it is a `VerificationError`.
 */
export interface Demands {
  /**
   * What an answer follows from is in the transparency log of the server, which is the same log at every call: a
   * request more for each record. Of content it is the newest patch, whose signature covers all before it. `true`, or
   * what the option `log` takes.
   */
  log?: boolean | LogOptions | undefined;
  /**
   * `log`, and the map over the log proves that nothing was left out: of the links and the content of an Avatar, and of
   * exact look-ups on one platform, also where nothing is found. The map is as new as the newest tree head (of those
   * that witnesses signed, with a policy): what is newer may be there on top. Searches for parts of names, look-ups on
   * all platforms, of several keys at once and of names in forms that only a server reads cannot be complete
   * (`wrong_usage`). A single page does not show what is left out. A request more for each call, and some for each
   * Avatar.
   */
  complete?: boolean | undefined;
  /**
   * This program looks at the post or record of each binding that is returned, and did not find one missing that the
   * server calls valid. `true`, or what the option `looks` takes.
   */
  posts?: boolean | Looks | undefined;
  /**
   * Enough observers signed that they saw the post or record of each binding that is returned and that the server calls
   * valid: a request to each of them for each Avatar. `true`, or what the option `observers` takes.
   */
  observers?: boolean | ObserverOptions | undefined;
  /**
   * No binding rests on the word of the server (`not_shown_here`): each by the signature of its wallet, and with
   * `posts` also by a post that this program saw.
   */
  here?: boolean | undefined;
  /**
   * `log`, and no binding rests on the word of the server (`not_shown_here`): each by the signature of its wallet, or
   * by what its platform has signed of it (the account's server on Bluesky, the zone of a domain), which is asked for
   * and checked; with `posts` also by a post that this program saw. A request more for each binding. Who runs the
   * platform can sign what the account never wrote, so `here` refuses what rests on that alone. `true`, or further
   * keys of the root of the DNS.
   */
  platform?: boolean | PlatformProofOptions | undefined;
}

/** How a client works. */
export interface ClientOptions extends TransportOptions {
  /**
   * Answers are returned as the server gives them, unchecked: for programs that check by themselves, or that talk to a
   * server of their own. Signatures are checked when absent.
   */
  trustServer?: boolean | undefined;
  /** What has to hold of every answer; that its signatures verify, when absent. */
  demand?: Demands | undefined;
  /** Whom to believe about the log, and where its heads and the receipts of writes are kept. */
  log?: LogOptions | undefined;
  /** What looks at posts, for `look` and `demand: { posts }`: `createLooks()` of `@signet/sdk/look`. */
  looks?: Looks | undefined;
  /** Who is asked what they saw of posts, for `seenBy` and `demand: { observers }`. */
  observers?: ObserverOptions | undefined;
}
