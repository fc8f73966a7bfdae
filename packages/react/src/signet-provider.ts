'use client';

import type { Client } from '@signet/sdk';
import { QueryClient, QueryClientContext, QueryClientProvider } from '@tanstack/react-query';
import { createContext, createElement, type ReactNode, useContext, useState } from 'react';

const SignetContext = createContext<Client | null>(null);

/** What `SignetProvider` takes. */
export interface SignetProviderProps {
  /** `createClient({ baseUrl })` of `@signet/sdk`; make it once, outside of components. */
  client: Client;
  children?: ReactNode;
}

/**
 * Gives the hooks below it a client. Answers are kept in the QueryClient of the app, as that of wagmi, and in one of
 * its own where there is none.
 */
export function SignetProvider({ client, children }: SignetProviderProps): ReactNode {
  const ofApp = useContext(QueryClientContext);
  const [own] = useState(() => ofApp ?? new QueryClient());
  const inner = createElement(SignetContext.Provider, { value: client }, children);
  return ofApp ? inner : createElement(QueryClientProvider, { client: own }, inner);
}

/**
 * The client of the next `SignetProvider` above.
 * @throws Error where there is none
 */
export function useSignet(): Client {
  const client = useContext(SignetContext);
  if (!client) throw new Error('There is no <SignetProvider client={…}> above this component.');
  return client;
}
