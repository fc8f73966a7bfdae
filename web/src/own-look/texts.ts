/**
 * The texts of own looks. They are files of their own, which are loaded when somebody may look: the page loads no more
 * at its start, and the frame no more than these.
 */
import type { Language } from '../i18n/i18n.js';
import type english from '../i18n/languages/en/own_look.json';

/** The texts by their keys, with `{name}` for values. */
export type OwnLookTexts = Record<keyof typeof english, string>;

const TEXTS = import.meta.glob<OwnLookTexts>('../i18n/languages/*/own_look.json', { import: 'default' });

/** Loads the texts of a language. */
export async function loadTexts(language: Language): Promise<OwnLookTexts> {
  return TEXTS[`../i18n/languages/${language}/own_look.json`]!();
}

/** The text with its values in place. */
export function filled(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (name, key: string) => values[key] ?? name);
}
