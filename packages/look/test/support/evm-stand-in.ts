import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { Account, bytesToHex, createAddressFromString, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { createVM, type VM } from '@ethereumjs/vm';
import { jsonReply, startStandIn, type StandIn, type StandInReply, type StandInRequest } from './stand-in-server.js';

/** A JSON-RPC request as it arrived. */
export interface RpcCall {
  id: number;
  method: string;
  params: [Record<string, string>, ...string[]];
}

/** A chain in this process: a real EVM with the newest rules, and a JSON-RPC endpoint in front of it. */
export interface EvmStandIn {
  standIn: StandIn;
  /** Entry for ETH_RPC_URLS. */
  setting: string;
  /** Requests so far, oldest first. */
  calls: RpcCall[];
  /** Runs deploy bytecode (hex without `0x`, constructor arguments behind it); the address of the contract. */
  deploy(code: string): Promise<string>;
  /** Sends a transaction that changes the state. */
  send(to: string, data: string): Promise<void>;
  /** Puts code at an address, such as the mark of an ERC-7702 account. All hex with `0x`. */
  setCode(address: string, code: string): Promise<void>;
  /** The code at an address; hex with `0x`. */
  codeAt(address: string): Promise<string>;
  /** What a call returns, without changing the state; hex with `0x`. */
  call(to: string, data: string): Promise<string>;
  /** Answers one method otherwise, until `restore`; null stands for the usual answer. */
  answer(method: string, reply: (call: RpcCall) => StandInReply | null): void;
  restore(): void;
  close(): Promise<void>;
}

export const EVM_BLOCK = 21_000_000;
const MAX_INITCODE_BYTES = 49_152; // EIP-3860: nodes refuse a longer contract creation before they run it

export async function startEvm(chainId = 1): Promise<EvmStandIn> {
  const vm = await createVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Prague }) });
  // Another one on each chain, so that contracts do not stand at the same address everywhere.
  const deployer = createAddressFromString(`0x${chainId.toString(16).padStart(40, '1')}`);
  const overrides = new Map<string, (call: RpcCall) => StandInReply | null>();
  const calls: RpcCall[] = [];
  const answer = async (request: StandInRequest): Promise<StandInReply> => {
    const call = JSON.parse(request.body) as RpcCall;
    calls.push(call);
    const override = overrides.get(call.method)?.(call);
    if (override) return override;
    if (call.method === 'eth_chainId') return rpcResult(call, `0x${chainId.toString(16)}`);
    if (call.method === 'eth_blockNumber') return rpcResult(call, `0x${EVM_BLOCK.toString(16)}`);
    if (call.method === 'eth_call') return ethCall(vm, call);
    return rpcError(call, -32601, 'the method does not exist');
  };
  const standIn = await startStandIn(answer);
  return {
    standIn,
    calls,
    setting: `${chainId}=${standIn.baseUrl}`,
    deploy: async (code) => {
      const { createdAddress, execResult } = await vm.evm.runCall({
        caller: deployer,
        data: hexToBytes(`0x${code}`),
        gasLimit: 20_000_000n,
      });
      if (execResult.exceptionError || !createdAddress)
        throw new Error(`not deployed: ${execResult.exceptionError?.error}`);
      return createdAddress.toString();
    },
    send: async (to, data) => {
      const { exceptionError } = (await run(vm, { from: deployer.toString(), to, data })).execResult;
      if (exceptionError) throw new Error(`the transaction failed: ${exceptionError.error}`);
    },
    setCode: async (address, code) => {
      const at = createAddressFromString(address);
      await vm.stateManager.putAccount(at, new Account());
      await vm.stateManager.putCode(at, hexToBytes(code as PrefixedHexString));
    },
    codeAt: async (address) => bytesToHex(await vm.stateManager.getCode(createAddressFromString(address))),
    call: async (to, data) => {
      const { execResult } = await unchanged(vm, () => run(vm, { from: deployer.toString(), to, data }));
      return bytesToHex(execResult.returnValue);
    },
    answer: (method, reply) => void overrides.set(method, reply),
    restore: () => overrides.clear(),
    close: () => standIn.close(),
  };
}

export function rpcResult(call: RpcCall, result: unknown): StandInReply {
  return jsonReply({ jsonrpc: '2.0', id: call.id, result });
}

export function rpcError(call: RpcCall, code: number, message: string): StandInReply {
  return jsonReply({ jsonrpc: '2.0', id: call.id, error: { code, message } });
}

/** As nodes do it: on a state that is thrown away, a revert as error 3, any other failure of the code as -32000. */
async function ethCall(vm: VM, call: RpcCall): Promise<StandInReply> {
  const [transaction] = call.params;
  const { data = '0x', to } = transaction;
  if (!to && data.length / 2 - 1 > MAX_INITCODE_BYTES) return rpcError(call, -32000, 'max initcode size exceeded');
  const { execResult } = await unchanged(vm, () => run(vm, transaction));
  if (execResult.exceptionError?.error === 'revert') return rpcError(call, 3, 'execution reverted');
  if (execResult.exceptionError) return rpcError(call, -32000, execResult.exceptionError.error);
  return rpcResult(call, bytesToHex(execResult.returnValue));
}

function run(vm: VM, { from, to, data, gas }: Record<string, string>): ReturnType<VM['evm']['runCall']> {
  const sender = createAddressFromString(from!);
  return vm.evm.runCall({
    caller: sender,
    origin: sender,
    ...(to ? { to: createAddressFromString(to) } : {}),
    data: hexToBytes((data ?? '0x') as PrefixedHexString),
    gasLimit: BigInt(gas ?? 20_000_000),
  });
}

async function unchanged<T>(vm: VM, work: () => Promise<T>): Promise<T> {
  await vm.stateManager.checkpoint();
  try {
    return await work();
  } finally {
    await vm.stateManager.revert();
  }
}
