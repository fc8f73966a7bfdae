import { decodeBase58, decodeBase64, decodeHex, encodeBase58, encodeBase64, encodeHex } from '@signet/verify';
import { hex } from './vectors.js';

describe('Base64', () => {
  // RFC 4648, section 10.
  it.each([
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foob', 'Zm9vYg=='],
    ['fooba', 'Zm9vYmE='],
    ['foobar', 'Zm9vYmFy'],
  ])('writes and reads %j as %j', (text, base64) => {
    const bytes = new Uint8Array(Buffer.from(text));

    expect(encodeBase64(bytes)).toBe(base64);
    expect(decodeBase64(base64)).toEqual(bytes);
  });

  it.each([
    ['stray bits behind the last byte', 'Zh=='],
    ['stray bits behind the last two bytes', 'Zm9='],
    ['no padding', 'Zg'],
    ['half the padding', 'Zg='],
    ['too much padding', 'Zg==='],
    ['padding behind whole groups', 'Zm9v===='],
    ['padding alone', '='],
    ['padding in the middle', 'Zg==Zg=='],
    ['a single character', 'Z'],
    ['a space before', ' Zm9v'],
    ['a newline behind', 'Zm9v\n'],
    ['a line break inside', 'Zm9v\r\nYmFy'],
    ['the alphabet for URLs, minus', '-m9v'],
    ['the alphabet for URLs, underscore', '_m9v'],
    ['a comma', 'Zm9,'],
    ['a NUL', 'Zm9v\0'],
    ['a letter beyond ASCII', 'Zm9é'],
    ['a letter whose low byte is a Base64 digit', 'Zm9\u0176'],
    ['half a surrogate pair', 'Zm9\ud800'],
  ])('refuses %s', (_, text) => {
    expect(decodeBase64(text)).toBeNull();
  });

  it('has exactly one text for every pair of bytes', () => {
    const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'];
    let accepted = 0;
    for (const second of alphabet) {
      for (const third of alphabet) if (decodeBase64(`A${second}${third}=`)) accepted++;
    }

    expect(accepted).toBe(64 * 16); // the last character of such a text has 4 free bits and 2 that must be 0
  });
});

describe('hex', () => {
  it('reads any letter case and writes lowercase', () => {
    expect(decodeHex('00fFAb')).toEqual(hex('00ffab'));
    expect(encodeHex(hex('00FFAB'))).toBe('00ffab');
    expect(decodeHex('')).toEqual(new Uint8Array());
  });

  it('writes just the bytes of a view into a larger buffer', () => {
    expect(encodeHex(hex('0011223344').subarray(1, 3))).toBe('1122');
    expect(encodeBase64(hex('00666f6f00').subarray(1, 4))).toBe('Zm9v');
  });

  it.each(['0', '0x00', '0g', '00 ', '00\n', ' 00', '００', 'zz'])('refuses %j', (text) => {
    expect(decodeHex(text)).toBeNull();
  });
});

describe('Base58', () => {
  // draft-msporny-base58-03, section 5.
  it.each([
    ['48656c6c6f20576f726c6421', '2NEpo7TZRRrLZSi2U'],
    [
      '54686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e',
      'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z',
    ],
    ['0000287fb4cd', '11233QC4'],
  ])('writes and reads %s as %s', (bytes, text) => {
    expect(encodeBase58(hex(bytes))).toBe(text);
    expect(decodeBase58(text)).toEqual(hex(bytes));
  });

  it.each(['0', 'O', 'I', 'l', '2NEpo7TZRRrLZSi2U ', '+', '/', '=', 'é', '\0'])('refuses %j', (text) => {
    expect(decodeBase58(text)).toBeNull();
  });

  it('refuses a text of a megabyte without working through it', () => {
    // Decoding it would take hours, and the test has a time limit.
    expect(decodeBase58('z'.repeat(1 << 20))).toBeNull();
  });
});
