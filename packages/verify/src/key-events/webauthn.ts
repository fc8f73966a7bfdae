/**
 * The assertion of a passkey as a signature over a text: Web Authentication Level 3, section 7.2, steps 11 to 21, where
 * the challenge is the SHA-256 of the text. The counter is not looked at: a text is signed once, by its uuid.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { base64urlnopad } from '@scure/base';
import type { Curves } from '../keys/curves.js';
import { canonicalJson } from '../text/canonical-json.js';
import { equalBytes, utf8 } from '../text/encoding.js';
import { isObject } from '../text/signed-text.js';
import { isP256Signature } from './p256.js';

/** What an authenticator answers, as bytes. */
export interface Assertion {
  authenticatorData: Uint8Array;
  clientDataJSON: Uint8Array;
  /** DER. */
  signature: Uint8Array;
}

/** What an assertion is checked against. */
export interface AssertionContext {
  /** The bytes of the challenge. */
  challenge: Uint8Array;
  /** The origin that the key was added with; null where it was added with none; undefined where that is not known. */
  origin: string | null | undefined;
  /** The compressed key. */
  key: Uint8Array;
  /** The curves to use, of which only P-256 counts. */
  curves?: Pick<Curves, 'p256'> | undefined;
}

const MEMBERS = ['authenticatorData', 'clientDataJSON', 'signature'] as const;

/** Flags of authenticator data. */
const [USER_PRESENT, USER_VERIFIED, MAY_BE_COPIED, IS_COPIED, HAS_KEY, HAS_MORE] = [1, 4, 8, 16, 64, 128];
/** SHA-256 of the host, flags and counter. */
const LEAST_BYTES = 37;

/**
 * Reads the UTF-8 bytes of `{"authenticatorData":"…","clientDataJSON":"…","signature":"…"}`, canonical JSON whose
 * members are Base64url without padding; null for anything else, so that an assertion has one spelling.
 */
export function readAssertion(bytes: Uint8Array): Assertion | null {
  if (bytes[0] !== 0x7b) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const said: unknown = JSON.parse(text);
    if (!isObject(said) || Object.keys(said).join() !== MEMBERS.join() || canonicalJson(said) !== text) return null;
    const [authenticatorData, clientDataJSON, signature] = MEMBERS.map((name) =>
      base64urlnopad.decode(said[name] as string),
    );
    return { authenticatorData: authenticatorData!, clientDataJSON: clientDataJSON!, signature: signature! };
  } catch {
    return null;
  }
}

/** The one spelling of an assertion, which `readAssertion` reads: what is sent, in Base64, as a signature. */
export function writeAssertion(assertion: Assertion): Uint8Array {
  return utf8(canonicalJson(Object.fromEntries(MEMBERS.map((name) => [name, base64urlnopad.encode(assertion[name])]))));
}

/** Why an assertion is no signature of the key over the challenge, as a sentence; null for one that is. */
export function problemOfAssertion(
  assertion: Assertion,
  { challenge, origin, key, curves }: AssertionContext,
): string | null {
  const { authenticatorData, clientDataJSON, signature } = assertion;
  const client = readClientData(clientDataJSON);
  if (!client) return 'What the browser says of the passkey is not JSON.';
  const problem =
    problemOfClient(client, challenge, origin) ?? problemOfData(authenticatorData, client['origin'] as string);
  if (problem) return problem;
  const signed = new Uint8Array(authenticatorData.length + 32);
  signed.set(authenticatorData);
  signed.set(sha256(clientDataJSON), authenticatorData.length);
  return isP256Signature(signed, signature, key, 'der', curves) ? null : 'The passkey did not sign this.';
}

function problemOfClient(
  client: Record<string, unknown>,
  challenge: Uint8Array,
  origin: string | null | undefined,
): string | null {
  if (client['type'] !== 'webauthn.get') return 'The passkey did not sign in with it: its type is not webauthn.get.';
  if (client['challenge'] !== base64urlnopad.encode(challenge)) return 'The passkey signed another text.';
  if (origin === null) return 'The key was added without an origin, so a passkey cannot sign with it.';
  if (typeof client['origin'] !== 'string' || (origin !== undefined && client['origin'] !== origin)) {
    return 'The passkey signed on a page of another origin.';
  }
  const isFramed = (client['crossOrigin'] ?? false) !== false || 'topOrigin' in client;
  return isFramed ? 'The passkey signed inside a page of another origin.' : null;
}

function problemOfData(data: Uint8Array, origin: string): string | null {
  if (data.length < LEAST_BYTES) return 'The data of the authenticator is cut off.';
  const flags = data[32]!;
  const has = (flag: number) => (flags & flag) !== 0;
  const isLong = data.length > LEAST_BYTES;
  if (has(HAS_KEY!) || isLong !== has(HAS_MORE!)) return 'The data of the authenticator is not that of a signature.';
  if (!has(USER_PRESENT!) || !has(USER_VERIFIED!)) return 'The authenticator did not verify its user.';
  if (has(IS_COPIED!) && !has(MAY_BE_COPIED!)) return 'The flags of the authenticator contradict each other.';
  const hash = data.subarray(0, 32);
  const isOwn = hostsOf(origin).some((host) => equalBytes(sha256(utf8(host)), hash));
  return isOwn ? null : 'The passkey belongs to another host than that of its page.';
}

/** The host of an origin and its parents of two labels or more: a passkey may be for any of these (RP ID). */
function hostsOf(origin: string): string[] {
  const host = /^https?:\/\/([^/:]+)/.exec(origin)?.[1] ?? '';
  const labels = host.split('.').slice(0, 127);
  const parents = labels.slice(1, -1).map((_, place) => labels.slice(place + 1).join('.'));
  return [host, ...parents];
}

function readClientData(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const client: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isObject(client) ? client : null;
  } catch {
    return null;
  }
}
