import type { Dictionary } from '../en/index.js';
import bind from './bind.json';
import consoleTexts from './console.json';
import kv from './kv.json';
import look from './look.json';
import shell from './shell.json';

const dictionary: Dictionary = { bind, console: consoleTexts, kv, look, shell };

export default dictionary;
