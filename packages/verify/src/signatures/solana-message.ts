/**
 * The bytes that Solana wallets sign for a text: the text itself, or the text in the wrapper of hardware wallets and
 * the command line. Sources: Solana, "Off-Chain Message Signing" (version 0); @solana/offchain-messages (version 1).
 */
import { equalBytes, utf8 } from '../text/encoding.js';

const SIGNING_DOMAIN = Uint8Array.of(0xff, ...utf8('solana offchain'));
const DOMAIN_BYTES = 32;
const DOMAIN_AT = SIGNING_DOMAIN.length + 1; // behind the version
const FORMAT_AT = DOMAIN_AT + DOMAIN_BYTES;
/** 0: printable ASCII; 1: UTF-8; 2: long UTF-8. A Ledger writes 0 for every text, so it is not compared. */
const FORMATS = [0, 1, 2];
const ONE_SIGNER = 1;

/**
 * The messages that follow from a text and its signer alone. Without a domain, version 0 has 32 zeros (Ledger Live).
 */
export function rebuildableMessages(text: Uint8Array, signer: Uint8Array): Uint8Array[] {
  const format = text.every((byte) => byte >= 0x20 && byte <= 0x7e) ? 0 : 1;
  return [
    text,
    versionZero(text, signer, new Uint8Array(DOMAIN_BYTES), format),
    shortVersionZero(text, format),
    versionOne(text, signer),
  ];
}

/**
 * Why `message` is not `text` or `text` wrapped for `signer` alone, as the end of a sentence; null if it is.
 *
 * Choice: the application domain may be any 32 bytes. It names the site on which the wallet was asked (`host[:port]`),
 * which may be any client of this service. A message that names other signers too is only complete with their
 * signatures, so it is refused.
 */
export function problemOfMessage(message: Uint8Array, text: Uint8Array, signer: Uint8Array): string | null {
  if (isAnyOf(message, [...rebuildableMessages(text, signer), ...sentForms(message, text, signer)])) return null;
  if (!equalBytes(message.subarray(0, SIGNING_DOMAIN.length), SIGNING_DOMAIN)) {
    return 'is neither sign_payload nor a Solana off-chain message';
  }
  if (!equalBytes(message.subarray(-text.length), text)) {
    return 'is an off-chain message whose text is not exactly sign_payload';
  }
  return 'holds sign_payload, but is not an off-chain message (version 0 or 1) for this wallet alone';
}

/** Whether `message` is one of `others`, byte for byte. */
export function isAnyOf(message: Uint8Array, others: Uint8Array[]): boolean {
  return others.some((other) => equalBytes(message, other));
}

/** Version 0 in both layouts, with the domain and the format that `message` has where these stand. */
function sentForms(message: Uint8Array, text: Uint8Array, signer: Uint8Array): Uint8Array[] {
  const domain = message.slice(DOMAIN_AT, FORMAT_AT);
  if (domain.length < DOMAIN_BYTES) return [];
  return FORMATS.flatMap((format) => [versionZero(text, signer, domain, format), shortVersionZero(text, format)]);
}

function versionZero(text: Uint8Array, signer: Uint8Array, domain: Uint8Array, format: number): Uint8Array {
  return Uint8Array.of(...SIGNING_DOMAIN, 0, ...domain, format, ONE_SIGNER, ...signer, ...lengthOf(text), ...text);
}

/** The layout that was shipped before the published one: without application domain and signers. */
function shortVersionZero(text: Uint8Array, format: number): Uint8Array {
  return Uint8Array.of(...SIGNING_DOMAIN, 0, format, ...lengthOf(text), ...text);
}

/** Neither domain, format nor length: the text runs to the end. */
function versionOne(text: Uint8Array, signer: Uint8Array): Uint8Array {
  return Uint8Array.of(...SIGNING_DOMAIN, 1, ONE_SIGNER, ...signer, ...text);
}

/** Two bytes, low byte first. */
function lengthOf(text: Uint8Array): [number, number] {
  return [text.length & 0xff, text.length >> 8];
}
