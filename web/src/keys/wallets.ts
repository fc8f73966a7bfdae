/** Wallets of this browser, as hooks. */
import type { Eip1193Provider } from '@signet/sdk';
import {
  type EthereumWallet,
  type StandardWallet,
  watchEthereumWallets,
  watchSolanaWallets,
} from '@signet/sdk/wallets';
import { useEffect, useState } from 'preact/hooks';

/** An older wallet is there without announcing itself. */
function injectedWallet(): EthereumWallet[] {
  const provider = (window as { ethereum?: Eip1193Provider }).ethereum;
  return provider ? [{ id: 'injected', name: 'Ethereum', icon: '', provider }] : [];
}

/** The Ethereum wallets that are there so far. */
export function useEthereumWallets(): EthereumWallet[] {
  const wallets = useFound(watchEthereumWallets, idOf);
  const [injected, setInjected] = useState<EthereumWallet[]>([]);
  useEffect(() => setInjected(injectedWallet()), []);
  return wallets.length > 0 ? wallets : injected;
}

/** The Solana wallets that are there so far. */
export function useSolanaWallets(): StandardWallet[] {
  return useFound(watchSolanaWallets, nameOf);
}

const idOf = ({ id }: EthereumWallet) => id;
const nameOf = ({ name }: StandardWallet) => name;

function useFound<Wallet>(
  watch: (found: (wallet: Wallet) => void) => () => void,
  keyOf: (wallet: Wallet) => string,
): Wallet[] {
  const [wallets, setWallets] = useState<Wallet[]>([]);
  useEffect(
    () => watch((wallet) => setWallets((known) => [...known.filter((one) => keyOf(one) !== keyOf(wallet)), wallet])),
    [watch, keyOf],
  );
  return wallets;
}
