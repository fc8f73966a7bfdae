/** Apart from names.tsx, which the first view needs: what reads letters comes with the views of names. */
import { looksAlike, oddLetters } from '@signet/verify/letters';
import { currentLanguage, rich, t } from '../i18n/i18n.js';
import { Identity } from './names.js';

interface LettersProps {
  name: string;
  isPage?: boolean;
  /** Names that stand beside it, or were searched for. */
  others?: string[];
}

/**
 * What makes a name differ from another that looks alike; said, not judged. `isPage`: the page is about this name, so
 * other letters than those of ASCII are spoken of as well. A name beside it that looks alike is named.
 */
export function LettersNotice({ name, isPage = false, others = [] }: LettersProps) {
  const odd = oddLetters(name);
  if (others.some((other) => looksAlike(name, other))) return <LikeNotice name={name} others={others} />;
  if (odd === null) {
    return isPage && /[^\x20-\x7e]/.test(name) ? <p class="caution">{t('look.other_letters')}</p> : null;
  }
  const scripts = new Intl.DisplayNames(currentLanguage(), { type: 'script' });
  const letters = odd
    .map(({ code, script }) => (script === null ? code : `${code} (${scripts.of(script)})`))
    .join(', ');
  return <p class={isPage ? 'caution' : 'caution small'}>{t('look.odd_letters', { letters })}</p>;
}

/** Which of the names beside it a name looks like; nothing where it looks like none. */
export function LikeNotice({ name, others }: { name: string; others: string[] }) {
  const like = others.find((other) => looksAlike(name, other));
  if (like === undefined) return null;
  return <p class="caution small">{rich('look.looks_like', { name: <Identity name={like} /> })}</p>;
}
