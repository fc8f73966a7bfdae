/**
 * Which keys this browser has used by fingerprint: their public keys, and the ids of their passkeys, so that the next
 * visit names the key before anything is asked. Nothing of it is secret, and without it the passkey is still found.
 */
import { type Hex, findAvatarKey } from '@signet/verify';

const STORED = 'signet-passkeys';
/** More than anybody uses on one device. */
const MOST = 10;

/** A key whose passkey is known. */
export interface KeptPasskey {
  /** Compressed key. */
  avatar: Hex;
  id: Uint8Array<ArrayBuffer>;
}

/** Newest first. */
export function keptPasskeys(): KeptPasskey[] {
  return read().map(({ avatar, id }) => ({ avatar: avatar as Hex, id: Uint8Array.from(id) }));
}

export function keepPasskey(avatar: Hex, id: ArrayBuffer): void {
  const others = read().filter((kept) => kept.avatar !== avatar);
  write([{ avatar, id: [...new Uint8Array(id)] }, ...others].slice(0, MOST));
}

/** Forgets which passkey it was; the passkey stays where it is. */
export function forgetPasskey(avatar: Hex): void {
  write(read().filter((kept) => kept.avatar !== avatar));
}

interface Stored {
  avatar: string;
  id: number[];
}

function read(): Stored[] {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? '[]') as Stored[];
    return stored.filter(({ avatar, id }) => findAvatarKey(avatar)?.compressed === avatar && Array.isArray(id));
  } catch {
    return [];
  }
}

function write(stored: Stored[]): void {
  try {
    localStorage.setItem(STORED, JSON.stringify(stored));
  } catch {
    // A browser may forbid storage; then the passkey is looked for at the next visit.
  }
}
