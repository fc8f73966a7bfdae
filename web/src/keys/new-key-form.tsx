import { fromPrivateKey } from '@signet/sdk';
import { useState } from 'preact/hooks';
import { focusOnAppearance } from '../shell/focus.js';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { formText } from './form-text.js';
import { setKey } from './key-in-use.js';
import { keepKey } from './key-vault.js';
import { PassphraseFields, problemOfPassphrase } from './passphrase-fields.js';

/** Words that a person types again, so that it is known that they are written down. */
const ASKED_WORDS = 3;

/** A new key: 12 words, shown once, asked for in part, and kept under a pass phrase. */
export function NewKeyForm({ isFirst }: { isFirst: boolean }) {
  const [words, setWords] = useState<string[] | null>(null);
  const [isWritten, setWritten] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const make = () =>
    import('./words.js').then(
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
    <ConfirmForm words={words} onBack={() => setWritten(false)} />
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
      <button type="button" onClick={onWritten}>
        {t('bind.words_written')}
      </button>
    </>
  );
}

/** The numbers of the words that are asked for, in order. */
function chooseNumbers(count: number): number[] {
  const numbers = new Set<number>();
  while (numbers.size < ASKED_WORDS) numbers.add(crypto.getRandomValues(new Uint8Array(1))[0]! % count);
  return [...numbers].sort((one, other) => one - other);
}

function ConfirmForm({ words, onBack }: { words: string[]; onBack: () => void }) {
  const [asked] = useState(() => chooseNumbers(words.length));
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const keep = async (event: SubmitEvent) => {
    const text = formText(event);
    const isRight = asked.every((number) => text(`word-${number}`).trim().toLowerCase() === words[number]);
    if (!isRight) return setProblem(t('bind.words_differ'));
    const wrong = problemOfPassphrase(text);
    if (wrong !== null) return setProblem(wrong);
    setBusy(true);
    setProblem('');
    try {
      const { keyOfWords } = await import('./words.js');
      const privateKey = await keyOfWords(words);
      const signer = fromPrivateKey(privateKey);
      await keepKey(signer.avatar, privateKey, text('passphrase'));
      setKey({ signer, kind: 'kept', name: '' });
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
      <div class="asked-words">
        {asked.map((number) => (
          <label key={number}>
            {t('bind.word_number', { number: number + 1 })}
            <input name={`word-${number}`} autocomplete="off" autocapitalize="none" spellcheck={false} required />
          </label>
        ))}
      </div>
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
