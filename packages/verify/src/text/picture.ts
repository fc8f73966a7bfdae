/**
 * Pictures in content that anybody can write, read as decoders read them: what is small here has to be small in the
 * memory of the person who looks.
 */
import { decodeBase64 } from './encoding.js';

/** Characters of a picture as `data:` URL: 24 KB of bytes. */
export const MAX_PICTURE_CHARACTERS = 32_768;
/** Pixels of each side, so that no small file becomes a large picture in memory. */
const MAX_PICTURE_SIDE = 512;

const PICTURE = /^data:image\/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;

/** Whether a value is a picture that may be shown: a PNG, JPEG or WebP as `data:` URL, see `Profile.picture`. */
export function isPicture(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_PICTURE_CHARACTERS) return false;
  const [, type, base64] = PICTURE.exec(value) ?? [];
  const bytes = base64 === undefined ? null : decodeBase64(base64);
  const sides = bytes && SIDES[type as keyof typeof SIDES](bytes);
  return sides !== null && sides.every((side) => side >= 1 && side <= MAX_PICTURE_SIDE);
}

/** Frames that browsers decode: baseline, extended sequential and progressive (SOF0 to SOF2). */
const JPEG_FRAMES = [0xc0, 0xc1, 0xc2];

/** Whether a segment may stand before the frame header: DHT, DQT, DRI, APP0 to APP15, COM. */
function isPassedOver(marker: number): boolean {
  return [0xc4, 0xdb, 0xdd, 0xfe].includes(marker) || (marker >= 0xe0 && marker <= 0xef);
}

type Sides = [width: number, height: number] | null;

/** Pixels of pictures by their headers; null for other bytes, and for animations. */
const SIDES = {
  /** W3C PNG, third edition: chunks of length, type, data and checksum. */
  png(bytes: Uint8Array): Sides {
    if (latin(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || latin(bytes, 8, 16) !== '\0\0\0\rIHDR') return null;
    const view = viewOf(bytes);
    for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
      if (latin(bytes, at + 4, at + 8) === 'acTL') return null;
    }
    return bytes.length < 33 ? null : [view.getUint32(16), view.getUint32(20)];
  },
  /**
   * ITU-T T.81, B.1: segments behind markers up to the frame header. Only the segments that stand there in pictures of
   * today are passed over (APPn, DQT, DHT, DRI, COM), all of which have a length: a decoder reads a marker without one,
   * such as TEM, in another way than a reader that looks for a length, and then finds another frame header.
   */
  jpeg(bytes: Uint8Array): Sides {
    const view = viewOf(bytes);
    if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null;
    for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff; at += 2 + view.getUint16(at + 2)) {
      const marker = bytes[at + 1]!;
      const length = view.getUint16(at + 2);
      if (JPEG_FRAMES.includes(marker)) {
        return length === 8 + 3 * bytes[at + 9]! ? [view.getUint16(at + 7), view.getUint16(at + 5)] : null;
      }
      if (length < 2 || !isPassedOver(marker)) return null;
    }
    return null;
  },
  /** RFC 9649: RIFF with one of three first chunks. */
  webp(bytes: Uint8Array): Sides {
    if (bytes.length < 30 || latin(bytes, 0, 4) !== 'RIFF' || latin(bytes, 8, 12) !== 'WEBP') return null;
    const view = viewOf(bytes);
    switch (latin(bytes, 12, 16)) {
      case 'VP8 ':
        if (latin(bytes, 23, 26) !== '\x9d\x01\x2a') return null;
        return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
      case 'VP8L': {
        if (bytes[20] !== 0x2f) return null;
        const packed = view.getUint32(21, true);
        return [(packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1];
      }
      case 'VP8X': {
        const isAnimated = (bytes[20]! & 0x02) !== 0;
        return isAnimated ? null : [(view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1];
      }
      default:
        return null;
    }
  },
};

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
