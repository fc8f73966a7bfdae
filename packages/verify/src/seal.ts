/**
 * The signet seal of a key, as SVG and as block characters for a terminal: see seal-of-digest.ts for what is drawn.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { type SealDetail, sealOutlines } from './seal-of-digest.js';
import { flattened, isInked, type Outline, toPathData } from './seal/seal-outlines.js';

export type { SealDetail } from './seal-of-digest.js';

const KEY = /^0x[0-9a-f]{66}$/; // a compressed key

/** @throws TypeError for other text than a compressed key */
function outlinesOf(compressedKey: string, detail: SealDetail): Outline[] {
  if (!KEY.test(compressedKey)) throw new TypeError('A seal is drawn from 0x and 66 lowercase hex digits.');
  return sealOutlines(sha256(hexToBytes(compressedKey.slice(2))), detail);
}

/** How a seal is drawn as SVG. */
export interface SealOptions {
  /** Pixels of each side; without it the seal fills what it stands in. */
  size?: number | undefined;
  /** `emblem` below 48 pixels, else `full`, when absent. */
  detail?: SealDetail | undefined;
  /** What a screen reader says. Without it the seal is hidden from screen readers: it decorates a name. */
  label?: string | undefined;
}

/** The attribute `d` of the one path of a seal, for a square from -50 to 50 and `fill-rule="evenodd"`. */
export function sealPath(compressedKey: string, detail: SealDetail = 'full'): string {
  return toPathData(outlinesOf(compressedKey, detail));
}

/**
 * The corners of the outlines of a seal, for programs that draw it themselves: for each outline x and y in turn, in a
 * square from -50 to 50, filled by the even-odd rule.
 * @param pieces straight pieces by which each curve is replaced
 * @throws TypeError for other text than a compressed key
 */
export function sealCorners(compressedKey: string, detail: SealDetail, pieces: number): number[][] {
  return outlinesOf(compressedKey, detail).map((outline) => flattened(outline, pieces));
}

/**
 * The seal as SVG text, in the colour of the text around it (`currentColor`).
 * @param compressedKey `0x` and 66 lowercase hex digits
 * @throws TypeError for other text
 */
export function sealSvg(compressedKey: string, { size, detail, label }: SealOptions = {}): string {
  const drawn = detail ?? (size !== undefined && size < 48 ? 'emblem' : 'full');
  const sides = size === undefined ? '' : ` width="${size}" height="${size}"`;
  const access = label === undefined ? 'aria-hidden="true"' : `role="img" aria-label="${escaped(label)}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100"${sides} ${access}>` +
    `<path fill="currentColor" fill-rule="evenodd" d="${sealPath(compressedKey, drawn)}"/></svg>`
  );
}

const ENTITIES: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that no XML document may hold: XML 1.0, 2.2, `Char`. */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!).replace(NO_XML, '\ufffd');
}

/** Enough for figures of some hundred dots. */
const PIECES_OF_A_CURVE = 6;
/** Quarter blocks by the bits: upper left 1, upper right 2, lower left 4, lower right 8. */
const QUADRANTS = ' ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█';

/**
 * The seal's emblem for a terminal: lines of block characters, about square where characters are twice as high as wide.
 * @param lines how many lines, 4 to 40; twice as many columns
 * @throws TypeError for other text than a compressed key
 */
export function sealBlocks(compressedKey: string, lines = 12): string[] {
  const corners = sealCorners(compressedKey, 'emblem', PIECES_OF_A_CURVE);
  const at = (part: number, parts: number) => ((part + 0.5) / parts) * 100 - 50;
  const inked = (column: number, row: number) => isInked(corners, at(column, 4 * lines), at(row, 2 * lines));
  return Array.from({ length: lines }, (_, line) =>
    Array.from({ length: 2 * lines }, (_, column) => {
      const [x, y] = [2 * column, 2 * line];
      const bits = [inked(x, y), inked(x + 1, y), inked(x, y + 1), inked(x + 1, y + 1)];
      return QUADRANTS[bits.reduce((sum, bit, index) => sum | (Number(bit) << index), 0)]!;
    }).join(''),
  );
}
