import type { ComponentChildren } from 'preact';
import { t } from '../i18n/i18n.js';
import { navigate } from '../shell/router.js';
import { loadView, SEARCH } from '../shell/views.js';

/**
 * The one search field of the page. Where somebody begins to write, what shows results is loaded meanwhile.
 * @param problem what is wrong with `text`, a sentence
 */
export function SearchField({ text, problem }: { text: string; problem?: ComponentChildren }) {
  const isWrong = problem !== undefined;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('q') as HTMLInputElement;
    const words = field.value.trim();
    if (words !== '') navigate(`/?q=${encodeURIComponent(words)}`);
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
