/** How platforms spell names: the part of canonical forms that `<signet-proof>` needs. */

/** CAIP-10 `eip155:1:0x…`, EIP-681 `ethereum:0x…@1` and `eth:0x…`; one address is one name on every chain. */
const CHAIN = /^(?:eip155:\d{1,32}|ethereum|eth):|@\d{1,32}$/gi;
/** What means something in an address and nothing in the name of a host. */
const NOT_IN_A_HOST = /[\s\p{Cc}%/\\?#:@]/u;
/** K (Kelvin) and dotted I: the only letters besides A to Z whose lowercase has an ASCII letter, another name's. */
const TURNS_INTO_ASCII = /[\u212a\u0130]/;
/** The old spelling of `sub.main.bit`. */
const MAIN_AND_SUB = /^([^.#]+)#([^.#]+)\.bit$/;

/** How the letters of a name are brought into one spelling, where that is not lowercase without an `@`. */
const SPELLINGS: Record<string, (text: string) => string> = {
  activitypub: (text) => nameAtHost(text.replace(/^acct:/i, '')),
  bluesky: (text) => asciiLower(text),
  discourse: nameAtHost,
  forgejo: nameAtHost,
  gitlab: nameAtHost,
  hackernews: (text) => text,
  orcid: (text) => text.toUpperCase(),
  discord(text) {
    const name = withoutAt(text).replace(/#0$/, '');
    return name.includes('#') ? (composed(name) ?? '') : asciiLower(name);
  },
  dns: (text) => asciiHost(text).replace(/\.$/, ''),
  dotbit: (text) => (TURNS_INTO_ASCII.test(text) ? '' : text.toLowerCase().replace(MAIN_AND_SUB, '$2.$1.bit')),
  ethereum: (text) => asciiLower(text.replace(CHAIN, '')),
  nostr: (text) => asciiLower(text.replace(/^nostr:/i, '')),
  solana: (text) => text,
  website: pageOf,
};

/** Host and path of an https address, without what follows them; `''` for what is none. */
function pageOf(text: string): string {
  const address = /^https?:\/\//i.test(text) ? text.replace(/^http:/i, 'https:') : `https://${text}`;
  if (/[\s\\]/.test(text) || !URL.canParse(address)) return '';
  const { hostname, pathname, port, username, password } = new URL(address);
  return port + username + password === '' ? hostname + pathname.replace(/\/+$/, '') : '';
}

/** `name@host`, lowercase, the host in ASCII, without an `@` in front. */
function nameAtHost(text: string): string {
  return asciiLower(text.replace(/^@/, '')).replace(/@(.*)/, (_, host: string) => `@${asciiHost(host)}`);
}

/**
 * A name as its platform spells it, without white space and quotes around it: letter case, `@` in front, prefixes. Says
 * nothing of whether it can be a name: `canonicalForm` does.
 */
export function spelled(platform: string, text: string): string {
  return Object.hasOwn(SPELLINGS, platform) ? SPELLINGS[platform]!(text) : asciiLower(withoutAt(text));
}

/** A host name in lowercase ASCII by UTS 46 (non-transitional, so `faß.de` is not `fass.de`); `''` for what is none. */
export function asciiHost(text: string): string {
  const address = `https://${text}`;
  return !NOT_IN_A_HOST.test(text) && URL.canParse(address) ? new URL(address).hostname : '';
}

/**
 * Lowercase for names of ASCII letters only. Other letters stay as they are: some of them, like U+212A, would become
 * ASCII ones.
 */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A name without one leading `@`, ASCII or fullwidth. */
export function withoutAt(text: string): string {
  return text.replace(/^[@\uff20]/, '');
}

/**
 * A name in Unicode's composed form (NFC), so that both ways to type an accent are one name. Null where that would make
 * another letter of a single one, such as K of U+212A: no account is taken for another.
 */
export function composed(name: string): string | null {
  return [...name].every((letter) => letter.normalize('NFC') === letter) ? name.normalize('NFC') : null;
}
