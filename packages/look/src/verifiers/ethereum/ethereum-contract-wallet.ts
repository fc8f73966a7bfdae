import { encodeHex, personalDigest, type SignedChain } from '@signet/verify';
import { keccak256 } from '../../hashing.js';
import { RequestBudget } from '../../web/fetcher.js';
import type { Verdict } from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';
import { SIGNATURE_CHECK_CODE } from './ethereum-signature-check.js';
import type { EthereumRpc } from './ethereum-rpc.js';
import { REVERTED } from './ethereum-rpc.js';

/** Ends a signature of a wallet that may not be deployed yet (ERC-6492): `6492` sixteen times. */
const UNDEPLOYED_SUFFIX = '6492'.repeat(16);
const IS_VALID_SIGNATURE = '1626ba7e'; // both the selector and the magic answer of ERC-1271
const WORD = 64; // hex digits of 32 bytes
const GAS = '0xe4e1c0'; // 15,000,000: a passkey checked in Solidity takes 3 million, and a transaction may have 16.7 (EIP-7825)
const MAX_DEPLOY_CODE_BYTES = 49_152; // nodes refuse a longer constructor with its arguments (EIP-3860)
const REQUESTS_PER_CHAIN = 4; // the last one only where the endpoint does not have the block it named
const TOTAL_MS = 15_000; // for all chains together
/**
 * The caller. No one has the key of this address and no contract knows it; it is not zero, because some wallets skip
 * their own checks for a simulated call from the zero address.
 */
const CALLER = `0x${encodeHex(keccak256(new TextEncoder().encode('Who asks a wallet about its signature')).slice(-20))}`;

/** A signature taken out of its ERC-6492 wrapper; without one, `factory` is the zero address. All hex without `0x`. */
interface WalletSignature {
  signature: string;
  factory: string;
  preparation: string;
}

/**
 * Asks the contract at `address` (lowercase, `0x`) whether `signature` over `message` is its own, on one chain after
 * the other: ERC-1271, and ERC-6492 for a wallet that is not deployed yet. ERC-7702 accounts have code, so they are
 * asked the same way. The first chain that says yes decides; the same address can have other owners elsewhere, so a
 * "no" of one chain is not the answer of another.
 * @param notBefore a block that the chain is known to have
 * @throws PlatformUnavailableError or PlatformMisconfiguredError if no chain said yes and one could not be asked.
 */
export async function checkContractWallet(
  chains: EthereumRpc[],
  address: string,
  message: string,
  signature: Uint8Array,
  notBefore = 0,
): Promise<Verdict> {
  const unwrapped = unwrap(encodeHex(signature));
  if (!unwrapped)
    return invalid('The wallet signature has the mark of ERC-6492 at its end, but what stands before it is malformed.');
  const call = callFor(address.slice(2), encodeHex(personalDigest(message)), unwrapped);
  if (!call) return invalid('A wallet signature in the form of ERC-6492 may have 47 KiB at most.');
  const budget = new RequestBudget(REQUESTS_PER_CHAIN * chains.length, TOTAL_MS);
  let failure: unknown;
  for (const chain of chains) {
    try {
      const blockNumber = await blockOfYes(chain, call, budget, notBefore);
      if (blockNumber !== null) {
        return { valid: true, extra: { chain_id: Number(chain.chainId), block_number: blockNumber } };
      }
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure) throw failure;
  return invalid(
    `The wallet signature was not made by the key of ${address} over this payload, and no contract wallet there accepts it ` +
      `(asked on chain ${chains.map(({ chainId }) => chainId).join(', ')}).`,
  );
}

/** The chain with its newest block. @throws PlatformUnavailableError, PlatformMisconfiguredError */
export async function newestBlockOf(chain: EthereumRpc): Promise<SignedChain> {
  const budget = new RequestBudget(REQUESTS_PER_CHAIN, TOTAL_MS);
  await chain.checkChain(budget);
  return { block_number: await chain.blockNumber(budget), chain_id: Number(chain.chainId) };
}

/**
 * The block on whose state the wallet said yes, or null for no. Block and answer belong together, so the call names the
 * block. Behind a balanced endpoint the newest one may be older than the one that it named before: the larger counts.
 */
async function blockOfYes(
  chain: EthereumRpc,
  call: Record<string, string>,
  budget: RequestBudget,
  notBefore: number,
): Promise<number | null> {
  await chain.checkChain(budget);
  const block = Math.max(await chain.blockNumber(budget), notBefore);
  const answer = await chain.call(call, block, budget);
  return answer !== REVERTED && answer.toLowerCase().startsWith(yesTo(call)) ? block : null;
}

/**
 * The constructor of SignatureCheck with its arguments. Where they are too long for a constructor, the wallet itself is
 * called, which cannot prepare an undeployed one: null.
 */
function callFor(
  wallet: string,
  digest: string,
  { signature, factory, preparation }: WalletSignature,
): Record<string, string> | null {
  const data =
    SIGNATURE_CHECK_CODE +
    encodeArguments(word(wallet), digest, { bytes: signature }, word(factory), { bytes: preparation });
  if (data.length <= 2 * MAX_DEPLOY_CODE_BYTES) return { from: CALLER, gas: GAS, data: `0x${data}` };
  if (preparation !== '') return null;
  const question = IS_VALID_SIGNATURE + encodeArguments(digest, { bytes: signature });
  return { from: CALLER, gas: GAS, to: `0x${wallet}`, data: `0x${question}` };
}

/** The word that the call returns where the wallet accepts. */
function yesTo(call: Record<string, string>): string {
  return call.to ? `0x${IS_VALID_SIGNATURE.padEnd(WORD, '0')}` : `0x${word('1')}`;
}

/**
 * Takes off the wrapper `abi.encode(address factory, bytes preparation, bytes signature)` and its mark; null where it
 * is malformed.
 */
function unwrap(hex: string): WalletSignature | null {
  if (!hex.endsWith(UNDEPLOYED_SUFFIX)) return { signature: hex, factory: '', preparation: '' };
  const body = hex.slice(0, -UNDEPLOYED_SUFFIX.length);
  const preparation = bytesAt(body, 1);
  const signature = bytesAt(body, 2);
  if (preparation === null || signature === null || !/^0{24}/.test(body)) return null;
  return { signature, factory: body.slice(24, WORD), preparation };
}

/**
 * The `bytes` argument in position `index` of ABI-encoded hex: an offset in the head, there a length, then the bytes.
 */
function bytesAt(body: string, index: number): string | null {
  const offset = smallNumberAt(body, index * WORD);
  const length = offset === null ? null : smallNumberAt(body, offset * 2);
  if (offset === null || length === null) return null;
  const start = offset * 2 + WORD;
  return start + length * 2 <= body.length ? body.slice(start, start + length * 2) : null;
}

/** The word at a position in hex digits as a number below 2^32; null where it is larger or cut off. */
function smallNumberAt(body: string, position: number): number | null {
  const digits = body.slice(position, position + WORD);
  return /^0{56}[0-9a-f]{8}$/.test(digits) ? Number.parseInt(digits, 16) : null;
}

/** ABI encoding of arguments that are whole words or `bytes`, all hex (Solidity, "Contract ABI Specification"). */
function encodeArguments(...values: (string | { bytes: string })[]): string {
  let head = '';
  let tail = '';
  for (const value of values) {
    if (typeof value === 'string') {
      head += value;
    } else {
      head += word((values.length * 32 + tail.length / 2).toString(16));
      tail +=
        word((value.bytes.length / 2).toString(16)) +
        value.bytes.padEnd(Math.ceil(value.bytes.length / WORD) * WORD, '0');
    }
  }
  return head + tail;
}

/** 32 bytes as hex, filled with zeros from the left. */
function word(hex: string): string {
  return hex.padStart(WORD, '0');
}
