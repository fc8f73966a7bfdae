import { useEffect, useId, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { KeyText } from '../parts/names.js';
import { Seal } from '../parts/seal.js';
import { type KeyInUse, setKey } from './key-in-use.js';
import { forgetPasskey, type KeptPasskey } from './kept-passkeys.js';
import { PasskeyError, type PasskeyProblem } from './passkey-error.js';

interface Props {
  canBeNew: boolean;
  /** Whether it is the way that is recommended. */
  isFirst: boolean;
  /** The device or the keeper of passkeys cannot: what else there is has to be shown. */
  onMissing: () => void;
  /** Takes the key; it is in use when absent. */
  onKey?: (key: KeyInUse) => void;
}

/** A key by fingerprint, face or screen lock: a new one, or the one that a person has. */
export function PasskeySection({ canBeNew, isFirst, onMissing, onKey = setKey }: Props) {
  const { isBusy, problem, ask } = usePasskey(onMissing, onKey);
  // What asks the device has to be there when a button is pressed: browsers want a press shortly before.
  useEffect(() => void import('./passkey.js'), []);
  return (
    <>
      <p class="quiet">{t('bind.passkey_text')}</p>
      <p class="quiet small">{t('bind.passkey_host', { host: location.hostname })}</p>
      <p class="row">
        {canBeNew && (
          <button type="button" class={isFirst ? 'primary' : undefined} disabled={isBusy} onClick={() => ask('make')}>
            {t('bind.make_passkey')}
          </button>
        )}
        <button type="button" disabled={isBusy} onClick={() => ask('find')}>
          {t(canBeNew ? 'bind.have_passkey' : 'bind.use_passkey')}
        </button>
      </p>
      <p class="quiet small" role="status">
        {isBusy && t('bind.look_at_device')}
      </p>
      <PasskeyFailure problem={problem} />
    </>
  );
}

function usePasskey(onMissing: () => void, onKey: (key: KeyInUse) => void) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const ask = (what: 'make' | 'find') => {
    setBusy(true);
    setProblem(null);
    import('./passkey.js')
      .then(({ findPasskey, makePasskey }) => (what === 'make' ? makePasskey() : findPasskey()))
      .then(
        (signer) => {
          setBusy(false);
          onKey({ signer, kind: 'passkey', name: '', isNew: what === 'make' });
        },
        (error: unknown) => {
          setBusy(false);
          setProblem(error);
          if (error instanceof PasskeyError && error.code === 'no_prf') onMissing();
        },
      );
  };
  return { isBusy, problem, ask };
}

/** What to do about each problem stands behind what it is. */
export function PasskeyFailure({ problem }: { problem: unknown }) {
  if (problem === null) return null;
  if (!(problem instanceof PasskeyError)) return <Failure error={problem} />;
  return <PasskeyProblemText code={problem.code} />;
}

function PasskeyProblemText({ code }: { code: PasskeyProblem }) {
  return (
    <div class="failure" role="alert">
      <p>{t(`bind.passkey_${code}`)}</p>
      <p class="quiet small">{t(`bind.passkey_${code}_advice`)}</p>
    </div>
  );
}

interface KeptProps {
  kept: KeptPasskey;
  onForgotten: () => void;
  onKey?: (key: KeyInUse) => void;
}

/** A key whose passkey this browser has used before: it is in use at once, and asked for when something is signed. */
export function KeptPasskeyForm({ kept: { avatar, id }, onForgotten, onKey = setKey }: KeptProps) {
  const named = useId();
  const use = () =>
    void import('./passkey.js').then(({ signerOfPasskey }) =>
      onKey({ signer: signerOfPasskey(avatar, id), kind: 'passkey', name: '' }),
    );
  return (
    <div class="kept-key">
      <Seal avatar={avatar} size={56} />
      <div class="fields">
        <KeyText value={avatar} id={named} />
        <p class="row">
          <button type="button" class="primary" aria-describedby={named} onClick={use}>
            {t('bind.go_on_with_key')}
          </button>
          <button
            type="button"
            class="plain"
            aria-describedby={named}
            onClick={() => {
              forgetPasskey(avatar);
              onForgotten();
            }}
          >
            {t('bind.not_on_this_list')}
          </button>
        </p>
      </div>
    </div>
  );
}
