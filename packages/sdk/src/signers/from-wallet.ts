/** Signers of wallets: `fromWallet`, and `fromWagmi` for the one that wagmi is connected to. */
import { addressOfKey, encodeBase64, findAvatarKey, type Hex, recoverPersonalSigner } from '@signet/verify';
import { givenTo } from '../writes/given-to.js';
import { SignetError, WrongUsageError } from '../errors.js';
import { fromPrivateKey, type Signer } from './signer.js';
import { signatureBytes, type Wallet, type WalletOfKey, walletOfKey } from './wallets.js';

/** What is known of a wallet beforehand. */
export interface FromWalletOptions {
  /** The address to sign with, where the wallet has several; its own or first one when absent. */
  account?: string | undefined;
  /** The key of that address, if an earlier signer of it was kept: then the wallet is not asked for it. */
  avatar?: Hex | undefined;
}

/** What a wallet is asked to sign so that its public key becomes known. */
const KEY_TEXT = 'Sign in with this wallet. This shows the public key of its address and does nothing else.';

const SIGNERS = 'a wallet that can sign, a private key, or what fromWallet returned';
/** Keys that wallets have shown, by their addresses; an address is a hash of its key, so neither ever changes. */
const shownKeys = new Map<string, Hex>();
/** A page meets a few wallets, a server thousands. */
const MAX_SHOWN_KEYS = 1_000;

/**
 * A signer from whatever an app has: a client of viem or wagmi, an EIP-1193 provider such as `window.ethereum`, an
 * account of viem, a signer of ethers, a private key in hex or bytes. A wallet that does not tell its public key is
 * asked for one signature, from which the key is recovered: once for each address while the program runs. Each later
 * signature is checked against the key.
 *
 *     const signer = await fromWallet(window.ethereum);
 *     await client.bind({ platform: 'ethereum', identity: signer.address, signer });
 *
 * @throws SignetError (`wrong_signer`) for what does not sign with one key, as a contract wallet does not;
 *   (`no_account`) for a wallet that shows none; WrongUsageError for what is no wallet; what the wallet rejects with
 */
export async function fromWallet(wallet: Wallet, options: FromWalletOptions = {}): Promise<Signer> {
  if (typeof wallet === 'string' || wallet instanceof Uint8Array) return fromPrivateKey(wallet);
  const isObject = typeof wallet === 'object' && wallet !== null;
  if (isObject && 'avatar' in wallet) return wallet;
  const asked = isObject ? walletOfKey(wallet) : null;
  if (!asked) throw new WrongUsageError(`signer has to be ${SIGNERS}.`);
  const avatar = knownKey(asked, options) ?? (await askedKey(asked, options.account));
  const address = addressOfKey(avatar);
  return {
    avatar,
    address,
    async sign(text) {
      const { bytes, signer } = await signed(asked, text, address);
      if (bytes && signer === avatar) return encodeBase64(bytes);
      throw wrongSigner(`The wallet did not sign with the key ${avatar}.`);
    },
  };
}

/**
 * One signature over a text that names the address of the wallet, whose key may be unknown: the person is asked once,
 * and later signers of the wallet know the key.
 * @param write makes the text for an address, lowercase
 * @returns the text, and standard Base64 of 65 bytes
 * @throws what `fromWallet` throws, and what `write` throws
 */
export async function signOnce(
  wallet: Wallet,
  write: (address: Hex) => string,
): Promise<{ text: string; signature: string }> {
  const asked = typeof wallet === 'object' && wallet !== null && !('avatar' in wallet) ? walletOfKey(wallet) : null;
  if (!asked || asked.publicKey !== undefined) {
    const signer = await fromWallet(wallet);
    const text = write(signer.address);
    return { text, signature: await signer.sign(text) };
  }
  const address = await addressOf(asked);
  const text = write(address);
  return { text, signature: encodeBase64((await signedByKey(asked, text, address)).bytes) };
}

/** The part of the configuration of wagmi, from version 2 on, that is used. */
export interface WagmiConfig {
  state: {
    current: string | null;
    connections: ReadonlyMap<
      string,
      {
        accounts: readonly string[];
        chainId: number;
        connector: { getProvider: (options: { chainId: number }) => Promise<unknown> };
      }
    >;
  };
}

/**
 * A signer of the wallet that wagmi is connected to now; takes the `config` that `WagmiProvider` has.
 * @throws SignetError (`no_account`) where none is connected yet; what `fromWallet` throws
 */
export async function fromWagmi(config: WagmiConfig, options: FromWalletOptions = {}): Promise<Signer> {
  const { state } = givenTo('fromWagmi', config);
  const connection = givenTo('state of fromWagmi', state).connections.get(state.current ?? '');
  // While wagmi connects again after a reload, its connectors are names without functions.
  if (typeof connection?.connector.getProvider !== 'function') {
    throw new SignetError('wagmi is connected to no wallet yet.', { code: 'no_account' });
  }
  const { accounts, chainId, connector } = connection;
  const provider = (await connector.getProvider({ chainId })) as Wallet;
  return fromWallet(provider, { account: accounts[0], ...options });
}

/** The key that the wallet itself or the caller knows. @throws SignetError if it is none, or of another address */
function knownKey({ publicKey }: WalletOfKey, { account, avatar }: FromWalletOptions): Hex | undefined {
  const text = publicKey ?? avatar;
  if (text === undefined) return undefined;
  const key = findAvatarKey(text.startsWith('0x') ? text : `0x${text}`)?.compressed;
  if (!key) throw wrongSigner('The public key of the signer is not one: expected 33 or 65 bytes in hex.');
  if (account === undefined || addressOfKey(key) === account.toLowerCase()) return key;
  throw wrongSigner(`The key ${key} is not that of the account ${account}.`);
}

/** The key of the wallet's address, for which the person is asked unless it is known. */
async function askedKey(wallet: WalletOfKey, account: string | undefined): Promise<Hex> {
  const address = await addressOf(wallet, account);
  return shownKeys.get(address) ?? (await signedByKey(wallet, KEY_TEXT, address)).signer;
}

async function addressOf(wallet: WalletOfKey, account?: string): Promise<Hex> {
  const address = (account ?? (await wallet.address()))?.toLowerCase();
  if (address === undefined) throw wrongSigner('The signer has neither a public key nor an address.');
  return address as Hex;
}

/** A signature by the key of the address, which is remembered. @throws SignetError (`wrong_signer`) for another */
async function signedByKey(wallet: WalletOfKey, text: string, address: string) {
  const { bytes, signer } = await signed(wallet, text, address);
  if (!bytes || !signer || addressOfKey(signer) !== address) {
    throw wrongSigner(`The wallet ${address} did not sign with a key of its own; is it a contract wallet?`);
  }
  if (shownKeys.size >= MAX_SHOWN_KEYS) shownKeys.clear();
  shownKeys.set(address, signer);
  return { bytes, signer };
}

async function signed(wallet: WalletOfKey, text: string, address: string) {
  const bytes = signatureBytes(await wallet.sign(text, address));
  return { bytes, signer: bytes && recoverPersonalSigner(text, bytes) };
}

function wrongSigner(message: string): SignetError {
  return new SignetError(message, { code: 'wrong_signer' });
}
