/**
 * Canonical forms of names, found here and not by the word of a server: what a proof is about must not be its choice.
 */
import { cleanPasted } from '@signet/verify/bindings';
import { WrongUsageError } from '../errors.js';

/** Names of ASCII letters, digits and a few signs, whose case does not count and which may have an @ in front. */
const PLAIN: Record<string, RegExp> = {
  github: /^[a-z0-9][a-z0-9_-]{0,100}$/,
  keybase: /^(?=.{2,16}$)[a-z0-9]+(?:_[a-z0-9]+)*_?$/,
  minds: /^[a-z0-9_.-]{4,128}$/,
  twitter: /^[a-z0-9_]{1,15}$/,
};

/** The other platforms that this version knows. */
const OTHERS = ['activitypub', 'discord', 'dns', 'dotbit', 'ethereum', 'solana'];

/** The name of an older Discord account, whose case counts. */
const DISCORD_LEGACY = /^[^@#:\p{C}]{2,32}#\d{4}$/u;
const DISCORD = /^[a-z0-9_.]{2,32}$/;
/** CAIP-10 `eip155:1:0x…`, and `ethereum:0x…`. */
const ACCOUNT_PREFIX = /^(?:eip155:[0-9]{1,32}:|ethereum:)(?=0x)/;
const DOTBIT = /^[^\s@#/?%:]+\.bit$/u;
const ACTIVITYPUB_USER = /^[a-z0-9_.-]+$/;
/** What means something in an address and nothing in the name of a host. */
const NOT_IN_A_HOST = /[\s\p{Cc}%/\\?#:@]/u;

/**
 * The canonical form of a name as a person writes it; null for a form that only a server reads, such as the address of
 * a profile, and on a platform that this version does not know, whose letter case may count. A name that its platform
 * could not have may come back as it is: no link binds it.
 */
export function findCanonicalName(platform: string, written: string): string | null {
  const text = cleanPasted(written);
  const plain = asciiLower(text.replace(/^@/, ''));
  switch (platform) {
    case 'activitypub':
      return handleIn(plain);
    case 'discord':
      return discordName(text.replace(/^@/, '').replace(/#0$/, ''));
    case 'dns':
      return hostIn(text).replace(/\.$/, '') || null;
    case 'dotbit':
      return DOTBIT.test(asciiLower(text)) && isLower(asciiLower(text)) ? asciiLower(text) : null;
    case 'ethereum':
      return matching(/^0x[0-9a-f]{40}$/, asciiLower(text).replace(ACCOUNT_PREFIX, ''));
    case 'solana':
      return matching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, text);
    default:
      return Object.hasOwn(PLAIN, platform) ? matching(PLAIN[platform]!, plain) : null;
  }
}

/** As `findCanonicalName`. @throws WrongUsageError for a form that only a server reads, and for an unknown platform */
export function canonicalName(platform: string, written: string): string {
  const name = findCanonicalName(platform, written);
  if (name !== null) return name;
  if (!Object.hasOwn(PLAIN, platform) && !OTHERS.includes(platform)) {
    throw new WrongUsageError(
      `The platform ${JSON.stringify(platform)} is not known here, nor how its names are written.`,
    );
  }
  const shown = `${JSON.stringify(written)} on ${platform}`;
  throw new WrongUsageError(
    `What ${shown} is called there in full is not known here: ask for the name as the server shows it.`,
  );
}

/**
 * Whether a person who writes a name means this one, a canonical one. What is not read here, such as a name on a
 * platform that this version does not know, has to be the same text, once what came with it by pasting is off.
 */
export function isSameName({ platform, identity }: { platform: string; identity: string }, written: string): boolean {
  return identity === (findCanonicalName(platform, written) ?? cleanPasted(written));
}

function matching(pattern: RegExp, text: string): string | null {
  return pattern.test(text) ? text : null;
}

function discordName(name: string): string | null {
  const lower = asciiLower(name);
  if (DISCORD.test(lower)) return lower;
  return DISCORD_LEGACY.test(name) && name.normalize('NFC') === name ? name : null;
}

function handleIn(plain: string): string | null {
  const [user = '', host = '', ...more] = plain.replace(/^acct:@?/, '').split('@');
  const name = hostIn(host);
  return more.length === 0 && ACTIVITYPUB_USER.test(user) && name !== '' ? `${user}@${name}` : null;
}

/** A host name in lowercase ASCII (UTS 46, as URLs have it); `''` for what is none. */
function hostIn(text: string): string {
  const address = `https://${text}`;
  return !NOT_IN_A_HOST.test(text) && URL.canParse(address) ? new URL(address).hostname : '';
}

/** Other letters stay as they are: some of them would become ASCII ones. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function isLower(text: string): boolean {
  return text.toLowerCase() === text;
}
