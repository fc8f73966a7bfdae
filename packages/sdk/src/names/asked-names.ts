/** Whether what a server shows was asked for. */
import { cleanPasted } from '@signet/verify/internal';
import { findCanonicalName, isSameName, NAME_PATTERNS } from '@signet/verify/names';

/** What parts of addresses end with: a port is no name, and a DID has colons inside. */
const BETWEEN_PARTS = [/[/?#:]/, /[/?#]/];
/** Domain under which each .bit name has a page. */
const BIT_PAGE = /\.bit\.cc$/i;

/** A name on a platform, in its canonical form. */
interface ShownName {
  platform: string;
  identity: string;
}

/**
 * Whether a binding is one of those that a look-up asked for. A form that only a server reads, such as the address of a
 * profile, asks for the names that stand in it; of a platform that this version does not know, everything is taken.
 */
export function isAskedFor(shown: ShownName, platform: string, written: readonly string[]): boolean {
  if (shown.platform !== platform) return false;
  return (
    !Object.hasOwn(NAME_PATTERNS, platform) ||
    written.some((name) => isSameName(shown, name) || namesIn(platform, name).includes(shown.identity))
  );
}

/** The canonical names that the parts of an address are, with its host where the platform has names at hosts. */
function namesIn(platform: string, written: string): string[] {
  if (findCanonicalName(platform, written) !== null) return [];
  const parts = BETWEEN_PARTS.flatMap((end) => cleanPasted(written).split(end)).map((part) =>
    decoded(part).replace(BIT_PAGE, '.bit'),
  );
  const atHosts = parts.flatMap((user) => parts.map((host) => `${user}@${host}`));
  return [...parts, ...atHosts].flatMap((part) => findCanonicalName(platform, part) ?? []);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
