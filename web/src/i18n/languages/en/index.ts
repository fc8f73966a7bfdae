import type { Text } from '../../i18n.js';
import bind from './bind.json';
import type consoleTexts from './console.json';
import kv from './kv.json';
import type log from './log.json';
import look from './look.json';
import shell from './shell.json';
import steps from './steps.json';

const dictionary = { bind, kv, look, shell, steps };

export default dictionary;
type English = typeof dictionary & { console: typeof consoleTexts; log: typeof log };
/** What every language has: the same areas and keys, with plural forms of its own. */
export type Dictionary = { [Area in keyof English]: { [Key in keyof English[Area]]: Text } };
/** What is loaded at the start; other areas are loaded with the views that show them. */
export type FirstTexts = Pick<Dictionary, keyof typeof dictionary>;
