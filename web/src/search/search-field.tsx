import { t } from '../i18n/i18n.js';
import { navigate } from '../shell/router.js';
import { loadView, SEARCH } from '../shell/views.js';

/** The one search field of the page. Where somebody begins to write, what shows results is loaded meanwhile. */
export function SearchField({ text }: { text: string }) {
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
          onFocus={() => void loadView(SEARCH)}
        />
        <button type="submit" class="primary">
          {t('look.search_button')}
        </button>
      </div>
    </form>
  );
}
