import type english from '../i18n/languages/en/embed.json';

/** The few words of `<signet-proof>`, with `{time}` for a date. */
export type Texts = Record<keyof typeof english, string>;

/** All languages, because the element is one file. */
const TEXTS = import.meta.glob<Texts>('../i18n/languages/*/embed.json', { eager: true, import: 'default' });
const of = (language: string) => TEXTS[`../i18n/languages/${language}/embed.json`];

/** The words of a language tag, or the English ones. */
export function textsOf(tag: string): Texts {
  return of(tag.slice(0, 2).toLowerCase()) ?? of('en')!;
}
