import { holdsPrivateKey } from '@signet/verify/internal';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { navigate } from '../shell/router.js';
import { loadView, SEARCH } from '../shell/views.js';

/**
 * The one search field of the page. Where somebody begins to write, what shows results is loaded meanwhile.
 * @param problem what is wrong with `text`, a sentence
 */
export function SearchField({ text, problem: found }: { text: string; problem?: ComponentChildren }) {
  const [isPrivate, setPrivate] = useState(false);
  const problem = isPrivate ? t('look.private_key') : found;
  const isWrong = problem !== undefined;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('q') as HTMLInputElement;
    const words = field.value.trim();
    const isSecret = holdsPrivateKey(words);
    setPrivate(isSecret);
    // The address is kept in the history, and is sent to the server with the next load.
    if (isSecret) field.value = '';
    else if (words !== '') navigate(`/?q=${encodeURIComponent(words)}`);
  };
  return (
    <form class="search" role="search" onSubmit={submit}>
      <label for="search-text">{t('look.search_label')}</label>
      <div class="search-row">
        <input
          id="search-text"
          name="q"
          type="search"
          dir="auto"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={256}
          defaultValue={text}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? 'search-problem' : undefined}
          onFocus={() => void loadView(SEARCH)}
        />
        <button type="submit" class="primary">
          {t('look.search_button')}
        </button>
      </div>
      {isWrong && (
        <p id="search-problem" class="problem-text" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
