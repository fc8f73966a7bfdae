/** New words of a key: made in this page, shown once, and asked for in part, so that it is known that they are kept. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { focusOnAppearance } from '../shell/focus.js';
import { formText } from './form-text.js';

/** Words that a person types again. */
const ASKED_WORDS = 3;

/** Words, null until they are wanted and there; `error` is why they could not be made, else null. */
export function useNewWords(areWanted: boolean): { words: string[] | null; error: unknown } {
  const [words, setWords] = useState<string[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    if (!areWanted) return;
    import('@signet/verify/words').then(
      ({ newWords }) => setWords(newWords()),
      (problem: unknown) => setError(problem),
    );
  }, [areWanted]);
  return { words, error };
}

/** The words with their numbers, which no browser translates. */
export function WordList({ words }: { words: readonly string[] }) {
  return (
    <ol class="words" translate={false} lang="en">
      {words.map((word, index) => (
        <li key={index}>{word}</li>
      ))}
    </ol>
  );
}

interface Props {
  words: string[];
  /** What is asked for. */
  text: string;
  /** Of the button that sends the form. */
  button: string;
  /** Takes the fields of the form, once the words are right. @returns what is wrong with the others; null: nothing */
  onRight: (field: (name: string) => string) => Promise<string | null>;
  onBack: () => void;
  /** Further fields. */
  children?: ComponentChildren;
}

/** Asks for some of the words. */
export function ConfirmWords({ words, text, button, onRight, onBack, children }: Props) {
  const [asked] = useState(() => chooseNumbers(words.length));
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const confirm = async (event: SubmitEvent) => {
    const field = formText(event);
    const areRight = asked.every((number) => field(`word-${number}`).trim().toLowerCase() === words[number]);
    if (!areRight) return setProblem(t('bind.words_differ'));
    setBusy(true);
    setProblem('');
    const wrong = await onRight(field);
    if (wrong === null) return;
    setBusy(false);
    setProblem(wrong);
  };
  return (
    <form class="fields" onSubmit={(event) => void confirm(event)}>
      <p tabIndex={-1} ref={focusOnAppearance}>
        {text}
      </p>
      <div class="asked-words">
        {asked.map((number) => (
          <label key={number}>
            {t('bind.word_number', { number: number + 1 })}
            <input name={`word-${number}`} autocomplete="off" autocapitalize="none" spellcheck={false} required />
          </label>
        ))}
      </div>
      {children}
      <p class="problem-text" role="alert">
        {problem}
      </p>
      <div class="row">
        <button type="submit" class="primary" disabled={isBusy}>
          {button}
        </button>
        <button type="button" onClick={onBack}>
          {t('bind.show_words_again')}
        </button>
      </div>
    </form>
  );
}

/** The numbers of the words that are asked for, in order. */
function chooseNumbers(count: number): number[] {
  const numbers = new Set<number>();
  while (numbers.size < ASKED_WORDS) numbers.add(crypto.getRandomValues(new Uint8Array(1))[0]! % count);
  return [...numbers].sort((one, other) => one - other);
}
