import { fromPrivateKey } from '@signet/sdk';
import { useId, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { formText } from './form-text.js';
import { type KeyInUse, setKey } from './key-in-use.js';
import { keepKey } from './key-vault.js';
import { PassphraseFields, problemOfPassphrase } from './passphrase-fields.js';
import type { WordsProblem } from '@signet/verify/words';

interface Props {
  onKey?: (key: KeyInUse) => void;
  /** Whether the key may be kept in this browser, which is no place for recovery words. */
  canBeKept?: boolean;
}

/**
 * A key that was made here or in a wallet, from its words; kept under a pass phrase where that is wanted. It is in use
 * then, or given on.
 */
export function WordsForm({ onKey = setKey, canBeKept = true }: Props) {
  const id = useId();
  const [isKept, setKept] = useState(false);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const open = async (event: SubmitEvent) => {
    const text = formText(event);
    setBusy(true);
    setProblem('');
    const found = await openWords(text('words'), { onKey, keep: isKept ? text : null }).catch(() => t('bind.not_kept'));
    setBusy(false);
    setProblem(found);
  };
  return (
    <form class="fields" onSubmit={(event) => void open(event)}>
      <p class="quiet">{t('bind.your_words_text')}</p>
      <label for={`${id}-words`}>{t('bind.words_in_order')}</label>
      <textarea
        id={`${id}-words`}
        name="words"
        rows={3}
        lang="en"
        dir="ltr"
        autocomplete="off"
        autocapitalize="none"
        autocorrect="off"
        spellcheck={false}
        required
        aria-invalid={problem !== ''}
        aria-describedby={`${id}-problem`}
      />
      {canBeKept && (
        <label class="check">
          <input type="checkbox" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
          <span>{t('bind.keep_here')}</span>
        </label>
      )}
      {isKept && <PassphraseFields />}
      <button type="submit" disabled={isBusy}>
        {isBusy ? t('bind.opening') : t('bind.use_words')}
      </button>
      <p id={`${id}-problem`} class="problem-text" role="alert">
        {problem}
      </p>
    </form>
  );
}

/** How the key of words is kept, and what becomes of it. */
interface Opening {
  onKey: (key: KeyInUse) => void;
  keep: ((name: string) => string) | null;
}

/** Gives the key of the words on; else answers what is wrong. @throws DOMException where nothing is stored */
async function openWords(written: string, { onKey, keep }: Opening): Promise<string> {
  const { keyOfWords, problemOfWords, readWords } = await import('@signet/verify/words');
  const words = readWords(written);
  const problem = problemOfWords(words);
  if (problem) return sentenceOf(problem);
  const wrong = keep && problemOfPassphrase(keep);
  if (wrong) return wrong;
  const privateKey = await keyOfWords(words);
  const signer = fromPrivateKey(privateKey);
  if (keep) await keepKey(signer.avatar, privateKey, keep('passphrase'));
  onKey({ signer, kind: keep ? 'kept' : 'words', name: '' });
  return '';
}

function sentenceOf(problem: WordsProblem): string {
  if (problem.reason === 'count') return t('bind.words_count', { count: problem.count });
  return problem.reason === 'unknown' ? t('bind.words_unknown', { word: problem.word }) : t('bind.words_do_not_fit');
}
