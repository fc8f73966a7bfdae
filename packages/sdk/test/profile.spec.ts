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
  ])('has no name that is %s, and keeps what else it has', (_, name) => {
    expect(read({ name, about: 'Fine.' })).toEqual({ name: null, about: 'Fine.', picture: null });
  });

  it('takes 64 characters as people count them', () => {
    expect(read({ name: '😀'.repeat(64) })?.name).toBe('😀'.repeat(64));
    expect(read({ name: '😀'.repeat(65) })).toBeNull();
  });

  it.each([
    ['PNG', PNG],
    ['JPEG', dataUrl('jpeg', jpegHeader)],
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
