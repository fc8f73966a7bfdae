import { sealCorners } from '@signet/verify/seal';
import { type Colour, encodePng } from './png.js';

/** Pixels of a preview: social networks cut the picture of a link to about this shape (Open Graph; 1.91:1). */
export const PICTURE = { width: 1200, height: 630 };

/** Pixels of each side of the seal, in the middle. */
const SEAL = 500;
/** Lines on which each row of pixels is sampled. */
const LINES = 4;
/** Straight pieces of a curve: at this size no corner can be seen. */
const PIECES = 16;
/** Colours from the ground to the ink: 4 bits for each pixel. */
const SHADES = 16;
/** The ground and the accent of the page: web/src/style/tokens.css. */
const GROUND: Colour = [0xfb, 0xfa, 0xf8];
const INK: Colour = [0x1f, 0x4b, 0x8f];

/**
 * The seal of a key in the middle of an empty sheet, as PNG. Drawing it takes some 10 ms.
 * @param compressedKey `0x` and 66 lowercase hex digits
 * @throws TypeError for other text than a compressed key
 */
export function sealPicture(compressedKey: string): Buffer {
  const { width, height } = PICTURE;
  const left = (width - SEAL) / 2;
  const top = (height - SEAL) / 2;
  const shades = inkOf(sealCorners(compressedKey, 'full', PIECES));
  const pixels = new Uint8Array((width * height) / 2);
  for (let y = 0; y < SEAL; y++) {
    for (let x = 0; x < SEAL; x += 2) {
      const [one, other] = [shades[y * SEAL + x]!, shades[y * SEAL + x + 1]!];
      pixels[((top + y) * width + left + x) / 2] = (one << 4) | other;
    }
  }
  return encodePng(pixels, { width, height, palette: Array.from({ length: SHADES }, (_, shade) => mixed(shade)) });
}

function mixed(shade: number): Colour {
  const part = shade / (SHADES - 1);
  return GROUND.map((value, place) => Math.round(value + (INK[place]! - value) * part)) as unknown as Colour;
}

/** How much of each pixel of the square is inked, 0 to 15, row by row. */
function inkOf(corners: number[][]): Uint8Array {
  const lines = crossings(corners);
  const ink = new Float32Array(SEAL * SEAL);
  for (const [line, places] of lines.entries()) {
    const row = Math.floor(line / LINES) * SEAL;
    places.sort((one, other) => one - other);
    // By the even-odd rule there is ink between each odd crossing and the next one.
    for (let index = 0; index + 1 < places.length; index += 2) fill(ink, row, places[index]!, places[index + 1]!);
  }
  const shades = new Uint8Array(ink.length);
  // A loop, because `from` with a function takes longer than all of the drawing.
  for (let place = 0; place < ink.length; place++) shades[place] = Math.round((ink[place]! / LINES) * (SHADES - 1));
  return shades;
}

/** Where the outlines cross each line, in pixels from the left. */
function crossings(corners: number[][]): number[][] {
  const count = SEAL * LINES;
  const lines = Array.from({ length: count }, (): number[] => []);
  const across = (value: number) => ((value + 50) / 100) * SEAL;
  const down = (value: number) => ((value + 50) / 100) * count - 0.5;
  for (const points of corners) {
    for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
      const [xa, ya, xb, yb] = [across(points[j]!), down(points[j + 1]!), across(points[i]!), down(points[i + 1]!)];
      const [low, high] = ya < yb ? [ya, yb] : [yb, ya];
      const last = Math.min(count, Math.ceil(high));
      for (let line = Math.max(0, Math.ceil(low)); line < last; line++) {
        lines[line]!.push(xa + ((xb - xa) * (line - ya)) / (yb - ya));
      }
    }
  }
  return lines;
}

/** Adds to each pixel the part of it that lies between two places of its row. */
function fill(ink: Float32Array, row: number, from: number, to: number): void {
  const start = Math.max(0, from);
  const end = Math.min(SEAL, to);
  const [first, last] = [Math.floor(start), Math.floor(end)];
  for (let x = first; x < last; x++) ink[row + x]! += 1;
  // The loop added too much at the left edge, and left out the right edge.
  if (first < SEAL) ink[row + first]! -= start - first;
  if (last < SEAL) ink[row + last]! += end - last;
}
