import { createHash } from 'node:crypto';
import { sealBlocks, sealPath, sealSvg } from '@signet/verify/seal';
import { sealPathOfDigest } from '@signet/verify/seal-of-digest';
import { sealOutlines } from '../src/seal-of-digest.js';
import { flattened } from '../src/seal/seal-outlines.js';

const ALICE = '0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3';
const BOB = `0x03${'5a'.repeat(32)}`;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
/** Keys by number; no point of the curve is needed to draw a seal. */
const keyOf = (number: number) => `0x02${sha256(`key ${number}`)}`;

describe('the signet seal', () => {
  it('is the same for a key for ever', () => {
    expect(sha256(sealPath(ALICE))).toBe('2329cc55daaa1b72f765b05b91076c833073885b5af9c350d77ff20fbb38b8bc');
    expect(sha256(sealPath(ALICE, 'emblem'))).toBe('a51417f3ebfc49c0d4545d08561f31b298986c67852f92c08d28f468a24e985f');
    expect(sha256(sealPath(BOB))).toBe('1e675e708650d3f7482d9ef09c727c21358f7f8d9041f6aadadec64501162923');
  });

  it('is drawn with block characters by the same outlines', () => {
    expect(sealBlocks(ALICE, 10)).toEqual([
      '      ▗▄▄▄▄▄▄▖      ',
      '   ▄▄▄███▛▜███▄▄▄   ',
      '  ▐███▌ ▜  ▛ ▐███▌  ',
      '▗▟█▙▖ ▜▄▛▛▜▜▄▛ ▗▟█▙▖',
      '▝██▛▀▘█▚▛▙▟▜▞█▝▀▜██▘',
      '▗██▙▄▖█▞▙▛▜▟▚█▗▄▟██▖',
      '▝▜█▛▘ ▟▀▙▙▟▟▀▙ ▝▜█▛▘',
      '  ▐███▌ ▟  ▙ ▐███▌  ',
      '   ▀▀▀███▙▟███▀▀▀   ',
      '      ▝▀▀▀▀▀▀▘      ',
    ]);
  });

  it.each([4, 12, 40])('has in a terminal %i lines, twice as many columns, and much ink', (lines) => {
    const drawn = sealBlocks(BOB, lines);

    expect(drawn.map((line) => line.length)).toEqual(Array.from({ length: lines }, () => 2 * lines));
    expect(drawn[0]!.trim()).not.toBe('');
    expect(drawn.at(-1)!.trim()).not.toBe('');
    expect(drawn.join('').replaceAll(' ', '').length).toBeGreaterThan(lines * lines * 0.5);
  });

  it('stays within its square for every key', () => {
    const points = Array.from({ length: 300 }, (_, number) =>
      (['full', 'emblem'] as const).flatMap((detail) =>
        sealOutlines(createHash('sha256').update(String(number)).digest(), detail).flatMap(flattened),
      ),
    );

    expect(points.flat().filter((value) => !(Math.abs(value) <= 50))).toEqual([]);
  });

  it('differs between any two of a thousand keys, in its emblem alone too', () => {
    const emblems = Array.from({ length: 1000 }, (_, number) => sealPath(keyOf(number), 'emblem'));
    const whole = Array.from({ length: 1000 }, (_, number) => sealPath(keyOf(number)));

    expect(new Set(whole).size).toBe(1000);
    expect(new Set(emblems).size).toBe(1000);
  });

  it('is one path in the colour of the text, of at most 12 kB, hidden from screen readers unless it has a label', () => {
    const svg = sealSvg(ALICE, { size: 160 });

    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="-50 -50 100 100" width="160" height="160" aria-hidden="true"><path fill="currentColor" fill-rule="evenodd" d="[-MLQCZ0-9. ]+"\/><\/svg>$/,
    );
    expect(sealSvg(ALICE, { label: 'Seal of "A" & <b>' })).toContain(
      ' role="img" aria-label="Seal of &quot;A&quot; &amp; &lt;b&gt;">',
    );
    for (let number = 0; number < 300; number++) expect(sealSvg(keyOf(number)).length).toBeLessThan(12_000);
  });

  it('is drawn from a hash that the page computed', async () => {
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(ALICE.slice(2), 'hex'));

    expect(sealPathOfDigest(new Uint8Array(digest))).toBe(sealPath(ALICE));
  });

  it('leaves out the inscription below 48 pixels', () => {
    expect(sealSvg(ALICE, { size: 24 })).toContain(sealPath(ALICE, 'emblem'));
    expect(sealSvg(ALICE, { size: 48 })).toContain(sealPath(ALICE, 'full'));
    expect(sealSvg(ALICE, { size: 24, detail: 'full' })).toContain(sealPath(ALICE, 'full'));
  });

  it.each(['', '0x', ALICE.toUpperCase(), ALICE.slice(2), `${ALICE}00`])('is not drawn for %j', (text) => {
    expect(() => sealSvg(text)).toThrow(TypeError);
    expect(() => sealBlocks(text)).toThrow(TypeError);
  });
});
