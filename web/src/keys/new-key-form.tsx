import { fromPrivateKey } from '@signet/sdk';
import { useState } from 'preact/hooks';
import { focusOnAppearance } from '../shell/focus.js';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { areRight, AskedWords, chooseNumbers } from './asked-words.js';
import { formText } from './form-text.js';
import { KeepWords } from './keep-words.js';
import { type KeyInUse, setKey } from './key-in-use.js';
import { keepKey } from './key-vault.js';
import { PassphraseFields, problemOfPassphrase } from './passphrase-fields.js';

/** A new key: 12 words, shown once, asked for in part, and kept under a pass phrase. It is in use then, or given on. */
export function NewKeyForm({ isFirst, onKey = setKey }: { isFirst: boolean; onKey?: (key: KeyInUse) => void }) {
  const [words, setWords] = useState<string[] | null>(null);
  const [isWritten, setWritten] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const make = () =>
    import('@signet/verify/words').then(
      ({ newWords }) => setWords(newWords()),
      (problem: unknown) => setError(problem),
    );
  if (error !== null) return <Failure error={error} />;
  if (!words) {
    return (
      <>
        <p class="quiet">{t('bind.new_key_text')}</p>
        <button type="button" class={isFirst ? 'primary' : undefined} onClick={() => void make()}>
          {t('bind.make_key')}
        </button>
      </>
    );
  }
  return isWritten ? (
    <ConfirmForm words={words} onBack={() => setWritten(false)} onKey={onKey} />
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
      <ol class="words" translate={false} lang="en">
        {words.map((word, index) => (
          <li key={index}>{word}</li>
        ))}
      </ol>
      <KeepWords words={words} />
      <button type="button" class="primary" onClick={onWritten}>
        {t('bind.words_written')}
      </button>
    </>
  );
}

interface ConfirmProps {
  words: string[];
  onBack: () => void;
  onKey: (key: KeyInUse) => void;
}

function ConfirmForm({ words, onBack, onKey }: ConfirmProps) {
  const [asked] = useState(() => chooseNumbers(words.length));
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const keep = async (event: SubmitEvent) => {
    const text = formText(event);
    if (!areRight(text, asked, words)) return setProblem(t('bind.words_differ'));
    const wrong = problemOfPassphrase(text);
    if (wrong !== null) return setProblem(wrong);
    setBusy(true);
    setProblem('');
    try {
      const { keyOfWords } = await import('@signet/verify/words');
      const privateKey = await keyOfWords(words);
      const signer = fromPrivateKey(privateKey);
      await keepKey(signer.avatar, privateKey, text('passphrase'));
      onKey({ signer, kind: 'kept', name: '', words });
    } catch {
      setBusy(false);
      setProblem(t('bind.not_kept'));
    }
  };
  return (
    <form class="fields" onSubmit={(event) => void keep(event)}>
      <p tabIndex={-1} ref={focusOnAppearance}>
        {t('bind.confirm_words')}
      </p>
      <AskedWords numbers={asked} />
      <PassphraseFields />
      <p class="problem-text" role="alert">
        {problem}
      </p>
      <div class="row">
        <button type="submit" class="primary" disabled={isBusy}>
          {t('bind.keep_key')}
        </button>
        <button type="button" onClick={onBack}>
          {t('bind.show_words_again')}
        </button>
      </div>
    </form>
  );
}
