/**
 * The style of recovery, taken into the document with the code that needs it: the style sheet of the document, which
 * every first load has, knows nothing of it.
 */
import text from './recovery.css?inline';

if (!import.meta.env.SSR) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
