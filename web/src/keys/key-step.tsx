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
import { type KeptPasskey, keptPasskeys } from './kept-passkeys.js';
import { keptKeys } from './key-vault.js';
import { NewKeyForm } from './new-key-form.js';
import { PasskeyError } from './passkey-error.js';
import { KeptPasskeyForm, PasskeyFailure, PasskeySection } from './passkey-section.js';
import { type PasskeySupport, passkeySupport } from './passkey-support.js';
import { PhoneWallets } from './wallet-apps.js';
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
  passkey: 'bind.key_of_passkey',
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
        <p class="quiet small">{t(ORIGINS[kind], { name, host: location.hostname })}</p>
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

/** What this browser knows: keys that it keeps, and whether it makes keys by fingerprint. Null until it has said so. */
function useKnownHere() {
  const [kept, setKept] = useState<string[]>([]);
  const [passkeys, setPasskeys] = useState<KeptPasskey[]>([]);
  const [support, setSupport] = useState<PasskeySupport | null>(null);
  const refresh = () => {
    setPasskeys(keptPasskeys());
    void keptKeys().then(setKept, () => setKept([]));
  };
  useEffect(() => {
    refresh();
    void passkeySupport().then(setSupport);
  }, []);
  return { kept, passkeys: support === 'none' ? [] : passkeys, support, refresh };
}

/**
 * What there is comes first: keys of this browser and its wallets; then a new key, which is the way of most people: by
 * fingerprint where the device has it, else of words. `isForWallet`: a wallet is to be bound, which can be the key.
 */
function KeyChoice({ canBeNew, isForWallet }: { canBeNew: boolean; isForWallet: boolean }) {
  const known = useKnownHere();
  return (
    <div class="key-choice">
      <section>
        <h2>{t(canBeNew ? 'bind.a_key' : 'bind.choose_key')}</h2>
        <p class="quiet">{t('bind.what_a_key_is')}</p>
      </section>
      {known.support !== null && <Ways {...known} canBeNew={canBeNew} isForWallet={isForWallet} />}
    </div>
  );
}

interface WaysProps extends ReturnType<typeof useKnownHere> {
  canBeNew: boolean;
  isForWallet: boolean;
}

function Ways({ kept, passkeys, support, refresh, canBeNew, isForWallet }: WaysProps) {
  const [isMissing, setMissing] = useState(false);
  const hasOwn = kept.length > 0 || passkeys.length > 0;
  const isHere = support === 'here';
  const isFirst = !hasOwn && !isForWallet;
  const missed = () => setMissing(true);
  const byFingerprint = <PasskeySection canBeNew={canBeNew} isFirst={isFirst && isHere} onMissing={missed} />;
  const ofWords = <NewKeyForm isFirst={isFirst && (!isHere || isMissing)} />;
  return (
    <>
      {hasOwn && (
        <section>
          <h3>{t('bind.kept_keys')}</h3>
          {passkeys.map((one) => (
            <KeptPasskeyForm key={one.avatar} kept={one} onForgotten={refresh} />
          ))}
          {kept.map((avatar) => (
            <KeptKeyForm key={avatar} avatar={avatar} onForgotten={refresh} />
          ))}
        </section>
      )}
      {isForWallet && <WalletChoice isExpected />}
      {isForWallet && <PhoneWallets isOpen />}
      {isHere && (
        <section class="new-key">
          <h3>{t('bind.passkey')}</h3>
          {byFingerprint}
        </section>
      )}
      {canBeNew && isHere && !isMissing && <Foldable title={t('bind.new_key_of_words')}>{ofWords}</Foldable>}
      {canBeNew && (!isHere || isMissing) && (
        <section class="new-key">
          <h3>{t(isHere ? 'bind.new_key_of_words' : 'bind.new_key')}</h3>
          {ofWords}
        </section>
      )}
      {!isForWallet && <WalletChoice isExpected={!canBeNew && !isHere} />}
      {!isForWallet && <PhoneWallets />}
      {support === 'elsewhere' && <Foldable title={t('bind.passkey_elsewhere')}>{byFingerprint}</Foldable>}
      <Foldable title={t('bind.your_words')}>
        <WordsForm />
      </Foldable>
      <Foldable title={t('bind.key_file')}>
        <KeyFileForm onKey={(bytes) => setKey({ signer: fromPrivateKey(bytes), kind: 'file', name: '' })} />
      </Foldable>
    </>
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
