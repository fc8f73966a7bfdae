/** @signet/react on a server: what React renders to HTML, and what is asked for it. */
import { createClient, fromPrivateKey } from '@signet/sdk';
import {
  bindingsQuery,
  identityQuery,
  personQuery,
  profileQuery,
  SignetProvider,
  useBindings,
  useIdentity,
  usePerson,
  useProfile,
} from '@signet/react';
import {
  dehydrate,
  type DehydratedState,
  hydrate,
  HydrationBoundary,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';

let app: RunningApp;
const [alice, wallet] = [anAvatar('alice'), aWallet('alice')];
const signer = fromPrivateKey(alice.privateKey);
const account = { platform: 'ethereum', identity: wallet.address };

beforeAll(async () => {
  app = await startApp();
  await linkWallet(app, alice, wallet);
  const profile = { name: 'Alice <b>' };
  const patch = { platform: 'self', identity: signer.avatar, patch: { profile }, signer };
  await createClient({ baseUrl: app.baseUrl }).kv.patch(patch);
});
afterAll(() => app?.close());

/** A client that notes the paths that it asks for. */
function notingClient() {
  const asked: string[] = [];
  const noting: typeof fetch = (input, init) => {
    asked.push(new URL(String(input)).pathname);
    return fetch(input, init);
  };
  return { asked, client: createClient({ baseUrl: app.baseUrl, fetch: noting }) };
}

function Card(): ReactNode {
  const { data, isPending } = useIdentity(account);
  const avatar = data?.holders[0]?.avatar;
  const { data: profile } = useProfile(avatar);
  const { data: group } = useBindings(avatar);
  if (isPending) return createElement('p', null, 'Looking …');
  const names = group?.proofs.map(({ platform, identity, is_valid }) => `${platform} ${identity} ${is_valid}`);
  return createElement('p', { title: avatar }, `${profile?.name}: ${names?.join()}`);
}

const page = (client: ReturnType<typeof createClient>, child: ReactNode = createElement(Card)) =>
  createElement(SignetProvider, { client }, child);

describe('a page that a server renders', () => {
  it('shows who is behind a name where that was asked beforehand, and the page that takes over asks for nothing', async () => {
    const { asked, client } = notingClient();
    const onServer = new QueryClient();
    const { holders } = await onServer.fetchQuery(identityQuery(client, account));
    await onServer.prefetchQuery(bindingsQuery(client, holders[0]!.avatar));
    await onServer.prefetchQuery(profileQuery(client, holders[0]!.avatar));
    const state = JSON.parse(JSON.stringify(dehydrate(onServer))) as DehydratedState;
    const inBrowser = notingClient();

    const html = renderToString(
      createElement(
        QueryClientProvider,
        { client: onServer },
        createElement(HydrationBoundary, { state }, page(client)),
      ),
    );
    const other = new QueryClient();
    hydrate(other, state);
    const again = renderToString(createElement(QueryClientProvider, { client: other }, page(inBrowser.client)));

    expect(html).toBe(`<p title="${signer.avatar}">Alice &lt;b&gt;: ethereum ${wallet.address} true</p>`);
    expect(again).toBe(html);
    expect(asked.length).toBeGreaterThan(0);
    expect(inBrowser.asked).toEqual([]);
    await other.prefetchQuery(identityQuery(inBrowser.client, account));
    expect(inBrowser.asked).toEqual([]);
  });

  it('has the person behind a wallet, asked beforehand', async () => {
    const { client } = notingClient();
    const queries = new QueryClient();
    await queries.prefetchQuery(personQuery(client, account));
    const Name = () => usePerson(account).data?.profile?.name ?? 'nobody';

    const html = renderToString(
      createElement(QueryClientProvider, { client: queries }, page(client, createElement(Name))),
    );

    expect(html).toBe('Alice &lt;b&gt;');
  });

  it('shows that it is looking where nothing was asked, and asks for nothing while it is rendered', () => {
    const { asked, client } = notingClient();

    expect(renderToString(page(client))).toBe('<p>Looking …</p>');
    expect(asked).toEqual([]);
  });

  it('asks for one thing once, however many want it at the same time', async () => {
    const { asked, client } = notingClient();
    const queries = new QueryClient();

    await Promise.all([1, 2, 3].map(() => queries.fetchQuery(identityQuery(client, account))));
    const once = [...asked];
    await queries.fetchQuery(identityQuery(client, account));

    expect(once.filter((path) => path === '/v1/proof')).toHaveLength(1);
    expect(asked).toEqual(once);
  });

  it('says what a server does that lies', async () => {
    const lying: typeof fetch = async (input, init) => {
      const text = await (await fetch(input, init)).text();
      return new Response(text.replaceAll('"platform":"ethereum"', '"platform":"solana"'));
    };
    const client = createClient({ baseUrl: app.baseUrl, fetch: lying });

    await expect(new QueryClient().fetchQuery(identityQuery(client, account))).rejects.toMatchObject({
      code: 'verification_failed',
    });
  });
});
