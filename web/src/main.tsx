import { render } from 'preact';
import './style/tokens.css';
import './style/base.css';
import './style/parts.css';
import './style/look.css';
import './style/bind.css';
import './style/console.css';
import './style/log.css';
import { chooseLanguage } from './i18n/i18n.js';
import { App } from './shell/app.js';
import { keepPage } from './shell/keep-page.js';
import { readPlace } from './shell/router.js';
import { loadView, viewWord } from './shell/views.js';

/**
 * The document may hold the view already, in the language that the browser asked for. What is rendered here takes its
 * elements over and corrects what differs; for that the view and its texts have to be there at once. Areas of texts are
 * loaded in the language that is known by then; the document has named all of their files.
 */
async function start(): Promise<void> {
  await chooseLanguage();
  await loadView(viewWord(readPlace()));
  render(<App />, document.getElementById('page')!);
}

// Not awaited here: the start page is in the file of this module, and would wait for the end of it.
void start();
keepPage();
