import { addressOfKey, hasValidChecksum, toChecksumAddress } from '@signet/verify';

// The test cases of ERC-55.
const MIXED = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];
const ALL_CAPITALS = ['0x52908400098527886E0F7030069857D2E4169EE7', '0x8617E340B3D01FA5F11F306F4090FD50E238070D'];
const ALL_SMALL = ['0xde709f2102306220921060314715629080e2fb77', '0x27b1fdb04752bbc536007a920d24acb045561c26'];

describe('an Ethereum address', () => {
  it.each([...MIXED, ...ALL_CAPITALS, ...ALL_SMALL])('has the letter case %s of ERC-55', (address) => {
    expect(toChecksumAddress(address.toLowerCase())).toBe(address);
    expect(toChecksumAddress(`0x${address.slice(2).toUpperCase()}`)).toBe(address);
    expect(hasValidChecksum(address)).toBe(true);
  });

  it.each(MIXED)('is accepted without a checksum: %s in small letters or in capitals', (address) => {
    expect(hasValidChecksum(address.toLowerCase())).toBe(true);
    expect(hasValidChecksum(`0x${address.slice(2).toUpperCase()}`)).toBe(true);
  });

  it.each(MIXED)('is refused when one letter of %s changes its case', (address) => {
    const letter = address.search(/(?<=^0x.*)[a-f]/i);
    const flipped = address[letter]! === address[letter]!.toLowerCase() ? 'toUpperCase' : 'toLowerCase';

    expect(hasValidChecksum(address.slice(0, letter) + address[letter]![flipped]() + address.slice(letter + 1))).toBe(
      false,
    );
  });

  it.each([
    '',
    '0x',
    'vitalik.eth',
    MIXED[0]!.slice(2),
    MIXED[0]!.slice(0, -1),
    `${MIXED[0]}0`,
    `${MIXED[0]}\n`,
    `0X${MIXED[0]!.slice(2)}`,
  ])('is not %j', (text) => {
    expect(hasValidChecksum(text)).toBe(false);
    expect(() => toChecksumAddress(text)).toThrow(TypeError);
  });

  it('is not made of a text that is not a key', () => {
    expect(() => addressOfKey('0x02zz')).toThrow(TypeError);
    expect(() => addressOfKey(`0x02${'ff'.repeat(32)}`)).toThrow(TypeError);
  });
});
