import type { SeededRandom } from '../crypto/seeded-random.js';

/** Texts that have broken services before. */
const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  '1e400',
  'NaN',
  'null',
  'true',
  '[object Object]',
  '%',
  '_',
  '\\',
  "'; drop table proof; --",
  '{"a":1}',
  '../../etc/passwd',
  '\u0000',
  '\ud800',
  '\u202e',
  'é'.normalize('NFD'),
  '💥',
  '0x',
  `0x${'f'.repeat(66)}`,
  'A'.repeat(257),
  ','.repeat(60),
  '__proto__',
  'constructor',
  '99999999999999999999',
  '00000000-0000-4000-8000-000000000000',
];

/** Values of every JSON type. */
const VALUES: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  [],
  {},
  [[]],
  [null],
  { a: { b: [] } },
  { toString: 1 },
];

export function hostileText(random: SeededRandom): string {
  const pick = random.below(TEXTS.length + 3);
  if (pick < TEXTS.length) return TEXTS[pick]!;
  return String.fromCodePoint(...Array.from({ length: 1 + random.below(40) }, () => codePoint(random)));
}

export function hostileValue(random: SeededRandom): unknown {
  return random.below(2) === 0 ? hostileText(random) : VALUES[random.below(VALUES.length)];
}

/** Any code point but a lone surrogate, which is among the texts above. */
function codePoint(random: SeededRandom): number {
  const code = random.below(random.below(4) === 0 ? 0x110000 : 0x250);
  return code >= 0xd800 && code <= 0xdfff ? 0x2603 : code;
}

/** One character of `text` replaced, removed or doubled. */
export function withOneChange(text: string, random: SeededRandom): string {
  const at = random.below(text.length + 1);
  const middle = [String.fromCharCode(33 + random.below(90)), '', text.slice(at, at + 1).repeat(2)][random.below(3)]!;
  return text.slice(0, at) + middle + text.slice(at + 1);
}
