import { createClient, type DraftState, ethereumWallet } from '@signet/sdk';
import { runHere } from '../../packages/cli/test/terminal.js';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { EVM_BLOCK, type EvmStandIn, startEvm } from '../../packages/look/test/support/evm-stand-in.js';
import { compileSolidity } from '../../packages/look/test/support/solidity.js';

const owner = aWallet('owner');
const contracts = compileSolidity('contracts/wallets.sol');
const signerOf = ({ key, sign }: ReturnType<typeof anAvatar>) => ({
  publicKey: key.compressed,
  signMessage: async (text: string) => sign(text),
});
const byOwner = { sign: async (text: string) => ({ wallet_signature: owner.sign(text) }) };

describe('a client that binds a contract wallet', () => {
  let evm: EvmStandIn;
  let app: RunningApp;
  let proxy: LyingProxy;
  let address: string;
  beforeAll(async () => {
    evm = await startEvm(10);
    app = await startApp({ env: { ETH_RPC_URLS: evm.setting } });
    proxy = await startLyingProxy(app.baseUrl);
    address = await evm.deploy(contracts['OwnedWallet'] + owner.address.slice(2).padStart(64, '0'));
  });
  afterAll(async () => {
    await proxy?.close();
    await app?.close();
    await evm?.close();
  });
  const bindingOf = async (avatar: ReturnType<typeof anAvatar>) =>
    createClient({ baseUrl: app.baseUrl }).proofs.exists({
      platform: 'ethereum',
      identity: address,
      avatar: avatar.key.compressed,
    });

  it('signs its chain, and keeps chain and block with what was signed', async () => {
    const alice = anAvatar('alice');
    const client = createClient({ baseUrl: app.baseUrl });
    const request = { platform: 'ethereum', identity: address, signer: signerOf(alice), wallet: byOwner };

    await expect(client.bind(request)).rejects.toMatchObject({ code: 'chain_required' });
    await expect(client.bind({ ...request, chainId: 1 })).rejects.toMatchObject({ code: 'unknown_chain' });
    const draft = await client.draft({ ...request, chainId: 10 });
    const kept = JSON.parse(JSON.stringify(draft)) as DraftState;
    await client.resume(kept).submit();

    expect(kept.extra).toMatchObject({ chain_id: 10, block_number: EVM_BLOCK });
    expect(await bindingOf(alice)).toMatchObject({ is_valid: true, chain_id: 10 });
  });

  it('learns the chain from the wallet of a page, where that is a contract', async () => {
    const carol = anAvatar('carol');
    const request = async ({ method, params = [] }: { method: string; params?: unknown[] }) => {
      if (method === 'eth_getCode') return params[0] === address ? '0x6080' : '0x';
      if (method === 'eth_chainId') return '0xa';
      return owner.sign(Buffer.from(String(params[0]).slice(2), 'hex').toString());
    };
    const client = createClient({ baseUrl: app.baseUrl });
    const wallet = ethereumWallet({ request }, address);

    await client.bind({ platform: 'ethereum', identity: address, signer: signerOf(carol), wallet });

    expect(await bindingOf(carol)).toMatchObject({ is_valid: true, chain_id: 10 });
    expect(await ethereumWallet({ request }, owner.address).chainId?.()).toBeUndefined();
    const silent = { request: () => Promise.reject(new Error('unknown method')) };
    expect(await ethereumWallet(silent, address).chainId?.()).toBeUndefined();
  });

  it.each<[string, (text: string) => string, number | undefined]>([
    ['another chain', (text) => text.replace('"chain_id":10', '"chain_id":1'), 10],
    ['no chain', (text) => text.replace(/"block_number":\d+,"chain_id":10,/, ''), 10],
    ['no block', (text) => text.replace(/"block_number":\d+,/, ''), 10],
    ['a block in text', (text) => text.replace(/"block_number":(\d+)/, '"block_number":"$1"'), 10],
    [
      'a chain that was not asked for',
      (text) => text.replace('"created_at"', '"block_number":1,"chain_id":10,"created_at"'),
      undefined,
    ],
  ])('signs no text with %s', async (_what, change, chainId) => {
    const signed: string[] = [];
    const { publicKey, signMessage } = signerOf(anAvatar('alice'));
    const signer = { publicKey, signMessage: (text: string) => (signed.push(text), signMessage(text)) };
    proxy.lie = (_path, answer) => {
      if (answer.sign_payload) answer.sign_payload = change(answer.sign_payload);
    };

    const draft = createClient({ baseUrl: proxy.baseUrl }).draft({
      platform: 'ethereum',
      identity: address,
      signer,
      wallet: byOwner,
      chainId,
    });

    await expect(draft).rejects.toMatchObject({ name: 'VerificationError' });
    expect(signed).toEqual([]);
  });

  it('can be the command line', async () => {
    const bob = anAvatar('bob');
    const hex = (key: Uint8Array) => Buffer.from(key).toString('hex');
    const env = {
      SIGNET_SERVER: app.baseUrl,
      SIGNET_PRIVATE_KEY: hex(bob.privateKey),
      SIGNET_WALLET_KEY: hex(owner.privateKey),
    };

    const refused = await runHere(['bind', 'ethereum', address], env);
    const bound = await runHere(['bind', 'ethereum', address, '--chain', '10'], env);
    const misused = await runHere(['bind', 'github', 'bob', '--chain', '10'], env);

    expect(refused).toMatchObject({ code: 2 });
    expect(refused.text).toContain('contract wallet on chain 10');
    expect(bound.text).toContain('Bound.');
    expect(misused).toMatchObject({ code: 2 });
    expect(await bindingOf(bob)).toMatchObject({ is_valid: true, chain_id: 10 });
  });
});
