/**
 * What the hooks ask, as queries of TanStack Query: a server asks them beforehand, and the page does not ask again.
 * This file has no `'use client'`, so server components may call it.
 */
import {
  type Client,
  type IdentityGroup,
  type Person,
  type PlatformName,
  type Profile,
  readProfile,
  type Who,
} from '@signet/sdk';
import { queryOptions } from '@tanstack/react-query';

/** An account, a name or a wallet on a platform. */
export interface Account {
  platform: PlatformName;
  identity: string;
}

/** Who holds an account. */
export interface FoundAccount {
  /** As it was asked for. */
  account: Account;
  /**
   * The Avatars that have bound it, the newest first, each with its bindings; several may have, and none where this is
   * empty. Each binding says in `is_valid` whether it was found at the last check, and in `resting` on what it rests.
   */
  holders: IdentityGroup[];
}

/** Holders that are read; a page shows the newest. */
const MAX_HOLDERS = 20;
/** How long an answer is shown without being asked for again. */
const FRESH_MS = 60_000;

/** Two clients share answers only if both ask the same server and demand the same of it. */
const keyOf = (client: Client, ...words: string[]) => ['signet', ...client.scope, ...words] as const;

/** The client tries again by itself, where that can help. */
const COMMON = { staleTime: FRESH_MS, retry: false } as const;

/** Who is behind an account: what `useIdentity` asks. */
export function identityQuery(client: Client, { platform, identity }: Account) {
  return queryOptions({
    ...COMMON,
    queryKey: keyOf(client, 'identity', platform, identity),
    queryFn: async ({ signal }): Promise<FoundAccount> => {
      const holders = await client.proofs.find({ platform, identity, signal }).toArray({ limit: MAX_HOLDERS });
      return { account: { platform, identity }, holders };
    },
  });
}

/** One person behind an address, an account or a key, null where there is none: what `usePerson` asks. */
export function personQuery(client: Client, who: Who) {
  return queryOptions({
    ...COMMON,
    queryKey: keyOf(client, 'person', JSON.stringify(who)),
    queryFn: ({ signal }): Promise<Person | null> => client.resolve(who, { signal }),
  });
}

/** All bindings of an Avatar, null where there are none: what `useBindings` asks. */
export function bindingsQuery(client: Client, avatar: string) {
  return queryOptions({
    ...COMMON,
    queryKey: keyOf(client, 'bindings', avatar.toLowerCase()),
    queryFn: ({ signal }): Promise<IdentityGroup | null> => client.proofs.of(avatar, { signal }),
  });
}

/** The name, line and picture that an Avatar gives itself, null where there are none: what `useProfile` asks. */
export function profileQuery(client: Client, avatar: string) {
  return queryOptions({
    ...COMMON,
    queryKey: keyOf(client, 'profile', avatar.toLowerCase()),
    queryFn: async ({ signal }): Promise<Profile | null> => readProfile(await client.kv.get(avatar, { signal })),
  });
}
