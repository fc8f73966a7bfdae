/** The style of what comes behind a binding, taken into the document with the code that needs it (as recovery does). */
import text from './late.css?inline';

if (!import.meta.env.SSR) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
