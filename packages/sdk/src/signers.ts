import {
  addressOfKey,
  decodeBase64,
  decodeHex,
  encodeBase64,
  encodeHex,
  findAvatarKey,
  isPersonalSignature,
  parseSignature,
  recoverPersonalSigner,
  utf8,
} from '@signet/verify';
import { signPersonal } from '@signet/verify/sign';
import { SignetError } from './errors.js';

/** An Avatar that can sign. */
export interface Signer {
  /** Compressed key: `0x` and 66 lowercase hex digits. */
  avatar: string;
  /** The Ethereum address of the same key. */
  address: string;
  /** personal_sign over the text: standard Base64 of 65 bytes. */
  sign(text: string): Promise<string>;
}

/** A wallet that is bound: its own signature over the text that the Avatar signs. */
export interface WalletSigner {
  /** The EIP-155 id of its chain where it is a contract wallet, which is signed with the link; else undefined. */
  chainId?(): Promise<number | undefined>;
  /** As `extra.wallet_signature`, and `extra.wallet_message` where the wallet signed more than the text. */
  sign(text: string): Promise<{ wallet_signature: string; wallet_message?: string }>;
}

/** Accounts of viem, wallets of ethers, and other objects with a public key and personal_sign. */
export interface MessageSigner {
  /** Hex, 33 or 65 bytes. ethers has it at `signingKey`. */
  publicKey?: string;
  signingKey?: { publicKey: string };
  /** Takes the text, or `{ message: text }` as viem has it; answers hex behind `0x`, Base64, or bytes. */
  signMessage(message: never): Promise<string | Uint8Array>;
}

/** The part of EIP-1193 that is used. */
export interface Eip1193Provider {
  request(request: { method: string; params?: unknown[] }): Promise<unknown>;
}

/** The feature `solana:signMessage` of a wallet-standard wallet. */
export interface SolanaWallet<Account> {
  features: {
    'solana:signMessage': {
      signMessage(input: {
        account: Account;
        message: Uint8Array;
      }): Promise<readonly { signedMessage: Uint8Array; signature: Uint8Array }[]>;
    };
  };
}

/** What a wallet is asked to sign so that its public key becomes known. */
const KEY_TEXT = 'Sign in with this wallet. This shows the public key of its address and does nothing else.';

/**
 * A key in memory: 32 bytes, secp256k1.
 * @throws SignetError (`wrong_signer`) for bytes that are not a private key
 */
export function fromPrivateKey(privateKey: Uint8Array): Signer {
  const sign = (text: string) => signPersonal(text, privateKey);
  let avatar: string | null;
  try {
    avatar = recoverPersonalSigner('', decodeBase64(sign(''))!);
  } catch (cause) {
    throw new SignetError('A private key is 32 bytes, and not zero.', { code: 'wrong_signer', cause });
  }
  return { avatar: avatar!, address: addressOfKey(avatar!), sign: (text) => Promise.resolve(sign(text)) };
}

/**
 * A wallet of one key (EOA) as an Avatar. Its public key is recovered from one signature, so the person is asked once
 * here, and once for each link. Without an address the wallet is asked for its first account.
 * @throws SignetError (`no_account`) for a wallet that shows none; (`wrong_signer`) for one that is not a single key: a
 * contract has no public key
 */
export async function fromEip1193(provider: Eip1193Provider, address?: string): Promise<Signer> {
  const account = (address ?? (await firstAccount(provider))).toLowerCase();
  const sign = personalSignWith(provider, account);
  const bytes = decodeBase64(await sign(KEY_TEXT))!;
  const avatar = recoverPersonalSigner(KEY_TEXT, bytes);
  if (!avatar || addressOfKey(avatar) !== account) {
    throw new SignetError(`The wallet ${account} did not sign with a key of its own; is it a contract wallet?`, {
      code: 'wrong_signer',
    });
  }
  return { avatar, address: account, sign };
}

/** An Ethereum wallet to be bound, through its provider; contract wallets too, on the chain that the provider is on. */
export function ethereumWallet(provider: Eip1193Provider, address: string): WalletSigner {
  return {
    chainId: () => chainOfContract(provider, address),
    async sign(text) {
      const signature = await provider.request(personalSign(text, address));
      if (typeof signature !== 'string' || signature === '') throw noSignature();
      return { wallet_signature: isBareHex(signature) ? `0x${signature}` : signature };
    },
  };
}

/** Begins the code of an account whose key still signs for it (EIP-7702). */
const DELEGATED_CODE = /^0xef0100/i;

/** The chain of the provider, where the address is a contract on it; undefined where it is a key, or is not said. */
async function chainOfContract(provider: Eip1193Provider, address: string): Promise<number | undefined> {
  const ask = async (method: string, params: unknown[] = []) => {
    const answer = await provider.request({ method, params }).catch(() => undefined);
    return typeof answer === 'string' ? answer : '';
  };
  const code = await ask('eth_getCode', [address, 'latest']);
  if (!/^0x[0-9a-f]{2}/i.test(code) || DELEGATED_CODE.test(code)) return undefined;
  const id = Number(await ask('eth_chainId'));
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** A Solana wallet to be bound: a wallet-standard wallet and one of its accounts. */
export function solanaWallet<Account>(wallet: SolanaWallet<Account>, account: Account): WalletSigner {
  return {
    async sign(text) {
      const message = utf8(text);
      const [output] = await wallet.features['solana:signMessage'].signMessage({ account, message });
      const { signature, signedMessage } = output!;
      const isPlain = encodeHex(signedMessage) === encodeHex(message);
      return {
        wallet_signature: encodeBase64(signature),
        ...(isPlain ? {} : { wallet_message: encodeBase64(signedMessage) }),
      };
    },
  };
}

/**
 * A signer from an object that can sign: a signer of this package as it is, else an account of viem, a wallet of ethers
 * and the like. Every signature is checked against the key.
 * @throws SignetError (`wrong_signer`) where there is no public key, or the signature is not by that key; TypeError for
 * what is no object
 */
export function toSigner(given: Signer | MessageSigner): Signer {
  if (typeof given !== 'object' || given === null) {
    throw new TypeError('signer has to be an object that signs, such as fromEip1193(…) or fromPrivateKey(…) return.');
  }
  if ('avatar' in given) return given;
  const text = given.publicKey ?? given.signingKey?.publicKey ?? '';
  const key = findAvatarKey(text.startsWith('0x') ? text : `0x${text}`);
  if (!key) throw new SignetError('The signer has no publicKey of 33 or 65 bytes in hex.', { code: 'wrong_signer' });
  const avatar = key.compressed;
  return {
    avatar,
    address: addressOfKey(avatar),
    async sign(message) {
      const isViem = 'type' in given && 'source' in given;
      const written = await given.signMessage((isViem ? { message } : message) as never);
      const bytes = bytesOf(written);
      if (bytes && isPersonalSignature(message, bytes, avatar)) return encodeBase64(bytes);
      throw new SignetError(`The signer did not sign with the key ${avatar}.`, { code: 'wrong_signer' });
    },
  };
}

/**
 * The first account of a wallet, which asks the person whether this page may see it.
 * @throws SignetError (`no_account`) where it shows none, as a locked one does; what the wallet rejects with
 */
export async function firstAccount(provider: Eip1193Provider): Promise<string> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' });
  const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof account === 'string' && account !== '') return account;
  const message = 'The wallet showed no account: unlock it, and connect an account of it with this page.';
  throw new SignetError(message, { code: 'no_account' });
}

function noSignature(): SignetError {
  return new SignetError('The wallet gave no signature of a key.', { code: 'wrong_signer' });
}

function personalSignWith(provider: Eip1193Provider, address: string): (text: string) => Promise<string> {
  return async (text) => {
    const written = await provider.request(personalSign(text, address));
    const bytes = typeof written === 'string' ? bytesOf(written) : null;
    if (bytes && parseSignature(bytes)) return encodeBase64(bytes);
    throw noSignature();
  };
}

function personalSign(text: string, address: string): { method: string; params: unknown[] } {
  return { method: 'personal_sign', params: [`0x${encodeHex(utf8(text))}`, address] };
}

function bytesOf(written: string | Uint8Array): Uint8Array | null {
  if (typeof written !== 'string') return written;
  if (/^0x/i.test(written)) return decodeHex(written.slice(2));
  return isBareHex(written) ? decodeHex(written) : decodeBase64(written);
}

/** Whether a text is a signature of 64 or 65 bytes in hex without `0x`, as some wallets write it. */
function isBareHex(text: string): boolean {
  return /^(?:[0-9a-f]{128}|[0-9a-f]{130})$/i.test(text);
}
