import { PlatformMisconfiguredError, PlatformUnavailableError } from '../../errors.js';
import type { RequestBudget, Fetcher } from '../../web/fetcher.js';

const MAX_REPLY_BYTES = 64 * 1024; // every answer we ask for is one word or one number
const TIMEOUT_MS = 5_000; // an eth_call of the gas we allow takes well under a second
/** Error codes of a call that ran and reverted: geth and its relatives, and Nethermind. */
const REVERT_CODES = [3, -32015];
const METHOD_NOT_FOUND = -32601;
/** What geth, Erigon, reth and OpenEthereum say of a block that they do not have; the code differs. */
const UNKNOWN_BLOCK_MESSAGE = /(?:header|block) not found|unknown block/i;

interface RpcReply {
  result?: unknown;
  error?: { code?: unknown; message?: unknown };
}

/** The call ran, and the contract reverted. It is an answer, not a failure. */
export const REVERTED = Symbol('REVERTED');
/** The endpoint does not have the block that the call names. */
const UNKNOWN_BLOCK = Symbol('UNKNOWN_BLOCK');

/** One JSON-RPC endpoint of an Ethereum-like chain, given by the operator (Ethereum execution API). */
export class EthereumRpc {
  /** Decimal text. */
  readonly chainId: string;
  /** May hold an access key, so it appears in no message. */
  private readonly url: string;

  /** `endpoint`: one entry of the option `rpcUrls`, `chainId=url`. */
  constructor(
    private readonly web: Fetcher,
    endpoint: string,
  ) {
    const at = endpoint.indexOf('=');
    this.chainId = endpoint.slice(0, at);
    this.url = endpoint.slice(at + 1);
  }

  /** @throws PlatformMisconfiguredError if the endpoint serves another chain than the option says. */
  async checkChain(budget: RequestBudget): Promise<void> {
    const answered = quantity(await this.ask('eth_chainId', [], budget), this.chainId);
    if (answered !== BigInt(this.chainId)) {
      throw new PlatformMisconfiguredError(
        `The endpoint that ETH_RPC_URLS (ethereum.rpcUrls) gives for chain ${this.chainId} serves chain ${answered}.`,
      );
    }
  }

  /** Number of the newest block. */
  async blockNumber(budget: RequestBudget): Promise<number> {
    const block = Number(quantity(await this.ask('eth_blockNumber', [], budget), this.chainId));
    if (!Number.isSafeInteger(block)) throw unusable(this.chainId);
    return block;
  }

  /**
   * Runs a call on the state of `block` without changing it; hex of what it returned, with `0x`, or REVERTED. Behind a
   * balanced endpoint the machine that answers may not have the block that another one has just named, so it is asked
   * once more for its latest, which is at most some blocks older.
   */
  async call(
    transaction: Record<string, string>,
    block: number,
    budget: RequestBudget,
  ): Promise<string | typeof REVERTED> {
    const named = await this.ask('eth_call', [transaction, `0x${block.toString(16)}`], budget);
    const result = named === UNKNOWN_BLOCK ? await this.ask('eth_call', [transaction, 'latest'], budget) : named;
    if (result === REVERTED) return REVERTED;
    if (typeof result !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(result)) throw unusable(this.chainId);
    return result;
  }

  /**
   * @throws PlatformUnavailableError for every failure that says nothing about the contract, and
   *   PlatformMisconfiguredError where the endpoint refuses us.
   */
  private async ask(method: string, params: unknown[], budget: RequestBudget): Promise<unknown> {
    const { status, json } = await this.web.sendJson<RpcReply>({
      url: this.url,
      trust: 'operator',
      platform: 'ethereum',
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      maxBytes: MAX_REPLY_BYTES,
      timeoutMs: TIMEOUT_MS,
      budget,
    });
    if (status === 401 || status === 403) {
      throw new PlatformMisconfiguredError(
        `The endpoint for chain ${this.chainId} refuses the access that ETH_RPC_URLS gives.`,
      );
    }
    const error = json?.error;
    if (error && isRevert(error)) return REVERTED;
    if (error && isUnknownBlock(error)) return UNKNOWN_BLOCK;
    if (error?.code === METHOD_NOT_FOUND) {
      throw new PlatformMisconfiguredError(`The endpoint for chain ${this.chainId} does not offer ${method}.`);
    }
    if (status !== 200 || error || json?.result === undefined) throw unusable(this.chainId);
    return json.result;
  }
}

/** Providers differ in the code, but all of them say "revert". */
function isRevert({ code, message }: { code?: unknown; message?: unknown }): boolean {
  return REVERT_CODES.includes(Number(code)) || (typeof message === 'string' && /\brevert/i.test(message));
}

function isUnknownBlock({ message }: { message?: unknown }): boolean {
  return typeof message === 'string' && UNKNOWN_BLOCK_MESSAGE.test(message);
}

/** A number in the form of the execution API, such as `0x10`. */
function quantity(value: unknown, chainId: string): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) throw unusable(chainId);
  return BigInt(value);
}

function unusable(chainId: string): PlatformUnavailableError {
  return new PlatformUnavailableError(`The wallet could not be asked on chain ${chainId}; try again later.`);
}
