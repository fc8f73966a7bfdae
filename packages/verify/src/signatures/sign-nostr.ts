import { schnorr } from '@noble/curves/secp256k1.js';
import { encodeBase64 } from '../text/encoding.js';
import { nostrEventId } from './nostr-event.js';

/** The 32 bytes of the public key (x of the point) of a private key; null for bytes that are none. */
export function nostrKeyOf(privateKey: Uint8Array): Uint8Array | null {
  try {
    return schnorr.getPublicKey(privateKey);
  } catch {
    return null;
  }
}

/**
 * What a key of Nostr signs in place of the text of a payload: the signature (BIP-340) of the event that follows from
 * the text, in standard Base64 of 64 bytes, as `extra.wallet_signature` has it. The event goes to no relay.
 * @param privateKey 32 bytes
 * @throws Error for bytes that are not a private key, and for a text that is no payload
 */
export function signNostr(text: string, privateKey: Uint8Array): string {
  const id = nostrEventId(text, schnorr.getPublicKey(privateKey));
  if (!id) throw new Error('This text is no payload: it has no created_at.');
  return encodeBase64(schnorr.sign(id, privateKey));
}
