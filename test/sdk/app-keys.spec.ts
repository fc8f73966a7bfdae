import { createHash, webcrypto } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import {
  type AppSigner,
  createClient,
  fromAppKey,
  fromCryptoKey,
  fromPasskey,
  fromPrivateKey,
  KeyRefusedError,
} from '@signet/sdk';
import { verifyExport } from '@signet/verify';
import { patchSignersOf } from '@signet/verify/key-events';
import { ORIGIN } from '../keys/app-scenario.js';
import { proxiedApp } from '../page/proxied-app.js';
import { anAvatar, type TestAvatar } from '../support/avatar.js';
import { errorOf } from '../support/sdk-answers.js';

/** What an app does with a key of its own and the SDK, against the real service (docs/keys.md). */
type Pair = Parameters<typeof fromCryptoKey>[0]['keys'];

describe('keys of apps', () => {
  const service = proxiedApp();

  const client = (options: object = {}) => createClient({ baseUrl: service.proxy.baseUrl, retries: 0, ...options });
  const signerOf = ({ privateKey }: TestAvatar) => fromPrivateKey(privateKey);
  const idOf = ({ key }: TestAvatar) => ({ platform: 'github', identity: `of-${key.compressed.slice(4, 20)}` });
  const hashOf = (data: Uint8Array | string) => new Uint8Array(createHash('sha256').update(data).digest());
  const secret = hashOf('the key of an app');

  /** As a page asks an authenticator. */
  const passkeyOf = (avatar: string): AppSigner =>
    fromPasskey({
      avatar,
      publicKey: p256.getPublicKey(secret, false),
      origin: ORIGIN,
      assert: (challenge) => {
        const said = { type: 'webauthn.get', challenge: Buffer.from(challenge).toString('base64url'), origin: ORIGIN };
        const clientDataJSON = new TextEncoder().encode(JSON.stringify(said));
        const authenticatorData = Uint8Array.of(...hashOf('app.example.com'), 5, 0, 0, 0, 0);
        const signed = Uint8Array.of(...authenticatorData, ...hashOf(clientDataJSON));
        const signature = p256.Signature.fromBytes(p256.sign(signed, secret, { prehash: true }), 'compact').toBytes(
          'der',
        );
        return Promise.resolve({ authenticatorData, clientDataJSON, signature });
      },
    });
  const cryptoKeyOf = async (avatar: string, algorithm: string | object) => {
    const keys = (await webcrypto.subtle.generateKey(algorithm as 'Ed25519', false, ['sign', 'verify'])) as Pair;
    return fromCryptoKey({ avatar, keys });
  };

  it.each<[string, (avatar: string) => AppSigner | Promise<AppSigner>]>([
    ['Ed25519 in memory', (avatar) => fromAppKey({ avatar, algorithm: 'ed25519', privateKey: secret })],
    ['secp256k1 in memory', (avatar) => fromAppKey({ avatar, algorithm: 'secp256k1', privateKey: secret })],
    ['P-256 in memory', (avatar) => fromAppKey({ avatar, algorithm: 'es256', privateKey: `0x${'1'.repeat(64)}` })],
    ['P-256 of WebCrypto', (avatar) => cryptoKeyOf(avatar, { name: 'ECDSA', namedCurve: 'P-256' })],
    ['Ed25519 of WebCrypto', (avatar) => cryptoKeyOf(avatar, 'Ed25519')],
    ['a passkey', passkeyOf],
  ])('write content that the client checks: %s', async (name, make) => {
    const alice = anAvatar(`alice and ${name}`);
    const avatar = alice.key.compressed;
    const app = await make(avatar);
    const { keys, kv } = client();

    const { event, receipt } = await keys.add({ signer: signerOf(alice), app, scopes: ['kv'] });
    const first = await kv.patch({ ...idOf(alice), patch: { n: 1 }, signer: app });
    await kv.patch({ ...idOf(alice), patch: { m: 2 }, signer: signerOf(alice) });
    const content = await kv.get(avatar);
    const chain = await kv.chain(avatar).toArray();
    const page = await kv.chain(avatar).page(1);
    const { state } = await keys.state(avatar);

    expect(event).toMatchObject({ action: 'key.add', cosigner: app.key });
    expect([receipt, first.receipt].map((one) => typeof one)).toEqual(['string', 'string']);
    expect(content).toMatchObject({ proofs: [{ content: { n: 1, m: 2 } }], resting: { key: 'signature' } });
    expect(chain.map(({ signer }) => signer)).toEqual([app.key, undefined]);
    expect(page.items).toHaveLength(2);
    expect(state.appKeys[app.key]).toMatchObject({ origin: app.origin, revoked: null });
    await keys.revoke({ signer: app, key: app.key });
    expect(await errorOf(kv.patch({ ...idOf(alice), patch: { n: 3 }, signer: app }))).toMatchObject({
      code: 'key_revoked',
    });
    expect(await errorOf(keys.revoke({ signer: signerOf(alice), key: app.key }))).toBeInstanceOf(KeyRefusedError);
  });

  it('are in the export of an Avatar, which is checked without the server', async () => {
    const alice = anAvatar('alice of an export');
    const avatar = alice.key.compressed;
    const app = fromAppKey({ avatar, algorithm: 'ed25519', privateKey: secret });
    await client().keys.add({ signer: signerOf(alice), app, scopes: ['kv'] });
    await client().kv.patch({ ...idOf(alice), patch: { n: 1 }, signer: app });

    const file = await client().export(avatar);
    const signersOf = (keys: never[], of: string) => patchSignersOf(keys, { avatar: of });
    const checked = verifyExport(file, { signersOf });
    const unchecked = verifyExport(file);

    expect(checked).toMatchObject({ patches: { ok: true, complete: true, entries: [{ content: { n: 1 } }] } });
    expect(unchecked).toMatchObject({ patches: { ok: true, complete: false, entries: [] } });
  });

  it('do not let a server make up content: what no added key signed is refused', async () => {
    const alice = anAvatar('alice of a liar');
    const avatar = alice.key.compressed;
    const app = fromAppKey({ avatar, algorithm: 'ed25519', privateKey: secret });
    await client().keys.add({ signer: signerOf(alice), app, scopes: ['kv'] });
    await client().kv.patch({ ...idOf(alice), patch: { n: 1 }, signer: app });

    service.proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/keys/chain'))
        Object.assign(answer as object, { keys: [], pagination: { total: 0, per: 20, current: 1, next: 0 } });
    };

    expect(await errorOf(client().kv.get(avatar))).toMatchObject({ code: 'verification_failed' });
    expect(await errorOf(client().kv.chain(avatar).toArray())).toMatchObject({ code: 'verification_failed' });
  });

  it('are refused as wrong keys before anything is sent', async () => {
    const avatar = anAvatar('alice').key.compressed;

    expect(() => fromAppKey({ avatar, algorithm: 'ed25519', privateKey: 'abc' })).toThrow(/32 bytes/);
    expect(() => fromAppKey({ avatar: 'alice', algorithm: 'ed25519', privateKey: secret })).toThrow(/alice/);
    const assert = () => Promise.reject(new Error('never asked'));
    expect(() => fromPasskey({ avatar, publicKey: secret, origin: ORIGIN, assert })).toThrow(/P-256/);
    const other = cryptoKeyOf(avatar, { name: 'ECDSA', namedCurve: 'P-384' });
    await expect(other).rejects.toMatchObject({ code: 'wrong_signer' });
  });
});
