import { type SignedLink, verifyLink } from '@signet/verify';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { EVM_BLOCK, type EvmStandIn, rpcResult, startEvm } from '../../packages/look/test/support/evm-stand-in.js';
import { compileSolidity } from '../../packages/look/test/support/solidity.js';

const owner = aWallet('owner');
const contracts = compileSolidity('contracts/wallets.sol');

let mainnet: EvmStandIn;
let optimism: EvmStandIn;
let app: RunningApp;
beforeAll(async () => {
  [mainnet, optimism] = await Promise.all([startEvm(1), startEvm(10)]);
  app = await startApp({ env: { ETH_RPC_URLS: `${mainnet.setting},${optimism.setting}` } });
});
afterEach(() => {
  mainnet.restore();
  optimism.restore();
});
afterAll(async () => {
  await app.close();
  await Promise.all([mainnet.close(), optimism.close()]);
});

interface Wish {
  /** Asked for in step 1. */
  chain_id?: number;
  /** The identity as it is written at submit. */
  identity?: string;
  /** Changes what is sent back in `extra`. */
  sent?: Record<string, unknown>;
}

const linkOf = (avatarName: string, identity: string) => ({
  action: 'create',
  platform: 'ethereum',
  identity,
  public_key: anAvatar(avatarName).key.compressed,
});
const payloadFor = (avatarName: string, address: string, chain_id?: unknown) =>
  app.post('/v1/proof/payload', {
    ...linkOf(avatarName, address),
    ...(chain_id === undefined ? {} : { extra: { chain_id } }),
  });

/** Both steps of a create, signed by `owner`. */
async function bind(avatarName: string, address: string, { chain_id, identity = address, sent = {} }: Wish = {}) {
  const { body } = await payloadFor(avatarName, address, chain_id);
  const { uuid, created_at, sign_payload: text } = body;
  const signed = { signature: anAvatar(avatarName).sign(text), wallet_signature: owner.sign(text) };
  const extra = { ...signed, ...body.extra, ...sent };
  return app.post('/v1/proof', { ...linkOf(avatarName, identity), uuid, created_at, extra });
}

const deployOwned = (chain: EvmStandIn) =>
  chain.deploy(contracts['OwnedWallet'] + owner.address.slice(2).padStart(64, '0'));
const exists = (avatarName: string, identity: string) =>
  app.get(`/v1/proof/exists?platform=ethereum&identity=${identity}&public_key=${anAvatar(avatarName).key.compressed}`);
const chainOf = async (avatarName: string) =>
  (await app.get(`/v1/proofchain?public_key=${anAvatar(avatarName).key.compressed}`)).body.proof_chain;
const stepsOf = (link: SignedLink) =>
  Object.fromEntries(verifyLink(link, { previous: null }).steps.map(({ name, state }) => [name, state]));

describe('the payload of a contract wallet', () => {
  it('names the chain that was asked for and its newest block, in the text and in the answer', async () => {
    const { status, body } = await payloadFor('payload', owner.address, 10);

    expect(status).toBe(200);
    expect(body.extra).toEqual({ chain_id: 10, block_number: EVM_BLOCK });
    expect(body.sign_payload).toContain(
      `"avatar":"${anAvatar('payload').key.compressed}","block_number":${EVM_BLOCK},"chain_id":10,"created_at":`,
    );
  });

  it('is what it was where no chain is asked for', async () => {
    const asked = optimism.calls.length + mainnet.calls.length;
    const { body } = await payloadFor('payload', owner.address);

    expect(Object.keys(body).sort()).toEqual(['created_at', 'post_content', 'sign_payload', 'uuid']);
    expect(Object.keys(JSON.parse(body.sign_payload)).sort()).toEqual([
      'action',
      'avatar',
      'created_at',
      'identity',
      'platform',
      'prev',
      'uuid',
    ]);
    expect(optimism.calls.length + mainnet.calls.length).toBe(asked);
  });

  it('names no chain for another platform and for a delete', async () => {
    const bodies = [
      { ...linkOf('payload', 'alice'), platform: 'github', extra: { chain_id: 10 } },
      { ...linkOf('payload', owner.address), action: 'delete', extra: { chain_id: 10 } },
    ];

    for (const body of bodies) {
      const answer = await app.post('/v1/proof/payload', body);
      expect(answer.status).toBe(200);
      expect(answer.body).not.toHaveProperty('extra');
      expect(answer.body.sign_payload).not.toContain('chain_id');
    }
  });

  it('is refused for a chain that this server does not ask', async () => {
    const { status, body } = await payloadFor('payload', owner.address, 8453);

    expect(status).toBe(400);
    expect(body.code).toBe('unknown_chain');
    expect(body.message).toContain('on chain 8453, only on chain 1, 10.');
  });

  it.each([0, -1, 1.5, '10', 2 ** 53, true, [10]])('is refused for a chain that is %j', async (chain_id) => {
    const { status, body } = await payloadFor('payload', owner.address, chain_id);

    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(body.message).toContain('chain_id');
  });

  it.each([
    ['says nothing of its newest block', null],
    ['says a block that no number holds', `0x${'f'.repeat(30)}`],
  ])('is not to be had while the endpoint %s', async (_what, result) => {
    optimism.answer('eth_blockNumber', (call) => rpcResult(call, result));

    expect((await payloadFor('payload', owner.address, 10)).body.code).toBe('platform_unavailable');
  });
});

describe('a contract wallet', () => {
  it('is answered with the chain on which it said yes, by every lookup', async () => {
    const wallet = await deployOwned(optimism);

    expect((await bind('alice', wallet, { chain_id: 10, identity: `eip155:10:${wallet}` })).status).toBe(201);

    const list = await app.get(`/v1/proof?platform=ethereum&identity=${wallet}&exact=true`);
    const part = await app.get(`/v1/proof?identity=${wallet.slice(4, 30)}`);
    expect(list.body.ids[0].proofs).toMatchObject([{ identity: wallet, is_valid: true, chain_id: 10 }]);
    expect(part.body.ids[0].proofs).toMatchObject([{ identity: wallet, chain_id: 10 }]);
    expect((await exists('alice', wallet)).body).toMatchObject({ is_valid: true, chain_id: 10 });
    expect((await exists('alice', `eip155:10:${wallet}`)).body).toMatchObject({ is_valid: true, chain_id: 10 });
    const [link] = await chainOf('alice');
    expect(link.extra).toMatchObject({ chain_id: 10, block_number: EVM_BLOCK });
    expect(stepsOf(link)).toMatchObject({ fields: 'ok', canonical_text: 'ok', wallet_signature: 'not_checkable' });
  });

  it('is asked on the chain that was signed alone, at its newest block', async () => {
    const wallet = await deployOwned(optimism);
    const { body } = await payloadFor('dora', wallet, 10);
    const newest = EVM_BLOCK + 7;
    optimism.answer('eth_blockNumber', (call) => rpcResult(call, `0x${newest.toString(16)}`));
    const asked = mainnet.calls.length;
    const { uuid, created_at, sign_payload: text } = body;
    const extra = { signature: anAvatar('dora').sign(text), wallet_signature: owner.sign(text), ...body.extra };

    expect((await app.post('/v1/proof', { ...linkOf('dora', wallet), uuid, created_at, extra })).status).toBe(201);

    const [link] = await chainOf('dora');
    expect(mainnet.calls).toHaveLength(asked);
    expect(JSON.parse(link.signature_payload)).toMatchObject({ chain_id: 10, block_number: EVM_BLOCK });
    expect(link.extra).toMatchObject({ chain_id: 10, block_number: newest });
    expect(stepsOf(link)).toMatchObject({ fields: 'ok', canonical_text: 'ok' });
  });

  it('is asked at the block that was signed where the endpoint knows an older one only', async () => {
    const wallet = await deployOwned(optimism);
    const { body } = await payloadFor('emil', wallet, 10);
    optimism.answer('eth_blockNumber', (call) => rpcResult(call, '0x10'));
    const { uuid, created_at, sign_payload: text } = body;
    const extra = { signature: anAvatar('emil').sign(text), wallet_signature: owner.sign(text), ...body.extra };

    expect((await app.post('/v1/proof', { ...linkOf('emil', wallet), uuid, created_at, extra })).status).toBe(201);

    const [link] = await chainOf('emil');
    expect(link.extra).toMatchObject({ block_number: EVM_BLOCK });
    expect(optimism.calls.at(-1)!.params[1]).toBe(`0x${EVM_BLOCK.toString(16)}`);
  });

  it('is not bound by a payload that names no chain, and the refusal says which one to ask for', async () => {
    const wallet = await deployOwned(optimism);

    const { status, body } = await bind('fred', wallet);

    expect({ status, code: body.code }).toEqual({ status: 400, code: 'chain_required' });
    expect(body.message).toContain('contract wallet on chain 10');
    expect((await exists('fred', wallet)).status).toBe(404);
    expect((await bind('fred', wallet, { chain_id: 10 })).status).toBe(201);
  });

  it.each<[string, Record<string, unknown>]>([
    ['another chain', { chain_id: 1 }],
    ['another block', { block_number: EVM_BLOCK - 1 }],
    ['no chain', { chain_id: null }],
    ['no block', { block_number: null }],
    ['neither', { chain_id: null, block_number: null }],
  ])('is not bound where %s comes back', async (_what, sent) => {
    const wallet = await deployOwned(optimism);

    const { status, body } = await bind('gina', wallet, { chain_id: 10, sent });

    expect({ status, code: body.code }).toEqual({ status: 400, code: 'payload_mismatch' });
  });

  it('is not bound where a chain comes back that was not asked for', async () => {
    const wallet = await deployOwned(optimism);

    const { body } = await bind('gina', wallet, { sent: { chain_id: 10, block_number: EVM_BLOCK } });

    expect(body.code).toBe('payload_mismatch');
  });

  it('is not bound on another chain than the one that was signed', async () => {
    const wallet = await deployOwned(optimism);

    const refused = await bind('bob', wallet, { chain_id: 1 });
    const elsewhere = await bind('bob', wallet, { chain_id: 10, identity: `eip155:1:${wallet}` });
    const bound = await bind('bob', wallet, { chain_id: 10 });
    const state = await exists('bob', `eip155:1:${wallet}`);

    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_signature' } });
    expect(refused.body.message).toContain('asked on chain 1)');
    expect(elsewhere).toMatchObject({ status: 400, body: { code: 'invalid_signature' } });
    expect(elsewhere.body.message).toContain('names chain 1, and the payload that was signed names chain 10');
    expect(bound.status).toBe(201);
    expect(state).toMatchObject({ status: 404, body: { code: 'identity_not_found' } });
    expect(state.body.message).toContain('on chain 10, and none on chain 1.');
  });

  it('has no chain where a key signed, which holds on every chain', async () => {
    expect((await bind('carol', owner.address, { identity: `eip155:8453:${owner.address}` })).status).toBe(201);

    const { status, body } = await exists('carol', `eip155:1:${owner.address}`);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('chain_id');
  });

  it('has the chain that was signed where a key signed for one', async () => {
    expect((await bind('hugo', owner.address, { chain_id: 10 })).status).toBe(201);

    const [link] = await chainOf('hugo');
    expect((await exists('hugo', owner.address)).body).toMatchObject({ is_valid: true, chain_id: 10 });
    expect(link.extra).toMatchObject({ chain_id: 10, block_number: EVM_BLOCK });
    expect(stepsOf(link)).toMatchObject({ fields: 'ok', canonical_text: 'ok', wallet_signature: 'ok' });
  });
});
