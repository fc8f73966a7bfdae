/** Forms of wallets, and how each is asked for an address and a signature. */
import { decodeBase64, decodeHex, encodeHex, type Hex } from '@signet/verify';
import { utf8 } from '@signet/verify/internal';
import { SignetError } from '../errors.js';
import type { PrivateKey, Signer } from './signer.js';

/** The part of EIP-1193 that is used, as pages declare `window.ethereum`. */
export interface Eip1193Provider {
  request(request: { method: string; params?: unknown[] }): Promise<unknown>;
}

/** Anything that passes on `personal_sign`: EIP-1193 providers, and clients of viem and wagmi with their `account`. */
export interface RequestingWallet {
  request: (request: { method: 'personal_sign'; params: [Hex, Hex] }) => Promise<unknown>;
  account?: { address: string } | undefined;
}

/** An account of viem that signs by itself: `privateKeyToAccount`, `mnemonicToAccount`, `toAccount`. */
export interface ViemAccount {
  address: string;
  publicKey?: string | undefined;
  signMessage: (message: { message: string }) => Promise<string | Uint8Array>;
}

/** A signer or wallet of ethers. */
export interface EthersSigner {
  getAddress: () => Promise<string>;
  signMessage: (message: string) => Promise<string>;
}

/** Anything else with a public key that makes signatures of personal_sign, such as a key in hardware. */
export interface MessageSigner {
  /** Hex of 33 or 65 bytes, with or without `0x`. */
  publicKey: string;
  /** Takes the text; answers hex, Base64 or bytes. */
  signMessage: (message: string) => Promise<string | Uint8Array>;
  address?: undefined;
}

/** All that `fromWallet` takes. */
export type Wallet = Signer | PrivateKey | RequestingWallet | ViemAccount | EthersSigner | MessageSigner;

/** What a wallet of one key is asked. */
export interface WalletOfKey {
  /** What is known of its key: the key, or its address. */
  publicKey: string | undefined;
  address(): Promise<string | undefined>;
  /** The signature as the wallet writes it: personal_sign by this address. */
  sign(text: string, address: string): Promise<unknown>;
}

/** A wallet in any of the forms above but those of a signer and a private key; null for what is none. */
export function walletOfKey(given: object): WalletOfKey | null {
  const wallet = given as Partial<RequestingWallet & EthersSigner> & { signMessage?: (message: unknown) => unknown };
  const { account } = wallet;
  // A client of viem that holds the key itself would ask its node to sign.
  if (typeof account === 'object' && account !== null && 'signMessage' in account) return walletOfKey(account);
  if (typeof wallet.signMessage === 'function' && typeof wallet.request !== 'function') {
    return ofMessages(wallet as ViemAccount | EthersSigner | MessageSigner);
  }
  if (typeof wallet.request !== 'function') return null;
  const provider = given as Eip1193Provider;
  return {
    publicKey: undefined,
    address: async () => account?.address ?? (await firstAccount(provider)),
    sign: (text, address) => provider.request(personalSign(text, address)),
  };
}

function ofMessages(wallet: ViemAccount | EthersSigner | MessageSigner): WalletOfKey {
  const { signingKey } = wallet as { signingKey?: { publicKey?: string } };
  const publicKey = 'publicKey' in wallet ? wallet.publicKey : signingKey?.publicKey;
  if ('getAddress' in wallet) {
    return { publicKey, address: () => wallet.getAddress(), sign: (text) => wallet.signMessage(text) };
  }
  const address = async () => wallet.address;
  // viem alone has the address beside the function, and takes the text in an object.
  if (wallet.address === undefined) return { publicKey, address, sign: (text) => wallet.signMessage(text) };
  return { publicKey, address, sign: (text) => wallet.signMessage({ message: text }) };
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

/** The request for a signature over a text. */
export function personalSign(text: string, address: string): { method: string; params: unknown[] } {
  return { method: 'personal_sign', params: [`0x${encodeHex(utf8(text))}`, address] };
}

/** The bytes of a signature that a wallet wrote as hex, as Base64 or as bytes; null for anything else. */
export function signatureBytes(written: unknown): Uint8Array | null {
  if (written instanceof Uint8Array) return written;
  if (typeof written !== 'string') return null;
  if (/^0x/i.test(written)) return decodeHex(written.slice(2));
  return isBareHex(written) ? decodeHex(written) : decodeBase64(written);
}

/** Whether a text is a signature of 64 or 65 bytes in hex without `0x`, as some wallets write it. */
export function isBareHex(text: string): boolean {
  return /^(?:[0-9a-f]{128}|[0-9a-f]{130})$/i.test(text);
}
