/**
 * The card of a key as a PNG, in the shape that social networks show of a picture. Drawn here, because this browser has
 * the letters of all names: seal, picture, name, accounts, and the code that leads to its page.
 */
import { sealPath } from '@signet/verify/seal';
import { withUnseen } from '@signet/verify/unseen';
import { encode } from 'uqr';
import { shownLines } from './card-lines.js';
import type { Card } from './code-panel.js';
import { download } from './download.js';

const [WIDTH, HEIGHT] = [1200, 630];
const MARGIN = 72;
const CODE_SIDE = 300;
/** White modules around the code (ISO/IEC 18004). */
const QUIET = 4;
const SEAL_SIDE = 150;
/** Part of its size to which a line shrinks before it loses its end. */
const SMALLEST = 0.6;
/** From the foot of a line to that of the next. */
const LINE_HEIGHT = 40;
/** Colours of the page in the light: what is sent is looked at on a white ground more often than not. */
const COLOURS = { ground: '#fbfaf8', ink: '#1d1c1a', quiet: '#5b5750', accent: '#1f4b8f' };
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif";

/** Gives the card to an app of the device where that takes pictures, else saves it as a file. @throws Error */
export async function giveCard(address: string, card: Card): Promise<void> {
  const file = new File([await cardPicture(address, card)], 'signet.png', { type: 'image/png' });
  const shared = { files: [file], url: address };
  // Some browsers have no share sheet, and some take no files.
  if (matchMedia('(pointer: coarse)').matches && 'canShare' in navigator && navigator.canShare(shared)) {
    await navigator.share(shared).catch((error: unknown) => {
      if ((error as Partial<Error>).name !== 'AbortError') download(file, file.name);
    });
  } else {
    download(file, file.name);
  }
}

/** The card of 1200 by 630 pixels, as PNG. @throws Error where the browser cannot draw */
export async function cardPicture(address: string, { title, lines, avatar, picture }: Card): Promise<Blob> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws nothing.');
  context.fillStyle = COLOURS.ground;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  let left = MARGIN;
  if (avatar !== undefined) {
    drawSeal(context, avatar, left, MARGIN);
    left += SEAL_SIDE + 28;
  }
  if (picture) await drawPicture(context, picture, left, MARGIN);
  const room = WIDTH - 3 * MARGIN - CODE_SIDE;
  context.textBaseline = 'alphabetic';
  write(context, [title], { y: 320, size: 56, weight: 650, colour: COLOURS.ink, room });
  write(context, shownLines(lines), { y: 376, size: 28, weight: 400, colour: COLOURS.quiet, room });
  drawCode(context, address, WIDTH - MARGIN - CODE_SIDE, MARGIN);
  write(context, [address.replace(/^https?:\/\//, '')], {
    y: HEIGHT - 30,
    size: 20,
    weight: 400,
    colour: COLOURS.quiet,
    room: WIDTH - 2 * MARGIN,
  });
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('This browser made no picture.'))), 'image/png');
  });
}

function drawSeal(context: CanvasRenderingContext2D, avatar: string, x: number, y: number): void {
  context.save();
  context.translate(x + SEAL_SIDE / 2, y + SEAL_SIDE / 2);
  context.scale(SEAL_SIDE / 100, SEAL_SIDE / 100);
  context.fillStyle = COLOURS.accent;
  context.fill(new Path2D(sealPath(avatar, 'full')), 'evenodd');
  context.restore();
}

/** The picture of a profile, cut to a round. One that does not decode is left out. */
async function drawPicture(context: CanvasRenderingContext2D, picture: string, x: number, y: number): Promise<void> {
  const image = new Image();
  image.src = picture;
  try {
    await image.decode();
  } catch {
    return;
  }
  context.save();
  context.beginPath();
  context.arc(x + SEAL_SIDE / 2, y + SEAL_SIDE / 2, SEAL_SIDE / 2, 0, 2 * Math.PI);
  context.clip();
  context.drawImage(image, x, y, SEAL_SIDE, SEAL_SIDE);
  context.restore();
}

function drawCode(context: CanvasRenderingContext2D, address: string, x: number, y: number): void {
  const { data, size } = encode(address, { ecc: 'M', border: QUIET });
  const side = Math.floor(CODE_SIDE / size);
  const start = (CODE_SIDE - side * size) / 2;
  context.fillStyle = '#fff';
  context.fillRect(x, y, CODE_SIDE, CODE_SIDE);
  context.fillStyle = '#000';
  data.forEach((row, down) =>
    row.forEach((isDark, across) => {
      if (isDark) context.fillRect(x + start + across * side, y + start + down * side, side, side);
    }),
  );
}

interface Written {
  /** Of the foot of the first line. */
  y: number;
  size: number;
  weight: number;
  colour: string;
  /** Pixels; a longer text loses its end. */
  room: number;
}

/**
 * Writes lines of one size at the left margin. What cannot be seen stands there by its number, so nothing turns a line.
 */
function write(
  context: CanvasRenderingContext2D,
  texts: readonly string[],
  { y, size, weight, colour, room }: Written,
): void {
  context.fillStyle = colour;
  context.direction = 'ltr';
  const lines = texts.map(withUnseen);
  const fontOf = (pixels: number) => `${weight} ${pixels}px ${FONT}`;
  context.font = fontOf(size);
  const widest = Math.max(...lines.map((line) => context.measureText(line).width));
  context.font = fontOf(Math.min(size, Math.max((size * room) / widest, size * SMALLEST)));
  lines.forEach((line, place) => context.fillText(fitting(context, line, room), MARGIN, y + place * LINE_HEIGHT));
}

/** A line without its end, where that has no room. */
function fitting(context: CanvasRenderingContext2D, line: string, room: number): string {
  const characters = [...line];
  let shown = line;
  while (characters.length > 1 && context.measureText(shown).width > room) {
    characters.pop();
    shown = `${characters.join('')}…`;
  }
  return shown;
}
