/** Names of platforms, identities and keys. Names of others are isolated: their direction changes nothing else. */
import { oddLetters } from '@signet/verify';
import type { ComponentChildren } from 'preact';
import { currentLanguage, t } from '../i18n/i18n.js';
import { knownPlatform } from '../shell/platforms.js';
import { CopyButton } from './copy-button.js';

/** Longer texts are cut in the middle. */
const SHOWN_CHARACTERS = 40;

/** A platform as people call it, by what the server answers; until then, and for an older server, its plain value. */
export function platformName(platform: string): string {
  return cutInTheMiddle(knownPlatform(platform)?.label || platform, SHOWN_CHARACTERS);
}

/** A name on a platform, isolated, cut in the middle where it is long, with all of it in the title. */
export function Identity({ name }: { name: string }) {
  const shown = cutInTheMiddle(name, SHOWN_CHARACTERS);
  return (
    <bdi class="identity" title={shown === name ? undefined : name}>
      {shown}
    </bdi>
  );
}

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

/** A key, short, with a button that copies all of it. */
export function KeyText({ value, children }: { value: string; children?: ComponentChildren }) {
  return (
    <span class="key-text">
      <code title={value}>{cutInTheMiddle(value, 22)}</code>
      {children}
      <CopyButton text={value} />
    </span>
  );
}

/** Counts characters, not UTF-16 units, so that none is cut apart. */
export function cutInTheMiddle(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const head = Math.ceil((length - 1) / 2);
  return `${characters.slice(0, head).join('')}…${characters.slice(head - length + 1).join('')}`;
}
