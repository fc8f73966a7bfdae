import { DefaultNamingStrategy } from 'typeorm';

/** `lastCheckedAt` in the code is `last_checked_at` in SQL; a name given in a decorator is taken as it is. */
export class SnakeNaming extends DefaultNamingStrategy {
  override columnName(propertyName: string, givenName: string | undefined, embeddedPrefixes: string[]): string {
    return snakeCase([...embeddedPrefixes, givenName || propertyName].join('_'));
  }
}

/** Puts `_` before each capital that starts a word: `prevId` -> `prev_id`, `avatarURLText` -> `avatar_url_text`. */
function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
