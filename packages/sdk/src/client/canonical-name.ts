/** Canonical names for questions to a map. */
import { findCanonicalName, NAME_PATTERNS } from '@signet/verify/names';
import { WrongUsageError } from '../errors.js';

/** As `findCanonicalName`. @throws WrongUsageError for a form that only a server reads, and for an unknown platform */
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
