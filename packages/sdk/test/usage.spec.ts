/** Mistakes of somebody who writes JavaScript, or an `as never`: each is named by the sentence of its error. */
import { findKey } from '../src/checks.js';
import {
  createClient,
  fromAppKey,
  fromCryptoKey,
  fromPrivateKey,
  fromWagmi,
  MemoryNonceStore,
  signIn,
  verifySignIn,
  WrongUsageError,
} from '../src/index.js';
import { createLooks } from '../src/look.js';
import { expressHandler, fetchHandler, nodeHandler, Webhook } from '../src/webhook.js';
import { startStandIn } from './support/stand-in.js';

const baseUrl = 'http://127.0.0.1:1';
const client = createClient({ baseUrl });
const avatar = `0x02${'a'.repeat(64)}`;
const looks = createLooks();
const observers = { observers: 'observer x' };

it.each([
  [undefined, 'createClient needs options with baseUrl.'],
  [{}, 'baseUrl has to be the address of a server, such as https://signet.example, not undefined.'],
  [{ baseUrl: 'localhost:3000' }, 'not "localhost:3000"'],
  [{ baseUrl: 'signet.example' }, 'not "signet.example"'],
  [{ baseUrl: 'ftp://signet.example' }, 'not "ftp://signet.example"'],
  [{ baseUrl: '' }, 'not ""'],
  [{ baseUrl: 7n }, 'not 7n'],
  [{ baseUrl, retries: 'often' }, 'retries has to be a number, at least 0, not "often".'],
  [{ baseUrl, timeoutMs: '5' }, 'timeoutMs has to be a number, at least 0, not "5".'],
  [{ baseUrl, timeoutMs: -1 }, 'timeoutMs has to be a number, at least 0, not -1.'],
  [{ baseUrl, totalTimeoutMs: NaN }, 'totalTimeoutMs has to be a number, at least 0'],
  [{ baseUrl, fetch: 'fetch' }, 'fetch has to be a function, not "fetch".'],
  [{ baseUrl, verify: 'complete' }, 'createClient has no option "verify": signatures are always checked'],
  [{ baseUrl, accept: 'here' }, 'createClient has no option "accept": demand: { here: true } is in its place.'],
  [{ baseUrl, demands: {} }, 'createClient has no option "demands": it takes trustServer, demand, log,'],
  [{ baseUrl, demand: 'complete' }, 'demand has to be an object, such as { complete: true }, not "complete".'],
  [{ baseUrl, demand: null }, 'not null'],
  [{ baseUrl, demand: { complet: true } }, 'There is no demand "complet": it takes log, complete, posts, observers'],
  [{ baseUrl, demand: { complete: 'yes' } }, 'demand.complete has to be true, false or absent, not "yes".'],
  [{ baseUrl, demand: { here: 1 } }, 'demand.here has to be true, false or absent, not 1.'],
  [{ baseUrl, demand: { log: 'on' } }, 'demand.log has to be true, or what the option log takes, not "on".'],
  [{ baseUrl, demand: { log: {} }, log: {} }, 'demand.log and the option log name the same thing'],
  [{ baseUrl, demand: { posts: true } }, 'demand.posts needs looks, which looks at them'],
  [{ baseUrl, looks: {} }, 'looks has to be what createLooks() makes, not {}.'],
  [{ baseUrl, demand: { posts: {} } }, 'looks has to be what createLooks() makes, not {}.'],
  [{ baseUrl, demand: { posts: looks }, looks }, 'demand.posts and the option looks name the same thing'],
  [{ baseUrl, demand: { observers: true } }, 'demand.observers needs observers, who are asked.'],
  [{ baseUrl, demand: { observers }, observers }, 'demand.observers and the option observers name the same thing'],
  [{ baseUrl, log: 'key' }, 'log has to be an object, not "key".'],
  [{ baseUrl, trustServer: 'yes' }, 'trustServer has to be true, false or absent, not "yes".'],
  [{ baseUrl, trustServer: true, demand: { log: true } }, 'trustServer: true believes the server, and demand does not'],
])('the options of case %# are refused at once', (options, sentence) => {
  const make = () => createClient(options as never);

  expect(make).toThrow(WrongUsageError);
  expect(make).toThrow(sentence);
  expect(make).toThrow(expect.objectContaining({ code: 'wrong_usage', name: 'WrongUsageError', retryable: false }));
});

it.each([
  { trustServer: true, demand: { log: false } },
  { demand: { complete: true, here: true, posts: looks, observers } },
  { demand: { log: { logWaitMs: 0 } } },
  { demand: { posts: true, observers: true }, looks, observers },
])('the options of case %# go together', (options) => {
  expect(() => createClient({ baseUrl, ...options } as never)).not.toThrow();
});

it.each(['http://127.0.0.1:3000', 'https://signet.example/', 'HTTPS://signet.example/below'])(
  '%s is an address',
  (url) => {
    expect(() => createClient({ baseUrl: url })).not.toThrow();
  },
);

it.each([undefined, null, {}, 7])('the signer %j is refused before anything is sent', async (signer) => {
  const link = { platform: 'github', identity: 'alice-demo', signer: signer as never };
  const content = { platform: 'self', identity: avatar, patch: {}, signer: signer as never };
  const sentence = 'signer has to be a wallet that can sign, a private key, or what fromWallet returned.';

  for (const call of [() => client.bind(link), () => client.unbind(link), () => client.draft(link)]) {
    await expect(call()).rejects.toThrow(sentence);
    await expect(call()).rejects.toThrow(WrongUsageError);
  }
  await expect(client.kv.patch(content)).rejects.toThrow(WrongUsageError);
});

it.each([
  undefined,
  7,
  '',
  'alice',
  '0x',
  avatar.slice(1),
  `${avatar} `,
  `0X${avatar.slice(2)}`,
  `0x04${'1'.repeat(128)}`,
])('%j is no key, which a call says when it is awaited, and nothing is asked', async (text) => {
  const key = text as string;
  const name = { platform: 'github', identity: 'alice', avatar: key };
  for (const call of [
    () => client.proofs.of(key),
    () => client.proofs.exists(name),
    () => client.chain(key).toArray(),
    () => client.chain(key).page(1),
    () => client.kv.get(key),
    () => client.kv.chain(key).toArray(),
    () => client.export(key),
    () => client.seenBy(name),
  ]) {
    const error = await call().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WrongUsageError);
    expect((error as Error).message).toMatch(/is not the public key of an Avatar\.$/);
  }
});

it.each([
  [undefined, 'identity has to be a name, or a list of names, not undefined.'],
  [7, 'not 7.'],
  [' ', 'not " ".'],
  [[], 'not [].'],
  [['alice', ''], 'not ["alice",""].'],
  ['alice,bob', 'A comma stands between names, so "alice,bob" would ask for several: give a list of names.'],
  [['alice', 'bob,carol'], '"bob,carol" would ask for several'],
])('the look-up of %j is refused when it is read', async (identity, sentence) => {
  const list = client.proofs.find({ identity: identity as never });

  await expect(list.toArray()).rejects.toThrow(sentence);
  await expect(list.page(1)).rejects.toThrow(WrongUsageError);
});

const NAME = { platform: 'github', identity: 'alice', avatar };
const SITE = { domain: 'app.example', nonces: new MemoryNonceStore() };

type Call = (given?: never) => unknown;

it.each<[name: string, call: Call]>([
  ['keys.commit', (given) => client.keys.commit(given!)],
  ['keys.freeze', (given) => client.keys.freeze(given!)],
  ['keys.add', (given) => client.keys.add(given!)],
  ['keys.revoke', (given) => client.keys.revoke(given!)],
  ['signIn', (given) => signIn(given!)],
  ['fromWagmi', (given) => fromWagmi(given!)],
  ['fromCryptoKey', (given) => fromCryptoKey(given!)],
  ['fromAppKey', async (given) => fromAppKey(given!)],
  ['verify', (given) => new Webhook(`whsec_${'A'.repeat(43)}=`).verify(given!)],
])('%s without an object is refused by its name, and nothing is asked', async (name, call) => {
  for (const given of [undefined, null, 'text'] as never[]) {
    const error = await Promise.resolve(call(given)).catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(WrongUsageError);
    expect((error as Error).message).toMatch(`${name} takes an object, not `);
  }
});

const NO_SIGNER = 'signer has to be a wallet that can sign';
const NO_KEY = 'undefined is not the public key of an Avatar.';

it.each<[name: string, call: Call, sentence: string]>([
  ['bind', (given) => client.bind(given!), NO_SIGNER],
  ['unbind', (given) => client.unbind(given!), NO_SIGNER],
  ['draft', (given) => client.draft(given!), NO_SIGNER],
  ['kv.patch', (given) => client.kv.patch(given!), NO_SIGNER],
  ['seenBy', (given) => client.seenBy(given!), NO_KEY],
  ['proofs.exists', (given) => client.proofs.exists(given!), NO_KEY],
  ['keys.rehearse', (given) => client.keys.rehearse(given!), NO_KEY],
])('%s without anything is refused by what it misses first, and nothing is asked', async (_name, call, sentence) => {
  for (const given of [undefined, null, {}] as never[]) {
    const error = await Promise.resolve(call(given)).catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(WrongUsageError);
    expect((error as Error).message).toMatch(sentence);
  }
});

it('what is within the object is looked at, too', async () => {
  const signer = new Uint8Array(32).fill(1);

  await expect(client.keys.add({ signer } as never)).rejects.toThrow('app of keys.add takes an object, not undefined.');
  await expect(client.keys.add({ signer, app: {} } as never)).rejects.toThrow(
    'scopes has to be a list, not undefined.',
  );
  for (const recovery of [undefined, null, 7, 'key:00', {}]) {
    const committed = client.keys.commit({ signer, recovery } as never);
    await expect(committed).rejects.toThrow(`recovery has to be a list, not ${JSON.stringify(recovery)}.`);
    await expect(committed).rejects.toThrow(WrongUsageError);
  }
  await expect(client.proofs.find(undefined as never).toArray()).rejects.toThrow(WrongUsageError);
  await expect(fromWagmi({} as never)).rejects.toThrow(WrongUsageError);
  await expect(fromCryptoKey({ avatar, keys: {} } as never)).rejects.toThrow(WrongUsageError);
  await expect(client.events({ types: 'proof.bound' as never }).next()).rejects.toThrow(
    'types has to be a list of types of events, not "proof.bound".',
  );
});

const SECRET = `whsec_${'A'.repeat(43)}=`;
const NONE = 'none' as never;

it.each<[sentence: string, call: () => unknown]>([
  ['publish has to be a function', () => client.bind({ ...NAME, signer: NONE, publish: NONE })],
  ['onDraft has to be a function', () => client.bind({ ...NAME, signer: NONE, onDraft: NONE })],
  ['mayAsk has to be a function', () => createLooks({ mayAsk: NONE })],
  ['which has to be a function', () => createLooks({ which: NONE })],
  ['createLooks takes an object', () => createLooks(NONE)],
  ['looker has to be an object with look', () => createLooks({ looker: NONE })],
  ['onError has to be a function', () => nodeHandler(new Webhook(SECRET), () => {}, { onError: NONE })],
  ['store has to be an object with get, set', () => fetchHandler(new Webhook(SECRET), () => {}, { store: NONE })],
  ['maxBytes has to be a number, at least 0', () => new Webhook(SECRET, { maxBytes: NONE })],
  ['toleranceSeconds has to be a number, at least 0', () => new Webhook(SECRET, { toleranceSeconds: NONE })],
  ['maxAgeSeconds has to be a number, at least 0', () => verifySignIn(NONE, { ...SITE, maxAgeSeconds: NONE })],
  ['client has to be an object with resolve', () => verifySignIn(NONE, { ...SITE, client: NONE })],
])('%s, which case %# says before anything is asked', async (sentence, call) => {
  const error = await Promise.resolve()
    .then(call)
    .catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(WrongUsageError);
  expect((error as Error).message).toBe(`${sentence}, not "none".`);
});

it.each([fetchHandler, nodeHandler, expressHandler])('a handler of webhooks is refused when it is made', (handler) => {
  const webhook = new Webhook(`whsec_${'A'.repeat(43)}=`);

  for (const make of [() => handler(undefined as never, () => {}), () => handler(webhook, undefined as never)]) {
    expect(make).toThrow('A handler takes a Webhook, and a function that is called with each fact.');
  }
});

const LOOP: Record<string, unknown> = {};
LOOP['self'] = LOOP;
it.each([
  [null, 'patch has to be a JSON object, not null.'],
  [[1], 'patch has to be a JSON object, not [1].'],
  [{ a: undefined }, 'patch has to be JSON, which it is not: JSON has no undefined.'],
  [{ a: NaN }, 'JSON has no number NaN.'],
  [{ a: 1n }, 'JSON has no bigint.'],
  [{ a: new Date(0) }, 'JSON has only plain objects.'],
  [new Map([['a', 1]]), 'JSON has only plain objects.'],
  [{ a: '\ud800' }, 'Text holds half of a surrogate pair'],
  [LOOP, 'patch has to be JSON, which it is not: '],
])('a patch that is no JSON object is refused, and nothing is sent: %#', async (patch, sentence) => {
  const signer = fromPrivateKey('07'.repeat(32));
  const patched = client.kv.patch({ platform: 'github', identity: 'alice', patch: patch as object, signer });

  await expect(patched).rejects.toThrow(WrongUsageError);
  await expect(patched).rejects.toThrow(sentence);
});

it('a signal that is none is refused', async () => {
  await expect(client.resolve('github:alice-demo', { signal: 5 as never })).rejects.toThrow(
    'signal has to be an AbortSignal, not 5.',
  );
});

it('options of platforms are those that a look knows', () => {
  expect(() => createLooks({ githb: {} } as never)).toThrow('A look has no option "githb": it takes twitter, ');
  expect(() => createLooks({ github: { token: 5 as never } })).toThrow(WrongUsageError);
});

it('what needs looks or observers says so', async () => {
  const name = { platform: 'github', identity: 'alice', avatar };

  await expect(client.look(name)).rejects.toThrow('look needs the option looks');
  await expect(client.look(name)).rejects.toThrow(WrongUsageError);
});

it('a key has one spelling, whatever its letter case and length', () => {
  // The generator of secp256k1 (SEC 2, 2.4.1).
  const x = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
  const y = '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8';

  for (const text of [`0x02${x}`, `02${x}`, `0x02${x.toUpperCase()}`, `0x04${x}${y}`, `04${x}${y}`]) {
    expect(findKey(text)).toBe(`0x02${x}`);
  }
  expect(findKey(`0x04${x}${y.replace('4', '5')}`)).toBeNull();
});

describe('a time limit of', () => {
  it.each([2 ** 31, 2 ** 32, 1e15, Infinity])('%d ms is none that ends at once', async (timeoutMs) => {
    const server = await startStandIn(({ path }) =>
      path === '/v1/events'
        ? { text: 'event: ready\nid: 5\ndata:\n\n', headers: { 'content-type': 'text/event-stream' } }
        : { json: { hello: 'proof service', platforms: [] } },
    );
    const patient = createClient({ baseUrl: server.baseUrl, retries: 0, timeoutMs, totalTimeoutMs: timeoutMs });

    const answers = Promise.all([patient.position(), patient.health()]);

    await expect(answers.finally(() => server.close())).resolves.toMatchObject([5, { platforms: [] }]);
  });
});
