import { cleanPasted } from '@signet/verify/internal';
import { canonicalForm } from '@signet/verify/names';
import { InvalidRequestError } from '../../errors.js';
import { isOrdinaryName } from '../../web/url-guard.js';

/** `alice` and `example.com` of `alice@example.com`, in canonical form. */
export interface Handle {
  user: string;
  host: string;
}

/** `https://host/@user`, `/@user@host`, `/users/user`, `/u/user`; the scheme may be missing. */
const PROFILE = /^(?:https?:\/\/)?([^/?#@:]+)\/(?:@|users\/|u\/)([^/?#]+)\/?(?:[?#].*)?$/i;

/**
 * Reads `user@host` (also with `@` or `acct:` before it) or the address of a profile page. These servers compare names
 * without regard to case, so they are stored in lower case; the host is ASCII by UTS 46.
 * @throws InvalidRequestError (`invalid_identity`) for anything else, for a port, and for hosts that are not public.
 */
export function parseHandle(text: string): Handle {
  const pasted = cleanPasted(text);
  const profile = PROFILE.exec(pasted);
  const written = profile ? `${profile[2]}${profile[2]!.includes('@') ? '' : `@${profile[1]}`}` : pasted;
  const handle = splitHandle(canonicalForm('activitypub', written) ?? '');
  if (!isOrdinaryName(handle.host)) {
    throw new InvalidRequestError(
      'Not a Fediverse account: expected user@host with the public host name of its server, such as alice@social.example.com.',
      'invalid_identity',
    );
  }
  return handle;
}

/** The parts of a canonical identity. */
export function splitHandle(identity: string): Handle {
  const at = identity.indexOf('@');
  return { user: identity.slice(0, at), host: identity.slice(at + 1) };
}
