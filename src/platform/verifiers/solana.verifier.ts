import { Injectable } from '@nestjs/common';
import { isUsablePublicKey, verifyEd25519 } from '../../crypto/ed25519.js';
import { decodeBase58, decodeBase64, decodeHex, encodeBase58 } from '../../crypto/encoding.js';
import { InvalidRequestError, InvalidSignatureError } from '../../domain/domain-errors.js';
import { invalid, SIGNATURE_PLACEHOLDER } from '../platform-verifier.js';
import type {
  PlatformGuide,
  PlatformVerifier,
  PostContent,
  ProofClaim,
  ProofDraft,
  Verdict,
} from '../platform-verifier.js';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const MAX_SIGNATURE_TEXT = 256; // the longest form is 130 characters; Base58 decoding takes quadratic time
const MAX_ADDRESS_TEXT = 44; // Base58 of 32 bytes

/**
 * `solana:<address>`, CAIP-10 `solana:<start of the genesis hash>:<address>`, or the address page of a well-known
 * explorer, from which path and query after the address are dropped.
 */
const FRIENDLY_FORM =
  /^(?:solana:(?:[1-9A-HJ-NP-Za-km-z]{32}:)?([^/?#]+)|https:\/\/(?:explorer\.solana\.com\/address|solscan\.io\/account)\/([^/?#]+).*)$/i;

/**
 * Solana: the wallet's ed25519 key signs the same payload as the Avatar, and nothing is published. The signed bytes are
 * the UTF-8 text itself, or that text in the wrapper that hardware wallets and the command line put around it (Solana,
 * "Off-Chain Message Signing").
 */
@Injectable()
export class SolanaVerifier implements PlatformVerifier {
  readonly platform = 'solana';
  readonly publishes = 'nothing';
  readonly guide: PlatformGuide = {
    identityPattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
    identityExample: '3xar6tMnoR7k2V1vxRnyuvxYXCJM3UfKH4nJB7gZsGRT',
    locationForms: [],
    steps: [
      'Ask for a payload with your wallet address (Base58, capitals matter) as the identity.',
      'Sign sign_payload with your Avatar key.',
      'Sign the same sign_payload with your wallet (signMessage over its UTF-8 bytes).',
      'Submit both: extra.signature is from the Avatar (Base64), extra.wallet_signature from the wallet (Base58, Base64 or hex). ' +
        'Nothing is published.',
    ],
  };

  /**
   * Accepts the address, `solana:<address>` and explorer pages. Letter case is part of an address.
   * @throws InvalidRequestError (`invalid_identity`) if it is not Base58 of 32 bytes, or not a key that can sign
   *   safely: small-order keys verify signatures that nobody made, and addresses off the curve (program-derived) have
   *   no key.
   */
  canonicalIdentity(text: string): string {
    const form = FRIENDLY_FORM.exec(text.trim());
    const address = form?.[1] ?? form?.[2] ?? text.trim();
    const key = address.length <= MAX_ADDRESS_TEXT ? decodeBase58(address) : null;
    if (key?.length !== KEY_BYTES || encodeBase58(key) !== address) {
      throw invalidIdentity('expected Base58 of 32 bytes, with the capitals exactly as your wallet shows them');
    }
    if (!isUsablePublicKey(key)) throw invalidIdentity('no wallet can sign for it (a program or system address)');
    return address;
  }

  postContent({ identity }: ProofDraft): PostContent {
    return {
      default:
        `Nothing has to be published for a wallet. Send the Avatar signature ${SIGNATURE_PLACEHOLDER} as extra.signature, and ` +
        `the signature of wallet ${identity} over the same text as extra.wallet_signature.`,
    };
  }

  async verify(claim: ProofClaim): Promise<Verdict> {
    if (!claim.walletSignature) return invalid('The wallet signature is missing: send it as extra.wallet_signature.');
    const signature = decodeSignature(claim.walletSignature);
    const key = decodeBase58(claim.identity);
    if (!key || !isUsablePublicKey(key)) return invalid(`${claim.identity} is not an address that can sign.`);
    const text = new TextEncoder().encode(claim.signPayload);
    const signed = [text, offChainMessage(text, key), shortOffChainMessage(text)];
    if (signed.some((message) => verifyEd25519(message, signature, key))) return { valid: true };
    return invalid(`The wallet signature was not made by the key of ${claim.identity} over this payload.`);
  }
}

function invalidIdentity(why: string): InvalidRequestError {
  return new InvalidRequestError(`Not a solana address: ${why}.`, 'invalid_identity');
}

/**
 * The 64 bytes of a signature in Base58, padded Base64 or hex with or without `0x`. A text can be read in more than one
 * alphabet, but only one reading of it has 64 bytes: they have up to 88, exactly 88 with two `=` at the end, and 128
 * characters.
 * @throws InvalidSignatureError for anything else.
 */
function decodeSignature(text: string): Uint8Array {
  const readings =
    text.length <= MAX_SIGNATURE_TEXT
      ? [decodeBase58(text), decodeBase64(text), decodeHex(text.replace(/^0x/, ''))]
      : [];
  const signature = readings.find((bytes) => bytes?.length === SIGNATURE_BYTES);
  if (signature) return signature;
  throw new InvalidSignatureError('extra.wallet_signature must be 64 bytes in Base58, padded Base64 or hex.');
}

const OFF_CHAIN_DOMAIN = Uint8Array.of(0xff, ...new TextEncoder().encode('solana offchain'));
const VERSION = 0;
const ONE_SIGNER = 1;

/** The published layout, version 0: the application domain is all zero, as nobody gave us one. */
function offChainMessage(text: Uint8Array, signer: Uint8Array): Uint8Array {
  const head = [...OFF_CHAIN_DOMAIN, VERSION, ...new Uint8Array(32), formatOf(text), ONE_SIGNER, ...signer];
  return Uint8Array.of(...head, ...lengthOf(text), ...text);
}

/** The layout that was shipped before the published one: without application domain and signers. */
function shortOffChainMessage(text: Uint8Array): Uint8Array {
  return Uint8Array.of(...OFF_CHAIN_DOMAIN, VERSION, formatOf(text), ...lengthOf(text), ...text);
}

/** 0: printable ASCII; 1: other UTF-8. A payload is far below the limit beyond which format 2 starts. */
function formatOf(text: Uint8Array): number {
  return text.every((byte) => byte >= 0x20 && byte <= 0x7e) ? 0 : 1;
}

/** Two bytes, low byte first. */
function lengthOf(text: Uint8Array): [number, number] {
  return [text.length & 0xff, text.length >> 8];
}
