import { jest } from '@jest/globals';
import { createSiweMessage, parseSiweMessage } from 'viem/siwe';
import {
  fromPrivateKey,
  MemoryNonceStore,
  signIn,
  type SignInCheck,
  type SignInError,
  verifySignIn,
} from '../src/index.js';
import { readSignIn, writeSignIn } from '../src/sign-in/sign-in-text.js';

const KEY = '11'.repeat(32);
const signer = fromPrivateKey(KEY);
const other = fromPrivateKey('22'.repeat(32));
const uri = 'https://app.example/login';
let nonces: MemoryNonceStore;
let check: SignInCheck;
beforeEach(() => {
  nonces = new MemoryNonceStore();
  check = { domain: 'app.example', nonces };
});
afterEach(() => {
  jest.useRealTimers();
});

/** Why a sign-in is refused. */
const problemOf = (signed: unknown, options: SignInCheck = check): Promise<SignInError['problem']> =>
  verifySignIn(signed as never, options).then(
    () => {
      throw new Error('It was accepted.');
    },
    (error: SignInError) => {
      expect([error.name, error.code]).toEqual(['SignInError', 'sign_in_refused']);
      return error.problem;
    },
  );

it('signs a person in, by the key that signed', async () => {
  const signed = await signIn({ wallet: KEY, nonce: nonces.issue(), statement: 'Welcome to the club.', uri });

  expect(await verifySignIn(signed, check)).toEqual({ avatar: signer.avatar, address: signer.address, person: null });
});

it('says who it is, by a client', async () => {
  const asked: unknown[] = [];
  const person = { avatar: signer.avatar } as never;
  const client = { resolve: (who: unknown) => Promise.resolve((asked.push(who), person)) } as never;
  const signed = await signIn({ wallet: signer, nonce: nonces.issue(), uri });

  expect((await verifySignIn(signed, { ...check, client })).person).toBe(person);
  expect(asked).toEqual([signer.avatar]);
});

it('signs nobody in where the client refuses what the server says', async () => {
  const client = { resolve: () => Promise.reject(new Error('It lies.')) };
  const signed = await signIn({ wallet: signer, nonce: nonces.issue(), uri });

  await expect(verifySignIn(signed, { ...check, client })).rejects.toThrow('It lies.');
});

it.each(['', 'Welcome to the club.'])('writes the text that viem writes, and reads: %j', (statement) => {
  const fields = {
    domain: 'app.example:8443',
    address: signer.address,
    uri: 'https://app.example:8443/',
    nonce: 'abcdefgh12345678',
  };
  const text = writeSignIn({ ...fields, statement, issuedAt: 1_790_000_000 });
  const siwe = { ...fields, ...(statement && { statement }), version: '1', chainId: 1 } as const;

  expect(parseSiweMessage(text)).toMatchObject({
    ...siwe,
    address: expect.stringMatching(new RegExp(signer.address, 'i')),
  });
  if (statement) expect(text).toBe(createSiweMessage({ ...siwe, issuedAt: new Date(1_790_000_000_000) }));
  expect(readSignIn(text)).toEqual({ ...fields, statement, issuedAt: 1_790_000_000 });
});

it('refuses a replay', async () => {
  const signed = await signIn({ wallet: signer, nonce: nonces.issue(), uri });
  await verifySignIn(signed, check);

  expect(await problemOf(signed)).toBe('nonce');
});

it('lets one of two through that come at once', async () => {
  const signed = await signIn({ wallet: signer, nonce: nonces.issue(), uri });
  const both = await Promise.allSettled([verifySignIn(signed, check), verifySignIn(signed, check)]);

  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('refuses what was signed for another site, by its domain or its page', async () => {
  const nonce = nonces.issue();
  const elsewhere = await signIn({ wallet: signer, nonce, uri: 'https://mallory.example/login' });
  const text = elsewhere.text.replace(/^mallory\.example/, 'app.example');
  const half = { text, signature: await signer.sign(text) };
  const otherPort = await signIn({ wallet: signer, nonce, uri: 'https://app.example:8443/' });

  for (const signed of [elsewhere, half, otherPort]) expect(await problemOf(signed)).toBe('other_site');
  expect(await verifySignIn(await signIn({ wallet: signer, nonce, uri }), check)).toMatchObject({
    avatar: signer.avatar,
  });
});

it('refuses a nonce of another server, and one that is too old', async () => {
  expect(await problemOf(await signIn({ wallet: signer, nonce: new MemoryNonceStore().issue(), uri }))).toBe('nonce');
  jest.useFakeTimers({ now: Date.now(), doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout'] });
  const short = new MemoryNonceStore(60);
  const nonce = short.issue();
  jest.setSystemTime(Date.now() + 61_000);

  expect(await problemOf(await signIn({ wallet: signer, nonce, uri }), { ...check, nonces: short })).toBe('nonce');
});

it('refuses a text that is older than ten minutes, or of a clock that is far ahead', async () => {
  jest.useFakeTimers({ now: Date.now(), doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout'] });
  const lasting = new MemoryNonceStore(1e6);
  const signed = await signIn({ wallet: signer, nonce: lasting.issue(), uri });
  const now = Date.now();
  for (const seconds of [601, -400]) {
    jest.setSystemTime(now + seconds * 1000);
    expect(await problemOf(signed, { ...check, nonces: lasting })).toBe('old');
  }
  jest.setSystemTime(now + 599_000);
  expect(await verifySignIn(signed, { ...check, nonces: lasting })).toMatchObject({ avatar: signer.avatar });
});

it('refuses a signature of another key, of another text, and what is none, and keeps the nonce for the person', async () => {
  const signed = await signIn({ wallet: signer, nonce: nonces.issue(), uri });
  const changed = signed.text.replace('/login', '/admin');

  expect(await problemOf({ ...signed, signature: await other.sign(signed.text) })).toBe('signature');
  expect(await problemOf({ ...signed, text: changed })).toBe('signature');
  for (const signature of ['', 'AAAA', undefined, 7, 'x'.repeat(1e6)]) {
    expect(await problemOf({ ...signed, signature })).toBe('signature');
  }
  expect(await verifySignIn(signed, check)).toMatchObject({ avatar: signer.avatar });
});

it('refuses what is no sign-in, whatever it is', async () => {
  const { text } = await signIn({ wallet: signer, nonce: nonces.issue(), statement: 'Hello.', uri });
  const texts = [
    ...[undefined, 7, '', 'x'.repeat(1e6), `${text}\n`, ` ${text}`, text.replaceAll('\n', '\r\n')],
    ...[text.replace('Version: 1', 'Version: 2'), text.replace('Hello.', 'Hello.\nURI: https://mallory.example')],
    ...[text.replace(/Issued At: .*/, 'Issued At: now'), text.replace(/Nonce: .*/, 'Nonce: short')],
    ...[`${text}\nExpiration Time: 2099-01-01T00:00:00.000Z`, text.replace(/^app/, 'APP'), text.toLowerCase()],
  ];

  for (const bad of [null, undefined, 7, [], {}, ...texts.map((one) => ({ text: one, signature: 'AAAA' }))]) {
    expect(await problemOf(bad)).toBe('malformed');
  }
});

it('names options that cannot be, on both sides', async () => {
  const signed = { text: '', signature: '' };
  for (const domain of [undefined, 'https://app.example', 'App.example', 'app.example/', 'a b']) {
    await expect(verifySignIn(signed, { ...check, domain: domain as never })).rejects.toMatchObject({
      code: 'wrong_usage',
    });
  }
  await expect(verifySignIn(signed, { domain: 'app.example' } as never)).rejects.toThrow('new MemoryNonceStore()');
  await expect(verifySignIn(signed, undefined as never)).rejects.toMatchObject({ code: 'wrong_usage' });
  for (const request of [{ nonce: 'short' }, { nonce: 'abcdefgh12345678', statement: 'two\nlines' }]) {
    await expect(signIn({ wallet: signer, uri, ...request })).rejects.toMatchObject({ code: 'wrong_usage' });
  }
  await expect(signIn({ wallet: signer, nonce: nonces.issue(), uri: 'app.example' })).rejects.toThrow('uri has to be');
  await expect(signIn({ wallet: signer, nonce: nonces.issue() })).rejects.toThrow('uri has to be');
});

it('keeps no more nonces than 100,000, whoever asks for them: the oldest go', () => {
  const first = nonces.issue();
  for (let n = 0; n < 100_000; n++) nonces.issue();

  expect(nonces.take(first)).toBe(false);
  expect(nonces.take(nonces.issue())).toBe(true);
});
