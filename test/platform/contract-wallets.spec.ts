import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { type EvmStandIn, startEvm } from '../support/evm-stand-in.js';
import { compileSolidity } from '../support/solidity.js';

const owner = aWallet('owner');
const contracts = compileSolidity('test/support/contracts/wallets.sol');

let mainnet: EvmStandIn;
let optimism: EvmStandIn;
let app: RunningApp;
beforeAll(async () => {
  [mainnet, optimism] = await Promise.all([startEvm(1), startEvm(10)]);
  app = await startApp({ env: { ETH_RPC_URLS: `${mainnet.setting},${optimism.setting}` } });
});
afterAll(async () => {
  await app.close();
  await Promise.all([mainnet.close(), optimism.close()]);
});

/** Both steps of a create, signed by `owner`, with the identity as it is written at submit. */
async function bind(avatarName: string, address: string, identity = address) {
  const avatar = anAvatar(avatarName);
  const link = { action: 'create', platform: 'ethereum', identity: address, public_key: avatar.key.compressed };
  const { body } = await app.post('/v1/proof/payload', link);
  const { uuid, created_at, sign_payload: text } = body;
  const extra = { signature: avatar.sign(text), wallet_signature: owner.sign(text) };
  return app.post('/v1/proof', { ...link, identity, uuid, created_at, extra });
}

const deployOwned = (chain: EvmStandIn) =>
  chain.deploy(contracts['OwnedWallet'] + owner.address.slice(2).padStart(64, '0'));
const exists = (avatarName: string, identity: string) =>
  app.get(`/v1/proof/exists?platform=ethereum&identity=${identity}&public_key=${anAvatar(avatarName).key.compressed}`);

describe('a contract wallet', () => {
  it('is answered with the chain on which it said yes, by every lookup', async () => {
    const wallet = await deployOwned(optimism);

    expect((await bind('alice', wallet, `eip155:10:${wallet}`)).status).toBe(201);

    const list = await app.get(`/v1/proof?platform=ethereum&identity=${wallet}&exact=true`);
    const part = await app.get(`/v1/proof?identity=${wallet.slice(4, 30)}`);
    expect(list.body.ids[0].proofs).toMatchObject([{ identity: wallet, is_valid: true, chain_id: 10 }]);
    expect(part.body.ids[0].proofs).toMatchObject([{ identity: wallet, chain_id: 10 }]);
    expect((await exists('alice', wallet)).body).toMatchObject({ is_valid: true, chain_id: 10 });
    expect((await exists('alice', `eip155:10:${wallet}`)).body).toMatchObject({ is_valid: true, chain_id: 10 });
  });

  it('is not bound on another chain than the one that was asked for', async () => {
    const wallet = await deployOwned(optimism);

    const refused = await bind('bob', wallet, `eip155:1:${wallet}`);
    const bound = await bind('bob', wallet);
    const elsewhere = await exists('bob', `eip155:1:${wallet}`);

    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_signature' } });
    expect(refused.body.message).toContain('asked on chain 1)');
    expect(bound.status).toBe(201);
    expect(elsewhere).toMatchObject({ status: 404, body: { code: 'identity_not_found' } });
    expect(elsewhere.body.message).toContain('on chain 10, and none on chain 1.');
  });

  it('has no chain where a key signed, which holds on every chain', async () => {
    expect((await bind('carol', owner.address, `eip155:8453:${owner.address}`)).status).toBe(201);

    const { status, body } = await exists('carol', `eip155:1:${owner.address}`);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('chain_id');
  });
});
