import { readFileSync } from 'node:fs';

/** A text of the page in one of its languages. */
export function textIn(language: string, area: string, key: string): string {
  const file = new URL(`../../web/src/i18n/languages/${language}/${area}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)[key]!;
}
