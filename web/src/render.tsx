/**
 * Renders what stands in the served documents before any script has run: the fixed views, in all languages, and the
 * frame of the page round the others. Runs once, at build time (render-views.mjs).
 */
import { renderToString } from 'preact-render-to-string';
import { LANGUAGES, type Language, speak, t, type TextKey } from './i18n/i18n.js';
import { App } from './shell/app.js';
import { presetPlatforms } from './shell/platforms.js';
import { AREAS, loadView } from './shell/views.js';

export { AREAS, presetPlatforms };

/** Views that look the same for everybody, by their word in the address, with their titles. */
const FIXED_VIEWS: Record<string, { title: TextKey | null; text: TextKey }> = {
  '': { title: null, text: 'look.start_text' },
  bind: { title: 'bind.title', text: 'bind.about' },
  kv: { title: 'kv.title', text: 'kv.about' },
  lost: { title: 'recovery.lost_title', text: 'recovery.lost_about' },
  verify: { title: 'look.verify_title', text: 'look.verify_text' },
  example: { title: 'look.example_title', text: 'look.example_text' },
  transparency: { title: 'log.title', text: 'log.text' },
  // An address that is none: its first word is not that of a view.
  '-': { title: 'shell.unknown_page', text: 'look.start_text' },
};

/** One view as it stands in the document, in one language. */
export interface RenderedView {
  title: string;
  /** For search engines. */
  description: string;
  /** What stands within `#page`. */
  html: string;
  /** What stands above it for a browser without JavaScript. */
  noScript: string;
}

/** All languages, in the order of the switch. */
export const languages = Object.keys(LANGUAGES) as Language[];

/** The fixed views by their word, in one language; and under `frame` the page without a view. */
export async function renderViews(language: Language): Promise<Record<string, RenderedView>> {
  await speak(language);
  const views: Record<string, RenderedView> = {};
  for (const [word, { title, text }] of Object.entries(FIXED_VIEWS)) {
    await loadView(word);
    views[word] = {
      title: title === null ? 'Signet' : `${t(title)} · Signet`,
      description: t(text),
      html: rendered([word]),
      noScript: t('shell.no_script'),
    };
  }
  // A word that is known, and whose view is not loaded here.
  views['frame'] = {
    title: 'Signet',
    description: t('look.start_text'),
    html: rendered(['a']),
    noScript: t('shell.no_script'),
  };
  return views;
}

function rendered(parts: string[]): string {
  return renderToString(<App start={{ parts: parts.filter((part) => part !== ''), query: new URLSearchParams() }} />);
}
