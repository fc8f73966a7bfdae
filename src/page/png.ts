import { crc32, deflateSync } from 'node:zlib';

/**
 * Pictures with a palette as PNG (W3C PNG, third edition). Written here because it is four chunks round what Node's
 * zlib does, and encoders on npm write only full colours, which are eight times as many bytes to compress.
 */

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BIT_DEPTH = 4;
const INDEXED_COLOUR = 3;
/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/**
 * A PNG of 4 bits a pixel.
 * @param pixels rows of bytes one after the other, each of two pixels, the left one in the high bits; `width` is even
 * @param palette 16 colours at most
 */
export function encodePng(
  pixels: Uint8Array,
  { width, height, palette }: { width: number; height: number; palette: Colour[] },
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BIT_DEPTH, INDEXED_COLOUR, 0, 0, 0], 8);
  const rowBytes = width / 2;
  // Each row begins with the number of its filter; 0 is none.
  const rows = Buffer.alloc(height * (rowBytes + 1));
  for (let row = 0; row < height; row++) {
    rows.set(pixels.subarray(row * rowBytes, (row + 1) * rowBytes), row * (rowBytes + 1) + 1);
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Length, type, data, and the CRC-32 of type and data. */
function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
