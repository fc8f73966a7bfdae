/** What a text in the search field may be. */
import { findAvatarKey } from '@signet/verify';

/** A key or uuid is looked up by itself; anything else is a name, perhaps with its platform. */
export type Guess =
  | { kind: 'key'; avatar: string }
  | { kind: 'uuid'; uuid: string }
  | { kind: 'name'; platform?: string; identity: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Addresses of profiles: host, then the part of the path that is the name. */
const PROFILES: [RegExp, string][] = [
  [/^(?:https?:\/\/)?(?:www\.)?(?:x|twitter)\.com\/@?(\w{1,15})\/?$/i, 'twitter'],
  [/^(?:https?:\/\/)?(?:www\.)?github\.com\/([\w-]+)\/?$/i, 'github'],
  [/^(?:https?:\/\/)?keybase\.io\/(\w+)\/?$/i, 'keybase'],
  [/^(?:https?:\/\/)?(?:www\.)?minds\.com\/([\w.]+)\/?$/i, 'minds'],
];

/** Guesses what a text is. A platform in front (`github:alice`) is taken at its word. */
export function guess(text: string, platforms: readonly string[]): Guess {
  const words = text.trim();
  const key = findAvatarKey(/^[0-9a-f]{66}$|^[0-9a-f]{130}$/i.test(words) ? `0x${words}` : words);
  if (key) return { kind: 'key', avatar: key.compressed };
  if (UUID.test(words)) return { kind: 'uuid', uuid: words.toLowerCase() };
  for (const [pattern, platform] of PROFILES) {
    const name = pattern.exec(words)?.[1];
    if (name !== undefined) return { kind: 'name', platform, identity: name };
  }
  const [, prefix, rest] = /^([a-z]+):(?!\/\/)\s*(.+)$/i.exec(words) ?? [];
  if (prefix !== undefined && platforms.includes(prefix.toLowerCase())) {
    return { kind: 'name', platform: prefix.toLowerCase(), identity: rest! };
  }
  // A domain that was copied from the address bar.
  const host = /^https?:\/\/([^/?#]+)\/?$/i.exec(words)?.[1];
  return { kind: 'name', identity: host ?? words.replace(/^@(?=[^@]+$)/, '') };
}
