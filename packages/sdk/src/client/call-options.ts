/** What the calls of a client take, and what some of them answer. */
import type { IdentityGroup } from '../answers.js';
import type { PlatformName } from '../platform-names.js';
import type { Wallet } from '../signers/wallets.js';
import type { AppSigner } from '../keys/app-signers.js';
import type { Resting } from './resting.js';

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** Options of calls that may go on to the Avatar that has come after another. */
export interface FollowOptions extends CallOptions {
  /**
   * Where another Avatar has come after the one that is asked for, by its key events, the answer is about that one, and
   * its member `followed` says how it follows (see `keys.follow`). The same Avatar is answered when absent.
   */
  follow?: boolean | undefined;
}

/** Options of calls that answer one thing, or that there is none. */
export interface AnswerOptions extends CallOptions {
  /** Called before the answer is returned with what it rests on, also where it is null. */
  onResting?: ((resting: Resting) => void) | undefined;
}

/** One binding. */
export interface BindingName {
  platform: PlatformName;
  identity: string;
  /** The Avatar's key, in any spelling. */
  avatar: string;
}

/** A look-up. */
export interface ProofSearch extends CallOptions {
  /** All platforms when absent. */
  platform?: PlatformName | undefined;
  /** One identity, or a list of which each Avatar holds at least one. */
  identity: string | readonly string[];
  /** True when absent: an app must not mistake `alice2` for `alice`. */
  exact?: boolean | undefined;
}

/** What is bound where an identity was asked for. */
export interface FoundIdentity {
  /** As it was asked for. */
  identity: string;
  groups: IdentityGroup[];
}

/** A patch to sign. */
export interface PatchRequest extends CallOptions {
  platform: PlatformName;
  identity: string;
  /** A JSON merge patch (RFC 7396). */
  patch: object;
  /**
   * The Avatar: what `fromWallet` returned, or what it takes. Or a key of an app that it has added: what `fromAppKey`,
   * `fromCryptoKey` or `fromPasskey` returned.
   */
  signer: Wallet | AppSigner;
}
