import { sealPath } from '@signet/verify/seal';
import { isolatedName, withUnseen } from '@signet/verify/unseen';
import { escaped } from '../http/markup.js';
import type { ShownBinding } from '../proof/look-up/shown-bindings.js';

export interface BadgeFacts {
  platform: string;
  identity: string;
  /** Compressed key whose seal is drawn; null where there is no binding. */
  avatar: string | null;
  /** The name that the key signed of itself, which proves nothing; null where there is none. */
  name: string | null;
  state: 'valid' | 'unchecked' | 'gone' | 'not_found' | 'hidden';
  /** What stops the writes of the key; null where nothing does, or where there is no key. */
  hold: ShownBinding['hold'];
  /** The day of the state. */
  date: Date;
}

/** Colours of a badge, the same as those of the page. */
interface Theme {
  ground: string;
  line: string;
  text: string;
  quiet: string;
  states: Record<BadgeFacts['state'], string>;
}

export const THEMES = {
  light: {
    ground: '#ffffff',
    line: '#dcd8cf',
    text: '#1d1c1a',
    quiet: '#5b5750',
    states: { valid: '#1d6a3c', unchecked: '#605c55', gone: '#a3211c', not_found: '#605c55', hidden: '#605c55' },
  },
  dark: {
    ground: '#1b1e23',
    line: '#343941',
    text: '#e9e7e2',
    quiet: '#aaa79f',
    states: { valid: '#86cb9b', unchecked: '#aaa79f', gone: '#f2a39c', not_found: '#aaa79f', hidden: '#aaa79f' },
  },
} satisfies Record<string, Theme>;

/** Words of a state in front of its date. */
const WORDS: Record<BadgeFacts['state'], string> = {
  valid: 'valid',
  unchecked: 'not checked since',
  gone: 'gone, seen',
  not_found: 'not bound,',
  hidden: 'hidden by the operator,',
};
/** What stops a key, behind the state. */
const HELD: Record<NonNullable<BadgeFacts['hold']>, string> = { frozen: 'key frozen', succeeded: 'key moved' };
/** A sign for each state, so that colour is never the only one: strokes in a square of 12. */
const SIGNS: Record<BadgeFacts['state'], string> = {
  valid: 'M2 6.5L5 9.5L10.5 3',
  unchecked: 'M6 1.5A4.5 4.5 0 1 1 5.9 1.5M6 3.5V6.3L8 7.6',
  gone: 'M2.5 2.5L9.5 9.5M9.5 2.5L2.5 9.5',
  not_found: 'M2 6H10',
  hidden: 'M2 6H10',
};

const HEIGHT = 32;
/** Characters of an identity that are shown; longer ones lose their middle. */
const SHOWN = 40;
/** Of the name in a profile, which has no part that must not be missed; longer ones lose their end. */
const SHOWN_OF_NAME = 24;
const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/**
 * A badge as SVG text: the seal of the key, the identity, the name that the key gives itself, and in which state it was
 * on which day. It has no script, no style sheet and no address in it. The widths of texts are estimated and then
 * stated, so that it looks the same in every font.
 */
export function badgeSvg(facts: BadgeFacts, theme: Theme): string {
  const { platform, identity, avatar, name, state } = facts;
  const day = facts.date.toISOString().slice(0, 10);
  const colour = theme.states[state];
  const shownIdentity = shortened(withUnseen(identity));
  // In the quotes of what somebody says.
  const said = name === null ? null : `“${beginningOf(name)}”`;
  const held = facts.hold === null ? '' : `; ${HELD[facts.hold]}`;
  const stateText = `${WORDS[state]} ${day}${held}`;
  const platformAt = avatar === null ? 12 : 38;
  const nameAt = platformAt + widthOf(platform, 12) + 6;
  const saidAt = nameAt + widthOf(shownIdentity, 13) * 1.04 + 6;
  const signAt = (said === null ? saidAt - 6 : saidAt + widthOf(said, 12)) + 14;
  const stateAt = signAt + 18;
  const width = Math.ceil(stateAt + widthOf(stateText, 12) + 12);
  const called = name === null ? '' : `, “${isolatedName(name)}”`;
  const label = `Signet: ${isolatedName(identity)} on ${platform}${called}, ${stateText}`;
  const seal =
    avatar === null
      ? ''
      : `<path transform="translate(20 16) scale(.24)" fill="${theme.text}" fill-rule="evenodd" d="${sealPath(avatar, 'emblem')}"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${escaped(label)}" font-family="${FONT}">` +
    `<title>${escaped(label)}</title>` +
    `<rect x=".5" y=".5" width="${width - 1}" height="${HEIGHT - 1}" rx="6" fill="${theme.ground}" stroke="${theme.line}"/>` +
    seal +
    text(platformAt, platform, { size: 12, fill: theme.quiet }) +
    text(nameAt, shownIdentity, { size: 13, fill: theme.text, isBold: true }) +
    (said === null ? '' : text(saidAt, said, { size: 12, fill: theme.quiet })) +
    `<path transform="translate(${round(signAt)} 10)" d="${SIGNS[state]}" fill="none" stroke="${colour}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>` +
    text(stateAt, stateText, { size: 12, fill: colour }) +
    '</svg>'
  );
}

function text(
  x: number,
  value: string,
  { size, fill, isBold = false }: { size: number; fill: string; isBold?: boolean },
): string {
  const length = widthOf(value, size) * (isBold ? 1.04 : 1);
  const weight = isBold ? ' font-weight="600"' : '';
  // Names of one direction must not turn what stands beside them.
  return `<text x="${round(x)}" y="20.5" font-size="${size}"${weight} fill="${fill}" textLength="${round(length)}" lengthAdjust="spacingAndGlyphs" unicode-bidi="isolate">${escaped(value)}</text>`;
}

const NARROW = /[ijlt.,:;'!|I()[\]fr ]/;
const WIDE = /[mwMW@%]/;
const CAPITAL = /[A-Z]/;
// Full width: CJK, Hangul, kana, and what lies beyond the basic plane (mostly emoji).
const FULL = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{10000}-\u{10ffff}]/u;

/** Estimated width of a text in a common sans-serif font, in pixels. */
function widthOf(value: string, size: number): number {
  const ems = [...value].map((character) => {
    if (FULL.test(character)) return 1;
    if (NARROW.test(character)) return 0.33;
    if (WIDE.test(character)) return 0.88;
    return CAPITAL.test(character) ? 0.68 : 0.56;
  });
  return ems.reduce((sum, width) => sum + width, 0) * size;
}

/** The beginning and the end of a long name. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= SHOWN) return name;
  return `${characters.slice(0, SHOWN - 13).join('')}…${characters.slice(-12).join('')}`;
}

function beginningOf(name: string): string {
  const characters = [...name];
  return characters.length <= SHOWN_OF_NAME ? name : `${characters.slice(0, SHOWN_OF_NAME - 1).join('')}…`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
