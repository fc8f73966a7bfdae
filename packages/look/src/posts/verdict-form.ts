import { PlatformUnavailableError } from '../errors.js';
import { type Evidence, invalid, type ProofClaim, type Verdict } from '../platform-verifier.js';

/** Printable ASCII without blanks; the longest ids in use are addresses and hashes of under 100 characters. */
const ACCOUNT_ID = /^[\x21-\x7e]{1,128}$/;
const MAX_REASON_CHARACTERS = 500; // our own sentences have under 200
const MAX_URL_CHARACTERS = 2048;
/** What evidence keeps of a text. */
export const MAX_MATCHED_BYTES = 4 * 1024;
const MAX_EXTRA_CHARACTERS = 8 * 1024; // the longest is the message that a Solana wallet signed

/** Control characters and lone surrogates; tabs and line ends included. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/gu;
/** Control characters and lone surrogates, except tabs and line ends, which belong to the text of a post. */
const UNPRINTABLE_IN_TEXT = /(?![\t\n\r])[\p{Cc}\p{Cs}]/gu;

/**
 * The one form in which a verdict is stored and answered, for all platforms and verifiers: texts are bounded and hold
 * neither control characters nor lone surrogates (U+FFFD stands for them), and the account id is printable ASCII of 1
 * to 128 characters.
 * @throws PlatformUnavailableError if the platform gave an account id that has not this form: cutting it could make two
 *   accounts one, and without it a name that changes hands would not be noticed
 */
export function boundedVerdict(platform: string, verdict: Verdict): Verdict {
  if (!verdict.valid) {
    const { proof } = verdict;
    return { valid: false, reason: line(verdict.reason, MAX_REASON_CHARACTERS), ...(proof && { proof }) };
  }
  const { accountId, evidence, extra, signature, profileUrl } = verdict;
  if (accountId !== undefined && !ACCOUNT_ID.test(accountId)) {
    throw new PlatformUnavailableError(
      `${platform} gave no usable account id: printable ASCII of 1 to 128 characters is expected.`,
    );
  }
  return {
    valid: true,
    ...(signature === undefined ? {} : { signature }),
    ...(accountId === undefined ? {} : { accountId }),
    ...(extra === undefined ? {} : { extra: boundedExtra(extra) }),
    ...(evidence === undefined ? {} : { evidence: boundedEvidence(evidence) }),
    // An address that was cut would be another one.
    ...(profileUrl === undefined || !isPlainAddress(profileUrl) ? {} : { profileUrl }),
  };
}

/**
 * A verdict as it is stored and answered. A name that belongs to another account now than the one that was bound proves
 * nothing; where the platform names no account this time, the one that was bound stays.
 * @throws PlatformUnavailableError if the account id has no usable form
 */
export function settledVerdict(platform: string, { accountId, identity }: ProofClaim, answer: Verdict): Verdict {
  const verdict = boundedVerdict(platform, answer);
  if (verdict.valid && accountId && verdict.accountId && accountId !== verdict.accountId) {
    return invalid(`"${identity}" on ${platform} is another account now than the one that was bound`);
  }
  return verdict;
}

/** `text`, as long as before, with U+FFFD for control characters but tabs and line ends, and for lone surrogates. */
export function printableText(text: string): string {
  return text.replace(UNPRINTABLE_IN_TEXT, '\ufffd');
}

/** Whether a text is printable ASCII of a length that is kept, as addresses are. */
function isPlainAddress(text: string): boolean {
  return text.length <= MAX_URL_CHARACTERS && /^[\x21-\x7e]+$/.test(text);
}

function boundedEvidence({ url, sha256, matchedText, proof }: Evidence): Evidence {
  return {
    url: line(url, MAX_URL_CHARACTERS),
    sha256,
    matchedText: cutToBytes(printableText(matchedText), MAX_MATCHED_BYTES),
    // Bounded and verified by those who make one.
    ...(proof && { proof }),
  };
}

function boundedExtra(extra: Record<string, string | number>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(extra).map(([name, value]) => [
      name,
      typeof value === 'string' ? line(value, MAX_EXTRA_CHARACTERS) : value,
    ]),
  );
}

/** `text` as one line of at most `max` UTF-16 units. */
function line(text: string, max: number): string {
  // Cut first, so that a text of a megabyte costs nothing; a pair that the cut has split becomes U+FFFD.
  return text.slice(0, max).replace(UNPRINTABLE, '\ufffd');
}

/** The first whole characters of `text` that fit into `max` bytes of UTF-8. */
function cutToBytes(text: string, max: number): string {
  const bytes = new TextEncoder().encode(text.slice(0, max));
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  if (bytes.length <= max) return decoder.decode(bytes);
  let end = max;
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1; // UTF-8: 10xxxxxx is never the first byte of a character
  return decoder.decode(bytes.subarray(0, end));
}
