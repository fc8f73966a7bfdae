/** The second signature of a wallet binding: `extra.wallet_signature` over the same text that the Avatar signed. */
import type { Curves, WithCurves, WithEd25519 } from '../keys/curves.js';
import { nobleCurves } from '../keys/noble-curves.js';
import { ed25519Of } from '../keys/noble-ed25519.js';
import { decodeBase58, decodeBase64, decodeHex, utf8 } from '../text/encoding.js';
import { addressBy } from '../keys/ethereum-address.js';
import { personalSignerBy } from './personal-sign.js';
import { signedChainIn } from '../chains/signed-chain.js';
import { isObject } from '../text/signed-text.js';
import { decodeNostrSignature, nostrSigned } from './nostr-event.js';
import { isAnyOf, problemOfMessage, rebuildableMessages } from './solana-message.js';
import { failed, notCheckable, ok, show, type Step } from '../steps.js';

const ADDRESS = /^0x[0-9a-f]{40}$/; // 20 bytes of hex behind 0x, as addresses are compared
/** Contract wallets choose the form of their signatures (docs/design/decisions.md 2). */
const MAX_WALLET_SIGNATURE_BYTES = 64 * 1024;
const SOLANA_SIGNATURE_BYTES = 64;
/** The longest form is 130 characters; Base58 decoding takes quadratic time. */
const MAX_SOLANA_SIGNATURE_TEXT = 256;
/** A hardware wallet signs at most 1,232 bytes, and a payload has some 400. */
const MAX_SOLANA_MESSAGE_TEXT = 8192;

/** What a wallet's signature is about. All of it may be anything: it comes from elsewhere. */
export interface WalletClaim {
  platform: string;
  /** The wallet. */
  identity: string;
  /** The text that Avatar and wallet signed. */
  text: string;
  extra: { wallet_signature?: unknown; wallet_message?: unknown; chain_id?: unknown; block_number?: unknown };
}

/** The bytes of an ethereum wallet's signature: standard Base64, or hex behind `0x`; null for other or longer text. */
export function decodeEthereumSignature(text: string): Uint8Array | null {
  if (text.length > 2 * MAX_WALLET_SIGNATURE_BYTES + 2) return null;
  const bytes = (text.startsWith('0x') ? decodeHex(text.slice(2)) : null) ?? decodeBase64(text);
  return bytes && bytes.length <= MAX_WALLET_SIGNATURE_BYTES ? bytes : null;
}

/**
 * The 64 bytes of a solana wallet's signature in Base58, padded Base64 or hex with or without `0x`; null for anything
 * else. A text can be read in more than one alphabet, but only one reading of it has 64 bytes: they have up to 88,
 * exactly 88 with two `=` at the end, and 128 characters.
 */
export function decodeSolanaSignature(text: string): Uint8Array | null {
  if (text.length > MAX_SOLANA_SIGNATURE_TEXT) return null;
  const readings = [decodeBase58(text), decodeBase64(text), decodeHex(text.replace(/^0x/, ''))];
  return readings.find((bytes) => bytes?.length === SOLANA_SIGNATURE_BYTES) ?? null;
}

/** The bytes of `extra.wallet_message`: standard Base64, or hex behind `0x`; null for anything else or too long. */
export function decodeSolanaMessage(text: string): Uint8Array | null {
  if (text.length > MAX_SOLANA_MESSAGE_TEXT) return null;
  return (text.startsWith('0x') ? decodeHex(text.slice(2)) : null) ?? decodeBase64(text);
}

/**
 * Whether a solana wallet signed the text: the message that came along where it says the same, or one of those that
 * everybody can rebuild.
 * @returns what was signed where only that message verifies; true where a rebuilt one does; false
 */
export function solanaSigned(
  text: string,
  signature: Uint8Array,
  key: Uint8Array,
  message: Uint8Array | null,
  options: WithEd25519 = {},
): Uint8Array | boolean {
  const [bytes, ed25519] = [utf8(text), ed25519Of(options)];
  const rebuilt = rebuildableMessages(bytes, key);
  const isMessageUsable = message !== null && problemOfMessage(message, bytes, key) === null;
  if (isMessageUsable && !isAnyOf(message, rebuilt) && ed25519.verify(message, signature, key)) return message;
  return rebuilt.some((candidate) => ed25519.verify(candidate, signature, key));
}

/**
 * Checks the second signature of a wallet binding (personal_sign of an Ethereum wallet, a message of a Solana wallet,
 * an event of a key of Nostr): one step, `wallet_signature`. A signature that only a contract could confirm is "not
 * checkable", never failed. Never throws, whatever it is given.
 */
export function verifyWallet(claim: WalletClaim, options: WithCurves = {}): Step {
  try {
    return checkWallet(claim, options.curves ?? nobleCurves);
  } catch {
    return failed('wallet_signature', 'It cannot be read.');
  }
}

/** `verifyWallet` inside of the check of a link. */
export function checkWallet(claim: WalletClaim, curves: Curves): Step {
  return checkWalletBy(claim, curves, checkOther);
}

/**
 * `checkWallet` with a given check of other wallets than Ethereum's: a badge does without, and without what it loads.
 */
export function checkWalletBy(claim: WalletClaim, curves: Curves, other: typeof checkOther): Step {
  const { extra, platform, identity, text } = isObject(claim) ? claim : ({} as Partial<WalletClaim>);
  const written = isObject(extra) ? extra['wallet_signature'] : '';
  const isText = typeof identity === 'string' && typeof text === 'string';
  if (!isText || typeof written !== 'string' || written === '') {
    return failed('wallet_signature', 'It has no wallet signature.');
  }
  return (platform === 'ethereum' ? checkEthereum : other)(claim, written, curves);
}

const BY_WALLET = ok('wallet_signature', 'Its wallet signature was made by the wallet over its signed text.');
const NOT_BY_WALLET = failed(
  'wallet_signature',
  'Its wallet signature was not made by the wallet over its signed text.',
);

function checkEthereum({ identity, text, extra }: WalletClaim, written: string, { secp256k1 }: Curves): Step {
  const signature = decodeEthereumSignature(written);
  if (!signature) return NOT_BY_WALLET;
  const signer = personalSignerBy(text, signature, secp256k1);
  if (signer && addressBy(signer, secp256k1) === identity) return BY_WALLET;
  // No chain has a contract at what is no address.
  if (extra.chain_id === undefined || !ADDRESS.test(identity)) return NOT_BY_WALLET;
  const chain = signedChainIn(text);
  if (chain) {
    return notCheckable(
      'wallet_signature',
      `The Avatar signed that this is a contract wallet on chain ${chain.chain_id}, from block ${chain.block_number} on; ` +
        'only that chain can tell whether the wallet agreed.',
    );
  }
  const where = `chain ${show(extra.chain_id)}, block ${show(extra.block_number)}`;
  return notCheckable(
    'wallet_signature',
    `Only the server says that this is a contract wallet, whose signature can only be checked on its chain (${where}).`,
  );
}

/** Where there is no curve of that wallet. */
export function otherUnchecked({ platform }: WalletClaim): Step {
  return notCheckable('wallet_signature', `Signatures of ${platform} are not checked here.`);
}

function checkOther(claim: WalletClaim, written: string, curves: Curves): Step {
  return (claim.platform === 'nostr' ? checkNostr : checkSolana)(claim, written, curves);
}

function checkNostr(claim: WalletClaim, written: string, { bip340 }: Curves): Step {
  if (!bip340) return otherUnchecked(claim);
  const signature = decodeNostrSignature(written);
  return signature && nostrSigned(claim.text, signature, claim.identity, bip340) ? BY_WALLET : NOT_BY_WALLET;
}

function checkSolana(claim: WalletClaim, written: string, { ed25519 }: Curves): Step {
  if (!ed25519) return otherUnchecked(claim);
  const { identity, text, extra } = claim;
  const signature = decodeSolanaSignature(written);
  const key = decodeBase58(identity);
  const message = typeof extra.wallet_message === 'string' ? decodeSolanaMessage(extra.wallet_message) : null;
  return signature && key && solanaSigned(text, signature, key, message, { curves: { ed25519 } })
    ? BY_WALLET
    : NOT_BY_WALLET;
}
