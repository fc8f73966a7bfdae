import type { Text } from '../../i18n.js';
import bind from './bind.json';
import consoleTexts from './console.json';
import kv from './kv.json';
import log from './log.json';
import look from './look.json';
import shell from './shell.json';
import steps from './steps.json';

const dictionary = { bind, console: consoleTexts, kv, log, look, shell, steps };

export default dictionary;
/** What every language has: the same areas and keys, with plural forms of its own. */
export type Dictionary = {
  [Area in keyof typeof dictionary]: { [Key in keyof (typeof dictionary)[Area]]: Text };
};
