/**
 * Wallet Standard keeps the wallets of the first page for good, so this file has its modules for itself.
 * @jest-environment node
 */
import { isAskedAlready, isDeclined, watchEthereumWallets, watchSolanaWallets } from '../src/signers/page-wallets.js';

/** What a page has of a window, for as long as `use` runs. */
function inPage(use: (page: EventTarget) => void): void {
  const page = new EventTarget();
  Object.assign(globalThis, { window: page });
  try {
    use(page);
  } finally {
    Reflect.deleteProperty(globalThis, 'window');
  }
}

const announce = (page: EventTarget, name: string, icon: unknown = '') =>
  page.dispatchEvent(
    new CustomEvent('eip6963:announceProvider', { detail: { info: { uuid: name, name, icon }, provider: { name } } }),
  );

it('finds no wallet outside of a page, which hides none of a page later', () => {
  const found: unknown[] = [];
  watchEthereumWallets((wallet) => found.push(wallet))();
  watchSolanaWallets((wallet) => found.push(wallet))();

  expect(found).toEqual([]);
});

it('finds the Ethereum wallets that announce themselves, until it stops, and asks nobody for their pictures', () => {
  const found: unknown[] = [];
  inPage((page) => {
    page.addEventListener('eip6963:requestProvider', () => announce(page, 'early', ' data:image/png;base64,AA== '));
    const stop = watchEthereumWallets((wallet) => found.push(wallet));
    announce(page, 'late', 'https://icons.example/wallet.png');
    announce(page, 'odd', null);
    stop();
    announce(page, 'too late');
  });

  expect(found).toEqual([
    { id: 'early', name: 'early', icon: 'data:image/png;base64,AA==', provider: { name: 'early' } },
    { id: 'late', name: 'late', icon: '', provider: { name: 'late' } },
    { id: 'odd', name: 'odd', icon: '', provider: { name: 'odd' } },
  ]);
});

it('finds the Solana wallets that sign messages, those of before too, until it stops', () => {
  const aWallet = (name: string, ...features: string[]) => ({
    ...{ name, version: '1.0.0', icon: '', chains: ['solana:mainnet'], accounts: [] },
    features: Object.fromEntries(['standard:connect', ...features].map((feature) => [feature, {}])),
  });
  const register = (page: EventTarget, name: string, ...features: string[]) =>
    page.dispatchEvent(
      new CustomEvent('wallet-standard:register-wallet', {
        detail: (api: { register: (wallet: object) => void }) => api.register(aWallet(name, ...features)),
      }),
    );
  const first: string[] = [];
  const second: string[] = [];
  inPage((page) => {
    const stop = watchSolanaWallets(({ name }) => first.push(name));
    register(page, 'signs', 'solana:signMessage');
    register(page, 'signs nothing', 'solana:signTransaction');
    stop();
    watchSolanaWallets(({ name }) => second.push(name));
    register(page, 'late', 'solana:signMessage');
  });

  expect([first, second]).toEqual([['signs'], ['signs', 'late']]);
});

it.each([
  [{ code: 4001 }, true, false],
  [{ code: 'ACTION_REJECTED' }, true, false],
  ['User rejected the request.', true, false],
  [new Error('Request cancelled'), true, false],
  [{ code: -32002 }, false, true],
  [new Error('out of gas'), false, false],
  [null, false, false],
])('reads what a wallet rejects with: %j', (error, declined, askedAlready) => {
  expect([isDeclined(error), isAskedAlready(error)]).toEqual([declined, askedAlready]);
});
