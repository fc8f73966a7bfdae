/** Signet for React: hooks for who is behind a name, and an element that checks a binding by itself. */
export { useBindings, useIdentity, usePerson, useProfile } from './hooks.js';
export type { Account, FoundAccount } from './queries.js';
export { bindingsQuery, identityQuery, personQuery, profileQuery } from './queries.js';
export type { SignetProofProps } from './signet-proof.js';
export { SignetProof } from './signet-proof.js';
export type { SignetProviderProps } from './signet-provider.js';
export { SignetProvider, useSignet } from './signet-provider.js';
