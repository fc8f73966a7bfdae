import { fromWallet, SignetError } from '@signet/sdk';
import { type EthereumWallet, isAskedAlready, isDeclined } from '@signet/sdk/wallets';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { type KeyInUse, setKey } from './key-in-use.js';
import { PasskeyError } from './passkey-error.js';
import { PasskeyFailure } from './passkey-section.js';
import { useEthereumWallets } from './wallets.js';

interface Props {
  isExpected: boolean;
  onKey?: (key: KeyInUse) => void;
}

/**
 * Wallets of this browser. One signature shows the public key, which is the Avatar. Where none is there, that is said
 * to those who need one. The key is in use then, or given on.
 */
export function WalletChoice({ isExpected, onKey = setKey }: Props) {
  const wallets = useEthereumWallets();
  const [asked, setAsked] = useState<EthereumWallet | null>(null);
  const [error, setError] = useState<unknown>(null);
  // The wallet that was chosen last: what another one answers later does not count, nor what any does behind this step.
  const chosen = useRef('');
  useEffect(() => () => void (chosen.current = ''), []);
  const choose = async (wallet: EthereumWallet) => {
    chosen.current = wallet.id;
    setAsked(wallet);
    setError(null);
    try {
      const signer = await fromWallet(wallet.provider);
      if (chosen.current === wallet.id) onKey({ signer, kind: 'wallet', name: wallet.name });
    } catch (problem) {
      if (chosen.current !== wallet.id) return;
      setError(problem);
      // The first question to the wallet is still open, and may be answered.
      if (!isAskedAlready(problem)) setAsked(null);
    }
  };
  if (wallets.length === 0 && !isExpected) return null;
  return (
    <section>
      <h3>{t('bind.wallets')}</h3>
      <p class="quiet">{t(wallets.length === 0 ? 'bind.no_wallet' : 'bind.wallet_signs')}</p>
      <ul class="wallets">
        {wallets.map((wallet) => (
          <li key={wallet.id}>
            <button type="button" disabled={asked?.id === wallet.id} onClick={() => void choose(wallet)}>
              {wallet.icon !== '' && <img src={wallet.icon} alt="" width="24" height="24" />}
              <bdi>{wallet.name}</bdi>
            </button>
          </li>
        ))}
      </ul>
      <AskedWallet name={asked?.name ?? null} again={() => void choose(asked!)} />
      <WalletError error={error} />
    </section>
  );
}

/** The wallet that is asked at the moment, which may never answer: it can be asked again. */
export function AskedWallet({ name, again }: { name: string | null; again: () => void }) {
  return (
    <p class="quiet small" role="status">
      {name !== null && (
        <>
          {t('bind.look_at_wallet', { name })}{' '}
          <button type="button" class="plain" onClick={again}>
            {t('shell.try_again')}
          </button>
        </>
      )}
    </p>
  );
}

function kindOf(error: unknown): 'declined' | 'asked_already' | 'no_account' | null {
  if (isDeclined(error)) return 'declined';
  if (isAskedAlready(error)) return 'asked_already';
  return error instanceof SignetError && error.code === 'no_account' ? error.code : null;
}

/** What went wrong with a wallet; that a person said no, or has not answered yet, is nothing wrong. */
export function WalletError({ error }: { error: unknown }) {
  if (error === null) return null;
  if (error instanceof PasskeyError) return <PasskeyFailure problem={error} />;
  const kind = kindOf(error);
  if (kind === null) return <Failure error={error} />;
  return (
    <div class="failure" role="alert">
      <p>{t(`bind.${kind}`)}</p>
      <p class="quiet small">{t(`bind.${kind}_advice`)}</p>
    </div>
  );
}
