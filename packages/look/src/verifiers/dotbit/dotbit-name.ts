import { cleanPasted } from '@signet/verify/internal';
import { canonicalForm } from '@signet/verify/names';
import { InvalidRequestError } from '../../errors.js';

/** `https://d.id/<name>.bit` and `https://data.did.id/<name>.bit`. */
const PROFILE_PAGE = /^(?:https?:\/\/)?(?:d\.id|data\.did\.id)\/([^/?#]+)\/?(?:[?#].*)?$/i;
/** `https://<name>.bit.cc`. */
const HOME_PAGE = /^(?:https?:\/\/)?([^/?#]+\.bit)\.cc\/?(?:[?#].*)?$/i;

/**
 * A .bit name as compared and stored: lowercase, sub-accounts as `sub.main.bit`. Takes addresses of profile pages too.
 * @throws InvalidRequestError (`invalid_identity`) for anything else.
 */
export function canonicalDotbitName(text: string): string {
  const pasted = cleanPasted(text);
  const page = PROFILE_PAGE.exec(pasted) ?? HOME_PAGE.exec(pasted);
  const name = canonicalForm('dotbit', page ? decoded(page[1]!) : pasted);
  if (name !== null) return name;
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
