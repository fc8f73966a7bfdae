import { cleanPasted } from '@signet/verify';
import { InvalidRequestError } from '../../errors.js';

/**
 * Controls, blanks, ASCII signs other than `-`, capitals, and characters that cannot be seen, apart from those inside
 * emoji (U+200D). Names may be of any script and of emoji, and are hashed as text, so nothing else is forbidden and
 * nothing is converted.
 */
const NOT_IN_LABEL =
  '\\s\\x00-\\x2c./\\x3a-\\x60\\x7b-\\xa0\\xad\\u200b\\u200c\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff';

/** One or more labels and `.bit`, in lowercase. */
export const DOTBIT_NAME_PATTERN = `^(?:[^${NOT_IN_LABEL}]+\\.)+bit$`;

const NAME = new RegExp(DOTBIT_NAME_PATTERN);
const MAX_CHARACTERS = 253; // UTF-16 units; the chain allows 42 characters a label, and emoji have several units
const LONE_SURROGATE = /[\ud800-\udfff]/u;
/** K (Kelvin) and dotted I: the only letters besides A to Z whose lowercase has an ASCII letter, another name's. */
const TURNS_INTO_ASCII = /[\u212a\u0130]/;

/** `https://d.id/<name>.bit` and `https://data.did.id/<name>.bit`. */
const PROFILE_PAGE = /^(?:https?:\/\/)?(?:d\.id|data\.did\.id)\/([^/?#]+)\/?(?:[?#].*)?$/i;
/** `https://<name>.bit.cc`. */
const HOME_PAGE = /^(?:https?:\/\/)?([^/?#]+\.bit)\.cc\/?(?:[?#].*)?$/i;
/** The old spelling of `sub.main.bit`. */
const MAIN_AND_SUB = /^([^.#]+)#([^.#]+)\.bit$/;

/**
 * A .bit name as compared and stored: lowercase, sub-accounts as `sub.main.bit`. Takes addresses of profile pages too.
 * @throws InvalidRequestError (`invalid_identity`) for anything else.
 */
export function canonicalDotbitName(text: string): string {
  const pasted = cleanPasted(text);
  const page = PROFILE_PAGE.exec(pasted) ?? HOME_PAGE.exec(pasted);
  const typed = page ? decoded(page[1]!) : pasted;
  const name = TURNS_INTO_ASCII.test(typed) ? '' : typed.toLowerCase().replace(MAIN_AND_SUB, '$2.$1.bit');
  if (name.length <= MAX_CHARACTERS && NAME.test(name) && !LONE_SURROGATE.test(name)) return name;
  throw new InvalidRequestError(
    'Not a .bit name: expected a name that ends in .bit, such as alice.bit.',
    'invalid_identity',
  );
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
