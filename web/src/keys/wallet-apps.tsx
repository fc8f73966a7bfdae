/**
 * Wallets of a phone are apps, and none of them is seen by the phone's browser; each opens a page in a browser of its
 * own, where it announces itself. The links are those that the makers document:
 * https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks/,
 * https://docs.cdp.coinbase.com/coinbase-wallet/developer-guidance/mobile-dapp-integration,
 * https://docs.phantom.com/phantom-deeplinks/other-methods/browse,
 * https://developer.trustwallet.com/developer/develop-for-trust/deeplinking,
 * https://docs.solflare.com/solflare/technical/deeplinks/other-methods/browse.
 * Rainbow documents links for WalletConnect alone.
 */
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { useEthereumWallets } from './wallets.js';

/** SLIP-44, which Trust Wallet asks for. */
const COINS = { ethereum: 60, solana: 501 };
type Chain = keyof typeof COINS;

interface WalletApp {
  name: string;
  chains: readonly Chain[];
  /** The link that opens an address in the app. */
  linkTo: (address: string, chain: Chain) => string;
}

const escaped = encodeURIComponent;

const APPS: readonly WalletApp[] = [
  {
    name: 'MetaMask',
    chains: ['ethereum', 'solana'],
    // The address as it is, without its scheme: an escaped one opens an empty tab.
    linkTo: (address) => `https://link.metamask.io/dapp/${address.replace(/^https?:\/\//, '')}`,
  },
  {
    name: 'Coinbase Wallet',
    chains: ['ethereum'],
    linkTo: (address) => `https://go.cb-w.com/dapp?cb_url=${escaped(address)}`,
  },
  {
    name: 'Phantom',
    chains: ['ethereum', 'solana'],
    linkTo: (address) => `https://phantom.app/ul/browse/${escaped(address)}?ref=${escaped(new URL(address).origin)}`,
  },
  {
    name: 'Trust Wallet',
    chains: ['ethereum', 'solana'],
    linkTo: (address, chain) => `https://link.trustwallet.com/open_url?coin_id=${COINS[chain]}&url=${escaped(address)}`,
  },
  {
    name: 'Solflare',
    chains: ['solana'],
    linkTo: (address) =>
      `https://solflare.com/ul/v1/browse/${escaped(address)}?ref=${escaped(new URL(address).origin)}`,
  },
];

/** Told when a person leaves for the app of a wallet, where the work goes on. */
export const WENT_ELSEWHERE = 'signet-went-elsewhere';

/** Whether fingers are what this device is used with: a phone or a tablet, which has wallets as apps. */
export function useTouch(): boolean {
  const [isTouched, setTouched] = useState(false);
  useEffect(() => setTouched(matchMedia('(pointer: coarse)').matches), []);
  return isTouched;
}

/** Links that open this page in the apps of wallets, with what was begun in its address. */
export function WalletApps({ chain }: { chain: Chain }) {
  return (
    <>
      <p class="quiet">{t('bind.wallet_apps')}</p>
      <ul class="wallets">
        {APPS.filter(({ chains }) => chains.includes(chain)).map(({ name, linkTo }) => (
          <li key={name}>
            <a
              class="button"
              href={linkTo(location.href, chain)}
              rel="noopener noreferrer"
              onClick={({ currentTarget }) => {
                // What was begun may have been written into the address since the link was drawn.
                currentTarget.href = linkTo(location.href, chain);
                dispatchEvent(new Event(WENT_ELSEWHERE));
              }}
            >
              {t('bind.open_in', { name })}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The apps of wallets on a phone whose browser has no wallet; `isOpen`: a wallet is what is asked for. */
export function PhoneWallets({ isOpen = false }: { isOpen?: boolean }) {
  const wallets = useEthereumWallets();
  const isTouched = useTouch();
  if (wallets.length > 0 || !isTouched) return null;
  return (
    <details class="foldable" open={isOpen}>
      <summary>{t('bind.wallet_on_phone')}</summary>
      <div class="folded">
        <WalletApps chain="ethereum" />
      </div>
    </details>
  );
}
