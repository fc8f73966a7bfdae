/** Apart from names.tsx, which the first view needs: what reads letters comes with the views of names. */
import { oddLetters } from '@signet/verify/letters';
import { currentLanguage, t } from '../i18n/i18n.js';

/**
 * What makes a name differ from another that looks alike; said, not judged. `isPage`: the page is about this name, so
 * other letters than those of ASCII are spoken of as well.
 */
export function LettersNotice({ name, isPage = false }: { name: string; isPage?: boolean }) {
  const odd = oddLetters(name);
  if (odd === null) {
    return isPage && /[^\x20-\x7e]/.test(name) ? <p class="caution">{t('look.other_letters')}</p> : null;
  }
  const scripts = new Intl.DisplayNames(currentLanguage(), { type: 'script' });
  const letters = odd
    .map(({ code, script }) => (script === null ? code : `${code} (${scripts.of(script)})`))
    .join(', ');
  return <p class={isPage ? 'caution' : 'caution small'}>{t('look.odd_letters', { letters })}</p>;
}
