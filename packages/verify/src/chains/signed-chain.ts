/** The chain of a contract wallet (ERC-1271) in the text that its Avatar signs. */
import { parseObject } from '../text/signed-text.js';
import { failed, ok, show, type Step } from '../steps.js';

/** The chain that is to be asked about a wallet, and the block from which on. Whole numbers. */
export interface SignedChain {
  block_number: number;
  chain_id: number;
}

/** The chain that a signed text names; null where it does not name both chain and block. */
export function signedChainIn(text: string): SignedChain | null {
  const { block_number, chain_id } = parseObject(text) ?? {};
  return isWhole(chain_id, 1) && isWhole(block_number, 0) ? { block_number, chain_id } : null;
}

/** The step `fields` of a link whose text names a chain: `extra` says where the wallet was asked. */
export function checkAskedChain({ block_number, chain_id }: SignedChain, extra: Record<string, unknown>): Step {
  if (extra['chain_id'] !== chain_id) {
    return failed('fields', `Its chain_id is ${show(extra['chain_id'])}, and ${show(chain_id)} was signed.`);
  }
  return isWhole(extra['block_number'], block_number)
    ? ok('fields', 'Its fields are those that were signed.')
    : failed('fields', `Its block_number is ${show(extra['block_number'])}, and at least ${block_number} was signed.`);
}

function isWhole(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}
