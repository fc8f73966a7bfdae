import { fromPrivateKey } from '@signet/sdk';
import { nameOfSigner } from '@signet/verify/internal/key-events';
import { MAIN_KEY, type KeyState } from '@signet/verify/key-events';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { KeptKeyForm } from '../keys/kept-key-form.js';
import { KeyFileForm } from '../keys/key-file-form.js';
import type { KeyInUse } from '../keys/key-in-use.js';
import { Foldable } from '../keys/foldable.js';
import { keptKeys } from '../keys/key-vault.js';
import { WalletChoice } from '../keys/wallet-choice.js';
import { WordsForm } from '../keys/words-form.js';
import { whoSigned } from './keys-of.js';
import { PasskeyWay } from './passkey-way.js';

/** A key that may speak for an Avatar, and its name among those: `main`, or that of a recovery key. */
export interface NamedKey {
  key: KeyInUse;
  name: string;
}

/** Which keys are asked for. */
export type Wanted = 'any' | 'main' | 'recovery';

interface Props {
  avatar: string;
  state: KeyState;
  wanted: Wanted;
  onKey: (named: NamedKey) => void;
  /** The heading, which stands below that of what the key is for. */
  Heading?: 'h2' | 'h3';
}

const QUESTIONS = {
  any: 'recovery.sign_with_any',
  main: 'recovery.sign_with_main',
  recovery: 'recovery.sign_with_recovery',
} as const;

/**
 * The choice of a key that speaks for an Avatar: words, a wallet, a file, or what this browser keeps. It is used for
 * this view alone, and recovery words are never kept.
 */
export function SigningKey({ avatar, state, wanted, onKey, Heading = 'h3' }: Props) {
  const [kept, setKept] = useState<string[]>([]);
  const [isOther, setOther] = useState(false);
  const refresh = () => void keptKeys().then(setKept, () => setKept([]));
  useEffect(refresh, []);
  const choose = (key: KeyInUse) => {
    const name = nameOfSigner(key.signer.avatar, avatar, state.committed?.recovery ?? []);
    const isWanted = name !== null && (wanted === 'any' || (name === MAIN_KEY) === (wanted === 'main'));
    setOther(!isWanted);
    if (isWanted) onKey({ key, name });
  };
  const own = wanted === 'recovery' ? [] : kept.filter((one) => one === avatar);
  return (
    <div class="key-choice">
      <Heading>{t(QUESTIONS[wanted])}</Heading>
      {own.map((one) => (
        <KeptKeyForm key={one} avatar={one} onForgotten={refresh} onKey={choose} />
      ))}
      {isOther && (
        <p class="failure" role="alert">
          {t('recovery.not_of_key')}
        </p>
      )}
      <WordsForm onKey={choose} canBeKept={false} />
      <WalletChoice isExpected={false} onKey={choose} />
      {wanted !== 'recovery' && <PasskeyWay canBeNew={false} onKey={choose} />}
      <Foldable title={t('bind.key_file')}>
        <KeyFileForm onKey={(bytes) => choose({ signer: fromPrivateKey(bytes), kind: 'file', name: '' })} />
      </Foldable>
    </div>
  );
}

/** The key that speaks, and a way to another one. */
export function SigningAs({ state, named, onOther }: { state: KeyState; named: NamedKey; onOther: () => void }) {
  const who = whoSigned(state, named.name);
  return (
    <p class="signing-as">
      <span>
        {typeof who === 'number' ? t('recovery.signing_recovery', { number: who }) : t('recovery.signing_main')}
      </span>{' '}
      <button type="button" class="plain" onClick={onOther}>
        {t('bind.use_another_key')}
      </button>
    </p>
  );
}
