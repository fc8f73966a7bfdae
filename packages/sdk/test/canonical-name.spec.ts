import { canonicalName } from '../src/names/canonical-name.js';
import { findCanonicalName, isSameName, WrongUsageError } from '../src/index.js';

/** Names on platforms that a program knows are read as they are; what it does not know is never guessed. */
describe('a name', () => {
  it.each([
    ['reddit', 'PaulG'],
    ['linkedin', '0000-0002-1825-009X'],
    ['Ethereum', '0x5e00000000000000000000000000000000000001'],
    ['GitHub', 'alice'],
    ['ethereum ', '0x5e00000000000000000000000000000000000001'],
    ['x', 'alice'],
    ['constructor', 'alice'],
    ['', 'alice'],
  ])(
    'on the platform %j, which is not known, has no canonical form that a client could ask a map for',
    (platform, name) => {
      expect(findCanonicalName(platform, name)).toBeNull();
      expect(() => canonicalName(platform, name)).toThrow(
        new WrongUsageError(
          `The platform ${JSON.stringify(platform)} is not known here, nor how its names are written.`,
        ),
      );
      expect(isSameName({ platform, identity: name }, name)).toBe(true);
      expect(isSameName({ platform, identity: name.toLowerCase() }, `${name}A`)).toBe(false);
    },
  );

  it.each([
    ['discord', 'alice#0001', 'Alice#0001', false],
    ['discord', 'Alice#0001', '@Alice#0001', true],
    ['discord', 'alice.smith', 'Alice.Smith', true],
    ['solana', 'DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy', 'dRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy', false],
    ['github', 'alice', '@Alice', true],
    ['twitter', 'alice', 'ALICE', true],
    ['ethereum', '0xabcdef0000000000000000000000000000000001', '0xABCDEF0000000000000000000000000000000001', true],
    ['activitypub', 'alice@social.example', '@Alice@Social.Example', true],
    ['github', 'alice', 'https://github.com/alice', false],
    ['reddit', 'paulg', 'PaulG', false],
    ['reddit', 'paulg', ' "paulg\u200b"\r\n', true],
    ['github', 'alice', '\ufeff@Alice\u00a0', true],
  ])(
    'on %s: whether %j is what a person means by %j, by the letter case of the platform: %s',
    (platform, identity, written, isSame) => {
      expect(isSameName({ platform, identity }, written)).toBe(isSame);
    },
  );
});
