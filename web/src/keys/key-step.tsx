import { fromWallet, fromPrivateKey, SignetError } from '@signet/sdk';
import { type EthereumWallet, isAskedAlready, isDeclined } from '@signet/sdk/wallets';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { KeyText } from '../parts/names.js';
import { Seal } from '../parts/seal.js';
import { type KeyInUse, setKey, useCurrentKey } from './key-in-use.js';
import { KeptKeyForm } from './kept-key-form.js';
import { KeyFileForm } from './key-file-form.js';
import { keptKeys } from './key-vault.js';
import { NewKeyForm } from './new-key-form.js';
import { WordsForm } from './words-form.js';
import { useEthereumWallets } from './wallets.js';

/**
 * The choice of a key: a wallet, one that this browser keeps, its words, a file, or a new one, unless one that is known
 * is `wanted`, which a new one cannot be. The key itself once one is in use.
 */
export function KeyStep({ wanted, isForWallet = false }: { wanted?: string | undefined; isForWallet?: boolean }) {
  const key = useCurrentKey();
  if (key) return <KeyShown avatar={key} wanted={wanted} />;
  return <KeyChoice canBeNew={wanted === undefined} isForWallet={isForWallet} />;
}

/** Where a key comes from, in words. */
const ORIGINS = {
  wallet: 'bind.key_of_wallet',
  kept: 'bind.key_kept',
  file: 'bind.key_opened',
  words: 'bind.key_of_words',
} as const;

/** The key in use, with its seal, and a way to another one. */
function KeyShown({ avatar: { signer, kind, name }, wanted }: { avatar: KeyInUse; wanted: string | undefined }) {
  const isOther = wanted !== undefined && wanted !== signer.avatar;
  return (
    <section class="key-shown">
      <Seal avatar={signer.avatar} size={72} />
      <div>
        <h2>{t('bind.your_key')}</h2>
        <p>
          <KeyText value={signer.avatar} />
        </p>
        <p class="quiet small">{t(ORIGINS[kind], { name })}</p>
        {isOther && (
          <p class="failure" role="alert">
            {t('bind.other_key')}
          </p>
        )}
        <button type="button" class="plain" onClick={() => setKey(null)}>
          {t('bind.use_another_key')}
        </button>
      </div>
    </section>
  );
}

/**
 * What there is comes first: keys of this browser and its wallets; then a new key, which is the way of most people.
 * `isForWallet`: a wallet is to be bound, which can be the key itself.
 */
function KeyChoice({ canBeNew, isForWallet }: { canBeNew: boolean; isForWallet: boolean }) {
  const [kept, setKept] = useState<string[]>([]);
  const refresh = () => void keptKeys().then(setKept, () => setKept([]));
  useEffect(refresh, []);
  return (
    <div class="key-choice">
      <section>
        <h2>{t(canBeNew ? 'bind.a_key' : 'bind.choose_key')}</h2>
        <p class="quiet">{t('bind.what_a_key_is')}</p>
      </section>
      {kept.length > 0 && (
        <section>
          <h3>{t('bind.kept_keys')}</h3>
          {kept.map((avatar) => (
            <KeptKeyForm key={avatar} avatar={avatar} onForgotten={refresh} />
          ))}
        </section>
      )}
      {isForWallet && <WalletChoice isExpected />}
      {canBeNew && (
        <section class="new-key">
          <h3>{t('bind.new_key')}</h3>
          <NewKeyForm isFirst={kept.length === 0 && !isForWallet} />
        </section>
      )}
      {!isForWallet && <WalletChoice isExpected={!canBeNew} />}
      <Foldable title={t('bind.your_words')}>
        <WordsForm />
      </Foldable>
      <Foldable title={t('bind.key_file')}>
        <KeyFileForm onKey={(bytes) => setKey({ signer: fromPrivateKey(bytes), kind: 'file', name: '' })} />
      </Foldable>
    </div>
  );
}

function Foldable({ title, children }: { title: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="foldable" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <div class="folded">{children}</div>}
    </details>
  );
}

/**
 * Wallets of this browser. One signature shows the public key, which is the Avatar. Where none is there, that is said
 * to those who need one.
 */
function WalletChoice({ isExpected }: { isExpected: boolean }) {
  const wallets = useEthereumWallets();
  const [asked, setAsked] = useState<EthereumWallet | null>(null);
  const [error, setError] = useState<unknown>(null);
  // The wallet that was chosen last: what another one answers later does not count.
  const chosen = useRef('');
  const choose = async (wallet: EthereumWallet) => {
    chosen.current = wallet.id;
    setAsked(wallet);
    setError(null);
    try {
      const signer = await fromWallet(wallet.provider);
      if (chosen.current === wallet.id) setKey({ signer, kind: 'wallet', name: wallet.name });
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
  const kind = kindOf(error);
  if (kind === null) return <Failure error={error} />;
  return (
    <div class="failure" role="alert">
      <p>{t(`bind.${kind}`)}</p>
      <p class="quiet small">{t(`bind.${kind}_advice`)}</p>
    </div>
  );
}
