import { useEffect } from 'preact/hooks';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language, t } from '../i18n/i18n.js';
import { ABUSE_LINK, serviceLink } from './service.js';
import type { Place } from './router.js';

/** Views in the header: word of the address, and text. */
const NAVIGATION = [
  ['', 'shell.look_up'],
  ['bind', 'shell.bind'],
  ['kv', 'shell.content'],
  ['verify', 'shell.verify'],
  ['transparency', 'shell.log'],
] as const;

/** Mark, navigation and the switch of languages. */
export function Header({ place }: { place: Place }) {
  const current = place.parts[0] ?? '';
  return (
    <header class="frame-header">
      <a class="brand" href="/">
        <Mark />
        Signet
      </a>
      <nav aria-label={t('shell.navigation')}>
        <ul>
          {NAVIGATION.map(([word, text]) => (
            <li key={word}>
              <a href={`/${word}`} aria-current={word === current ? 'page' : undefined}>
                {t(text)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <LanguageSwitch />
    </header>
  );
}

function LanguageSwitch() {
  const choose = (event: Event) => void chooseLanguage((event.currentTarget as HTMLSelectElement).value as Language);
  return (
    <label class="language">
      <span class="only-read">{t('shell.language')}</span>
      <select value={currentLanguage()} onChange={choose}>
        {Object.entries(LANGUAGES).map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The mark of the product: a seal ring, not the seal of any key. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <circle cx="12" cy="12" r="10.5" fill="none" stroke="currentColor" stroke-width="2" />
      <path
        d="M8 12.5l3 3 5-6.5"
        fill="none"
        stroke="currentColor"
        stroke-width="2.4"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

/** What this page is, and where programs go. */
export function Footer() {
  return (
    <footer class="frame-footer">
      <p>{t('shell.about')}</p>
      <ul>
        <li>
          <a href={serviceLink('/docs')} data-reload>
            {t('shell.api')}
          </a>
        </li>
        <li>
          <a href={serviceLink('/healthz')} data-reload>
            {t('shell.health')}
          </a>
        </li>
        {/* In the documents of the service, which writes the link into it or takes it out. */}
        {(ABUSE_LINK !== '' || import.meta.env.SSR) && (
          <li data-abuse>
            <a href={ABUSE_LINK}>{t('shell.report_abuse')}</a>
          </li>
        )}
      </ul>
    </footer>
  );
}

/** The title of the view in the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Signet' : `${title} · Signet`;
  }, [title]);
}
