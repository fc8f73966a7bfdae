import { useEffect, useRef, useState } from 'preact/hooks';
import { t, useLanguage } from '../i18n/i18n.js';
import { Problem } from '../parts/problem.js';
import { onAnnounce } from './announce.js';
import { Footer, Header } from './frame.js';
import { usePlatforms } from './platforms.js';
import { type Place, usePlace } from './router.js';
import { useView, viewWord } from './views.js';

/** The whole page: header, the view of the address, footer. `start` is where there is no browser to read it from. */
export function App({ start }: { start?: Place }) {
  useLanguage();
  // Names of platforms appear in all views.
  usePlatforms();
  const place = usePlace(start);
  return (
    <>
      <a class="skip" href="#main">
        {t('shell.skip')}
      </a>
      <Header place={place} />
      <main id="main" tabIndex={-1}>
        <CurrentView {...place} />
      </main>
      <Footer />
      <LiveRegion />
    </>
  );
}

function CurrentView(place: Place) {
  const { parts, query } = place;
  const word = viewWord(place);
  const key = [word, ...parts.slice(1)].join('/');
  const loaded = useView(word);
  useFocusOnMove(key, loaded.state === 'ready');
  switch (loaded.state) {
    case 'loading':
      return <p class="waiting">{t('shell.loading')}</p>;
    case 'unknown':
      return <Problem title={t('shell.unknown_page')} text={t('shell.unknown_page_text')} />;
    case 'failed':
      return (
        <Problem title={t('shell.view_failed')} text={t('shell.view_failed_text')}>
          <button type="button" onClick={() => location.reload()}>
            {t('shell.reload')}
          </button>
        </Problem>
      );
    case 'ready': {
      const View = loaded.view;
      return <View key={key} parts={parts.slice(1)} query={query} />;
    }
  }
}

/** After a move within the page the focus goes to its heading, as it would after loading a page. */
function useFocusOnMove(path: string, isReady: boolean): void {
  const last = useRef(path);
  useEffect(() => {
    if (!isReady || last.current === path) return;
    last.current = path;
    window.scrollTo(0, 0);
    const heading = document.querySelector<HTMLElement>('main h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
  }, [path, isReady]);
}

function LiveRegion() {
  const [text, setText] = useState('');
  useEffect(() => onAnnounce(setText), []);
  return (
    <div class="only-read" role="status" aria-live="polite">
      {text}
    </div>
  );
}
