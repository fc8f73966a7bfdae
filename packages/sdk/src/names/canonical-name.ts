/** Canonical names for questions to a map. */
import { findCanonicalName, NAME_PATTERNS } from '@signet/verify/names';
import { WrongUsageError } from '../errors.js';

/**
 * The canonical form of a name as a person writes or pastes it.
 * @throws WrongUsageError for what is no name, for a form that only a server reads, and for an unknown platform
 */
export function canonicalName(platform: string, written: string): string {
  const name = findCanonicalName(platform, written);
  if (name !== null) return name;
  if (!Object.hasOwn(NAME_PATTERNS, platform)) {
    throw new WrongUsageError(
      `The platform ${JSON.stringify(platform)} is not known here, nor how its names are written.`,
    );
  }
  const shown = `${JSON.stringify(written)} on ${platform}`;
  throw new WrongUsageError(
    `What ${shown} is called there in full is not known here: ask for the name as the server shows it.`,
  );
}
