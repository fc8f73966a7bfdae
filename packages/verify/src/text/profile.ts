/**
 * What the owner of a key says about themselves, in the member `profile` of the content under their own key
 * (docs/guide/key-value.md, "A profile"). Anybody can write anything under a key of their own, so a member that does
 * not fit is as if it were not there.
 */
import { isPicture } from './picture.js';

export { isPicture, MAX_PICTURE_CHARACTERS } from './picture.js';

/** Unicode characters of a name, and of the line below it. */
const MAX_NAME = 64;
const MAX_ABOUT = 160;

/**
 * Controls, invisible characters (\p{Cf} holds what turns the direction of text), characters without a meaning that is
 * known to all, line breaks, and marks piled on one character.
 */
const UNSHOWABLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029]|\p{M}{4,}/u;
/** Something that leaves ink: U+2800, the empty Braille pattern, is a sign that does not. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
const EMPTY_SIGNS = /\u2800/g;
/** Ticks, crosses and speech marks: the signs of a page for what was checked, what failed and what somebody says. */
const SIGNS_OF_CHECKS =
  /[\u221a\u2610-\u2612\u2705\u2713-\u2718\u274c\u274e\u237b\u2bbd\u{1f4ac}\u{1f5e8}-\u{1f5eb}\u{1f5f4}-\u{1f5f9}]/u;
/** One emoji of several characters: the invisible ones inside (U+FE0F, U+200D) belong to its spelling. */
const EMOJI =
  /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)*|[0-9#*]\ufe0f\u20e3/gu;
/** Scripts whose words hold U+200C and U+200D: Persian, Hindi and others (RFC 5892, A.1). */
const JOINING = ['Arabic', 'Bengali', 'Devanagari', 'Gujarati', 'Gurmukhi', 'Kannada', 'Khmer', 'Malayalam']
  .concat(['Oriya', 'Sinhala', 'Tamil', 'Telugu'])
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const JOINED = new RegExp(`([${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`, 'gu');

/** What the owner of a key says about themselves. It is signed and proves nothing else: a name can be anybody's. */
export interface Profile {
  /** At most 64 characters on one line, without ticks and crosses; null where there is none. */
  name: string | null;
  /** At most 160 characters on one line; null where there is none. */
  about: string | null;
  /** A PNG, JPEG or WebP as `data:` URL, at most 512 pixels on each side, not animated; null where there is none. */
  picture: string | null;
}

/**
 * The profile in the content of a key's own entry, checked member by member. No address in it is ever to be loaded: a
 * picture is part of the content. Any value may be given.
 * @returns null where there is none, or nothing of it can be shown
 */
export function profileIn(content: unknown): Profile | null {
  const { profile } = (content ?? {}) as { profile?: unknown };
  if (typeof profile !== 'object' || profile === null) return null;
  const { name, about, picture } = profile as Record<string, unknown>;
  const read: Profile = {
    name: profileName(name),
    about: profileLine(about),
    picture: isPicture(picture) ? picture : null,
  };
  return read.name === null && read.about === null && read.picture === null ? null : read;
}

/**
 * The name as it is shown; null where it is not. It stands in the title of a page, so that a sign of checks in it would
 * be read as a word of the page.
 */
export function profileName(value: unknown): string | null {
  const name = lineOf(value, MAX_NAME);
  return name !== null && SIGNS_OF_CHECKS.test(name) ? null : name;
}

/** The line below the name as it is shown; null where it is not. */
export function profileLine(value: unknown): string | null {
  return lineOf(value, MAX_ABOUT);
}

function lineOf(value: unknown, most: number): string | null {
  // A character has two UTF-16 units at most, so that nothing long is looked at.
  if (typeof value !== 'string' || value.length > 2 * most) return null;
  const text = value.normalize('NFC').trim();
  if ([...text].length > most || !VISIBLE.test(text.replace(EMPTY_SIGNS, ''))) return null;
  return UNSHOWABLE.test(text.replace(EMOJI, 'x').replace(JOINED, '$1')) ? null : text;
}
