import type { KeyEvent, RecordedKeyEvent, Signer } from '@signet/sdk';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { SignedText } from '../bind/signed-text.js';
import { t } from '../i18n/i18n.js';
import { focusOnAppearance } from '../shell/focus.js';
import { announce } from '../shell/announce.js';
import { useLatest } from '../shell/stable.js';
import { KeyFailure } from './key-failure.js';
import { KeyMeaning } from './key-meaning.js';
import type { KeysRead } from './keys-of.js';
import { type NamedKey, SigningAs, SigningKey, type Wanted } from './signing-key.js';
import { useSaying } from './use-saying.js';

interface DeedProps {
  keys: KeysRead;
  /** The button that begins it, and its heading. */
  title: string;
  /** The id of the element that says what it is about, where there are several of a kind. */
  about?: string;
  text: string;
  wanted?: Wanted;
  isPrimary?: boolean;
  /** What is sent. */
  act: (signer: Signer) => Promise<RecordedKeyEvent>;
  /** What is said of it once it is recorded. */
  doneText: (event: KeyEvent) => string;
  onDone: () => void;
  /** The key that speaks, known from a deed before; else it is asked for. */
  signing: NamedKey | null;
  onSigning: (named: NamedKey | null) => void;
}

/** One thing that a key says about an Avatar: a button, then the key, the text to sign, and what came of it. */
export function KeyDeed({ title, about, text, isPrimary = false, doneText, onDone, ...deed }: DeedProps) {
  const [isOpen, setOpen] = useState(false);
  const [done, setDone] = useState('');
  const finish = ({ event }: RecordedKeyEvent) => {
    const sentence = doneText(event);
    setDone(sentence);
    setOpen(false);
    announce(sentence);
    onDone();
  };
  return (
    <div class="key-deed">
      <p class="quiet">{text}</p>
      {isOpen ? (
        <section class="deed-open" aria-label={title}>
          <h3 tabIndex={-1} ref={focusOnAppearance}>
            {title}
          </h3>
          <Signing {...deed} onDone={finish} />
          <button type="button" class="plain" onClick={() => setOpen(false)}>
            {t('bind.cancel')}
          </button>
        </section>
      ) : (
        <button
          type="button"
          class={isPrimary ? 'primary' : undefined}
          aria-describedby={about}
          onClick={() => {
            setDone('');
            setOpen(true);
          }}
        >
          {title}
        </button>
      )}
      {done !== '' && (
        <p class="deed-done" tabIndex={-1} ref={focusOnAppearance}>
          {done}
        </p>
      )}
    </div>
  );
}

type SigningProps = Pick<DeedProps, 'keys' | 'act' | 'signing' | 'onSigning' | 'wanted'> & {
  onDone: (recorded: RecordedKeyEvent) => void;
};

function Signing({ keys, act, signing, onSigning, wanted = 'any', onDone }: SigningProps): ComponentChildren {
  const { avatar, state } = keys;
  if (!signing) return <SigningKey avatar={avatar} state={state} wanted={wanted} onKey={onSigning} />;
  return (
    <>
      <SigningAs state={state} named={signing} onOther={() => onSigning(null)} />
      <SignAtOnce key={signing.key.signer.avatar} named={signing} act={act} onDone={onDone} />
    </>
  );
}

/** Shows the text as soon as a key is there; again after a no, or a refusal. */
function SignAtOnce({ named, act, onDone }: { named: NamedKey } & Pick<SigningProps, 'act' | 'onDone'>) {
  const { say, isBusy, error, confirmation } = useSaying(onDone);
  const start = useLatest(() => void say((sign) => act(sign(named.key))));
  useEffect(() => start.current(), [start]);
  return (
    <>
      <SignedText confirmation={confirmation} Meaning={KeyMeaning} />
      <KeyFailure error={error} />
      {!isBusy && (
        <button type="button" class="primary" onClick={() => start.current()}>
          {t('bind.sign')}
        </button>
      )}
    </>
  );
}
