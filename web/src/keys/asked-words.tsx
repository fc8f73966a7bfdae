import { t } from '../i18n/i18n.js';

/** Words that a person types again, so that it is known that they are written down. */
const ASKED_WORDS = 3;

/** The numbers of the words that are asked for, in order. */
export function chooseNumbers(count: number): number[] {
  const numbers = new Set<number>();
  while (numbers.size < ASKED_WORDS) numbers.add(crypto.getRandomValues(new Uint8Array(1))[0]! % count);
  return [...numbers].sort((one, other) => one - other);
}

/** A field for each of these words. */
export function AskedWords({ numbers }: { numbers: number[] }) {
  return (
    <div class="asked-words">
      {numbers.map((number) => (
        <label key={number}>
          {t('bind.word_number', { number: number + 1 })}
          <input name={`word-${number}`} autocomplete="off" autocapitalize="none" spellcheck={false} required />
        </label>
      ))}
    </div>
  );
}

/** Whether the fields of a form have the words that were asked for. */
export function areRight(text: (name: string) => string, numbers: number[], words: string[]): boolean {
  return numbers.every((number) => text(`word-${number}`).trim().toLowerCase() === words[number]);
}
