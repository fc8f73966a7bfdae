/** Keys of apps over HTTP: real keys, and passkeys as an authenticator and a browser make their assertions. */
import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { encodeBase64, encodeHex } from '@signet/verify';
import { utf8 } from '@signet/verify/internal';
import { writeAssertion } from '@signet/verify/internal/key-events';
import { kvPayload, type Patch, submitKv, type WriteOptions } from '../kv/kv-scenario.js';
import type { Answer, RunningApp } from '../support/app.js';
import type { TestAvatar } from '../support/avatar.js';
import { keyPayload, signedKeyEvent, type SayOptions } from './key-scenario.js';

type Client = Pick<RunningApp, 'get' | 'post'>;

/** An app with a key of its own. */
export interface TestApp {
  /** `<algorithm>:0x<hex>`. */
  name: string;
  origin: string | null;
  sign: (text: string) => string;
}

export const ORIGIN = 'https://app.example.com';
const hashOf = (data: string | Uint8Array) => new Uint8Array(createHash('sha256').update(data).digest());

export function edApp(name: string): TestApp {
  const secret = hashOf(name);
  const key = `ed25519:0x${encodeHex(ed25519.getPublicKey(secret))}`;
  return { name: key, origin: null, sign: (text) => encodeBase64(ed25519.sign(utf8(text), secret)) };
}

export function walletApp({ key, sign }: TestAvatar): TestApp {
  return { name: `secp256k1:${key.compressed}`, origin: null, sign };
}

/** A key of WebCrypto, which signs with any s. */
export function webApp(name: string): TestApp {
  const secret = hashOf(name);
  const sign = (text: string) => encodeBase64(p256.sign(utf8(text), secret, { prehash: true, lowS: false }));
  return { name: `es256:0x${encodeHex(p256.getPublicKey(secret, true))}`, origin: ORIGIN, sign };
}

/** A passkey of the host of `ORIGIN`, used on a page of `origin`. */
export function passkeyApp(
  name: string,
  { origin = ORIGIN, host = 'app.example.com', flags = 5, client = {} } = {},
): TestApp {
  const secret = hashOf(name);
  const sign = (text: string) => {
    const challenge = Buffer.from(hashOf(text)).toString('base64url');
    const clientDataJSON = utf8(
      JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false, ...client }),
    );
    const authenticatorData = Uint8Array.from([...hashOf(host), flags, 0, 0, 0, 1]);
    const signed = Uint8Array.from([...authenticatorData, ...hashOf(clientDataJSON)]);
    const signature = p256.Signature.fromBytes(p256.sign(signed, secret, { prehash: true }), 'compact').toBytes('der');
    return encodeBase64(writeAssertion({ authenticatorData, clientDataJSON, signature }));
  };
  return { name: `es256:0x${encodeHex(p256.getPublicKey(secret, true))}`, origin: ORIGIN, sign };
}

const asSigner = ({ sign }: Pick<TestApp, 'sign'>) => ({ sign }) as TestAvatar;

/** Adds the key of an app: both steps. */
export async function addKey(
  client: Client,
  avatar: TestAvatar,
  app: TestApp,
  fields: object = {},
  options: SayOptions = {},
): Promise<Answer> {
  const said = { key: app.name, origin: app.origin, scopes: ['kv'], ...fields };
  const payload = await keyPayload(client, avatar, 'key.add', said);
  if (payload.status !== 200) return payload;
  const body = signedKeyEvent(payload.body, avatar, 'key.add', { also: asSigner(app), ...options });
  return client.post('/v1/keys', body);
}

/** Revokes the key of an app: both steps, by the main key or by `by`. */
export async function revokeKey(
  client: Client,
  avatar: TestAvatar,
  app: TestApp,
  by?: Pick<TestApp, 'sign'>,
): Promise<Answer> {
  const payload = await keyPayload(client, avatar, 'key.revoke', { key: app.name });
  if (payload.status !== 200) return payload;
  return client.post('/v1/keys', signedKeyEvent(payload.body, avatar, 'key.revoke', by ? { by: asSigner(by) } : {}));
}

/** Step 1 of a patch by the key of an app. */
export async function appPayload(
  client: Client,
  avatar: TestAvatar,
  app: TestApp,
  patch: Patch,
  options: WriteOptions = {},
): Promise<Answer> {
  const { post } = client;
  const asApp = { ...client, post: (path: string, body: unknown) => post(path, withSigner(body as string, app)) };
  return kvPayload(asApp as Client, avatar, patch, options);
}

/** Step 2 of it. */
export async function submitApp(
  client: Client,
  avatar: TestAvatar,
  app: TestApp,
  payload: Answer['body'],
  patch: Patch,
  options: WriteOptions = {},
): Promise<Answer> {
  const { post } = client;
  const asApp = { ...client, post: (path: string, body: unknown) => post(path, withSigner(body as string, app)) };
  return submitKv(asApp as Client, { ...avatar, sign: app.sign }, payload, patch, options);
}

/** Both steps; answers what step 2 answered, or step 1 if that refused. */
export async function writeAsApp(
  client: Client,
  avatar: TestAvatar,
  app: TestApp,
  patch: Patch,
  options: WriteOptions = {},
): Promise<Answer> {
  const payload = await appPayload(client, avatar, app, patch, options);
  return payload.status === 200 ? submitApp(client, avatar, app, payload.body, patch, options) : payload;
}

function withSigner(body: string, { name }: TestApp): string {
  return JSON.stringify({ ...(JSON.parse(body) as object), signer: name });
}
