/** The examples of @signet/react: those of the reference, which `scripts/reference/examples.mjs` reads. */
import { createClient } from '@signet/sdk';
import {
  bindingsQuery,
  identityQuery,
  personQuery,
  profileQuery,
  SignetProof,
  SignetProvider,
  useBindings,
  useIdentity,
  usePerson,
  useProfile,
  useSignet,
} from '@signet/react';
import { dehydrate, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';

const alice = anAvatar('alice');
const wallet = aWallet('alice');
const avatar = alice.key.compressed;
const account = { platform: 'ethereum', identity: wallet.address };

let app: RunningApp;
let client: ReturnType<typeof createClient>;
/** On a server: what was asked beforehand is there at once. */
let queries: QueryClient;
beforeAll(async () => {
  app = await startApp();
  await linkWallet(app, alice, wallet);
  client = createClient({ baseUrl: app.baseUrl });
  queries = new QueryClient();
  await Promise.all([
    queries.prefetchQuery(identityQuery(client, account)),
    queries.prefetchQuery(personQuery(client, wallet.address)),
    queries.prefetchQuery(bindingsQuery(client, avatar)),
    queries.prefetchQuery(profileQuery(client, avatar)),
  ]);
});
afterAll(() => app?.close());

function render(component: () => ReactNode): string {
  const inside = createElement(SignetProvider, { client }, createElement(component));
  return renderToString(createElement(QueryClientProvider, { client: queries }, inside));
}

describe('@signet/react', () => {
  it('SignetProvider', () => {
    const page = createElement(SignetProvider, { client }, 'Everything below has the client.');
    expect(renderToString(page)).toBe('Everything below has the client.');
  });

  it('useSignet', () => {
    function Server() {
      return useSignet().baseUrl;
    }
    expect(render(Server)).toBe(app.baseUrl);
  });

  it('usePerson', () => {
    function Person() {
      const { data, isPending } = usePerson(wallet.address);
      return isPending ? 'Looking …' : (data?.avatar ?? 'Nobody');
    }
    expect(render(Person)).toBe(avatar);
  });

  it('useIdentity', () => {
    function Holder() {
      const { data } = useIdentity(account);
      return data?.holders[0]?.avatar;
    }
    expect(render(Holder)).toBe(avatar);
  });

  it('useBindings', () => {
    function Accounts() {
      const { data } = useBindings(avatar);
      return data?.proofs.map(({ platform }) => platform).join();
    }
    expect(render(Accounts)).toBe('ethereum');
  });

  it('useProfile', () => {
    function Name() {
      const { data } = useProfile(avatar);
      return data?.name ?? 'No name';
    }
    expect(render(Name)).toBe('No name');
  });

  it('SignetProof', () => {
    function Proof() {
      return createElement(SignetProof, { ...account, avatar });
    }
    expect(render(Proof).startsWith('<signet-proof platform="ethereum"')).toBe(true);
  });

  it('personQuery', async () => {
    const onServer = new QueryClient();
    await onServer.prefetchQuery(personQuery(client, wallet.address));
    // <HydrationBoundary state={dehydrate(onServer)}> hands it to the page, which asks for nothing again.
    expect(dehydrate(onServer).queries.length).toBe(1);
  });

  it('identityQuery', async () => {
    const { holders } = await new QueryClient().fetchQuery(identityQuery(client, account));
    expect(holders[0]?.avatar).toBe(avatar);
  });

  it('bindingsQuery', async () => {
    const group = await new QueryClient().fetchQuery(bindingsQuery(client, avatar));
    expect(group?.proofs.length).toBe(1);
  });

  it('profileQuery', async () => {
    expect(await new QueryClient().fetchQuery(profileQuery(client, avatar))).toBe(null);
  });
});
