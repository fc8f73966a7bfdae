import { fromPrivateKey } from '@signet/sdk';
import { useState } from 'preact/hooks';
import { focusOnAppearance } from '../shell/focus.js';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { KeepWords } from './keep-words.js';
import { type KeyInUse, setKey } from './key-in-use.js';
import { keepKey } from './key-vault.js';
import { ConfirmWords, useNewWords, WordList } from './new-words.js';
import { PassphraseFields, problemOfPassphrase } from './passphrase-fields.js';

/** A new key: 12 words, shown once, asked for in part, and kept under a pass phrase. It is in use then, or given on. */
export function NewKeyForm({ isFirst, onKey = setKey }: { isFirst: boolean; onKey?: (key: KeyInUse) => void }) {
  const [areWanted, setWanted] = useState(false);
  const { words, error } = useNewWords(areWanted);
  const [isWritten, setWritten] = useState(false);
  if (error !== null) return <Failure error={error} />;
  if (!words) {
    return (
      <>
        <p class="quiet">{t('bind.new_key_text')}</p>
        <button type="button" class={isFirst ? 'primary' : undefined} onClick={() => setWanted(true)}>
          {t('bind.make_key')}
        </button>
      </>
    );
  }
  const keep = async (field: (name: string) => string) => {
    const wrong = problemOfPassphrase(field);
    if (wrong !== null) return wrong;
    try {
      const { keyOfWords } = await import('@signet/verify/words');
      const privateKey = await keyOfWords(words);
      const signer = fromPrivateKey(privateKey);
      await keepKey(signer.avatar, privateKey, field('passphrase'));
      onKey({ signer, kind: 'kept', name: '', words });
      return null;
    } catch {
      return t('bind.not_kept');
    }
  };
  return isWritten ? (
    <ConfirmWords
      words={words}
      text={t('bind.confirm_words')}
      button={t('bind.keep_key')}
      onRight={keep}
      onBack={() => setWritten(false)}
    >
      <PassphraseFields />
    </ConfirmWords>
  ) : (
    <Words words={words} onWritten={() => setWritten(true)} />
  );
}

function Words({ words, onWritten }: { words: string[]; onWritten: () => void }) {
  return (
    <>
      <p tabIndex={-1} ref={focusOnAppearance}>
        {t('bind.words_text')}
      </p>
      <WordList words={words} />
      <KeepWords words={words} />
      <button type="button" class="primary" onClick={onWritten}>
        {t('bind.words_written')}
      </button>
    </>
  );
}
