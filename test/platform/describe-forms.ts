import { findCanonicalName } from '@signet/sdk';
import type { PlatformVerifier } from '../../packages/look/src/platform-verifier.js';

/** What people type, with the canonical form of it; and what the platform could not have. */
export interface Forms {
  accepted: [text: string, canonical: string][];
  refused: string[];
}

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

    it.each(refused)('refuses the location %j', async (text) => {
      await expect(canonicalLocation(text)).rejects.toMatchObject({ code: 'invalid_proof_location' });
    });
  });
}
