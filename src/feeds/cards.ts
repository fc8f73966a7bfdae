import { shortKey } from '../domain/avatar-key.js';

/** What a person takes along of a key: what it is called, and its accounts. */
export interface KeyCard {
  avatar: string;
  /** The name that the key signed of itself; null where there is none. */
  name: string | null;
  /** Whether the key is frozen now. */
  isFrozen: boolean;
  /** The key that has taken over from it for good, compressed. */
  successor: string | null;
  /** Addresses of the page, the feed and the seal of the key. */
  page: string;
  feed: string;
  seal: string;
  accounts: CardAccount[];
}

/** A binding that is valid now. */
export interface CardAccount {
  platform: string;
  /** What people call the platform. */
  label: string;
  identity: string;
  /** The page of the account; null where none is known. */
  profile: string | null;
}

/** Bytes of a line (RFC 6350, 3.2). */
const LINE_BYTES = 75;

/**
 * The card as JSON, with `frozen` and `successor` where there is such a thing, as in the groups of `GET /v1/proof`. It
 * is no proof: `page` and the API have the signatures.
 */
export function cardJson({ accounts, isFrozen, successor, ...card }: KeyCard): object {
  const stopped = { ...(isFrozen && { frozen: true }), ...(successor !== null && { successor }) };
  return {
    ...card,
    ...stopped,
    accounts: accounts.map(({ platform, identity, profile }) => ({ platform, identity, profile })),
  };
}

/**
 * The card as a vCard 4.0 (RFC 6350), accounts as SOCIALPROFILE (RFC 9554, 2.7): an address where the account has a
 * page, else its name as text.
 */
export function vcardText(card: KeyCard): string {
  const { avatar, name, page, seal, accounts } = card;
  const lines = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    'KIND:individual',
    `FN:${escapedText(name ?? shortKey(avatar))}`,
    `UID:${page}`,
    `URL:${page}`,
    `PHOTO;MEDIATYPE=image/png:${seal}`,
    ...accounts.map(({ label, identity, profile }) => {
      const type = `SERVICE-TYPE="${label.replace(/["\p{C}]/gu, '')}"`;
      return profile === null
        ? `SOCIALPROFILE;VALUE=text;${type}:${escapedText(identity)}`
        : `SOCIALPROFILE;${type}:${profile}`;
    }),
    `NOTE:${escapedText(`${stoppedText(card)}Key ${avatar}. What belongs to it can be checked at ${page}.`)}`,
    'END:VCARD',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** What stops the key, in front of the rest of a note; empty where nothing does. */
function stoppedText({ isFrozen, successor }: KeyCard): string {
  if (successor !== null) return `This key is no longer in use: the key ${successor} has taken over from it. `;
  return isFrozen ? 'This key is frozen: it can write nothing for a while. ' : '';
}

/** RFC 6350, 3.4. */
function escapedText(text: string): string {
  return text.replace(/[\\,;]/g, '\\$&').replace(/\r?\n/g, '\\n');
}

/** Cut between characters into lines of at most 75 bytes, those behind the first with a space in front. */
function folded(line: string): string {
  const lines = [''];
  for (const character of line) {
    const current = lines.at(-1)!;
    if (Buffer.byteLength(current) + Buffer.byteLength(character) > LINE_BYTES) lines.push(` ${character}`);
    else lines[lines.length - 1] = current + character;
  }
  return lines.join('\r\n');
}
