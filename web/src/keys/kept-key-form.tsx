import { fromPrivateKey } from '@signet/sdk';
import { useId, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { KeyText } from '../parts/names.js';
import { Seal } from '../parts/seal.js';
import { formText } from './form-text.js';
import { type KeyInUse, setKey } from './key-in-use.js';
import { forgetKey, openKey } from './key-vault.js';

interface Props {
  avatar: string;
  onForgotten: () => void;
  onKey?: (key: KeyInUse) => void;
}

/** A key that this browser keeps: opened by its pass phrase, or forgotten after a second question. */
export function KeptKeyForm({ avatar, onForgotten, onKey = setKey }: Props) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [isForgetting, setForgetting] = useState(false);
  const open = async (event: SubmitEvent) => {
    const passphrase = formText(event)('passphrase');
    setBusy(true);
    const bytes = await openKey(avatar, passphrase).catch(() => null);
    setBusy(false);
    if (bytes) onKey({ signer: fromPrivateKey(bytes), kind: 'kept', name: '' });
    else setProblem(t('bind.wrong_passphrase'));
  };
  return (
    <form class="kept-key" onSubmit={(event) => void open(event)}>
      <Seal avatar={avatar} size={56} />
      <div class="fields">
        <KeyText value={avatar} id={`${id}-key`} />
        <label for={id}>{t('bind.passphrase')}</label>
        <div class="row">
          <input
            id={id}
            name="passphrase"
            type="password"
            autocomplete="current-password"
            required
            aria-invalid={problem !== ''}
            aria-describedby={`${id}-problem`}
          />
          <button type="submit" disabled={isBusy} aria-describedby={`${id}-key`}>
            {t('bind.unlock')}
          </button>
        </div>
        <p id={`${id}-problem`} class="problem-text" role="status">
          {problem}
        </p>
        {isForgetting ? (
          <p class="row">
            <span>{t('bind.forget_question')}</span>
            <button type="button" onClick={() => void forgetKey(avatar).then(onForgotten)}>
              {t('bind.forget_yes')}
            </button>
            <button type="button" onClick={() => setForgetting(false)}>
              {t('bind.cancel')}
            </button>
          </p>
        ) : (
          <button type="button" class="plain" aria-describedby={`${id}-key`} onClick={() => setForgetting(true)}>
            {t('bind.forget')}
          </button>
        )}
      </div>
    </form>
  );
}
