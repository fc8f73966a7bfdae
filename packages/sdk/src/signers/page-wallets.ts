/**
 * The wallets of a browser: Ethereum wallets announce themselves by EIP-6963, Solana wallets by Wallet Standard. Both
 * may come at any time, so they are watched.
 */
import { getWallets } from '@wallet-standard/app';
import { requestProviders } from 'mipd';
import type { SolanaWallet } from './bound-wallets.js';
import type { Eip1193Provider } from './wallets.js';

/** A wallet that signs with an Ethereum key; `fromWallet(wallet.provider)` is its signer. */
export interface EthereumWallet {
  /** Of this visit of the page alone. */
  id: string;
  name: string;
  /** `data:` address of a picture, or `''`: an address elsewhere would tell there who is here. */
  icon: string;
  provider: Eip1193Provider;
}

/** An account of a Solana wallet; its own members are the wallet's business. */
export interface SolanaAccount {
  address: string;
}

/** A wallet that signs with a Solana key; `solanaWallet` takes it with one of the accounts that `connect` answers. */
export interface StandardWallet extends SolanaWallet<SolanaAccount> {
  name: string;
  icon: string;
  accounts: readonly SolanaAccount[];
  features: SolanaWallet<SolanaAccount>['features'] & {
    'standard:connect': { connect(): Promise<{ accounts: readonly SolanaAccount[] }> };
  };
}

/** Calls `found` for each Ethereum wallet, also for later ones. Returns what ends that. */
export function watchEthereumWallets(found: (wallet: EthereumWallet) => void): () => void {
  const stop = requestProviders(({ info: { uuid, name, icon }, provider }) => {
    found({ id: uuid, name, icon: usableIcon(icon), provider: provider as Eip1193Provider });
  });
  return stop ?? (() => {});
}

/** Calls `found` for each Solana wallet that can sign messages, also for later ones. Returns what ends that. */
export function watchSolanaWallets(found: (wallet: StandardWallet) => void): () => void {
  const tell = (...wallets: unknown[]) => {
    for (const wallet of wallets as StandardWallet[]) {
      if (wallet.features?.['solana:signMessage'] && wallet.features['standard:connect']) found(wallet);
    }
  };
  // Outside of a page there are none, and "@wallet-standard/app" would find none for ever after.
  if (!('window' in globalThis)) return () => {};
  const wallets = getWallets();
  const stop = wallets.on('register', tell);
  tell(...wallets.get());
  return stop;
}

function usableIcon(icon: unknown): string {
  return typeof icon === 'string' && icon.trim().startsWith('data:image/') ? icon.trim() : '';
}

/** Whether the person said no in the wallet (EIP-1193, 4001), or closed it. Wallets reject with objects and words. */
export function isDeclined(error: unknown): boolean {
  if (typeof error === 'string') return isNo(error);
  if (typeof error !== 'object' || error === null) return false;
  const isRefused = 'code' in error && (error.code === 4001 || error.code === 'ACTION_REJECTED');
  return isRefused || ('message' in error && isNo(String(error.message)));
}

function isNo(words: string): boolean {
  return /user ?rejected|rejected ?by ?(?:the )?user|declined|denied|cancell?ed/i.test(words);
}

/** Whether the wallet has a question open that nobody has answered (EIP-1474, -32002), perhaps in a closed window. */
export function isAskedAlready(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === -32002;
}
