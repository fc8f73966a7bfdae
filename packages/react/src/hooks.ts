'use client';

import type { IdentityGroup, Person, Profile, Who } from '@signet/sdk';
import { skipToken, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type Account, bindingsQuery, type FoundAccount, identityQuery, personQuery, profileQuery } from './queries.js';
import { useSignet } from './signet-provider.js';

/**
 * Who is behind an account: the Avatars that have bound it, with all their bindings. `data` is there when the answer
 * is, and was checked as the client demands; `error` is a `SignetError`. Nothing is asked while `account` is undefined.
 *
 *     const { data } = useIdentity({ platform: 'github', identity: 'alice' });
 */
export function useIdentity(account: Account | undefined): UseQueryResult<FoundAccount> {
  const query = identityQuery(useSignet(), account ?? NOBODY);
  return useQuery(account ? query : { ...query, queryFn: skipToken });
}

/**
 * The person behind an address, an account or a key, as `client.resolve` answers: Avatar, profile, and accounts with
 * their state. Null where there is none. Nothing is asked while `who` is undefined.
 */
export function usePerson(who: Who | undefined): UseQueryResult<Person | null> {
  const query = personQuery(useSignet(), who ?? '');
  return useQuery(who === undefined ? { ...query, queryFn: skipToken } : query);
}

/** All bindings of an Avatar, null where there are none. Nothing is asked while `avatar` is undefined. */
export function useBindings(avatar: string | undefined): UseQueryResult<IdentityGroup | null> {
  const query = bindingsQuery(useSignet(), avatar ?? '');
  return useQuery(avatar === undefined ? { ...query, queryFn: skipToken } : query);
}

/**
 * What an Avatar says of itself: name, line and picture, signed by its key, which proves nothing but that. Null where
 * it says nothing. Nothing is asked while `avatar` is undefined.
 */
export function useProfile(avatar: string | undefined): UseQueryResult<Profile | null> {
  const query = profileQuery(useSignet(), avatar ?? '');
  return useQuery(avatar === undefined ? { ...query, queryFn: skipToken } : query);
}

const NOBODY: Account = { platform: '', identity: '' };
