/**
 * The texts of own looks. They are files of their own, which are loaded when somebody may look: the page loads no more
 * at its start, and the frame no more than these.
 */
import type { Language } from '../i18n/i18n.js';
import type english from '../i18n/languages/en/own_look.json';

/** The texts by their keys, with `{name}` for values. */
export type OwnLookTexts = Record<keyof typeof english, string>;

/** Loads the texts of a language. */
export async function loadTexts(language: Language): Promise<OwnLookTexts> {
  switch (language) {
    case 'en':
      return (await import('../i18n/languages/en/own_look.json')).default;
    case 'zh':
      return (await import('../i18n/languages/zh/own_look.json')).default;
    case 'ja':
      return (await import('../i18n/languages/ja/own_look.json')).default;
    case 'ko':
      return (await import('../i18n/languages/ko/own_look.json')).default;
    case 'de':
      return (await import('../i18n/languages/de/own_look.json')).default;
    case 'fr':
      return (await import('../i18n/languages/fr/own_look.json')).default;
    case 'es':
      return (await import('../i18n/languages/es/own_look.json')).default;
    case 'pt':
      return (await import('../i18n/languages/pt/own_look.json')).default;
  }
}

/** The text with its values in place. */
export function filled(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (name, key: string) => values[key] ?? name);
}
