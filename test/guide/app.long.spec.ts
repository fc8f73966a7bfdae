import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Wallet } from 'ethers';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { createWalletClient, custom } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createConfig, http, WagmiProvider } from 'wagmi';
import { mainnet } from 'wagmi/chains';
import { personQuery, SignetProvider } from '@signet/react';
import {
  BusyError,
  createClient,
  type Eip1193Provider,
  fromPrivateKey,
  SignetError,
  type Signer,
  signIn,
  VerificationError,
  type WagmiConfig,
  WrongUsageError,
} from '@signet/sdk';
import { decodeBase64, decodeHex, encodeHex, webhookSecret, webhookSignature } from '@signet/verify';
import { startFaultProxy } from '../sdk/fault-proxy.js';
import { type Gist, showGists } from '../rechecks/bound-gist.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aSolanaWallet, aWallet } from '../support/avatar.js';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = path.join(ROOT, 'docs/guide/app');
/** Inside the repository, so that the examples find its packages, viem and ethers. */
const CACHE = path.join(ROOT, '.cache');

interface Block {
  page: string;
  language: string;
  name: string;
  text: string;
}

const blocks: Block[] = readdirSync(PAGES).flatMap((page) =>
  [...readFileSync(path.join(PAGES, page), 'utf8').matchAll(/^```(\w*) ?(\S*)\n([^]*?)^```$/gm)].map(
    ([, language, name, text]) => ({ page, language: language!, name: name!, text: text! }),
  ),
);
const examples = blocks.filter(({ language }) => ['ts', 'tsx'].includes(language));

describe('the guide for app developers', () => {
  const gists = new Map<string, Gist>();
  const alice = anAvatar('alice');
  const signer = fromPrivateKey(alice.privateKey);
  let folder: string;
  let app: RunningApp;
  let github: StandIn;
  let compiled: string;

  beforeAll(async () => {
    mkdirSync(CACHE, { recursive: true });
    folder = mkdtempSync(path.join(CACHE, 'guide-app-'));
    github = await startStandIn(showGists(gists));
    app = await startApp({ env: { GITHUB_API_BASE: github.baseUrl, GITHUB_TOKEN: 'token', REVALIDATION: 'off' } });
    for (const { name, text } of examples) {
      // Node finds modules by whole names; bundlers, for which the pages of React are, do not need them.
      const whole = text.replaceAll(/(?<= from ')\.\/\w+(?=';)/g, '$&.js');
      writeFileSync(path.join(folder, name), whole.replaceAll('https://signet.example', app.baseUrl));
    }
    const compilerOptions = {
      ...{ strict: true, module: 'NodeNext', target: 'ES2023', lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
      ...{ types: ['node'], skipLibCheck: true, outDir: 'out', jsx: 'react-jsx' },
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', '*.tsx'] }));
    const words = [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder];
    compiled = spawnSync(process.execPath, words, { encoding: 'utf8' }).stdout;
  });
  afterAll(async () => {
    await app?.close();
    await github?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the compiler has checked each example by itself
  const loaded = (name: string): Promise<any> => import(path.join(folder, 'out', name));
  const platformsOf = async (avatar: string) => {
    const group = await createClient({ baseUrl: app.baseUrl }).proofs.of(avatar);
    return (group?.proofs ?? []).map(({ platform, identity }) => `${platform} ${identity}`).sort();
  };

  it('has only blocks that these tests know', () => {
    expect(blocks.filter(({ language }) => !['ts', 'tsx', 'html', 'sh'].includes(language))).toEqual([]);
    expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length);
    expect(examples.every(({ name }) => /^[a-z-]+(\.d)?\.tsx?$/.test(name))).toBe(true);
  });

  it('compiles', () => {
    expect(compiled).toBe('');
  });

  it('packs the packages and installs what that makes', () => {
    const [shell] = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text.trim());

    expect(shell).toBe(
      'npm pack ./packages/verify ./packages/look ./packages/sdk ./packages/react\nnpm install ./signet-*.tgz',
    );
  });

  it.each<[name: string, given: (wallet: Eip1193Provider) => unknown]>([
    ['bind-wallet.js', (wallet) => wallet],
    ['bind-wallet-viem.js', (wallet) => createWalletClient({ transport: custom(wallet) })],
    ['bind-wallet-ethers.js', (wallet) => wallet],
    ['bind-wagmi.js', connectedWagmi],
  ])('binds the wallet of a page by %s, which asks the person twice', async (name, given) => {
    const owner = fromPrivateKey(aWallet(name).privateKey);
    const asked: string[] = [];
    const { bindWallet } = await loaded(name);

    const link = await bindWallet(given(pageWallet(owner, asked)));

    expect(link).toMatchObject({ platform: 'ethereum', identity: owner.address, avatar: owner.avatar });
    expect(await platformsOf(owner.avatar)).toEqual([`ethereum ${owner.address}`]);
    expect(asked.filter((method) => method === 'personal_sign')).toHaveLength(2);
  });

  it('takes accounts of viem and wallets of ethers as signers, as it says', async () => {
    const keyOf = (name: string) => `0x${encodeHex(aWallet(name).privateKey)}` as const;
    const account = privateKeyToAccount(keyOf('viem account'));
    const wallet = new Wallet(keyOf('ethers wallet'));
    const client = createClient({ baseUrl: app.baseUrl });

    for (const [identity, own] of [
      [account.address, account],
      [wallet.address, wallet],
    ] as const) {
      const { avatar } = await client.bind({ platform: 'ethereum', identity, signer: own });
      expect(await platformsOf(avatar)).toEqual([`ethereum ${identity.toLowerCase()}`]);
    }
  });

  it('finds the wallets that announce themselves, until it stops', async () => {
    const page = new EventTarget();
    const seen: string[] = [];
    const announce = (name: string) =>
      page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info: { name } } }));
    page.addEventListener('eip6963:requestProvider', () => announce('Early Wallet'));
    Object.assign(globalThis, { window: page });
    try {
      const { findWallets } = await loaded('find-wallets.js');
      const stop = findWallets(({ name }: { name: string }) => seen.push(name));
      announce('Late Wallet');
      stop();
      announce('Too Late Wallet');
    } finally {
      Reflect.deleteProperty(globalThis, 'window');
    }

    expect(seen).toEqual(['Early Wallet', 'Late Wallet']);
  });

  it('binds further wallets to one Avatar', async () => {
    const [second, solana] = [fromPrivateKey(aWallet('second').privateKey), aSolanaWallet('second')];
    const { bindEthereum, bindSolana } = await loaded('bind-second-wallet.js');
    const signMessage = async ({ message }: { message: Uint8Array }) => [
      { signedMessage: message, signature: decodeBase64(solana.sign(Buffer.from(message).toString()))! },
    ];

    await bindEthereum(signer, pageWallet(second, []), second.address);
    await bindSolana(signer, { features: { 'solana:signMessage': { signMessage } } }, solana);

    expect(await platformsOf(signer.avatar)).toEqual([`ethereum ${second.address}`, `solana ${solana.address}`]);
  });

  it('binds an account, tells what it waits for, and revokes it', async () => {
    const id = 'a'.repeat(32);
    const { bindAccount } = await loaded('bind-account.js');
    const { unbindAccount } = await loaded('unbind-account.js');
    const told: string[] = [];
    const bound = await bindAccount('github', 'Carol-Demo', signer, {
      publish: async (steps: string[], content: string) => {
        expect(steps.length).toBeGreaterThan(1);
        // Not at once: the first look of the server finds nothing.
        void until(() => told.length > 0).then(() =>
          gists.set(id, { login: 'carol-demo', accountId: 9, avatar: alice, content }),
        );
        return id;
      },
      progress: (text: string) => told.push(text),
    });
    const avatars = (await loaded('badges-of-many.js')).avatarsOf;

    expect(bound.identity).toBe('carol-demo');
    expect(told).toEqual([expect.stringMatching(/\. Looking again in 1 seconds\.$/)]);
    expect(await avatars('github', ['nobody-here', 'carol-demo'])).toEqual([[], [signer.avatar]]);
    await unbindAccount('github', 'carol-demo', signer);
    expect(await avatars('github', ['carol-demo'])).toEqual([[]]);
    await expect(bindAccount('discord', 'a', signer, {})).rejects.toThrow('DISCORD_BOT_TOKEN');
  });

  it('signs in the person whose wallet the page has, once', async () => {
    const owner = fromPrivateKey(aWallet('signing in').privateKey);
    const { newNonce, signInPerson } = await loaded('sign-in-server.js');
    const { signInHere } = await loaded('sign-in-page.js');
    const sent: string[] = [];
    const [ownFetch, { href, origin, pathname }] = [globalThis.fetch, new URL('https://app.example/login')];
    const site = (url: unknown, init?: RequestInit) => {
      if (String(url).startsWith('http')) return ownFetch(url as string, init);
      if (init?.method === 'POST') {
        expect(new Headers(init.headers).get('content-type')).toBe('application/json');
        sent.push(init.body as string);
      }
      return Promise.resolve(new Response(newNonce()));
    };
    Object.assign(globalThis, { fetch: site, location: { href, origin, pathname } });
    try {
      await signInHere(pageWallet(owner, []));
      expect(await signInPerson(sent[0]!)).toMatchObject({ avatar: owner.avatar, person: null });
      await expect(signInPerson(sent[0]!)).rejects.toMatchObject({ problem: 'nonce' });
    } finally {
      globalThis.fetch = ownFetch;
      Reflect.deleteProperty(globalThis, 'location');
    }
  });

  it('signs in by routes of Express: once, in the browser that asked, and for this site alone', async () => {
    const owner = fromPrivateKey(aWallet('signing in by Express').privateKey);
    const { signInApp } = await loaded('sign-in-express.js');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', signInApp(host));
    const ask = async (uri: string) => {
      const answer = await fetch(`http://${host}/sign-in/nonce`);
      const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
      return { cookie, signed: await signIn({ wallet: owner, nonce: await answer.text(), uri }) };
    };
    const send = async (signed: unknown, cookie: string) => {
      const headers = { cookie, 'content-type': 'application/json' };
      const answer = await fetch(`http://${host}/sign-in`, { method: 'POST', headers, body: JSON.stringify(signed) });
      return [answer.status, await answer.json()];
    };
    try {
      const [mine, others, elsewhere] = [
        await ask(`http://${host}/`),
        await ask(`http://${host}/`),
        await ask('https://evil.example/'),
      ];

      expect(await send(mine.signed, others.cookie)).toEqual([401, { problem: 'nonce' }]);
      expect(await send(mine.signed, mine.cookie)).toEqual([200, { avatar: owner.avatar, name: null }]);
      expect(await send(mine.signed, mine.cookie)).toEqual([401, { problem: 'nonce' }]);
      expect(await send(elsewhere.signed, elsewhere.cookie)).toEqual([401, { problem: 'other_site' }]);
      expect(await send({}, mine.cookie)).toEqual([401, { problem: 'malformed' }]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('has a button for apps with wagmi, behind which the hooks ask anew', async () => {
    const { BindButton } = await loaded('bind-button.js');
    const client = createClient({ baseUrl: app.baseUrl });
    const config = createConfig({ chains: [mainnet], transports: { [mainnet.id]: http() } });
    const queries = new QueryClient();
    const asked = personQuery(client, signer.avatar);
    await queries.prefetchQuery(asked);
    const button = createElement(SignetProvider, { client, children: createElement(BindButton) });
    const page = createElement(QueryClientProvider, { client: queries }, button);

    expect(renderToString(createElement(WagmiProvider, { config, children: page }))).toBe(
      '<button>Bind this wallet</button>',
    );
    await queries.invalidateQueries({ queryKey: ['signet'] });
    expect(queries.getQueryState(asked.queryKey)).toMatchObject({ status: 'success', isInvalidated: true });
  });

  it('goes on with an account after a reload', async () => {
    const id = 'b'.repeat(32);
    const kept = new Map<string, string>();
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
      removeItem: (name: string) => void kept.delete(name),
    };
    const { begin, finish } = await loaded('resume-account.js');
    const content = await begin('github', 'alice-demo', signer, storage);
    gists.set(id, { login: 'alice-demo', accountId: 7, avatar: alice, content });

    const link = await finish(id, storage);

    expect(link).toMatchObject({ identity: 'alice-demo', proof_location: id });
    expect(kept.size).toBe(0);
    await expect(finish(id, storage)).rejects.toThrow('Nothing is waiting');
  });

  it('says who is behind an account, in a program and in a page of React', async () => {
    const { createElement } = await import('react');
    const { renderToString } = await import('react-dom/server');
    const { accounts, name } = await loaded('who-is.js');
    const { PersonCard } = await loaded('person-card.js');

    expect(name).toBe('alice-demo');
    expect(accounts).toContain('github:alice-demo valid');
    expect(renderToString(createElement(PersonCard, { who: 'github:alice-demo' }))).toBe('<p>Asking …</p>');
  });

  it('shows the state of a binding in a badge of one’s own', async () => {
    const { badgeOf } = await loaded('own-badge.js');

    expect(await badgeOf('github', 'alice-demo', signer.avatar)).toBe('valid');
    expect(await badgeOf('github', 'nobody-here', signer.avatar)).toBe('not bound');
  });

  it('renders a person in React on a server that asked beforehand, by the example of the package too', async () => {
    const { default: Page } = await loaded('person-page.js');
    const readme = readFileSync(path.join(ROOT, 'packages/react/README.md'), 'utf8');
    const element: ReactNode = await Page();

    const html = renderToString(createElement(QueryClientProvider, { client: new QueryClient() }, element));

    // React marks where one text ends and another begins.
    expect(html.replaceAll('<!-- -->', '')).toBe('<p>Nobody has bound alice.</p>');
    expect(readme).toContain(blocks.find(({ name }) => name === 'person.tsx')!.text);
  });

  it('names addresses of badges that the server has', async () => {
    const html = blocks.filter(({ language, page }) => language === 'html' && page === 'badge.md');
    const page = readFileSync(path.join(PAGES, 'badge.md'), 'utf8');
    const addresses = [...page.matchAll(/https:\/\/signet\.example(\/[^"`\s]+)/g)].map(([, address]) => address!);

    expect(html).toHaveLength(2);
    expect(addresses).toEqual(expect.arrayContaining(['/badge/github/alice.svg', '/embed.js', '/embed/github/alice']));
    for (const address of addresses)
      expect([address, (await fetch(app.baseUrl + address)).status]).toEqual([address, 200]);
  });

  it('receives a webhook that is genuine, and no other', async () => {
    const secret = webhookSecret(new Uint8Array(32).fill(3));
    const facts: string[] = [];
    const { receive } = await loaded('webhook.js');
    const server = receive(
      secret,
      ({ type, id }: { type: string; id: string }) => void facts.push(`${type} ${id}`),
    ) as Server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const body = '{"type":"proof.revoked","timestamp":"2026-11-27T00:00:00.000Z","data":{"position":1}}';
    const post = async (sent: string) => {
      const message = { id: 'msg_1', timestamp: String(Math.floor(Date.now() / 1000)), body };
      const headers = {
        'webhook-id': message.id,
        'webhook-timestamp': message.timestamp,
        'webhook-signature': webhookSignature(message, [secret]),
      };
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      return (await fetch(url, { method: 'POST', headers, body: sent })).status;
    };
    try {
      expect(await post(body)).toBe(204);
      expect(await post(body.replace('1}}', '2}}'))).toBe(401);
      expect(facts).toEqual(['proof.revoked msg_1']);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('keeps what a webhook says in a store, by routes of fetch and Express', async () => {
    const secret = webhookSecret(new Uint8Array(32).fill(4));
    const table = new Map<string, string>();
    const rows = {
      read: async (key: string) => table.get(key) ?? null,
      write: async (key: string, text: string) => void table.set(key, text),
    };
    const { routeWith } = await loaded('webhook-store.js');
    const { appOf } = await loaded('webhook-express.js');
    process.env['WEBHOOK_SECRET'] = secret;
    const { POST, trusted } = await loaded('webhook-fetch.js');
    delete process.env['WEBHOOK_SECRET'];
    const facts: string[] = [];
    const note = ({ type }: { type: string }) => void facts.push(type);
    const requestOf = (type: string, position: number) => {
      const data = { avatar: '0x02', platform: 'dns', identity: 'a.example', position };
      const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
      const message = { id: `msg_${position}`, timestamp: String(Math.floor(Date.now() / 1000)), body };
      const headers = {
        'webhook-id': message.id,
        'webhook-timestamp': message.timestamp,
        'webhook-signature': webhookSignature(message, [secret]),
      };
      return { method: 'POST', headers, body };
    };
    const route = routeWith(secret, rows, note);
    const ask = async (handler: (request: Request) => Promise<Response>, type: string, position: number) =>
      (await handler(new Request('http://app.example/signet', requestOf(type, position)))).status;

    expect([await ask(POST, 'proof.bound', 1), [...trusted]]).toEqual([204, ['0x02 dns a.example']]);
    expect([await ask(POST, 'proof.revoked', 2), [...trusted]]).toEqual([204, []]);
    expect([await ask(route, 'proof.bound', 5), await ask(route, 'proof.bound', 4), facts]).toEqual([
      204,
      204,
      ['proof.bound'],
    ]);
    expect([...table]).toEqual([['proof 0x02 dns a.example', expect.stringContaining('"position":5')]]);
    const server = appOf(secret, note).listen(0, '127.0.0.1') as Server;
    try {
      await until(() => server.listening);
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/signet`;
      expect((await fetch(url, requestOf('proof.restored', 6))).status).toBe(204);
    } finally {
      server.close();
      server.closeAllConnections();
    }
    expect(facts).toEqual(['proof.bound', 'proof.restored']);
  });

  it('hears on the stream what becomes void, also what it missed', async () => {
    const { watch } = await loaded('stream.js');
    const seen: string[] = [];
    const stop = watch(signer.avatar, ({ identity }: { identity: string }) => seen.push(identity), 0);
    try {
      await until(() => seen.includes('carol-demo'));
    } finally {
      stop();
    }
  });

  it('deals with every error by its code', async () => {
    const [{ again }, { handle, reasons }] = await Promise.all(['again.js', 'by-code.js'].map(loaded));
    const told: unknown[] = [];
    const tell = (word: string) => (what?: unknown) => void told.push([word, what]);
    const ui = { say: tell('say'), tryLater: tell('later'), signAgain: tell('sign'), distrust: tell('distrust') };
    const busy = new BusyError('Full.', { code: 'overloaded', status: 503, retryable: true, retryAfterSeconds: 0 });
    const forged = new VerificationError('No.', [
      { name: 'answer', state: 'failed', detail: 'Another key signed it.' },
    ]);
    let calls = 0;

    expect(await again(async () => (++calls < 3 ? Promise.reject(busy) : 'there'))).toBe('there');
    await expect(again(async () => Promise.reject(forged))).rejects.toBe(forged);
    for (const error of [
      ...[busy, forged, new SignetError('Gone.', { code: 'record_erased', requestId: 'r1' })],
      ...(['not_seen', 'stale_chain', 'unreachable'] as const).map((code) => new SignetError('-', code)),
    ])
      handle(ui, error);

    expect(reasons(forged)).toEqual(['Another key signed it.']);
    expect(told).toEqual([
      ...[
        ['later', 0],
        ['distrust', forged],
        ['say', 'Gone. (request r1)'],
      ],
      ...[
        ['say', 'The post is not there.'],
        ['sign', undefined],
        ['later', 10],
      ],
    ]);
    expect(() => handle(ui, new WrongUsageError('Mine.'))).toThrow('Mine.');
  });

  it('names every class of errors of the packages on its page', async () => {
    const text = readFileSync(path.join(PAGES, 'errors.md'), 'utf8');
    const entries = [
      'sdk',
      'sdk/webhook',
      'look',
      'verify',
      'verify/errors',
      'verify/files',
      'verify/log',
      'verify/seen',
    ];
    const classes = new Set<string>();
    for (const entry of entries) {
      const names = Object.keys((await import(`@signet/${entry}`)) as object);
      names.filter((name) => /^[A-Z]\w*Error$/.test(name)).forEach((name) => classes.add(name));
    }

    expect(classes.size).toBeGreaterThan(15);
    expect([...classes].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it('shows a person in full, in grey or not at all', async () => {
    const [{ shownAccount, shownName, isUnknown }, { accountsBehind }, { payee }] = await Promise.all(
      ['shade.js', 'since-early.js', 'payout.js'].map(loaded),
    );
    const person = (await createClient({ baseUrl: app.baseUrl }).resolve('github:alice-demo'))!;
    const account = person.account!;
    const old = { ...account, state: 'stale', seenAt: 1_700_000_000 };

    expect(shownAccount(account)).toEqual({ shade: 'full', text: 'github alice-demo, seen by the server' });
    expect(shownAccount(old)).toEqual({ shade: 'grey', text: 'github alice-demo, last seen on 2023-11-14' });
    expect(shownAccount({ ...account, state: 'invalid' }).shade).toBe('none');
    expect(shownName({ ...person, profile: { name: 'Alice' } })).toBe('github alice-demo “Alice”');
    expect([isUnknown(new BusyError('Full.', 'overloaded')), isUnknown(new Error())]).toEqual([true, false]);
    expect(await accountsBehind(app.baseUrl, 'github:alice-demo')).toContain('github:alice-demo');
    expect(await payee(app.baseUrl, 'github:alice-demo', { complete: true })).toMatchObject({ state: 'valid' });
    expect(await payee(app.baseUrl, 'github:nobody-here', { complete: true })).toBeNull();
  });

  it('writes with a key of the app, for which the wallet signs once, until the key ends itself', async () => {
    const owner = fromPrivateKey(aWallet('app-key').privateKey);
    const asked: string[] = [];
    const account = { platform: 'github', identity: 'app-key-demo' };
    const { letAppWrite, save, endAppKey } = await loaded('app-key.js');

    const key = await letAppWrite(pageWallet(owner, asked), account);
    const signed = () => asked.filter((method) => method === 'personal_sign').length;
    const before = signed();
    await save(key, account, { theme: 'dark' });
    const { proofs } = await save(key, account, { visits: 2 });

    expect(proofs).toMatchObject([{ ...account, content: { theme: 'dark', visits: 2 } }]);
    expect(signed()).toBe(before);
    await expect(save(key, { ...account, identity: 'somebody-else' }, {})).rejects.toMatchObject({
      code: 'key_out_of_scope',
    });
    await endAppKey(key);
    await expect(save(key, account, { visits: 3 })).rejects.toMatchObject({ code: 'key_revoked' });
  });

  it('saves and reads a profile, and content of an app', async () => {
    const [{ saveProfile, nameOf }, { savePlaces, readPlaces }] = await Promise.all(
      ['profile.js', 'preferences.js'].map(loaded),
    );
    const { avatar } = signer;
    const stranger = anAvatar('nobody').key.compressed;
    await saveProfile(signer, avatar, { name: 'Alice', about: 'Builds bridges.' });
    await saveProfile(signer, avatar, { about: null });
    await savePlaces(signer, 'alice-demo', ['Bern', 'Basel']);

    expect(await nameOf(avatar)).toBe('Alice');
    expect(await nameOf(stranger)).toBe(`${stranger.slice(0, 8)}…${stranger.slice(-4)}`);
    expect(await readPlaces(avatar, 'alice-demo')).toEqual(['Bern', 'Basel']);
    expect(await readPlaces(stranger, 'alice-demo')).toEqual([]);
  });

  it('verifies answers, chains and exports, and shows what a lie is', async () => {
    const [{ lookUp }, { hasSigned }, { check }, { keep, isGood }] = await Promise.all(
      ['checked-lookup.js', 'only-wallets.js', 'check-chain.js', 'keep.js'].map(loaded),
    );
    const liar = await startFaultProxy(app.baseUrl, undefined, (_path, body) =>
      body.replace('"identity":"alice-demo"', '"identity":"mallory"'),
    );
    try {
      expect(await lookUp(app.baseUrl, 'alice-demo')).toEqual([signer.avatar]);
      expect(await lookUp(liar.baseUrl, 'alice-demo')).toContainEqual(
        expect.stringContaining('"alice-demo" was signed'),
      );
    } finally {
      await liar.close();
    }
    expect(await hasSigned(app.baseUrl, signer.avatar, aWallet('nobody').address)).toBe(false);
    const links = await createClient({ baseUrl: app.baseUrl }).chain(signer.avatar).toArray();
    const { bound, report } = check(links, signer.avatar);
    expect(bound).toContain('github: alice-demo');
    expect(report).toContain('1. ✓ Its signature was made by the Avatar over its signed text.');
    expect(check(links.slice(1), signer.avatar).bound).toEqual([]);
    const file = await keep(app.baseUrl, signer.avatar);
    expect([isGood(file), isGood(file.replace('alice-demo', 'mallory'))]).toEqual([true, false]);
  });
});

/** What `fromWagmi` reads of a configuration of wagmi that is connected (packages/sdk/test has one of wagmi itself). */
function connectedWagmi(wallet: Eip1193Provider): WagmiConfig {
  const connection = { accounts: [], chainId: 1, connector: { getProvider: () => Promise.resolve(wallet) } };
  return { state: { current: 'one', connections: new Map([['one', connection]]) } };
}

/** What a wallet puts into a page: one key, and a note of what it was asked. */
function pageWallet(owner: Signer, asked: string[]): Eip1193Provider {
  return {
    async request({ method, params }) {
      asked.push(method);
      if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [owner.address];
      if (method === 'eth_chainId') return '0x1';
      if (method !== 'personal_sign') throw new Error(method);
      const text = Buffer.from(decodeHex(String(params![0]).slice(2))!).toString();
      return `0x${encodeHex(decodeBase64(await owner.sign(text))!)}`;
    },
  };
}
