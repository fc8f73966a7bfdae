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

await chooseLanguage();
render(<App />, document.getElementById('page')!);
