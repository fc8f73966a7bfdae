/**
 * Canonical forms of names on the platforms, for verifiers, clients and pages alike: what a proof is about must not be
 * the choice of a server. Addresses of profiles and the like are read by verifiers alone; what platforms demand beyond
 * the form (checksums, points on a curve, public hosts) is checked there too.
 */
import { cleanPasted } from '../text/pasted-text.js';
import { spelled } from './spelling.js';

export { asciiHost, asciiLower, composed, spelled } from './spelling.js';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** A label of letters, digits, `-` and `_`, without `-` at its ends; at most 63 of them (RFC 1035 2.3.4). */
const DNS_LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
/**
 * Of .bit: controls, blanks, ASCII signs other than `-`, capitals, and characters that cannot be seen, apart from those
 * inside emoji (U+200D). Names may be of any script and of emoji, and are hashed as text, so nothing else is forbidden
 * and nothing is converted.
 */
const NOT_IN_DOTBIT =
  '\\s\\x00-\\x2c./\\x3a-\\x60\\x7b-\\xa0\\xad\\u200b\\u200c\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff';

/**
 * Regular expressions (text, for the flag `u`) that canonical names match, by platform.
 *
 * - activitypub: letters, digits and `_`, with dots and hyphens inside; what Mastodon, Misskey and Pleroma allow lies
 *   within.
 * - bluesky: the DID of the account, which stays when its handle changes.
 * - discord: the unique name of a person, or that of an older account, `Name#1234`.
 * - discourse, forgejo (Gitea as well), gitlab: names at the host of a server.
 * - github: letters, digits and inner hyphens, 39 at most; names managed by a company have `_company` behind.
 * - hackernews: letter case is part of a name.
 * - keybase: 2 to 16 letters and digits, with single `_` between and behind them (keybase/client, kbun/username.go).
 * - lobsters: lobsters/lobsters, app/models/user.rb (`VALID_USERNAME`).
 * - nostr: the public key as NIP-19 writes it.
 * - steam: the SteamID64 of a person.
 * - website: a host and the path of a page, without a slash at the end.
 * - minds: names of local users; those of other servers have an `@` inside.
 */
export const NAME_PATTERNS = {
  activitypub: `^[a-z0-9_](?:[a-z0-9_.-]{0,126}[a-z0-9_])?@(?:${LABEL}\\.)+${LABEL}$`,
  bluesky: `^did:(?:plc:[a-z2-7]{24}|web:(?:${LABEL}\\.)+${LABEL})$`,
  discord: '^(?!.*\\.\\.)[a-z0-9_.]{2,32}$|^[^@#:]{2,32}#(?!0000)\\d{4}$',
  dns: `^(?=.{1,253}$)(?:${DNS_LABEL}\\.)+${DNS_LABEL}$`,
  dotbit: `^(?:[^${NOT_IN_DOTBIT}]+\\.)+bit$`,
  ethereum: '^0x[0-9a-f]{40}$',
  discourse: `^[a-z0-9_](?:[a-z0-9_.-]{0,58}[a-z0-9])?@(?:${LABEL}\\.)+${LABEL}$`,
  forgejo: `^[a-z0-9](?:[a-z0-9_.-]{0,38}[a-z0-9])?@(?:${LABEL}\\.)+${LABEL}$`,
  github: '^[a-z0-9][a-z0-9_-]{0,100}$',
  gitlab: `^[a-z0-9_](?:[a-z0-9_.-]{0,253}[a-z0-9_-])?@(?:${LABEL}\\.)+${LABEL}$`,
  hackernews: '^[A-Za-z0-9_-]{2,15}$',
  keybase: '^(?=.{2,16}$)[a-z0-9]+(?:_[a-z0-9]+)*_?$',
  lobsters: '^[a-z0-9][a-z0-9_-]{0,24}$',
  minds: '^[a-z0-9_.-]{4,128}$',
  nostr: '^npub1[02-9ac-hj-np-z]{58}$',
  orcid: '^\\d{4}-\\d{4}-\\d{4}-\\d{3}[\\dX]$',
  solana: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
  steam: '^7656119\\d{10}$',
  twitter: '^[a-z0-9_]{1,15}$',
  website: `^(?:${LABEL}\\.)+${LABEL}(?:[/][A-Za-z0-9._~!$&'()*+,;=:@%-]+)*$`,
};

const LONE_SURROGATE = /[\ud800-\udfff]/u;
/** UTF-16 units; the chain of .bit allows 42 characters a label, and emoji have several units. */
const MAX_DOTBIT = 253;

/** What cannot be a name although it matches the pattern of its platform. */
const IMPOSSIBLE: Record<string, (name: string) => boolean> = {
  discord: (name) => /\p{C}/u.test(name),
  // A number at the end makes it an IPv4 address.
  dns: (name) => /\.\d+$/.test(name),
  orcid: (name) => !hasCheckDigit(name),
  dotbit: (name) => name.length > MAX_DOTBIT || LONE_SURROGATE.test(name),
};

/** The last digit of an ORCID iD is computed from the others (ISO 7064, MOD 11-2); X is ten. */
function hasCheckDigit(name: string): boolean {
  const digits = name.replaceAll('-', '');
  const sum = [...digits.slice(0, 15)].reduce((total, digit) => (total + Number(digit)) * 2, 0);
  const check = (12 - (sum % 11)) % 11;
  return digits.at(-1) === (check === 10 ? 'X' : String(check));
}

/**
 * The canonical form of a name without white space and quotes around it; null for what is none, for a form that only a
 * server reads, such as the address of a profile, and on a platform that this version does not know.
 * @param own the pattern of names on a platform that this version does not know, which are spelled in lowercase
 */
export function canonicalForm(platform: string, text: string, own?: string): string | null {
  const pattern = Object.hasOwn(NAME_PATTERNS, platform) ? NAME_PATTERNS[platform as keyof typeof NAME_PATTERNS] : own;
  if (pattern === undefined) return null;
  const name = spelled(platform, text);
  const isName = new RegExp(pattern, 'u').test(name);
  return isName && !IMPOSSIBLE[platform]?.(name) ? name : null;
}

/**
 * The canonical form of a name as a person writes or pastes it, with what came along by pasting taken off; null for
 * what is none, for a form that only a server reads, such as the address of a profile, and on a platform that this
 * version does not know.
 */
export function findCanonicalName(platform: string, written: string): string | null {
  return canonicalForm(platform, cleanPasted(written));
}

/**
 * Whether a person who writes a name means this one, a canonical one. What is not read here, such as a name on a
 * platform that this version does not know, has to be the same text, once what came with it by pasting is off.
 */
export function isSameName({ platform, identity }: { platform: string; identity: string }, written: string): boolean {
  return identity === (findCanonicalName(platform, written) ?? cleanPasted(written));
}
