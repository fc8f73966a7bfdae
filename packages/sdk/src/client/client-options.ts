import type { LogOptions } from '../log/log-options.js';
import type { Looks } from '../look/looks.js';
import type { ObserverOptions } from '../observers/observer-options.js';
import type { TransportOptions } from '../transport.js';

/** How a client works. */
export interface ClientOptions extends TransportOptions {
  /**
   * `signatures`: every answer that follows from signed records is checked with `@signet/verify` before it is
   * returned, which takes a request more where the answer itself has no signatures. `log`: that, and the proof that
   * what it follows from is in the transparency log of the server, which must be the same log at every call: a request
   * more for each record. Of content it is the newest patch, whose signature covers all before it. `complete`:
   * what `log` does, and the proof by the map over the log that nothing was left out: of the links and the content of
   * an Avatar, and of exact look-ups on one platform, also where nothing is found. The map is as new as the newest tree
   * head (of those that witnesses signed, with a policy): what is newer may be there on top. Searches for parts of
   * names, look-ups on all platforms, of several keys at once and of names in forms that only a server reads cannot be
   * complete: a `TypeError`. A single page does not show what is left out. A request more for each call, and some for
   * each Avatar. `posts`:
   * signatures, and a look at the post or record of each binding that is returned, by `looks`, from where this program
   * runs. `{ observers, quorum }`: signatures, and statements of other servers that they saw the post or record of each
   * binding that is returned and that the server says is valid; a request to each of them for each Avatar.
   */
  verify?: 'none' | 'signatures' | 'log' | 'complete' | 'posts' | ObserverOptions | undefined;
  /**
   * `here`: a binding whose member `shown` would be `by the server` is refused, and with it the answer that holds it
   * (`VerificationError` with the code `not_shown_here`). Needs `verify`. Every binding is returned when absent.
   */
  accept?: 'here' | undefined;
  /** For `verify: 'log'`: the trusted keys of the log, and where its heads are remembered. */
  log?: LogOptions | undefined;
  /** What looks at posts, for `look` and `verify: 'posts'`: `createLooks()` of `@signet/sdk/look`. */
  looks?: Looks | undefined;
}
