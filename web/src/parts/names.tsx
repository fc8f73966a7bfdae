/** Names of platforms, identities and keys. Names of others are isolated: their direction changes nothing else. */
import { splitUnseen, withUnseen } from '@signet/verify/unseen';
import type { ComponentChildren } from 'preact';
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
    <bdi class="identity" title={shown === name ? undefined : withUnseen(name)}>
      <Seen text={shown} />
    </bdi>
  );
}

/** A text of others, in which what no font shows stands by its code point. `isLong`: it has lines of its own. */
export function Seen({ text, isLong = false }: { text: string; isLong?: boolean }) {
  const pieces = splitUnseen(text, isLong);
  return (
    <>
      {pieces.map((piece, place) =>
        place % 2 === 0 ? (
          piece
        ) : (
          <span key={place} class="unseen">
            {piece}
          </span>
        ),
      )}
    </>
  );
}

/** A key, short, with a button that copies all of it. */
export function KeyText({ value, id, children }: { value: string; id?: string; children?: ComponentChildren }) {
  return (
    <span class="key-text">
      <code id={id} title={value}>
        {cutInTheMiddle(value, 22)}
      </code>
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
