/** What the calls below `client.keys` take and answer. */
import type { Hex } from '@signet/verify';
import type { KeyState, SignedKeyEvent } from '@signet/verify/key-events';
import type { CallOptions } from '../client/call-options.js';
import type { Resting } from '../client/resting.js';
import type { Wallet } from '../signers/wallets.js';
import type { AppSigner } from './app-signers.js';

/** A key event as a server answers it: what an Avatar says about its keys. Times are UNIX seconds as numbers. */
export type KeyEvent = SignedKeyEvent & {
  /** The number in the feed of key events. */
  id: number;
  /** Compressed key. */
  avatar: string;
};

/** What holds for the keys of an Avatar, computed from its key events. */
export interface AvatarKeys {
  /** Compressed key. */
  avatar: Hex;
  /** UNIX seconds for which `state` holds: the clock of this program, and not before the newest event. */
  now: number;
  /** Which recovery keys are in force, what is pending, whether a freeze or a succession is in force. */
  state: KeyState;
  /** All key events, oldest first. */
  events: KeyEvent[];
  /** On what the events rest; that none is left out rests on the map with `demand: { complete }` alone. */
  resting: Resting;
}

/** That one Avatar has come after another, for good. */
export interface FollowedStep {
  /** The Avatar of which its key events say that. Compressed key. */
  avatar: Hex;
  successor: Hex;
  /** UNIX seconds from which on it is final. */
  at: number;
  /** The uuid of the event. */
  event: string;
  /** On what these key events rest. */
  resting: Resting;
}

/** The Avatar that comes after all others of a row. */
export interface Followed {
  /** Compressed key; the one that was asked for where `steps` is empty. */
  avatar: Hex;
  /** From the one that was asked for on. */
  steps: FollowedStep[];
}

/** Who came before an Avatar, up to 20 of them: the word of the server alone. */
export interface Predecessors {
  /** Compressed keys. That one of them named this Avatar its successor `keys.state` of that one shows. */
  avatars: string[];
  /** That these are they, and all, no proof shows. */
  resting: 'server';
}

/** Who says something about the keys of an Avatar. */
export interface KeyRequest extends CallOptions {
  /** The key that signs, the Avatar's own or a recovery key: what `fromWallet` returned, or what it takes. */
  signer: Wallet;
  /** The Avatar, in any spelling; that of `signer` when absent. A recovery key has to name it. */
  avatar?: string | undefined;
}

/** A key that can sign too. */
export interface CosignedRequest extends KeyRequest {
  /** The highest committed key beside the Avatar's own, in either order: then it is in force at once. */
  cosigner?: Wallet | undefined;
}

/** Names recovery keys. */
export interface CommitRequest extends CosignedRequest {
  /** 1 to 5 names, highest first: see `keys.nameOf`. */
  recovery: readonly string[];
  /** How long what one key alone does is pending, 24 to 168 hours; 72 when absent. */
  delayHours?: number | undefined;
}

/** Names the Avatar that comes after this one. */
export interface SucceedRequest extends CosignedRequest {
  /** The Avatar that comes after, which signs too. */
  successor: Wallet;
  /**
   * The uuid of the last link that the owner made, null for none; the newest one when absent. Bindings made behind it
   * count for nothing.
   */
  sinceLink?: string | null | undefined;
  /** The uuid of the last patch that the owner made, likewise. Content is what it was behind it. */
  sincePatch?: string | null | undefined;
}

/** Names the pending event that shall be void. */
export interface VetoRequest extends KeyRequest {
  /** The uuid of that event. */
  event: string;
}

/** Adds a key of an app. */
export interface AddKeyRequest extends KeyRequest {
  /** The key, which signs too: what `fromAppKey`, `fromCryptoKey` or `fromPasskey` returned, for this Avatar. */
  app: AppSigner;
  /** 1 to 16 of `kv`, all content, and `kv:<platform>:<canonical identity>`; of 1,200 bytes together. */
  scopes: readonly string[];
  /** UNIX seconds of its end, at most two years from now; a year when absent. */
  expiresAt?: number | undefined;
}

/** Revokes a key of an app. */
export interface RevokeKeyRequest extends CallOptions {
  /** The Avatar's own key, a recovery key, or the key of the app itself. */
  signer: Wallet | AppSigner;
  /** The Avatar, in any spelling; that of `signer` when absent. A recovery key has to name it. */
  avatar?: string | undefined;
  /** The name of the key of the app: `<algorithm>:0x<hex>`. */
  key: string;
}

/** Rehearses with a recovery key. */
export interface RehearseRequest extends CallOptions {
  /** The Avatar, in any spelling. */
  avatar: string;
  /** The recovery key. */
  signer: Wallet;
}

/**
 * What a rehearsal showed: `committed` and `pending` are recovery keys of a commit that is in force, or will be; `main`
 * is the Avatar's own key, and `unknown` is none of them.
 */
export interface Rehearsal {
  result: 'committed' | 'pending' | 'main' | 'unknown';
  /** The name under which the key stands in the commit; that of its hash where it stands in none. */
  name: string;
  /** The place of the key in the commit, 0 being the highest; null where it stands in none. */
  place: number | null;
}

/** A key event that was recorded. */
export interface RecordedKeyEvent {
  /** `due_at` says when it takes effect, or until when it lasts. */
  event: KeyEvent;
  /** The promise of the log to hold it, as its key signed it; null where the server gave none. */
  receipt: string | null;
}
