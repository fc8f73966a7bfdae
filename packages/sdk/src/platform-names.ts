// Written by `npm run sdk-types` from the sources of the service. Do not change it by hand.
/* eslint max-len: off */
/** A platform; servers of later versions have others too. */
export type PlatformName =
  | 'activitypub'
  | 'bluesky'
  | 'discord'
  | 'discourse'
  | 'dns'
  | 'dotbit'
  | 'ethereum'
  | 'forgejo'
  | 'github'
  | 'gitlab'
  | 'hackernews'
  | 'keybase'
  | 'lobsters'
  | 'minds'
  | 'nostr'
  | 'orcid'
  | 'solana'
  | 'steam'
  | 'twitter'
  | 'website'
  | (string & {});
