import { createWalletClient, custom } from 'viem';
import {
  BusyError,
  createClient,
  ethereumWallet,
  fillAddress,
  fillFileName,
  firstAccount,
  fromAppKey,
  fromCryptoKey,
  fromPasskey,
  fromPrivateKey,
  fromWallet,
  identityInAddress,
  KeyRefusedError,
  LogForkError,
  MemoryNonceStore,
  NoLogError,
  NoMapError,
  nostrWallet,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitedError,
  ReceiptBrokenError,
  readProfile,
  signIn,
  SignInError,
  signatureOfNostrEvent,
  solanaWallet,
  StaleChainError,
  UnreachableError,
  VerificationError,
  verifySignIn,
} from '../../src/index.js';
import {
  isAskedAlready,
  isDeclined,
  watchEthereumWallets,
  watchSolanaWallets,
} from '../../src/signers/page-wallets.js';
import { jsonReply, startStandIn } from '../support/stand-in.js';
import { pageWallet } from '../support/page-wallet.js';

const privateKey = `0x${'11'.repeat(32)}` as const;
const { avatar, address } = fromPrivateKey(privateKey);
const provider = pageWallet(privateKey);
const SPKI_BYTES = 91;

/** A client of a server that answers every request so. */
async function answered(status: number, code: string) {
  const server = await startStandIn(() => jsonReply({ message: 'A sentence.', code }, status));
  servers.push(server);
  return createClient({ baseUrl: server.baseUrl, retries: 0 });
}
const servers: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

describe('@signet/sdk', () => {
  it('fromPrivateKey', async () => {
    const signer = fromPrivateKey(privateKey);
    expect(signer.avatar.length).toBe(68);
    expect((await signer.sign('hello')).length).toBe(88);
  });

  it('fromWallet', async () => {
    // A wallet client of viem; clients of wagmi, EIP-1193 providers and signers of ethers do as well.
    const walletClient = createWalletClient({ transport: custom(provider) });
    const signer = await fromWallet(walletClient);
    expect(signer.avatar).toBe(avatar);
  });

  it('firstAccount', async () => {
    expect(await firstAccount(provider)).toBe(address);
  });

  it('ethereumWallet', async () => {
    const wallet = ethereumWallet(provider, address);
    const { wallet_signature } = await wallet.sign('the text that the Avatar signs');
    expect(wallet_signature.startsWith('0x')).toBe(true);
  });

  it('solanaWallet', async () => {
    const signMessage = async ({ message }: { message: Uint8Array }) => [
      { signedMessage: message, signature: new Uint8Array(64) },
    ];
    const wallet = solanaWallet({ features: { 'solana:signMessage': { signMessage } } }, { address: 'the account' });
    const { wallet_signature } = await wallet.sign('the text that the Avatar signs');
    expect(wallet_signature.length).toBe(88);
  });

  it('nostrWallet', async () => {
    // In a page: nostrWallet(window.nostr), where an extension signs.
    const wallet = nostrWallet('nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5');
    expect(await wallet.npub()).toBe('npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg');
  });

  it('signatureOfNostrEvent', () => {
    const text =
      '{"created_at":"1718000000","identity":"npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"}';
    // What a program of Nostr returned for the text that the Avatar signs.
    const event = { kind: 1, tags: [], content: text };
    expect(() => signatureOfNostrEvent(event, text)).toThrow('Another key signed it');
  });

  it('fromAppKey', async () => {
    const app = fromAppKey({ avatar, algorithm: 'ed25519', privateKey });
    expect(app.key.startsWith('ed25519:0x')).toBe(true);
  });

  it('fromCryptoKey', async () => {
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);
    const app = await fromCryptoKey({ avatar, keys });
    expect(app.key.startsWith('es256:0x')).toBe(true);
  });

  it('fromPasskey', async () => {
    const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'verify',
      'sign',
    ]);
    const app = fromPasskey({
      avatar,
      publicKey: await crypto.subtle.exportKey('spki', publicKey),
      origin: 'https://app.example',
      assert: async () => ({
        authenticatorData: new Uint8Array(37),
        clientDataJSON: new Uint8Array(SPKI_BYTES),
        signature: new Uint8Array(70),
      }),
    });
    expect(app.key.startsWith('es256:0x')).toBe(true);
  });

  it('signIn', async () => {
    const nonces = new MemoryNonceStore();
    const signed = await signIn({ wallet: provider, nonce: nonces.issue(), uri: 'https://app.example/login' });
    expect(signed.text.startsWith('app.example wants you to sign in')).toBe(true);
  });

  it('verifySignIn', async () => {
    const nonces = new MemoryNonceStore();
    const signed = await signIn({ wallet: privateKey, nonce: nonces.issue(), uri: 'https://app.example/login' });
    const who = await verifySignIn(signed, { domain: 'app.example', nonces });
    expect(who.avatar).toBe(avatar);
  });

  it('SignInError', async () => {
    const nonces = new MemoryNonceStore();
    const check = verifySignIn({ text: 'hello', signature: '' }, { domain: 'app.example', nonces });
    await expect(check).rejects.toThrow(SignInError);
  });

  it('MemoryNonceStore', () => {
    const nonces = new MemoryNonceStore();
    const nonce = nonces.issue();
    expect(nonces.take(nonce)).toBe(true);
    expect(nonces.take(nonce)).toBe(false);
  });

  it('readProfile', () => {
    const content = {
      avatar,
      proofs: [{ platform: 'self', identity: avatar, content: { profile: { name: 'Alice' } } }],
    };
    expect(readProfile(content as never)?.name).toBe('Alice');
    expect(readProfile(null)).toBe(null);
  });

  it('fillAddress', () => {
    expect(fillAddress('https://github.com/{identity}', { identity: 'alice' })).toBe('https://github.com/alice');
    expect(fillAddress('javascript:alert(1)', { identity: 'alice' })).toBe(null);
  });

  it('fillFileName', () => {
    expect(fillFileName('{identity}.json', { identity: 'alice' })).toBe('alice.json');
  });

  it('identityInAddress', () => {
    expect(identityInAddress('https://github.com/{identity}', 'www.github.com/alice/')).toBe('alice');
  });

  it('BusyError', async () => {
    const client = await answered(503, 'stopping');
    await expect(client.health()).rejects.toThrow(BusyError);
  });

  it('RateLimitedError', async () => {
    const client = await answered(429, 'rate_limited');
    await expect(client.platforms()).rejects.toThrow(RateLimitedError);
  });

  it('NotFoundError', async () => {
    const client = await answered(404, 'not_found');
    await expect(client.platforms()).rejects.toThrow(NotFoundError);
  });

  it('StaleChainError', async () => {
    const client = await answered(400, 'stale_chain');
    await expect(client.platforms()).rejects.toThrow(StaleChainError);
  });

  it('UnreachableError', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 });
    await expect(client.health()).rejects.toThrow(UnreachableError);
  });

  it('VerificationError', () => {
    const error = new VerificationError('The link does not verify.', [
      { name: 'signature', state: 'failed', detail: '' },
    ]);
    expect([error.code, error.steps[0]?.name]).toEqual(['verification_failed', 'signature']);
  });

  it('OutcomeUnknownError', () => {
    expect(new OutcomeUnknownError('Nobody knows.', { code: 'outcome_unknown', retryable: true }).retryable).toBe(true);
  });

  it('KeyRefusedError', () => {
    expect(new KeyRefusedError('Another key stands above it.', 'key_too_low').code).toBe('key_too_low');
  });

  it('LogForkError', () => {
    expect(new LogForkError('Two histories.', 'the checkpoint of before', 'another').code).toBe('log_fork');
  });

  it('ReceiptBrokenError', () => {
    const facts = { receipt: 'what the log promised', checkpoint: null, found: null };
    expect(new ReceiptBrokenError('It is not in the log.', facts).code).toBe('receipt_broken');
  });

  it('NoLogError', () => {
    expect(new NoLogError('https://signet.example').code).toBe('no_log');
  });

  it('NoMapError', () => {
    expect(new NoMapError('https://signet.example').code).toBe('no_map');
  });
});

describe('@signet/sdk/wallets', () => {
  beforeAll(() => void Object.assign(globalThis, { window: new EventTarget() }));
  afterAll(() => void Reflect.deleteProperty(globalThis, 'window'));

  it('watchEthereumWallets', () => {
    const names: string[] = [];
    const stop = watchEthereumWallets(({ name }) => names.push(name));
    stop();
    expect(names).toEqual([]);
  });

  it('watchSolanaWallets', () => {
    const names: string[] = [];
    const stop = watchSolanaWallets(({ name }) => names.push(name));
    stop();
    expect(names).toEqual([]);
  });

  it('isDeclined', () => {
    expect(isDeclined({ code: 4001, message: 'User rejected the request.' })).toBe(true);
    expect(isDeclined(new Error('The network is down.'))).toBe(false);
  });

  it('isAskedAlready', () => {
    expect(isAskedAlready({ code: -32002 })).toBe(true);
  });
});
