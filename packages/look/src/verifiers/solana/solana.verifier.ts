import { decodeBase58, encodeBase64, nobleEd25519 } from '@signet/verify';
import { cleanPasted, utf8 } from '@signet/verify/internal';
import {
  decodeSolanaMessage,
  decodeSolanaSignature,
  problemOfMessage,
  solanaSigned,
  mistakenTexts,
} from '@signet/verify/internal/signatures';
import { NAME_PATTERNS } from '@signet/verify/names';
import { InvalidRequestError, InvalidSignatureError } from '../../errors.js';
import { invalid } from '../../platform-verifier.js';
import type {
  PlatformGuide,
  PlatformVerifier,
  PostContent,
  ProofClaim,
  ProofDraft,
  Verdict,
} from '../../platform-verifier.js';
import { MISSING_WALLET_SIGNATURE, walletPostContent } from '../../posts/wallet-text.js';

const KEY_BYTES = 32;

/**
 * `solana:<address>`, CAIP-10 `solana:<start of the genesis hash>:<address>`, or the address page of a well-known
 * explorer, from which path and query after the address are dropped.
 */
const FRIENDLY_FORM =
  /^(?:solana:(?:[1-9A-HJ-NP-Za-km-z]{32}:)?([^/?#]+)|https:\/\/(?:explorer\.solana\.com\/address|solscan\.io\/account)\/([^/?#]+).*)$/i;

/**
 * Solana: the wallet's ed25519 key signs the same payload as the Avatar, and nothing is published. The signed bytes are
 * the UTF-8 text itself, or that text in the wrapper that hardware wallets and the command line put around it. Where
 * the wrapper names the site on which the wallet was asked, the client sends it along in `extra.wallet_message`.
 */
export class SolanaVerifier implements PlatformVerifier {
  readonly platform = 'solana';
  readonly publishes = 'nothing';
  readonly guide: PlatformGuide = {
    label: 'Solana',
    identityPattern: NAME_PATTERNS.solana,
    identityExample: '3xar6tMnoR7k2V1vxRnyuvxYXCJM3UfKH4nJB7gZsGRT',
    locationForms: [],
    steps: [
      'Ask for a payload with your wallet address (Base58, capitals matter) as the identity.',
      'Sign sign_payload with your Avatar key.',
      'Sign the same sign_payload with your wallet (signMessage over its UTF-8 bytes).',
      'Submit both: extra.signature is from the Avatar (Base64), extra.wallet_signature from the wallet (Base58, Base64 or hex). ' +
        'Nothing is published.',
      'A hardware wallet may sign more than the text: send the bytes that it signed (signedMessage of the wallet) as extra.wallet_message, Base64.',
    ],
  };

  /**
   * Accepts the address, `solana:<address>` and explorer pages. Letter case is part of an address.
   * @throws InvalidRequestError (`invalid_identity`) if it is not Base58 of 32 bytes, or not a key that can sign
   *   safely: small-order keys verify signatures that were made without a private key, and addresses off the curve
   *   (program-derived) have no key.
   */
  canonicalIdentity(text: string): string {
    const pasted = cleanPasted(text);
    const form = FRIENDLY_FORM.exec(pasted);
    const address = form?.[1] ?? form?.[2] ?? pasted;
    const key = decodeBase58(address);
    if (key?.length !== KEY_BYTES) {
      throw invalidIdentity('expected Base58 of 32 bytes, with the capitals exactly as your wallet shows them');
    }
    if (!nobleEd25519.isUsablePublicKey(key))
      throw invalidIdentity('no wallet can sign for it (a program or system address)');
    return address;
  }

  postContent({ identity }: ProofDraft): PostContent {
    return walletPostContent(identity);
  }

  /**
   * The message that was sent is tried first, then those that everybody can rebuild. It is kept with the link only
   * where the signature cannot be verified without it.
   * @throws InvalidSignatureError for a signature or a message that is malformed.
   */
  async verify({ identity, signPayload, walletSignature, walletMessage }: ProofClaim): Promise<Verdict> {
    if (!walletSignature) return invalid(MISSING_WALLET_SIGNATURE);
    const signature = decodeSignature(walletSignature);
    const key = decodeBase58(identity);
    if (!key || !nobleEd25519.isUsablePublicKey(key)) return invalid(`${identity} is not an address that can sign.`);
    const message = walletMessage ? decodeMessage(walletMessage, signPayload, key) : null;
    const signed = solanaSigned(signPayload, signature, key, message);
    if (signed === true) return { valid: true };
    if (signed) return { valid: true, extra: { wallet_message: encodeBase64(signed) } };
    const mistake = mistakenTexts(signPayload).find(([mistaken]) =>
      nobleEd25519.verify(new TextEncoder().encode(mistaken), signature, key),
    );
    if (mistake) return invalid(`The wallet signature was made by the key of ${identity}, but over ${mistake[1]}.`);
    return invalid(
      `The wallet signature was not made by the key of ${identity} over this payload.` +
        (message ? '' : ' If the wallet signed more than the text, send what it signed as extra.wallet_message.'),
    );
  }
}

function invalidIdentity(why: string): InvalidRequestError {
  return new InvalidRequestError(`Not a solana address: ${why}.`, 'invalid_identity');
}

/**
 * The 64 bytes of a signature.
 * @throws InvalidSignatureError for anything else.
 */
function decodeSignature(text: string): Uint8Array {
  const signature = decodeSolanaSignature(text);
  if (signature) return signature;
  throw new InvalidSignatureError('extra.wallet_signature must be 64 bytes in Base58, padded Base64 or hex.');
}

/**
 * The bytes of `extra.wallet_message`: standard Base64, or hex behind `0x`.
 * @throws InvalidSignatureError if it is neither, or not a message of the wallet `key` with exactly this text.
 */
function decodeMessage(written: string, signPayload: string, key: Uint8Array): Uint8Array {
  const message = decodeSolanaMessage(written);
  if (!message) {
    throw new InvalidSignatureError(
      'extra.wallet_message must be standard Base64, or hex digits behind 0x, of at most 8192 characters.',
    );
  }
  const problem = problemOfMessage(message, utf8(signPayload), key);
  if (problem) throw new InvalidSignatureError(`extra.wallet_message ${problem}.`);
  return message;
}
