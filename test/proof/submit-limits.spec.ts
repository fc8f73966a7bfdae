import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { aSolanaWallet, aWallet, anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { expectRefused } from '../support/refusals.js';
import { linkSolana, linkWallet } from '../support/scenario.js';

describe('an Avatar that may hold two bindings', () => {
  const LIMIT = 2;
  const avatar = anAvatar('collector');
  let running: RunningApp;

  beforeAll(async () => {
    running = await startApp({ env: { MAX_BINDINGS_PER_AVATAR: String(LIMIT) } });
    await linkWallet(running, avatar, aWallet('first'));
    await linkWallet(running, avatar, aWallet('second'));
  });
  afterAll(() => running.close());

  it('is refused a third one', async () => {
    await expectRefused(running, () => linkWallet(running, avatar, aWallet('third')), {
      code: 'too_many_bindings',
      message: /holds 2 bindings.*delete one first/,
    });
  });

  it('can still refresh one that it holds', async () => {
    const { status } = await linkWallet(running, avatar, aWallet('second'));

    expect(status).toBe(201);
  });

  it('can bind another one after it has deleted one', async () => {
    await linkWallet(running, avatar, aWallet('first'), { action: 'delete' });

    const { status } = await linkWallet(running, avatar, aWallet('third'));

    expect(status).toBe(201);
  });

  it('does not use up the limit of others', async () => {
    const { status } = await linkWallet(running, anAvatar('another'), aWallet('first'));

    expect(status).toBe(201);
  });
});

describe('a server on which a platform was switched off later', () => {
  const avatar = anAvatar('early');
  const wallet = aSolanaWallet('early');
  let database: TestDatabase;
  let restricted: RunningApp;

  const request = { action: 'create', platform: 'solana', identity: wallet.address, public_key: avatar.key.compressed };
  let leftOver: Answer['body'];

  beforeAll(async () => {
    database = await createTestDatabase();
    const open = await startApp({ databaseUrl: database.url });
    await linkSolana(open, avatar, wallet);
    leftOver = (await open.post('/v1/proof/payload', request)).body;
    await open.close();
    restricted = await startApp({ databaseUrl: database.url, env: { PLATFORMS: 'ethereum' } });
  });
  afterAll(async () => {
    await restricted.close();
    await database.drop();
  });

  it('refuses a create there, even one whose payload was issued before', async () => {
    await expectRefused(
      restricted,
      () => {
        const { uuid, created_at, sign_payload: text } = leftOver;
        const extra = { signature: avatar.sign(text), wallet_signature: wallet.sign(text) };
        return restricted.post('/v1/proof', { ...request, uuid, created_at, extra });
      },
      {
        code: 'platform_not_configured',
        message: 'switched solana off',
      },
    );
  });

  it('still finds what was bound there', async () => {
    const query = `platform=solana&identity=${wallet.address}`;

    const found = await restricted.get(`/v1/proof?${query}&exact=true`);
    const exists = await restricted.get(`/v1/proof/exists?${query}&public_key=${avatar.key.compressed}`);

    expect(found.body.ids).toHaveLength(1);
    expect(exists.body.is_valid).toBe(true);
  });

  it('still lets the owner revoke it', async () => {
    const { status } = await linkSolana(restricted, avatar, wallet, { action: 'delete' });

    expect(status).toBe(201);
  });
});
