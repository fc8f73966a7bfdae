import type { KeyEvent, RecordedKeyEvent } from '@signet/sdk';
import { MAIN_KEY } from '@signet/verify/key-events';
import { useState } from 'preact/hooks';
import { SignedText } from '../bind/signed-text.js';
import { t } from '../i18n/i18n.js';
import { type KeyInUse, setKey } from '../keys/key-in-use.js';
import { NewKeyForm } from '../keys/new-key-form.js';
import { WalletChoice } from '../keys/wallet-choice.js';
import { KeyText } from '../parts/names.js';
import { Seal } from '../parts/seal.js';
import { client } from '../shell/api.js';
import { KeyFailure } from './key-failure.js';
import { KeyMeaning } from './key-meaning.js';
import type { KeysRead } from './keys-of.js';
import { LastGood, type Since } from './last-good.js';
import { PasskeyWay } from './passkey-way.js';
import { type NamedKey, SigningAs, SigningKey } from './signing-key.js';
import { useSaying } from './use-saying.js';

interface Props {
  keys: KeysRead;
  /** The recovery key that signs. */
  named: NamedKey;
  onDone: (event: KeyEvent) => void;
}

/** The key that comes after: made here, or of a wallet; what was still the owner's; then both sign one text. */
export function SucceedFlow({ keys, named, onDone }: Props) {
  const { avatar, state } = keys;
  const [successor, setSuccessor] = useState<KeyInUse | null>(null);
  const [isWrong, setWrong] = useState(false);
  const isUsable = (key: KeyInUse) => ![avatar, named.key.signer.avatar].includes(key.signer.avatar);
  const choose = (key: KeyInUse) => {
    setWrong(!isUsable(key));
    if (isUsable(key)) setSuccessor(key);
  };
  if (successor) {
    return (
      <>
        <div class="key-shown">
          <Seal avatar={successor.signer.avatar} size={56} />
          <div>
            <p class="overline">{t('recovery.new_key')}</p>
            <KeyText value={successor.signer.avatar} />
            <p>
              <button type="button" class="plain" onClick={() => setSuccessor(null)}>
                {t('bind.use_another_key')}
              </button>
            </p>
          </div>
        </div>
        <SignSuccession keys={keys} named={named} successor={successor} onDone={onDone} />
      </>
    );
  }
  return (
    <div class="key-choice">
      <p>
        {t(state.committed?.recovery[0] === named.name ? 'recovery.successor_text' : 'recovery.successor_text_lower')}
      </p>
      {isWrong && (
        <p class="failure" role="alert">
          {t('recovery.not_that_key')}
        </p>
      )}
      <section>
        <h3>{t('bind.new_key')}</h3>
        <NewKeyForm isFirst onKey={choose} />
      </section>
      <WalletChoice isExpected={false} onKey={choose} />
      <PasskeyWay canBeNew onKey={choose} />
    </div>
  );
}

function SignSuccession({ keys, named, successor, onDone }: Props & { successor: KeyInUse }) {
  const { avatar, state } = keys;
  const [since, setSince] = useState<Since>({});
  const [hasMain, setHasMain] = useState(false);
  const [main, setMain] = useState<NamedKey | null>(null);
  const { say, isBusy, error, confirmation } = useSaying(({ event }: RecordedKeyEvent) => {
    // From now on the person signs with the key that comes after.
    setKey(successor);
    onDone(event);
  });
  const isHighest = named.name === state.committed?.recovery[0] && named.name !== MAIN_KEY;
  const sign = () =>
    say((signerOf) =>
      client.keys.succeed({
        ...{ avatar, successor: signerOf(successor), ...since },
        ...(hasMain && main
          ? { signer: signerOf(main.key), cosigner: signerOf(named.key) }
          : { signer: signerOf(named.key) }),
      }),
    );
  return (
    <>
      <LastGood avatar={avatar} onSince={setSince} />
      {isHighest && (
        <label class="together">
          <input type="checkbox" checked={hasMain} onChange={(event) => setHasMain(event.currentTarget.checked)} />
          <span>{t('recovery.have_main')}</span>
        </label>
      )}
      {hasMain && !main && <SigningKey avatar={avatar} state={state} wanted="main" onKey={setMain} />}
      {hasMain && main && <SigningAs state={state} named={main} onOther={() => setMain(null)} />}
      <SignedText confirmation={confirmation} Meaning={KeyMeaning} />
      <KeyFailure error={error} />
      {!isBusy && (
        <button type="button" class="primary" disabled={hasMain && !main} onClick={() => void sign()}>
          {t('recovery.succeed')}
        </button>
      )}
    </>
  );
}
