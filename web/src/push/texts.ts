/** What the panel says. Files of their own, which are loaded with it: the page loads no more at its start. */
import type { Language } from '../i18n/i18n.js';
import type english from '../i18n/languages/en/push.json';

export type PushTexts = Record<keyof typeof english, string>;

const TEXTS = import.meta.glob<PushTexts>('../i18n/languages/*/push.json', { import: 'default' });

/** Loads the texts of a language. */
export async function loadTexts(language: Language): Promise<PushTexts> {
  return TEXTS[`../i18n/languages/${language}/push.json`]!();
}
