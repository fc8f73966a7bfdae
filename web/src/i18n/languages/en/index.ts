import type { Text } from '../../i18n.js';
import type bind from './bind.json';
import type consoleTexts from './console.json';
import type kv from './kv.json';
import type log from './log.json';
import look from './look.json';
import shell from './shell.json';
import type recovery from './recovery.json';
import type steps from './steps.json';

const dictionary = { look, shell };

export default dictionary;
type English = typeof dictionary & {
  bind: typeof bind;
  console: typeof consoleTexts;
  kv: typeof kv;
  log: typeof log;
  recovery: typeof recovery;
  steps: typeof steps;
};
/** What every language has: the same areas and keys, with plural forms of its own. */
export type Dictionary = { [Area in keyof English]: { [Key in keyof English[Area]]: Text } };
/** What is loaded at the start; other areas are loaded with the views that show them. */
export type FirstTexts = Pick<Dictionary, keyof typeof dictionary>;
