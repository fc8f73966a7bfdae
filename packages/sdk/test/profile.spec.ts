import { readFileSync } from 'node:fs';
import { readProfile } from '../src/index.js';

const AVATAR = '0x039997a497d964fc1a62885b05a51166a65a90df00492c8d7cf61d6accf54803be';
/** The picture of the example of the page: a PNG of 64 pixels. */
const EXAMPLE = JSON.parse(readFileSync(new URL('../../../web/public/example.json', import.meta.url), 'utf8')) as {
  patches: { patch: { profile: { picture: string } } }[];
};
const PNG = EXAMPLE.patches[0]!.patch.profile.picture;

const contentOf = (content: object, identity = AVATAR) => ({
  avatar: AVATAR,
  proofs: [{ platform: 'self', identity, content, is_bound: true }] as never,
});
const read = (profile: unknown) => readProfile(contentOf({ profile }));
const dataUrl = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString('base64')}`;
const pngOf = (change: (bytes: Buffer) => void) => {
  const bytes = Buffer.from(PNG.split(',')[1]!, 'base64');
  change(bytes);
  return dataUrl('png', bytes);
};
/** Headers of pictures of 40 by 30 pixels, as their standards have them. */
const jpegHeader = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108001e002803011100', 'hex');
const START = Buffer.from('ffd8', 'hex');
const END = Buffer.from('ffd9', 'hex');
/** SOF0 of one component and `side` pixels on each side. */
const FRAME = (side: number) => Buffer.from(`ffc0000b08${side.toString(16).padStart(4, '0').repeat(2)}01011100`, 'hex');
/** A marker, and a length behind it that leads over a frame header of 16,000 pixels. */
const FALSE_SEGMENT = (marker: number) => {
  const hidden = FRAME(16_000);
  return Buffer.concat([Buffer.from([0xff, marker, 0, 2 + hidden.length]), hidden]);
};
const webpOf = (chunk: string, rest: string) =>
  Buffer.concat([
    Buffer.from('RIFF'),
    Buffer.alloc(4),
    Buffer.from(`WEBP${chunk}`),
    Buffer.alloc(4),
    Buffer.from(rest, 'hex'),
    Buffer.alloc(8),
  ]);

describe('the profile of an Avatar', () => {
  it('is the member of its own content, in any spelling of its key', () => {
    const profile = { name: ' Ålice ', about: 'Builds bridges 👩‍🚀.', picture: PNG };

    expect(readProfile(contentOf({ profile }))).toEqual({ ...profile, name: 'Ålice' });
    expect(readProfile(contentOf({ profile }, AVATAR.toUpperCase().replace('0X', '0x')))).not.toBeNull();
  });

  it('is not what is written under an account, and null where there is none', () => {
    expect(readProfile(contentOf({ profile: { name: 'Alice' } }, 'alice'))).toBeNull();
    expect(readProfile(null)).toBeNull();
    for (const none of [undefined, null, 'Alice', 7, [], {}, { name: 7, about: {}, picture: true }]) {
      expect(read(none)).toBeNull();
    }
  });

  it.each([
    ['too long', 'a'.repeat(65)],
    ['very long', 'a'.repeat(1_000_000)],
    ['of two lines', 'Alice\nAdmin'],
    ['turned round', 'Alice\u202enimda'],
    ['with a NUL', 'Alice\u0000'],
    ['of piled marks', `Z${'\u0301'.repeat(40)}`],
    ['blank', '  \t '],
    ['with a line separator', 'Alice\u2028Admin'],
    ['of four marks on each letter', 'X\u0301\u0302\u0303\u0304'],
    ['with a soft hyphen', 'Ali\u00adce'],
    ['with a word joiner', 'Ali\u2060ce'],
    ['with a joiner between Latin letters', 'Ali\u200dce'],
    ['with a variation selector behind a letter', 'Alice\ufe0f'],
    ['with an annotation mark', 'Ali\ufff9ce'],
    ['with tag characters', 'Alice\u{e0041}\u{e0064}'],
    ['of a Hangul filler alone', '\u3164'],
    ['of empty Braille', '\u2800\u2800'],
    ['of zero-width spaces', '\u200b\u200b'],
    ['of marks alone', '\u0301\u0302'],
    ['of private characters', 'Alice \uf8ff'],
  ])('has no name that is %s, and keeps what else it has', (_, name) => {
    expect(read({ name, about: 'Fine.' })).toEqual({ name: null, about: 'Fine.', picture: null });
  });

  it.each([
    '✓ Verified by GitHub ✓',
    'Alice ✔',
    'Alice ✔️',
    '✅ Alice',
    '☑ Alice',
    '🗸 Alice',
    'Alice √',
    '✗ Mallory',
    '❌ Mallory',
    '💬 GitHub',
  ])('has no name with a sign that the page has for its checks: %s', (name) => {
    expect(read({ name, about: 'Fine ✓' })).toEqual({ name: null, about: 'Fine ✓', picture: null });
  });

  it.each([
    'علی‌رضا',
    'क्‍ष',
    'José',
    '👩‍🚀 Ada',
    'Zoë ❤️',
    '1️⃣ One',
    'Nguyễn Thị',
    'בְּרֵאשִׁית',
    'ผู้ใหญ่',
    'O’Neill-Ng',
    '田中 太郎',
  ])('has a name in the spelling of its language: %s', (name) => {
    expect(read({ name })?.name).toBe(name.normalize('NFC'));
  });

  it('takes 64 characters as people count them', () => {
    expect(read({ name: '😀'.repeat(64) })?.name).toBe('😀'.repeat(64));
    expect(read({ name: '😀'.repeat(65) })).toBeNull();
  });

  it.each([
    ['PNG', PNG],
    ['JPEG', dataUrl('jpeg', jpegHeader)],
    ['progressive JPEG', dataUrl('jpeg', Buffer.concat([START, Buffer.from(FRAME(1)).fill(0xc2, 1, 2), END]))],
    ['WebP, lossy', dataUrl('webp', webpOf('VP8 ', '3001009d012a28001e00'))],
    ['WebP, lossless', dataUrl('webp', webpOf('VP8L', '2f2740070000000000'))],
    ['WebP, extended', dataUrl('webp', webpOf('VP8X', '000000002700001d0000'))],
  ])('has a picture that is a %s', (_, picture) => {
    expect(read({ picture })?.picture).toBe(picture);
  });

  it.each([
    ['an address', 'https://tracker.example/me.png'],
    [
      'an SVG',
      `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`,
    ],
    ['a page', 'data:text/html,<script>alert(1)</script>'],
    ['of another type than it says', PNG.replace('image/png', 'image/jpeg')],
    ['a GIF', 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='],
    ['with words behind the type', PNG.replace(';base64', ';charset=x;base64')],
    ['with a blank', PNG.replace(',', ', ')],
    ['too long', `${PNG}${'A'.repeat(40_000)}`],
    ['wider than 512 pixels', pngOf((bytes) => bytes.writeUInt32BE(513, 16))],
    ['of 2 thousand million pixels', pngOf((bytes) => bytes.writeUInt32BE(0x7fffffff, 20))],
    ['without height', pngOf((bytes) => bytes.writeUInt32BE(0, 20))],
    ['animated, as PNG', pngOf((bytes) => bytes.write('acTL', bytes.indexOf('PLTE'), 'latin1'))],
    ['animated, as WebP', dataUrl('webp', webpOf('VP8X', '020000002700001d0000'))],
    ['a large WebP', dataUrl('webp', webpOf('VP8X', '00000000ff7f001d0000'))],
    ['cut off', PNG.slice(0, 40)],
    ['a JPEG without a frame', dataUrl('jpeg', jpegHeader.subarray(0, 20))],
    // FF01 (TEM) has no length for a decoder, which goes on to the frame of 16,000 pixels behind it.
    ['a JPEG of two frame headers', dataUrl('jpeg', Buffer.concat([START, FALSE_SEGMENT(0x01), FRAME(1), END]))],
    ...[0xd0, 0xd7, 0x02, 0xbf, 0xf0, 0xff, 0xd8, 0xcc].map((marker): [string, string] => [
      `a JPEG with the marker ${marker.toString(16)} before its frame`,
      dataUrl('jpeg', Buffer.concat([START, FALSE_SEGMENT(marker), FRAME(1), END])),
    ]),
    [
      'a JPEG with a segment of no length',
      dataUrl('jpeg', Buffer.concat([START, Buffer.from('ffe00000', 'hex'), FRAME(1), END])),
    ],
    [
      'a JPEG whose frame header has another length',
      dataUrl('jpeg', Buffer.from('ffd8ffc0001208001e00280301110000', 'hex')),
    ],
    ['a JPEG without loss', dataUrl('jpeg', Buffer.concat([START, Buffer.from(FRAME(1)).fill(0xc3, 1, 2), END]))],
    ['a PNG whose first chunk is longer', pngOf((bytes) => bytes.writeUInt32BE(14, 8))],
    ['a WebP of another bit stream, lossy', dataUrl('webp', webpOf('VP8 ', '3001009d012b28001e00'))],
    ['a WebP of another bit stream, lossless', dataUrl('webp', webpOf('VP8L', '2e2740070000000000'))],
    ['a list', [PNG]],
  ])('has no picture that is %s', (_, picture) => {
    expect(read({ name: 'Alice', picture })).toEqual({ name: 'Alice', about: null, picture: null });
  });

  it('is read of no bytes in more than a moment, whatever they are', () => {
    const hostile = Buffer.alloc(24_000);
    hostile.write('\x89PNG\r\n\x1a\n', 'latin1');
    hostile.write('IHDR', 12, 'latin1');
    expect(read({ picture: dataUrl('png', hostile) })).toBeNull();
    expect(read({ picture: dataUrl('jpeg', Buffer.alloc(24_000, 0xff)) })).toBeNull();
  });
});
