import { fromPrivateKey } from '@signet/sdk';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { KeyText } from '../parts/names.js';
import { Seal } from '../parts/seal.js';
import { Foldable } from './foldable.js';
import { type KeyInUse, setKey, useCurrentKey } from './key-in-use.js';
import { KeptKeyForm } from './kept-key-form.js';
import { KeyFileForm } from './key-file-form.js';
import { type KeptPasskey, keptPasskeys } from './kept-passkeys.js';
import { keptKeys } from './key-vault.js';
import { NewKeyForm } from './new-key-form.js';
import { KeptPasskeyForm, PasskeySection } from './passkey-section.js';
import { type PasskeySupport, passkeySupport } from './passkey-support.js';
import { PhoneWallets, useTouch } from './wallet-apps.js';
import { WordsForm } from './words-form.js';
import { WalletChoice } from './wallet-choice.js';

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
  const isTouched = useTouch();
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
      {isForWallet && <WalletChoice isExpected={!isTouched} />}
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
