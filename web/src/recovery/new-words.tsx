import { fromPrivateKey } from '@signet/sdk';
import { recoveryNamesOf } from '@signet/verify/key-events';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { areRight, AskedWords, chooseNumbers } from '../keys/asked-words.js';
import { formText } from '../keys/form-text.js';
import { Failure } from '../parts/failure.js';
import { focusOnAppearance } from '../shell/focus.js';
import { Paper } from './paper.js';

interface Props {
  avatar: string;
  /** Takes the name of the new recovery key. */
  onName: (name: string) => void;
  onCancel: () => void;
}

/** A recovery key of 12 words: shown once and printed, asked for in part, and kept nowhere. */
export function NewWords({ avatar, onName, onCancel }: Props) {
  const [words, setWords] = useState<string[] | null>(null);
  const [isWritten, setWritten] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    import('@signet/verify/words').then(
      ({ newWords }) => setWords(newWords()),
      (problem: unknown) => setError(problem),
    );
  }, []);
  if (error !== null) return <Failure error={error} />;
  if (!words) return <p class="waiting">{t('shell.loading')}</p>;
  return isWritten ? (
    <ConfirmForm words={words} onBack={() => setWritten(false)} onName={onName} />
  ) : (
    <div class="new-words">
      <p tabIndex={-1} ref={focusOnAppearance}>
        {t('recovery.words_text')}
      </p>
      <Paper avatar={avatar} words={words} />
      <div class="row">
        <button type="button" class="primary" onClick={() => window.print()}>
          {t('recovery.print')}
        </button>
        <button type="button" onClick={() => setWritten(true)}>
          {t('recovery.on_paper')}
        </button>
        <button type="button" class="plain" onClick={onCancel}>
          {t('bind.cancel')}
        </button>
      </div>
    </div>
  );
}

interface ConfirmProps {
  words: string[];
  onBack: () => void;
  onName: (name: string) => void;
}

function ConfirmForm({ words, onBack, onName }: ConfirmProps) {
  const [asked] = useState(() => chooseNumbers(words.length));
  const [problem, setProblem] = useState('');
  const confirm = async (event: SubmitEvent) => {
    if (!areRight(formText(event), asked, words)) return setProblem(t('bind.words_differ'));
    const { keyOfWords } = await import('@signet/verify/words');
    onName(recoveryNamesOf(fromPrivateKey(await keyOfWords(words)).avatar).hash);
  };
  return (
    <form class="fields" onSubmit={(event) => void confirm(event)}>
      <p tabIndex={-1} ref={focusOnAppearance}>
        {t('recovery.confirm_words')}
      </p>
      <AskedWords numbers={asked} />
      <p class="problem-text" role="alert">
        {problem}
      </p>
      <div class="row">
        <button type="submit" class="primary">
          {t('recovery.use_words')}
        </button>
        <button type="button" onClick={onBack}>
          {t('bind.show_words_again')}
        </button>
      </div>
    </form>
  );
}
