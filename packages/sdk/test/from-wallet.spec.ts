/** Wallets of other libraries, as they are, in front of a wallet that counts what the person is asked. */
import { decodeBase64, encodeHex, type Hex, isPersonalSignature, recoverPersonalSigner } from '@signet/verify';
import { signPersonal } from '@signet/verify/sign';
import { BrowserProvider, Wallet as EthersWallet } from 'ethers';
import { createClient, createWalletClient, custom, type EIP1193Provider, http } from 'viem';
import { privateKeyToAccount, toAccount } from 'viem/accounts';
import { mainnet } from 'viem/chains';
import { createConfig, createConnector } from 'wagmi';
import { connect, disconnect, getConnectorClient, getWalletClient } from 'wagmi/actions';
import {
  type Eip1193Provider,
  fromPrivateKey,
  fromWagmi,
  fromWallet,
  MemoryNonceStore,
  signIn,
  verifySignIn,
  type Wallet,
} from '../src/index.js';

let nextByte = 1;
const newKey = () => new Uint8Array(32).fill(nextByte++);
const hexOf = (bytes: Uint8Array): Hex => `0x${encodeHex(bytes)}`;

/** A wallet of one key that knows EIP-1193, as a page has it, and what it was asked to sign. */
function walletOf(key: Uint8Array): { address: Hex; asked: string[]; provider: Eip1193Provider } {
  const { address } = fromPrivateKey(key);
  const asked: string[] = [];
  const request = async ({ method, params }: { method: string; params?: unknown[] }) => {
    if (/^eth_(requestA|a)ccounts$/.test(method)) return [address];
    if (method === 'eth_chainId') return '0x1';
    if (method === 'wallet_requestPermissions') return [{ caveats: [{ value: [address] }] }];
    if (method !== 'personal_sign') throw new Error(`The wallet does not know ${method}.`);
    const [text, by] = params as [Hex, string];
    expect(by.toLowerCase()).toBe(address);
    asked.push(Buffer.from(text.slice(2), 'hex').toString());
    return hexOf(decodeBase64(signPersonal(asked.at(-1)!, key))!);
  };
  return { address, asked, provider: { request } };
}

/** A configuration of wagmi with one wallet. */
function wagmiOf(provider: Eip1193Provider) {
  const accounts = () => provider.request({ method: 'eth_accounts' }) as Promise<Hex[]>;
  const connector = createConnector(() => ({
    ...{ id: 'test', name: 'Test', type: 'test' },
    connect: async () => ({ accounts: (await accounts()) as never, chainId: 1 }),
    disconnect: async () => {},
    getAccounts: accounts,
    getChainId: async () => 1,
    getProvider: async () => provider,
    isAuthorized: async () => true,
    onAccountsChanged() {},
    onChainChanged() {},
    onDisconnect() {},
  }));
  return createConfig({
    chains: [mainnet],
    connectors: [connector],
    storage: null,
    transports: { [mainnet.id]: http('http://127.0.0.1:1') },
  });
}

async function connectedWagmi(provider: Eip1193Provider) {
  const config = wagmiOf(provider);
  await connect(config, { connector: config.connectors[0]! } as never);
  return config;
}

describe('a wallet in a page', () => {
  const kinds: [name: string, make: (provider: Eip1193Provider) => Promise<Wallet> | Wallet][] = [
    ['an EIP-1193 provider', (provider) => provider],
    ['a wallet client of viem', (provider) => createWalletClient({ transport: custom(provider as EIP1193Provider) })],
    [
      'a client of viem with an account',
      async (provider) => {
        const transport = custom(provider as EIP1193Provider);
        const [account] = await createWalletClient({ transport }).requestAddresses();
        return createClient({ transport, account: account! });
      },
    ],
    ['a signer of ethers', (provider) => new BrowserProvider(provider).getSigner()],
    ['a wallet client of wagmi', async (provider) => getWalletClient(await connectedWagmi(provider))],
    ['a connector client of wagmi', async (provider) => getConnectorClient(await connectedWagmi(provider))],
  ];

  it.each(kinds)('signs as %s, which is asked for its key once', async (_name, make) => {
    const key = newKey();
    const { asked, provider } = walletOf(key);
    const wallet = await make(provider);

    const signer = await fromWallet(wallet);
    const signature = await signer.sign('a link');
    await fromWallet(wallet);
    await fromWallet(provider, { account: signer.address.toUpperCase().replace('0X', '0x') });

    expect(signer).toMatchObject({ avatar: fromPrivateKey(key).avatar, address: fromPrivateKey(key).address });
    expect(isPersonalSignature('a link', decodeBase64(signature)!, signer.avatar)).toBe(true);
    expect(asked).toEqual([expect.stringContaining('does nothing else'), 'a link']);
  });

  it('is asked for nothing but links where the key was kept', async () => {
    const key = newKey();
    const { asked, provider } = walletOf(key);
    const { avatar } = fromPrivateKey(key);

    const signer = await fromWallet(provider, { avatar });
    await signer.sign('a link');

    expect(signer.avatar).toBe(avatar);
    expect(asked).toEqual(['a link']);
  });

  it('is refused where another key signs', async () => {
    const { provider } = walletOf(newKey());
    const [other, third] = [fromPrivateKey(newKey()), fromPrivateKey(newKey())];
    const request = async () => hexOf(decodeBase64(signPersonal('a link', newKey()))!);
    const lying = await fromWallet({ request }, { avatar: other.avatar });

    await expect(lying.sign('a link')).rejects.toMatchObject({ code: 'wrong_signer' });
    await expect(fromWallet(provider, { account: third.address, avatar: other.avatar })).rejects.toMatchObject({
      code: 'wrong_signer',
    });
    const passkey = { request: async () => `0x${'ab'.repeat(900)}`, account: third };
    await expect(fromWallet(passkey)).rejects.toMatchObject({
      code: 'wrong_signer',
      message: expect.stringContaining('is it a contract wallet?'),
    });
  });

  it('passes on that the person declined, and asks again the next time', async () => {
    const key = newKey();
    const { provider } = walletOf(key);
    const declined = Object.assign(new Error('User rejected the request.'), { code: 4001 });
    let isWilling = false;
    const request: Eip1193Provider['request'] = async (asked) => {
      if (asked.method === 'personal_sign' && !isWilling) throw declined;
      return provider.request(asked);
    };

    await expect(fromWallet({ request })).rejects.toBe(declined);
    isWilling = true;
    expect((await fromWallet({ request })).avatar).toBe(fromPrivateKey(key).avatar);
  });

  it('whose key is not known signs a person in by one question, and shows the key by that', async () => {
    const { asked, provider } = walletOf(newKey());
    const nonces = new MemoryNonceStore();

    const signed = await signIn({ wallet: provider, nonce: nonces.issue(), uri: 'https://app.example/' });
    const { avatar } = await verifySignIn(signed, { domain: 'app.example', nonces });

    expect(asked).toEqual([signed.text]);
    expect((await fromWallet(provider)).avatar).toBe(avatar);
    expect(asked).toHaveLength(1);
  });

  it('that signs a person in with another key is refused', async () => {
    const { provider } = walletOf(newKey());
    const stranger = walletOf(newKey());
    const request: Eip1193Provider['request'] = (asked) =>
      asked.method === 'personal_sign'
        ? stranger.provider.request({ ...asked, params: [asked.params?.[0], stranger.address] })
        : provider.request(asked);

    const signed = signIn({ wallet: { request }, nonce: 'abcdefgh12345678', uri: 'https://app.example/' });

    await expect(signed).rejects.toMatchObject({ code: 'wrong_signer' });
  });

  it('that is locked shows no account', async () => {
    await expect(fromWallet({ request: async () => [] })).rejects.toMatchObject({ code: 'no_account' });
  });
});

describe('wagmi', () => {
  it('gives the wallet that it is connected to, in one call', async () => {
    const key = newKey();
    const { asked, provider } = walletOf(key);
    const config = await connectedWagmi(provider);

    const signer = await fromWagmi(config);
    await signer.sign('a link');

    expect(signer.avatar).toBe(fromPrivateKey(key).avatar);
    expect(asked).toHaveLength(2);
    await disconnect(config);
    await expect(fromWagmi(config)).rejects.toMatchObject({ code: 'no_account' });
  });

  it('has no wallet before it is connected, and while it connects again', async () => {
    const config = wagmiOf(walletOf(newKey()).provider);
    await expect(fromWagmi(config)).rejects.toMatchObject({ code: 'no_account' });

    const { connector } = { connector: { id: 'test', name: 'Test', type: 'injected', uid: 'kept' } };
    const connections = new Map([['kept', { accounts: ['0x'], chainId: 1, connector }]]);
    const state = { current: 'kept', connections } as never;
    await expect(fromWagmi({ state })).rejects.toMatchObject({ code: 'no_account' });
  });
});

describe('a key in memory', () => {
  it.each<[name: string, make: (key: Uint8Array) => Wallet]>([
    ['bytes', (key) => key],
    ['hex', hexOf],
    ['hex without 0x', (key) => encodeHex(key)],
    ['an account of viem', (key) => privateKeyToAccount(hexOf(key))],
    [
      'an account of viem without its public key',
      (key) => {
        const { address, signMessage, signTransaction, signTypedData } = privateKeyToAccount(hexOf(key));
        return toAccount({ address, signMessage, signTransaction, signTypedData });
      },
    ],
    [
      'a client of viem that holds the key',
      (key) => {
        const account = privateKeyToAccount(hexOf(key));
        return createWalletClient({ account, transport: http('http://127.0.0.1:1') });
      },
    ],
    ['a wallet of ethers', (key) => new EthersWallet(hexOf(key))],
    [
      'a key elsewhere that writes Base64',
      (key) => ({
        publicKey: privateKeyToAccount(hexOf(key)).publicKey.slice(2),
        signMessage: async (text: string) => signPersonal(text, key),
      }),
    ],
  ])('signs as %s', async (_name, make) => {
    const key = newKey();

    const signer = await fromWallet(make(key));
    const signature = decodeBase64(await signer.sign('a link'))!;

    expect(signer.avatar).toBe(fromPrivateKey(key).avatar);
    expect(recoverPersonalSigner('a link', signature)).toBe(signer.avatar);
    expect(await fromWallet(signer)).toBe(signer);
  });

  it.each(['', '0x', '0xzz', 'ab'.repeat(31), 'ab'.repeat(33), '00'.repeat(32), new Uint8Array(32), new Uint8Array(5)])(
    'is refused where it is none (%s), without repeating it',
    async (given) => {
      await expect(fromWallet(given)).rejects.toMatchObject({
        code: 'wrong_signer',
        message: 'A private key is 32 bytes, or 64 hex digits, and not zero.',
      });
    },
  );
});

it.each([undefined, null, 7, {}, { address: '0x00' }, { publicKey: '0x02' }, () => 'a signature'])(
  'the signer %p is refused in a sentence',
  async (given) => {
    await expect(fromWallet(given as never)).rejects.toMatchObject({
      code: 'wrong_usage',
      message: 'signer has to be a wallet that can sign, a private key, or what fromWallet returned.',
    });
  },
);

it('a public key that is none, and no key and no address at all, are named', async () => {
  const signMessage = async () => '';

  await expect(fromWallet({ publicKey: '0x02', signMessage })).rejects.toThrow('expected 33 or 65 bytes in hex');
  await expect(fromWallet({ signMessage } as never)).rejects.toThrow('neither a public key nor an address');
});
