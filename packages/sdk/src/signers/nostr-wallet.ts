/** Keys of Nostr that are bound: by a program that signs events (NIP-07), or in memory. */
import { decodeHex, encodeBase64, nobleBip340 } from '@signet/verify';
import { parseObject } from '@signet/verify/internal';
import {
  decodeNostrSignature,
  decodeNpub,
  decodeNsec,
  encodeNpub,
  nostrKeyOf,
  nostrSigned,
  nostrTemplate,
  type NostrTemplate,
  signatureOfEvent,
} from '@signet/verify/internal/signatures';
import { signNostr } from '@signet/verify/sign';
import { SignetError } from '../errors.js';
import type { WalletSigner } from './bound-wallets.js';

/** A program that signs events of Nostr, such as `window.nostr` of an extension (NIP-07). */
export interface NostrProvider {
  /** 64 hex digits. */
  getPublicKey(): Promise<string>;
  /** Answers the event with `id`, `pubkey` and `sig`. */
  signEvent(event: NostrTemplate): Promise<unknown>;
}

/** A key of Nostr that is bound. */
export interface NostrSigner extends WalletSigner {
  /** The public key as identities have it: `npub1` and 58 letters and digits. */
  npub(): Promise<string>;
}

/**
 * A key of Nostr to be bound: `window.nostr` of an extension, or the private key itself as `nsec`, as 64 hex digits
 * or as 32 bytes. What is signed is an event of kind 26743, which goes to no relay.
 *
 *     const wallet = nostrWallet(window.nostr);
 *     await client.bind({ platform: 'nostr', identity: await wallet.npub(), signer, wallet });
 *
 * @throws SignetError (`wrong_signer`) for what is neither; its message does not repeat it. `sign` throws it where
 *   the program signed another event than it was asked to, and what the program rejects with
 */
export function nostrWallet(given: NostrProvider | string | Uint8Array): NostrSigner {
  return typeof given === 'string' || given instanceof Uint8Array ? ofPrivateKey(given) : ofProgram(given);
}

function ofPrivateKey(given: string | Uint8Array): NostrSigner {
  const text = typeof given === 'string' ? given.trim() : '';
  const bytes = typeof given === 'string' ? (decodeNsec(text) ?? decodeHex(text.replace(/^0x/i, ''))) : given;
  const key = bytes && nostrKeyOf(bytes);
  if (!bytes || !key) throw wrongSigner('A private key of Nostr is nsec1 and 58 letters and digits, or 64 hex digits.');
  return {
    npub: () => Promise.resolve(encodeNpub(key)),
    sign: (message) => Promise.resolve({ wallet_signature: signNostr(message, bytes) }),
  };
}

function ofProgram(program: NostrProvider): NostrSigner {
  return {
    async npub() {
      const key = decodeHex(String(await program.getPublicKey()));
      if (key?.length !== 32) throw wrongSigner('The program of Nostr gave no public key.');
      return encodeNpub(key);
    },
    async sign(text) {
      const identity = String(parseObject(text)?.['identity']);
      const template = nostrTemplate(text);
      if (!template || !decodeNpub(identity)) throw wrongSigner('This text is not about a key of Nostr.');
      const event = await program.signEvent(template);
      return { wallet_signature: signatureIn(event, text, identity) };
    },
  };
}

/**
 * The signature of an event that a program of Nostr signed for the text of a payload, as `extra.wallet_signature` has
 * it.
 * @param given the event, its JSON text, or its `sig`
 * @throws SignetError (`wrong_signer`) that says what is wrong with it
 */
export function signatureOfNostrEvent(given: unknown, text: string): string {
  const identity = String(parseObject(text)?.['identity']);
  const sig = typeof given === 'string' ? decodeNostrSignature(given.trim()) : null;
  if (sig) return checked(sig, text, identity);
  return signatureIn(typeof given === 'string' ? parseObject(given) : given, text, identity);
}

function signatureIn(event: unknown, text: string, identity: string): string {
  const signature = signatureOfEvent(event, text, identity);
  if (typeof signature === 'string') throw wrongSigner(`The event cannot be used. ${signature}`);
  return checked(signature, text, identity);
}

function checked(signature: Uint8Array, text: string, identity: string): string {
  if (nostrSigned(text, signature, identity, nobleBip340)) return encodeBase64(signature);
  throw wrongSigner(`The event cannot be used. Its sig was not made by ${identity} over this event.`);
}

function wrongSigner(message: string): SignetError {
  return new SignetError(message, { code: 'wrong_signer' });
}
