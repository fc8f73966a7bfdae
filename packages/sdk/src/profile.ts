/**
 * The profile of an Avatar: the member `profile` of its own key-value content (docs/guide/key-value.md, "A profile").
 * Anybody can write anything under a key of their own, so a member that does not fit is as if it were not there.
 */
import { decodeBase64, findAvatarKey } from '@signet/verify';
import type { KvContent } from './answers.js';

/** Unicode characters of a name, and of the line below it. */
const MAX_NAME = 64;
const MAX_ABOUT = 160;
/** Characters of a picture as `data:` URL: 24 KB of bytes. */
export const MAX_PICTURE_CHARACTERS = 32_768;
/** Pixels of each side, so that no small file becomes a large picture in memory. */
const MAX_PICTURE_SIDE = 512;

/** Controls, what turns the direction of text, line breaks, and marks piled on one character. */
const UNSHOWABLE = /[\p{Cc}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u2028\u2029]|\p{M}{5,}/u;
const PICTURE = /^data:image\/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;

/** What the owner of a key says about themselves. It is signed and proves nothing else: a name can be anybody's. */
export interface Profile {
  /** At most 64 characters on one line; null where there is none. */
  name: string | null;
  /** At most 160 characters on one line; null where there is none. */
  about: string | null;
  /** A PNG, JPEG or WebP as `data:` URL, at most 512 pixels on each side, not animated; null where there is none. */
  picture: string | null;
}

/**
 * The profile in the content of an Avatar, such as `client.kv.get(avatar)` answers it, checked member by member. No
 * address in it is ever to be loaded: a picture is part of the content.
 * @returns null where the Avatar has written none, or nothing of it can be shown
 */
export function readProfile(content: Pick<KvContent, 'avatar' | 'proofs'> | null): Profile | null {
  const avatar = content && findAvatarKey(content.avatar)?.compressed;
  const own = content?.proofs.find(({ identity }) => findAvatarKey(identity)?.compressed === avatar);
  const { profile } = (own?.content ?? {}) as { profile?: unknown };
  if (typeof profile !== 'object' || profile === null) return null;
  const { name, about, picture } = profile as Record<string, unknown>;
  const read: Profile = {
    name: lineOf(name, MAX_NAME),
    about: lineOf(about, MAX_ABOUT),
    picture: isPicture(picture) ? picture : null,
  };
  return read.name === null && read.about === null && read.picture === null ? null : read;
}

function lineOf(value: unknown, most: number): string | null {
  // A character has two UTF-16 units at most, so that nothing long is looked at.
  if (typeof value !== 'string' || value.length > 2 * most) return null;
  const text = value.normalize('NFC').trim();
  return text === '' || [...text].length > most || UNSHOWABLE.test(text) ? null : text;
}

/** Whether a value is a picture that may be shown: see `Profile.picture`. */
export function isPicture(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_PICTURE_CHARACTERS) return false;
  const [, type, base64] = PICTURE.exec(value) ?? [];
  const bytes = base64 === undefined ? null : decodeBase64(base64);
  const sides = bytes && SIDES[type as keyof typeof SIDES](bytes);
  return sides !== null && sides.every((side) => side >= 1 && side <= MAX_PICTURE_SIDE);
}

type Sides = [width: number, height: number] | null;

/** Pixels of pictures by their headers; null for other bytes, and for animations. */
const SIDES = {
  /** W3C PNG, third edition: chunks of length, type, data and checksum. */
  png(bytes: Uint8Array): Sides {
    if (latin(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || latin(bytes, 12, 16) !== 'IHDR') return null;
    const view = viewOf(bytes);
    for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
      if (latin(bytes, at + 4, at + 8) === 'acTL') return null;
    }
    return bytes.length < 33 ? null : [view.getUint32(16), view.getUint32(20)];
  },
  /** ITU-T T.81, B.1: segments behind markers; the frame header is one of SOF0 to SOF15. */
  jpeg(bytes: Uint8Array): Sides {
    const view = viewOf(bytes);
    if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null;
    for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + view.getUint16(at + 2)) {
      const marker = bytes[at + 1]!;
      const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
      if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    }
    return null;
  },
  /** RFC 9649: RIFF with one of three first chunks. */
  webp(bytes: Uint8Array): Sides {
    if (bytes.length < 30 || latin(bytes, 0, 4) !== 'RIFF' || latin(bytes, 8, 12) !== 'WEBP') return null;
    const view = viewOf(bytes);
    switch (latin(bytes, 12, 16)) {
      case 'VP8 ':
        return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
      case 'VP8L': {
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
