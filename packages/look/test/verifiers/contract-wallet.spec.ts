import { keccak_256 } from '@noble/hashes/sha3.js';
import { addressOfKey } from '@signet/verify';
import { PlatformMisconfiguredError, PlatformUnavailableError } from '@signet/look';
import type { ProofClaim, Verdict } from '../../src/platform-verifier.js';
import { SIGNATURE_CHECK_CODE } from '../../src/verifiers/ethereum/ethereum-signature-check.js';
import { EthereumVerifier } from '../../src/verifiers/ethereum/ethereum.verifier.js';
import { aFetcher } from '../support/fetcher.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { EVM_BLOCK, rpcError, rpcResult, startEvm, type EvmStandIn, type RpcCall } from '../support/evm-stand-in.js';
import { compileSolidity } from '../support/solidity.js';
import { jsonReply, textReply, type StandInReply } from '../support/stand-in-server.js';

const owner = aWallet('alice');
const mallory = aWallet('mallory');
const payload = '{"action":"create","platform":"ethereum","prev":null}';
const digest = keccak_256(Buffer.from(`\x19Ethereum Signed Message:\n${payload.length}${payload}`));
const contracts = compileSolidity('contracts/wallets.sol');

let mainnet: EvmStandIn;
let optimism: EvmStandIn;

beforeAll(async () => {
  [mainnet, optimism] = await Promise.all([startEvm(1), startEvm(10)]);
});

beforeEach(() => {
  for (const chain of [mainnet, optimism]) {
    chain.restore();
    chain.calls.length = 0;
  }
});

afterAll(() => Promise.all([mainnet.close(), optimism.close()]));

/**
 * The verdict over a wallet signature (Base64, or hex behind `0x`), with the chains given as `rpcUrls`.
 * @param timeoutMs short where a chain says nothing: another one may be slow on a busy machine
 */
async function verdictOn(
  address: string,
  walletSignature: string,
  chains: EvmStandIn[] = [mainnet],
  identityAsSent?: string,
  timeoutMs?: number,
): Promise<Verdict> {
  const web = aFetcher({}, { timeoutMs });
  const claim: ProofClaim = {
    avatar: anAvatar('alice').key,
    identity: address,
    identityAsSent,
    signPayload: payload,
    uuid: '6f1c0f3e-0000-4000-8000-000000000000',
    createdAt: new Date(1_718_000_000_000),
    previous: null,
    proofLocation: '',
    walletSignature,
  };
  try {
    return await new EthereumVerifier(web, { rpcUrls: chains.map(({ setting }) => setting) }).verify(claim);
  } finally {
    await web.stop();
  }
}

const yesOn = (chain: number) => ({ valid: true, extra: { chain_id: chain, block_number: EVM_BLOCK } });

/** One ABI word of an address or a number. */
function word(value: string | number): string {
  const hex = typeof value === 'number' ? value.toString(16) : value.slice(2);
  return hex.padStart(64, '0');
}

/** ABI `bytes`: length, then the bytes, filled up to whole words. */
function bytes(hex: string): string {
  return word(hex.length / 2) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
}

const selector = (signature: string) => Buffer.from(keccak_256(Buffer.from(signature)).slice(0, 4)).toString('hex');
const deployCall = (of: string) => selector('deploy(address)') + word(of);
const hexOf = (base64: string) => Buffer.from(base64, 'base64').toString('hex');

/** ERC-6492: abi.encode(factory, preparation, signature) and the mark. */
function wrapped(factory: string, preparation: string, signature: string): string {
  const first = bytes(preparation);
  const head = word(factory) + word(0x60) + word(0x60 + first.length / 2);
  return `0x${head}${first}${bytes(signature)}${'6492'.repeat(16)}`;
}

async function deployOwned(chain: EvmStandIn, of: string): Promise<string> {
  return chain.deploy(contracts['OwnedWallet'] + word(of));
}

/** Where a factory will put the wallet of an owner. */
async function futureAddress(factory: string, of: string): Promise<string> {
  return `0x${(await mainnet.call(factory, `0x${deployCall(of)}`)).slice(-40)}`;
}

describe('the compiled validator', () => {
  it('is what its source compiles to', () => {
    const compiled = compileSolidity('../../src/verifiers/ethereum/ethereum-signature-check.sol');

    expect(compiled).toEqual({ SignatureCheck: SIGNATURE_CHECK_CODE });
  });
});

describe('a deployed contract wallet (ERC-1271)', () => {
  it('is bound by the signature that it accepts, and chain and block are kept', async () => {
    const wallet = await deployOwned(mainnet, owner.address);

    expect(await verdictOn(wallet, owner.sign(payload))).toEqual(yesOn(1));
  });

  it('may be owned by the key of the Avatar', async () => {
    const avatar = anAvatar('alice');
    const wallet = await deployOwned(mainnet, addressOfKey(avatar.key.compressed));

    expect(await verdictOn(wallet, avatar.sign(payload))).toEqual(yesOn(1));
  });

  it.each([
    ['of somebody else', () => mallory.sign(payload)],
    ['over another payload', () => owner.sign(`${payload} `)],
    ['of two bytes', () => '0x1234'],
  ])('is not bound by a signature %s', async (_what, sign) => {
    const wallet = await deployOwned(mainnet, owner.address);

    const verdict = await verdictOn(wallet, sign());

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining(wallet) });
    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining('chain 1') });
  });

  it('may accept a payload beforehand, with an empty signature', async () => {
    const wallet = await mainnet.deploy(contracts['ApprovingWallet']!);
    const before = await verdictOn(wallet, '0x');
    await mainnet.send(wallet, `0x${selector('approve(bytes32)')}${Buffer.from(digest).toString('hex')}`);

    expect(before.valid).toBe(false);
    expect(await verdictOn(wallet, '0x')).toEqual(yesOn(1));
  });

  it.each([1_000, 40_000, 47 * 1024, 49_000, 64 * 1024])('may use a signature of %d bytes', async (length) => {
    const wallet = await mainnet.deploy(contracts['LongSignatureWallet']!);

    expect(await verdictOn(wallet, Buffer.alloc(length, 0x2a).toString('base64'))).toEqual(yesOn(1));
    expect((await verdictOn(wallet, Buffer.alloc(length, 0x2b).toString('base64'))).valid).toBe(false);
  });

  it('cannot be asked about a signature of more than 64 KiB', async () => {
    const wallet = await mainnet.deploy(contracts['LongSignatureWallet']!);

    await expect(verdictOn(wallet, Buffer.alloc(64 * 1024 + 1, 0x2a).toString('base64'))).rejects.toThrow('64 KiB');
    expect(mainnet.calls).toEqual([]);
  });

  it.each([
    'RefusingWallet',
    'RevertingWallet',
    'UnrelatedContract',
    'ShortWallet',
    'NoisyWallet',
    'EchoWallet',
    'HugeWallet',
    'BurningWallet',
    'TrustingWallet',
  ])('says no when it is a %s', async (name) => {
    const wallet = await mainnet.deploy(contracts[name]!);

    expect((await verdictOn(wallet, owner.sign(payload))).valid).toBe(false);
  });

  it('says no by reverting, however long the signature', async () => {
    const wallet = await mainnet.deploy(contracts['RevertingWallet']!);

    expect((await verdictOn(wallet, Buffer.alloc(60_000, 1).toString('base64'))).valid).toBe(false);
  });

  it.each(['0x0000000000000000000000000000000000000000', '0x0000000000000000000000000000000000000004'])(
    'is not what stands at %s',
    async (address) => {
      expect((await verdictOn(address, owner.sign(payload))).valid).toBe(false);
      expect((await verdictOn(address, Buffer.alloc(65).toString('base64'))).valid).toBe(false);
    },
  );

  it('is asked by a fixed caller that is not the zero address, with a fixed amount of gas, on the block that is kept', async () => {
    const wallet = await deployOwned(mainnet, owner.address);

    await verdictOn(wallet, owner.sign(payload));

    const [transaction, block] = mainnet.calls.at(-1)!.params;
    expect(mainnet.calls.map(({ method }) => method)).toEqual(['eth_chainId', 'eth_blockNumber', 'eth_call']);
    expect(transaction).toEqual({
      from: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      gas: '0xe4e1c0',
      data: expect.any(String),
    });
    expect(BigInt(transaction['from']!)).not.toBe(0n);
    expect(Number(block)).toBe(EVM_BLOCK);
  });
});

describe('a contract wallet that is not deployed yet (ERC-6492)', () => {
  let factory: string;

  beforeAll(async () => {
    factory = await mainnet.deploy(contracts['Factory']!);
  });

  it('is bound by its wrapped signature', async () => {
    const wallet = await futureAddress(factory, owner.address);

    expect(await verdictOn(wallet, wrapped(factory, deployCall(owner.address), hexOf(owner.sign(payload))))).toEqual(
      yesOn(1),
    );
  });

  it('stays undeployed by the check', async () => {
    const wallet = await futureAddress(factory, owner.address);
    const signature = wrapped(factory, deployCall(owner.address), hexOf(owner.sign(payload)));

    await verdictOn(wallet, signature);

    expect((await verdictOn(wallet, owner.sign(payload))).valid).toBe(false);
    expect(await verdictOn(wallet, signature)).toEqual(yesOn(1));
  });

  it('is not bound by the signature of somebody else', async () => {
    const wallet = await futureAddress(factory, owner.address);

    expect(
      (await verdictOn(wallet, wrapped(factory, deployCall(owner.address), hexOf(mallory.sign(payload))))).valid,
    ).toBe(false);
  });

  it('is not the wallet that the factory makes for somebody else', async () => {
    const wallet = await futureAddress(factory, owner.address);

    expect(
      (await verdictOn(wallet, wrapped(factory, deployCall(mallory.address), hexOf(mallory.sign(payload))))).valid,
    ).toBe(false);
  });

  it('is not any address at which a factory deploys nothing', async () => {
    const signature = wrapped(factory, deployCall(mallory.address), hexOf(mallory.sign(payload)));

    expect((await verdictOn(owner.address, signature)).valid).toBe(false);
  });

  it.each([
    ['reverts', 'RevertingWallet', ''],
    ['burns all gas', 'BurningWallet', ''],
  ])('is answered with no where its factory %s', async (_what, name) => {
    const bad = await mainnet.deploy(contracts[name]!);

    expect(
      (await verdictOn(owner.address, wrapped(bad, deployCall(owner.address), hexOf(mallory.sign(payload))))).valid,
    ).toBe(false);
  });

  it('is bound by the wrapped signature also after it was deployed', async () => {
    const wallet = await futureAddress(factory, mallory.address);
    await mainnet.send(factory, `0x${deployCall(mallory.address)}`);

    expect(
      await verdictOn(wallet, wrapped(factory, deployCall(mallory.address), hexOf(mallory.sign(payload)))),
    ).toEqual(yesOn(1));
  });

  it('may be deployed and need the preparation first', async () => {
    const wallet = await mainnet.deploy(contracts['MigratingWallet'] + word(owner.address));
    const signature = hexOf(owner.sign(payload));

    expect((await verdictOn(wallet, `0x${signature}`)).valid).toBe(false);
    expect(await verdictOn(wallet, wrapped(wallet, selector('migrate()'), signature))).toEqual(yesOn(1));
  });

  it('is refused with a wrapper that is too long for a constructor', async () => {
    const verdict = await verdictOn(owner.address, wrapped(factory, '2a'.repeat(50_000), hexOf(owner.sign(payload))));

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining('47 KiB') });
    expect(mainnet.calls).toEqual([]);
  });

  it('is asked about an empty signature, which ends where its length does', async () => {
    const verdict = await verdictOn(owner.address, wrapped(factory, deployCall(owner.address), ''));

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining('asked on chain 1)') });
    expect(mainnet.calls.map(({ method }) => method)).toContain('eth_call');
  });

  const mark = '6492'.repeat(16);
  const good = wrapped(mallory.address, '1234', '5678').slice(2, -mark.length);
  const withWord = (index: number, value: string) => good.slice(0, index * 64) + value + good.slice((index + 1) * 64);
  it.each([
    ['nothing before the mark', ''],
    ['half a word before the mark', good.slice(0, 32)],
    ['only the head', good.slice(0, 3 * 64)],
    ['dirt above the address of the factory', withWord(0, 'f'.repeat(64))],
    ['one digit too many in the address of the factory', withWord(0, `1${mallory.address.slice(2)}`.padStart(64, '0'))],
    ['an offset beyond the end', withWord(1, word(100_000))],
    ['an offset of 2^256 - 1', withWord(2, 'f'.repeat(64))],
    ['an offset of 2^63', withWord(1, word(0).replace(/0(0{15})$/, '8$1'))],
    ['a length beyond the end', withWord(3, word(5000))],
    ['a length one byte beyond the end', withWord(5, word(33))],
    ['a length of 2^256 - 1', withWord(5, 'f'.repeat(64))],
  ])('is refused without a call: %s', async (_what, body) => {
    const verdict = await verdictOn(owner.address, `0x${body}${mark}`);

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining('malformed') });
    expect(mainnet.calls).toEqual([]);
  });
});

describe('an account with code of its own (ERC-7702)', () => {
  const account = aWallet('delegating');

  beforeAll(async () => {
    const delegate = await mainnet.deploy(contracts['DelegateWallet']!);
    await mainnet.setCode(account.address, `0xef0100${delegate.slice(2)}`);
  });

  it('is bound by the plain signature of its key, and nothing is asked', async () => {
    expect(await verdictOn(account.address, account.sign(payload))).toEqual({ valid: true });
    expect(mainnet.calls).toEqual([]);
  });

  it('is not bound by the key of another', async () => {
    expect((await verdictOn(account.address, mallory.sign(payload))).valid).toBe(false);
  });

  it('is asked like any wallet about a signature that its key did not make', async () => {
    const long = aWallet('delegating to a long signature');
    const delegate = await mainnet.deploy(contracts['LongSignatureWallet']!);
    await mainnet.setCode(long.address, `0xef0100${delegate.slice(2)}`);

    expect(await verdictOn(long.address, Buffer.alloc(2000, 0x2a).toString('base64'))).toEqual(yesOn(1));
  });
});

describe('several chains', () => {
  it('are asked in order, and the first that says yes decides', async () => {
    const wallet = await deployOwned(optimism, owner.address);

    expect(await verdictOn(wallet, owner.sign(payload), [mainnet, optimism])).toEqual(yesOn(10));
    expect(mainnet.calls).toHaveLength(3);
  });

  it('are not asked further after a yes', async () => {
    const wallet = await deployOwned(mainnet, owner.address);

    expect(await verdictOn(wallet, owner.sign(payload), [mainnet, optimism])).toEqual(yesOn(1));
    expect(optimism.calls).toEqual([]);
  });

  it('may have different owners at one address: a no of one is not the answer of another', async () => {
    const wallet = await deployOwned(optimism, owner.address);
    const refusing = await mainnet.deploy(contracts['RefusingWallet']!);
    await mainnet.setCode(wallet, await mainnet.codeAt(refusing));

    expect((await verdictOn(wallet, owner.sign(payload), [mainnet])).valid).toBe(false);
    expect(await verdictOn(wallet, owner.sign(payload), [mainnet, optimism])).toEqual(yesOn(10));
  });

  it('still give a yes when the first cannot be asked', async () => {
    const wallet = await deployOwned(optimism, owner.address);
    mainnet.answer('eth_blockNumber', () => 'cut');

    expect(await verdictOn(wallet, owner.sign(payload), [mainnet, optimism])).toEqual(yesOn(10));
  });

  it('give no "no" when one of them cannot be asked', async () => {
    const wallet = await deployOwned(mainnet, owner.address);
    mainnet.answer('eth_call', () => 'cut');

    await expect(verdictOn(wallet, owner.sign(payload), [mainnet, optimism])).rejects.toThrow(PlatformUnavailableError);
  });
});

describe('a contract wallet that was named with its chain (CAIP-10)', () => {
  const everywhere = () => [mainnet, optimism];

  it('is asked on that chain alone', async () => {
    const wallet = await deployOwned(optimism, owner.address);

    expect(await verdictOn(wallet, owner.sign(payload), everywhere(), `eip155:10:${wallet}`)).toEqual(yesOn(10));
    expect(mainnet.calls).toEqual([]);
  });

  it('is not bound by the yes of another chain, where it may have another owner', async () => {
    const wallet = await deployOwned(optimism, owner.address);

    const verdict = await verdictOn(wallet, owner.sign(payload), everywhere(), ` EIP155:01:${wallet.toUpperCase()}`);

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining('asked on chain 1)') });
    expect(optimism.calls).toEqual([]);
  });

  it('is refused on a chain for which the server has no endpoint, with the chains that it has', async () => {
    const verdict = await verdictOn(owner.address, mallory.sign(payload), everywhere(), `eip155:8453:${owner.address}`);

    expect(verdict).toEqual({ valid: false, reason: expect.stringMatching(/chain 8453.*chain 1, 10/) });
  });

  it('is bound by its key on every chain where it is a plain wallet', async () => {
    expect(await verdictOn(owner.address, owner.sign(payload), everywhere(), `eip155:8453:${owner.address}`)).toEqual({
      valid: true,
    });
    expect([...mainnet.calls, ...optimism.calls]).toEqual([]);
  });
});

describe('an endpoint that does not know the block it has just named', () => {
  /** Balanced endpoints: another machine answers, and it is a block behind. */
  const unknownBlock = (message: string) => (call: RpcCall) =>
    call.params[1] === 'latest' ? null : rpcError(call, -32000, message);

  it.each(['header not found', 'block not found', 'Unknown block'])(
    'is asked once more for the latest: %s',
    async (message) => {
      const wallet = await deployOwned(mainnet, owner.address);
      mainnet.answer('eth_call', unknownBlock(message));

      expect(await verdictOn(wallet, owner.sign(payload))).toEqual(yesOn(1));
      expect((await verdictOn(wallet, mallory.sign(payload))).valid).toBe(false);
      expect(mainnet.calls.filter(({ method }) => method === 'eth_call').map(({ params }) => params[1])).toEqual([
        `0x${EVM_BLOCK.toString(16)}`,
        'latest',
        `0x${EVM_BLOCK.toString(16)}`,
        'latest',
      ]);
    },
  );

  it('is not asked a third time', async () => {
    const wallet = await deployOwned(mainnet, owner.address);
    mainnet.answer('eth_call', (call) => rpcError(call, -32000, 'header not found'));

    await expect(verdictOn(wallet, owner.sign(payload))).rejects.toThrow(PlatformUnavailableError);
    expect(mainnet.calls.filter(({ method }) => method === 'eth_call')).toHaveLength(2);
  });

  it('leaves enough requests for the chains behind it', async () => {
    const wallet = await deployOwned(optimism, owner.address);
    mainnet.answer('eth_call', unknownBlock('header not found'));
    optimism.answer('eth_call', unknownBlock('header not found'));

    expect(await verdictOn(wallet, owner.sign(payload), [mainnet, optimism])).toEqual(yesOn(10));
  });
});

describe('an endpoint that cannot be asked', () => {
  const unavailable: [string, string, StandInReply][] = [
    ['a cut connection', 'eth_chainId', 'cut'],
    ['no answer', 'eth_chainId', 'hang'],
    ['500', 'eth_call', jsonReply({ error: 'oops' }, 500)],
    ['429', 'eth_call', jsonReply({ error: 'slow down' }, 429)],
    ['404', 'eth_call', jsonReply({ error: 'what' }, 404)],
    ['HTML', 'eth_call', textReply('<html>sign in</html>', 200, 'text/html')],
    ['an array', 'eth_call', jsonReply([])],
    ['null', 'eth_call', jsonReply(null)],
    ['no result', 'eth_call', jsonReply({ jsonrpc: '2.0', id: 1 })],
    ['a result that is a number', 'eth_call', jsonReply({ jsonrpc: '2.0', id: 1, result: 1 })],
    ['a result that is not hex', 'eth_call', jsonReply({ jsonrpc: '2.0', id: 1, result: '0x0g' })],
    ...['10', '0x', '0x1g', ' 0x1', `0x${'1'.repeat(65)}`, 16].map((result): [string, string, StandInReply] => [
      `the block number ${JSON.stringify(result)}`,
      'eth_blockNumber',
      jsonReply({ jsonrpc: '2.0', id: 1, result }),
    ]),
    ...[`0x${word(1)}0`, `0x${word(1)} `, ` 0x${word(1)}`, word(1)].map((result): [string, string, StandInReply] => [
      `the result ${JSON.stringify(result)}`,
      'eth_call',
      jsonReply({ jsonrpc: '2.0', id: 1, result }),
    ]),
    ['a yes with status 201', 'eth_call', jsonReply({ jsonrpc: '2.0', id: 1, result: `0x${word(1)}` }, 201)],
    [
      'a yes beside an error',
      'eth_call',
      jsonReply({ jsonrpc: '2.0', id: 1, result: `0x${word(1)}`, error: { code: -32000, message: 7 } }),
    ],
    ['an error of no form', 'eth_call', jsonReply({ jsonrpc: '2.0', id: 1, error: 'execution was irreverted' })],
    ['a block number that is a word', 'eth_blockNumber', jsonReply({ jsonrpc: '2.0', id: 1, result: 'latest' })],
    [
      'a limit of the provider',
      'eth_call',
      jsonReply({ jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'limit exceeded' } }),
    ],
    [
      'a missing block',
      'eth_call',
      jsonReply({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'header not found' } }),
    ],
  ];

  it.each(unavailable)('is not a "no": %s', async (_what, method, reply) => {
    const wallet = await deployOwned(mainnet, owner.address);
    mainnet.answer(method, () => reply);
    const timeoutMs = reply === 'hang' ? 500 : undefined;

    const asked = verdictOn(wallet, owner.sign(payload), [mainnet], undefined, timeoutMs);
    await expect(asked).rejects.toThrow(PlatformUnavailableError);
  });

  it.each([
    ['another chain id than the setting', 'eth_chainId', jsonReply({ jsonrpc: '2.0', id: 1, result: '0x89' })],
    ['401', 'eth_chainId', jsonReply({ error: 'no key' }, 401)],
    ['403', 'eth_chainId', jsonReply({ error: 'no key' }, 403)],
    [
      'an unknown method',
      'eth_call',
      jsonReply({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no such method' } }),
    ],
  ])('is a matter for the operator: %s', async (_what, method, reply) => {
    const wallet = await deployOwned(mainnet, owner.address);
    mainnet.answer(method, () => reply);

    await expect(verdictOn(wallet, owner.sign(payload))).rejects.toThrow(PlatformMisconfiguredError);
  });

  it.each([
    ['error 3', 3, 'execution reverted: GS026'],
    ['error 3 without words', 3, undefined as never],
    ['the code of Nethermind', -32015, 'VM execution error.'],
    ['words only', -32000, 'execution reverted'],
  ])('does say no by a revert: %s', async (_what, code, message) => {
    mainnet.answer('eth_call', (call) => rpcError(call, code, message));

    expect((await verdictOn(mallory.address, owner.sign(payload))).valid).toBe(false);
  });

  it('may write numbers and words in capitals', async () => {
    const wallet = await optimism.deploy(contracts['LongSignatureWallet']!);
    optimism.answer('eth_chainId', (call) => rpcResult(call, '0xA'));
    optimism.answer('eth_call', (call) => rpcResult(call, `0x${'1626ba7e'.padEnd(64, '0').toUpperCase()}`));

    expect(await verdictOn(wallet, Buffer.alloc(60_000, 1).toString('base64'), [optimism])).toEqual(yesOn(10));
  });

  it('shows its address in no message, because a key may be part of it', async () => {
    mainnet.answer('eth_chainId', (call) => rpcResult(call, '0x89'));

    const error = await verdictOn(mallory.address, owner.sign(payload)).catch((thrown: Error) => thrown);

    expect(String((error as Error).message)).not.toContain(String(mainnet.standIn.port));
    expect(String((error as Error).message)).toContain('chain 137');
  });
});
