/** Signatures as people send them: what is accepted besides Base64, and what to say of the rest. */
import { decodeBase64, decodeHex, encodeBase64 } from '../text/encoding.js';
import { parseSignature } from './signature.js';

/**
 * The texts that can be a signature of a secp256k1 key in a request: 65 bytes, or 64 in the compact form of EIP-2098,
 * in standard Base64 without stray bits, or in hex behind `0x`.
 */
export const SIGNATURE_PATTERN =
  /^(?:[A-Za-z0-9+/]{86}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/]{85}[AQgw]==|0x(?:[0-9a-fA-F]{128}|[0-9a-fA-F]{130}))$/;
/** The texts that can be a signature or message of a wallet: Base64, Base58, or hex behind `0x`. */
export const WALLET_BYTES_PATTERN = /^(?:0x[0-9a-fA-F]*|[A-Za-z0-9+/]+={0,2})$/;

const HEX_BEHIND_0X = /^0x((?:[0-9a-fA-F]{2})+)$/;
const BARE_HEX = /^[0-9a-f]{64,}$/i;
/** Longer texts are only counted: what follows looks at a text several times. */
const MAX_DESCRIBED_CHARACTERS = 1024;
const DER_SEQUENCE = 0x30;
const DER_BYTES = { least: 68, most: 72 };

/**
 * Standard Base64 of a signature that came as `0x` and hex (wallet libraries give that); any other text unchanged.
 * `0x` alone, how a contract wallet says that it approved on its chain, stays as well: its Base64 would be empty.
 */
export function signatureAsBase64(text: string): string {
  const digits = HEX_BEHIND_0X.exec(text)?.[1];
  return digits === undefined ? text : encodeBase64(decodeHex(digits)!);
}

/** Whether a text is the hex of a signature without its `0x`; it can happen to be Base64 as well, of something else. */
export function isBareHex(text: string): boolean {
  return BARE_HEX.test(text);
}

/**
 * What a text is that is not Base64, or not a signature of a secp256k1 key: the end of a sentence that begins with
 * "this is". Null for a text that could be such a signature. Quotes nothing of the text.
 */
export function describeMalformedSignature(text: string): string | null {
  if (/^0X[0-9a-fA-F]{128,130}$/.test(text)) return 'hex behind 0X; 0x, with a small letter, is expected';
  const bytes = decodeBase64(text);
  if (!bytes || isBareHex(text)) return describeMalformedBase64(text);
  if (parseSignature(bytes)) return null;
  const size = `${bytes.length} byte${bytes.length === 1 ? '' : 's'}`;
  if (bytes[0] === DER_SEQUENCE && bytes.length >= DER_BYTES.least && bytes.length <= DER_BYTES.most) {
    return `${size} in DER form; r, s and v are expected one behind the other`;
  }
  if (bytes.length === 65 && ![0, 1, 27, 28].includes(bytes[64]!)) {
    if (isCompactHeader(bytes[0]!)) {
      return `${size} with v (${bytes[0]}) in front, as Bitcoin has it; r, s and v are expected in this order`;
    }
    return `${size} whose last one, v, is ${bytes[64]}; 27 or 28 (or 0 or 1) is expected`;
  }
  return bytes.length === 64 || bytes.length === 65 ? `${size} with an impossible r or s` : size;
}

/** The first byte of a compact signature of Bitcoin: 27 to 30, and 31 to 34 for compressed keys. */
function isCompactHeader(byte: number): boolean {
  return byte >= 27 && byte <= 34;
}

/** What a text is that is not standard Base64, or only by chance; see `describeMalformedSignature`. */
export function describeMalformedBase64(text: string): string {
  if (text.length > MAX_DESCRIBED_CHARACTERS) return `a text of ${text.length} characters`;
  if (text.includes('%SIG_BASE64%')) return 'the placeholder %SIG_BASE64%, which stands for the signature';
  if (isBareHex(text)) return `hex of ${Math.floor(text.length / 2)} bytes without 0x`;
  if (/^0x[0-9a-fA-F]*$/.test(text)) return `an odd number (${text.length - 2}) of hex digits behind 0x`;
  if (decodeBase64(text.replace(/\s/g, ''))) return 'Base64 with white space in it';
  const padded = (letters: string) =>
    decodeBase64(letters.replace(/=+$/, '').padEnd(Math.ceil(letters.length / 4) * 4, '='));
  if (padded(text)) return 'Base64 without its padding (=)';
  if (padded(text.replaceAll('-', '+').replaceAll('_', '/'))) return 'Base64 in the URL alphabet (- and _ for + and /)';
  return `not Base64 (standard alphabet, with padding), a text of ${text.length} characters`;
}
