import { findCanonicalName } from '@signet/verify/names';
import type { PlatformVerifier } from '../../src/platform-verifier.js';

/** What people type, with the canonical form of it; and what the platform could not have. */
export interface Forms {
  accepted: [text: string, canonical: string][];
  refused: string[];
}

/** What profiles, chats, mails and documents put around a name that is copied (`cleanPasted` of the rules). */
const COPIED: [what: string, around: (text: string) => string][] = [
  ['marks of direction', (text) => `\u202a${text}\u202c`],
  ['blanks of no width', (text) => `\u200b${text.slice(0, 2)}\u2060${text.slice(2)}`],
  ['a soft hyphen', (text) => `${text.slice(0, -1)}\u00ad${text.slice(-1)}`],
  ['blanks that do not break', (text) => `\u00a0${text}\u202f`],
  ['a line end', (text) => `${text}\t\r\n`],
  ['a byte order mark', (text) => `\ufeff${text}`],
  ['typographic quotes', (text) => `“${text}”`],
  ['straight quotes', (text) => `"${text}"`],
  ['angle brackets', (text) => `<${text}>`],
];

/** The identities of a platform: the spec of the platform gives only the texts. */
export function describeIdentities(verifier: PlatformVerifier, { accepted, refused }: Forms): void {
  describe(`${verifier.platform}: identities`, () => {
    const { identityExample, identityPattern } = verifier.guide;

    it.each([...accepted, [identityExample, identityExample]])('reads the identity %j as %j', (text, canonical) => {
      expect(verifier.canonicalIdentity(text)).toBe(canonical);
      expect(verifier.canonicalIdentity(canonical)).toBe(canonical);
      expect(canonical).toMatch(new RegExp(identityPattern));
    });

    it.each([...accepted, [identityExample, identityExample]])(
      'has a client read %j as the platform does, or not at all',
      (text, canonical) => {
        expect(findCanonicalName(verifier.platform, canonical)).toBe(canonical);
        expect([canonical, null]).toContain(findCanonicalName(verifier.platform, text));
      },
    );

    it.each(COPIED)('reads an identity that was copied with %s, and so does a client', (_what, around) => {
      expect(verifier.canonicalIdentity(around(identityExample))).toBe(identityExample);
      expect(findCanonicalName(verifier.platform, around(identityExample))).toBe(identityExample);
    });

    it.each(refused)('refuses the identity %j', (text) => {
      expect(() => verifier.canonicalIdentity(text)).toThrow(expect.objectContaining({ code: 'invalid_identity' }));
      expect(verifier.findIdentity?.(text) ?? null).toBeNull();
    });
  });
}

/** The locations of the posts of `identity`: the spec of the platform gives only the texts. */
export function describeLocations(
  verifier: PlatformVerifier,
  { identity, accepted, refused }: Forms & { identity: string },
): void {
  const canonicalLocation = async (text: string) => verifier.canonicalLocation!(text, identity);

  describe(`${verifier.platform}: locations`, () => {
    it.each(accepted)('reduces the location %j to %j', async (text, canonical) => {
      expect(await canonicalLocation(text)).toBe(canonical);
      expect(await canonicalLocation(canonical)).toBe(canonical);
    });

    it.each(COPIED)('reads a location that was copied with %s', async (_what, around) => {
      const [text, canonical] = accepted[0]!;
      expect(await canonicalLocation(around(text))).toBe(canonical);
    });

    it.each(refused)('refuses the location %j', async (text) => {
      await expect(canonicalLocation(text)).rejects.toMatchObject({ code: 'invalid_proof_location' });
    });
  });
}
