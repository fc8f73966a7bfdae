import { AvatarKey } from '../../src/domain/avatar-key.js';

// The base point of secp256k1 in both forms (SEC 2, 2.4.1).
const X = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const Y = '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8';
const COMPRESSED = `0x02${X}`;
const UNCOMPRESSED = `0x04${X}${Y}`;

describe('an Avatar key', () => {
  it.each([
    ['compressed', COMPRESSED],
    ['uncompressed', UNCOMPRESSED],
    ['in capitals', `0x02${X.toUpperCase()}`],
    ['uncompressed in capitals', `0x04${X.toUpperCase()}${Y.toUpperCase()}`],
  ])('is the same however it is spelled: %s', (_spelling, text) => {
    const { compressed, uncompressed } = AvatarKey.parse(text);

    expect({ compressed, uncompressed }).toEqual({ compressed: COMPRESSED, uncompressed: UNCOMPRESSED });
  });

  it('is another one with the other parity of y', () => {
    const { compressed, uncompressed } = AvatarKey.parse(`0x03${X}`);

    expect(compressed).toBe(`0x03${X}`);
    expect(uncompressed).not.toBe(UNCOMPRESSED);
  });

  const refused = [
    ['empty text', ''],
    ['0x alone', '0x'],
    ['another spelling of 0x', COMPRESSED.replace('0x', '0X')],
    ['65 digits', COMPRESSED.slice(0, -1)],
    ['67 digits', `${COMPRESSED}0`],
    ['64 digits, as in the pattern of older documents', `0x${X}`],
    ['129 digits', UNCOMPRESSED.slice(0, -1)],
    ['a letter that is not a digit', COMPRESSED.replace(/.$/, 'g')],
    ['a line break behind', `${COMPRESSED}\n`],
    ['a space before', ` ${COMPRESSED}`],
    ['x above the prime of the field', `0x02${'f'.repeat(64)}`],
    ['x without a point on the curve', `0x02${'0'.repeat(63)}5`],
    ['a point off the curve', UNCOMPRESSED.replace(/.$/, '9')],
    ['an uncompressed length with a compressed prefix', UNCOMPRESSED.replace('0x04', '0x02')],
    ['a compressed length with an uncompressed prefix', COMPRESSED.replace('0x02', '0x04')],
    ['the point at infinity', `0x00${'0'.repeat(64)}`],
  ];

  it.each(refused)('cannot be %s', (_what, text) => {
    expect(() => AvatarKey.parse(text)).toThrow(expect.objectContaining({ code: 'invalid_public_key' }));
    expect(() => AvatarKey.parseLoose(text)).toThrow(expect.objectContaining({ code: 'invalid_public_key' }));
    expect(AvatarKey.find(text)).toBeNull();
  });

  it('is read once while its text is remembered, which the newest texts are', () => {
    const key = AvatarKey.parse(COMPRESSED);
    expect(AvatarKey.parse(COMPRESSED)).toBe(key);

    // As many spellings of the same key, by the letter case of its first digits.
    for (let number = 1; number <= 2000; number += 1) {
      let bit = 0;
      AvatarKey.parse(
        COMPRESSED.replaceAll(/[a-f]/g, (digit) => ((number >> bit++) & 1 ? digit.toUpperCase() : digit)),
      );
    }

    expect(AvatarKey.parse(COMPRESSED)).not.toBe(key);
    expect(AvatarKey.parse(COMPRESSED)).toEqual(key);
  });

  it('needs its 0x, except where a key-value write gives it', () => {
    const bare = COMPRESSED.slice(2);

    expect(() => AvatarKey.parse(bare)).toThrow('expected 0x');
    expect(AvatarKey.find(bare)).toBeNull();
    expect(AvatarKey.parseLoose(bare).compressed).toBe(COMPRESSED);
    expect(AvatarKey.parseLoose(UNCOMPRESSED.slice(2)).compressed).toBe(COMPRESSED);
    expect(AvatarKey.parseLoose(COMPRESSED).compressed).toBe(COMPRESSED);
  });
});
