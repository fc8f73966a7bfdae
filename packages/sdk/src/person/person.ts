/** What a person is to an app. */
import type { BindingState } from '@signet/verify/bindings';
import type { Hex } from '@signet/verify';
import type { BindingResting, Resting } from '../client/resting.js';
import type { FollowedStep } from '../keys/key-types.js';
import type { PlatformName } from '../platform-names.js';
import type { Profile } from '../profile.js';

/** An account or wallet of a person. */
export interface Account {
  platform: PlatformName;
  /** Canonical. */
  identity: string;
  /** By the word of the server: `valid`, `stale` (not seen lately), or `invalid`. Show only the first in full. */
  state: BindingState;
  /** UNIX seconds at which the binding was signed. */
  boundAt: number;
  /** UNIX seconds of the newest look of the server; null for wallets, whose signature does not age. */
  seenAt: number | null;
  /** Why it is invalid, by the server; `''` where it is not. */
  reason: string;
  resting: BindingResting;
}

/** Who is behind an address, an account or a key. */
export interface Person {
  /** Compressed key. */
  avatar: Hex;
  /** Name, line and picture that the key gives itself, which prove nothing; null where there are none. */
  profile: Profile | null;
  /** The account that was asked for; null where a key was. */
  account: Account | null;
  /** All accounts, the newest first. */
  accounts: Account[];
  /** Other keys that hold the account that was asked for, too, and validly: the newest binding was taken. */
  alsoHeldBy: Hex[];
  /** On what it rests that these are all who hold the account, or all accounts of the key, and on what the profile. */
  resting: { accounts: Resting; profile: Resting };
  /**
   * With `follow: true` alone: how this key follows from the one that was found; empty for that one. `account` is the
   * binding of the key that was found.
   */
  followed?: FollowedStep[];
}
