/** What a text in the search field may be. */
import { identityInAddress, type Platform } from '@signet/sdk';
import { findAvatarKey } from '@signet/verify';
import { cleanPasted } from '@signet/verify/internal';

/** A key or uuid is looked up by itself; anything else is a name, perhaps with its platform. */
export type Guess =
  | { kind: 'key'; avatar: string }
  | { kind: 'uuid'; uuid: string }
  | { kind: 'name'; platform?: string; identity: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Guesses what a text is. A platform in front (`github:alice`) is taken at its word. */
export function guess(text: string, platforms: readonly Platform[]): Guess {
  const words = cleanPasted(text);
  const key = findAvatarKey(/^[0-9a-f]{66}$|^[0-9a-f]{130}$/i.test(words) ? `0x${words}` : words);
  if (key) return { kind: 'key', avatar: key.compressed };
  if (UUID.test(words)) return { kind: 'uuid', uuid: words.toLowerCase() };
  for (const { platform, profile_urls: templates = [] } of platforms) {
    for (const template of templates) {
      const identity = identityInAddress(template, words);
      if (identity !== null) return { kind: 'name', platform, identity };
    }
  }
  const [, prefix, rest] = /^([a-z]+):(?!\/\/)\s*(.+)$/i.exec(words) ?? [];
  const named = platforms.find(({ platform }) => platform === prefix?.toLowerCase());
  if (named) return { kind: 'name', platform: named.platform, identity: rest! };
  // A domain that was copied from the address bar.
  const host = /^https?:\/\/([^/?#]+)\/?$/i.exec(words)?.[1];
  return { kind: 'name', identity: host ?? words.replace(/^@(?=[^@]+$)/, '') };
}
