/**
 * Wallets of this browser: Ethereum wallets announce themselves by EIP-6963, Solana wallets by the events of Wallet
 * Standard. Both may come at any time, so they are watched.
 */
import type { Eip1193Provider, SolanaWallet } from '@signet/sdk';
import { useEffect, useState } from 'preact/hooks';

/** A wallet that signs with an Ethereum key. */
export interface EthereumWallet {
  id: string;
  name: string;
  /** `data:` address of a picture, or `''`. */
  icon: string;
  provider: Eip1193Provider;
}

/** An account of a Solana wallet; its own members are the wallet's business. */
interface SolanaAccount {
  address: string;
}

/** A wallet that signs with a Solana key. */
export interface StandardWallet extends SolanaWallet<SolanaAccount> {
  name: string;
  icon: string;
  accounts: readonly SolanaAccount[];
  features: SolanaWallet<SolanaAccount>['features'] & {
    'standard:connect': { connect(): Promise<{ accounts: readonly SolanaAccount[] }> };
  };
}

interface Announcement {
  info: { uuid: string; name: string; icon: string };
  provider: Eip1193Provider;
}

type Stop = () => void;

/** Calls `found` for each Ethereum wallet. EIP-6963. */
function watchEthereum(found: (wallet: EthereumWallet) => void): Stop {
  const hear = (event: Event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail;
    found({ id: info.uuid, name: info.name, icon: usableIcon(info.icon), provider });
  };
  window.addEventListener('eip6963:announceProvider', hear);
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  return () => window.removeEventListener('eip6963:announceProvider', hear);
}

/** Calls `found` for each Solana wallet that can sign messages. https://github.com/wallet-standard/wallet-standard */
function watchSolana(found: (wallet: StandardWallet) => void): Stop {
  const api = Object.freeze({
    register: (...wallets: StandardWallet[]) => {
      for (const wallet of wallets) {
        if (wallet.features?.['solana:signMessage'] && wallet.features['standard:connect']) found(wallet);
      }
      return () => {};
    },
  });
  const hear = (event: Event) => (event as CustomEvent<(to: typeof api) => void>).detail(api);
  window.addEventListener('wallet-standard:register-wallet', hear);
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }));
  return () => window.removeEventListener('wallet-standard:register-wallet', hear);
}

/** An older wallet is there without announcing itself. */
function injectedWallet(): EthereumWallet[] {
  const provider = (window as { ethereum?: Eip1193Provider }).ethereum;
  return provider ? [{ id: 'injected', name: 'Ethereum', icon: '', provider }] : [];
}

/** The Ethereum wallets that are there so far. */
export function useEthereumWallets(): EthereumWallet[] {
  const wallets = useFound(watchEthereum, idOf);
  const [injected, setInjected] = useState<EthereumWallet[]>([]);
  useEffect(() => setInjected(injectedWallet()), []);
  return wallets.length > 0 ? wallets : injected;
}

/** The Solana wallets that are there so far. */
export function useSolanaWallets(): StandardWallet[] {
  return useFound(watchSolana, nameOf);
}

const idOf = ({ id }: EthereumWallet) => id;
const nameOf = ({ name }: StandardWallet) => name;

function useFound<Wallet>(watch: (found: (wallet: Wallet) => void) => Stop, keyOf: (wallet: Wallet) => string) {
  const [wallets, setWallets] = useState<Wallet[]>([]);
  useEffect(
    () => watch((wallet) => setWallets((known) => [...known.filter((one) => keyOf(one) !== keyOf(wallet)), wallet])),
    [watch, keyOf],
  );
  return wallets;
}

/** The policy of the page shows pictures of its own and of `data:`; a request elsewhere would tell who is here. */
function usableIcon(icon: string): string {
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
