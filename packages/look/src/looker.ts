/** What looks at bindings for programs; `createLooker` of `@signet/look/looker` makes it. */
import type { Bound, Look } from './look.js';
import type { PlatformOptions } from './options/options.js';

/** How a looker works: the options of platforms, such as `{ github: { token } }`. */
export type LookerOptions = PlatformOptions;

/** Options of one look. */
export interface LookOptions {
  /** Ends the look: its promise rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** Looks at bindings. A platform that asks to wait is not asked again until then. */
export interface Looker {
  /** Looks at a binding whose signatures were checked before. @throws the reason of the signal, and defects */
  look(bound: Bound, options?: LookOptions): Promise<Look>;
  /** Closes connections; what is under way may end first. */
  close(): Promise<void>;
}
