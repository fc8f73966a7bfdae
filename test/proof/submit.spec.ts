import { DataSource } from 'typeorm';
import { type RunningApp, startApp } from '../support/app.js';
import { aSolanaWallet, aWallet, anAvatar, type TestAvatar } from '../support/avatar.js';
import { problemsOfChain, readChain } from '../support/chain-checks.js';
import { ENGINES } from '../support/engines.js';
import { countRows } from '../support/refusals.js';
import { linkSolana, linkWallet, signedSubmit, walletPayload } from '../support/scenario.js';
import { compactForm, highSForm, withRecovery } from '../support/signature-forms.js';

const HOUR_SECONDS = 3600;

describe.each(ENGINES)('POST /v1/proof on %s', (engine) => {
  let running: RunningApp;

  beforeAll(async () => {
    running = await startApp({ engine });
  });
  afterAll(() => running.close());

  const exists = async (avatar: TestAvatar, identity: string, platform = 'ethereum') =>
    running.get(`/v1/proof/exists?platform=${platform}&identity=${identity}&public_key=${avatar.key.compressed}`);

  it('binds a wallet that signed together with the Avatar, and answers 201 with what was recorded and a receipt', async () => {
    const alice = anAvatar('alice');
    const before = await countRows(running);

    const { status, headers, body } = await linkWallet(running, alice, aWallet('alice'));

    const recorded = { proof_location: '', extra: { wallet_signature: expect.any(String) } };
    expect({ status, body: { ...body, receipt: undefined } }).toEqual({ status: 201, body: recorded });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect((await exists(alice, aWallet('alice').address)).body).toMatchObject({ is_valid: true, invalid_reason: '' });
    expect(await countRows(running)).toEqual({
      links: before.links + 1,
      proofs: before.proofs + 1,
      events: before.events + 1,
    });
  });

  it('announces what was bound and what was revoked', async () => {
    const avatar = anAvatar('announced');
    const wallet = aWallet('announced');

    await linkWallet(running, avatar, wallet);
    await linkWallet(running, avatar, wallet, { action: 'delete' });

    const events = await running.app
      .get(DataSource)
      .query(`select name, payload from domain_event where payload ->> 'avatar' = $1 order by draw`, [
        avatar.key.compressed,
      ]);
    const [created, deleted] = await readChain(running, avatar.key.compressed);
    const binding = { avatar: avatar.key.compressed, platform: 'ethereum', identity: wallet.address };
    const { uuid, created_at } = created!;
    expect(events).toEqual([
      {
        name: 'proof.bound',
        payload: { ...binding, uuid, created_at, proof_location: '', link_id: expect.any(Number) },
      },
      {
        name: 'proof.revoked',
        payload: { ...binding, uuid: deleted!.uuid, created_at: deleted!.created_at, link_id: expect.any(Number) },
      },
    ]);
  });

  it.each([
    ['Base64', (text: string) => aSolanaWallet().sign(text)],
    ['Base58', (text: string) => aSolanaWallet().signBase58(text)],
    ['hex', (text: string) => Buffer.from(aSolanaWallet().sign(text), 'base64').toString('hex')],
  ])('binds a Solana wallet whose signature is written in %s', async (form, sign) => {
    const avatar = anAvatar(`solana ${form}`);
    const common = {
      action: 'create',
      platform: 'solana',
      identity: aSolanaWallet().address,
      public_key: avatar.key.compressed,
    };
    const { body: payload } = await running.post('/v1/proof/payload', common);
    const { uuid, created_at, sign_payload } = payload;

    const { status } = await running.post('/v1/proof', {
      ...common,
      uuid,
      created_at,
      extra: { signature: avatar.sign(sign_payload), wallet_signature: sign(sign_payload) },
    });

    expect(status).toBe(201);
    const [link] = await readChain(running, avatar.key.compressed);
    expect(link!.extra).toEqual({ wallet_signature: sign(sign_payload) });
  });

  it('binds a Solana wallet that signed for its site, and keeps the message with the link', async () => {
    const avatar = anAvatar('ledger');
    let signed = {};
    const sign = (text: string) => (signed = aSolanaWallet().signForSite(text));

    const refused = await linkSolana(running, avatar, aSolanaWallet(), {
      sign: (text) => ({ ...sign(text), wallet_message: undefined }),
    });
    const { status } = await linkSolana(running, avatar, aSolanaWallet(), { sign });

    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_signature' } });
    expect(refused.body.message).toContain('extra.wallet_message');
    expect(status).toBe(201);
    const [link] = await readChain(running, avatar.key.compressed);
    expect(link!.extra).toEqual(signed);
  });

  it('refuses a message of a Solana wallet that holds another text', async () => {
    const sign = (text: string) => aSolanaWallet().signForSite(text.replace('create', 'delete'));

    const answer = await linkSolana(running, anAvatar('ledger elsewhere'), aSolanaWallet(), { sign });

    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_signature' } });
    expect(answer.body.message).toContain('whose text is not exactly sign_payload');
  });

  it.each([
    ['v as 0 or 1', (signature: string) => withRecovery(signature, (v) => v - 27)],
    ['the compact form of EIP-2098', compactForm],
    ['a high s', highSForm],
  ])('accepts signatures with %s and keeps their text as it came', async (form, reform) => {
    const avatar = anAvatar(`signer with ${form}`);
    const wallet = aWallet(`signer with ${form}`);
    const { body: payload } = await walletPayload(running, avatar, wallet);
    const signature = reform(avatar.sign(payload.sign_payload));
    const walletSignature = reform(wallet.sign(payload.sign_payload));

    const answer = await running.post('/v1/proof', {
      ...signedSubmit(payload, avatar, wallet),
      extra: { signature, wallet_signature: walletSignature },
    });

    expect(answer.status).toBe(201);
    const chain = await readChain(running, avatar.key.compressed);
    expect(chain[0]).toMatchObject({ signature, extra: { wallet_signature: walletSignature } });
    expect(problemsOfChain(avatar.key.compressed, chain)).toEqual([]);
  });

  it('takes signatures in hex behind 0x, as wallet libraries give them, and keeps them as Base64', async () => {
    const [avatar, wallet] = [anAvatar('hex'), aWallet('hex')];
    const { body: payload } = await walletPayload(running, avatar, wallet);
    const [signature, walletSignature] = [avatar.sign(payload.sign_payload), wallet.sign(payload.sign_payload)];
    const hex = (text: string) => `0x${Buffer.from(text, 'base64').toString('hex')}`;

    const answer = await running.post('/v1/proof', {
      ...signedSubmit(payload, avatar, wallet),
      extra: { signature: hex(signature), wallet_signature: hex(walletSignature).toUpperCase().replace('X', 'x') },
    });
    const next = await walletPayload(running, avatar, wallet, { action: 'delete' });
    const removed = await running.post('/v1/proof', {
      ...signedSubmit(next.body, avatar, wallet, { action: 'delete' }),
      extra: { signature: hex(avatar.sign(next.body.sign_payload)) },
    });

    expect([answer.status, removed.status]).toEqual([201, 201]);
    const chain = await readChain(running, avatar.key.compressed);
    expect(chain).toMatchObject([{ signature, extra: { wallet_signature: walletSignature } }, {}]);
    expect(problemsOfChain(avatar.key.compressed, chain)).toEqual([]);
  });

  it('takes every spelling of one key for one Avatar', async () => {
    const avatar = anAvatar('many spellings');
    const capitals = `0x${avatar.key.uncompressed.slice(2).toUpperCase()}`;
    const { body: payload } = await walletPayload(running, avatar, aWallet('many spellings'));
    await running.post(
      '/v1/proof',
      signedSubmit(payload, avatar, aWallet('many spellings'), { submit: { public_key: capitals } }),
    );

    const { status } = await linkWallet(running, avatar, aWallet('many spellings 2'));

    expect(status).toBe(201);
    expect(await readChain(running, avatar.key.uncompressed)).toHaveLength(2);
  });

  it('takes every spelling of an identity for one identity', async () => {
    const avatar = anAvatar('shouting');
    const wallet = aWallet('shouting');
    const { body: payload } = await walletPayload(running, avatar, wallet);

    const { status } = await running.post(
      '/v1/proof',
      signedSubmit(payload, avatar, wallet, { submit: { identity: `0x${wallet.address.slice(2).toUpperCase()}` } }),
    );

    expect(status).toBe(201);
    expect((await exists(avatar, wallet.address)).status).toBe(200);
  });

  it('refreshes the proof when the Avatar binds an identity that it holds already', async () => {
    const avatar = anAvatar('twice');
    const wallet = aWallet('twice');
    await linkWallet(running, avatar, wallet);
    await running.app.get(DataSource).query(
      `update proof set created_at = created_at - $2 * interval '1 second', last_checked_at = last_checked_at - $2 * interval '1 second',
         is_valid = false, invalid_reason = 'gone', gone_since = now(), next_check_at = now() where avatar = $1`,
      [avatar.key.compressed, HOUR_SECONDS],
    );
    const old = (await exists(avatar, wallet.address)).body;

    const { status } = await linkWallet(running, avatar, wallet);

    const fresh = (await exists(avatar, wallet.address)).body;
    expect(status).toBe(201);
    expect(old.is_valid).toBe(false);
    expect(fresh).toMatchObject({ is_valid: true, invalid_reason: '' });
    expect(Number(fresh.created_at) - Number(old.created_at)).toBeGreaterThanOrEqual(HOUR_SECONDS);
    expect(Number(fresh.last_checked_at) - Number(old.last_checked_at)).toBeGreaterThanOrEqual(HOUR_SECONDS);
    expect(await readChain(running, avatar.key.compressed)).toHaveLength(2);
  });

  it('lets several Avatars hold one identity', async () => {
    const shared = aWallet('shared');

    const answers = [
      await linkWallet(running, anAvatar('one of two'), shared),
      await linkWallet(running, anAvatar('two of two'), shared),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const { body } = await running.get(`/v1/proof?identity=${shared.address}&platform=ethereum`);
    expect(body.pagination.total).toBe(2);
  });

  it('revokes a binding with the signature of the Avatar alone', async () => {
    const avatar = anAvatar('revoking');
    const wallet = aWallet('revoking');
    await linkWallet(running, avatar, wallet);

    const { status, body } = await linkWallet(running, avatar, wallet, { action: 'delete' });

    const recorded = { proof_location: '', extra: {} };
    expect({ status, body: { ...body, receipt: undefined } }).toEqual({ status: 201, body: recorded });
    expect((await exists(avatar, wallet.address)).status).toBe(404);
    const chain = await readChain(running, avatar.key.compressed);
    expect(chain.map(({ action, extra }) => ({ action, extra }))).toMatchObject([
      { action: 'create' },
      { action: 'delete', extra: {} },
    ]);
    expect(problemsOfChain(avatar.key.compressed, chain)).toEqual([]);
  });

  it('ignores a wallet signature that comes with a delete, and does not keep it', async () => {
    const avatar = anAvatar('generous');
    const wallet = aWallet('generous');
    await linkWallet(running, avatar, wallet);
    const { body: payload } = await walletPayload(running, avatar, wallet, { action: 'delete' });
    const signature = avatar.sign(payload.sign_payload);

    const { status } = await running.post('/v1/proof', {
      ...signedSubmit(payload, avatar, wallet, { action: 'delete' }),
      extra: { signature, wallet_signature: 'no signature at all' },
    });

    expect(status).toBe(201);
    expect((await readChain(running, avatar.key.compressed))[1]!.extra).toEqual({});
  });

  it('binds again what was revoked', async () => {
    const avatar = anAvatar('returning');
    const wallet = aWallet('returning');
    await linkWallet(running, avatar, wallet);
    await linkWallet(running, avatar, wallet, { action: 'delete' });

    const { status } = await linkWallet(running, avatar, wallet);

    expect(status).toBe(201);
    expect((await exists(avatar, wallet.address)).status).toBe(200);
    expect(await readChain(running, avatar.key.compressed)).toHaveLength(3);
  });

  it('ignores a location where the platform needs none, and members it does not know', async () => {
    const avatar = anAvatar('talkative');
    const wallet = aWallet('talkative');

    const { status } = await linkWallet(running, avatar, wallet, {
      submit: { proof_location: 'https://example.com/post/1', archive_id: 'x', persona: { a: [1] } },
    });

    expect(status).toBe(201);
    expect((await readChain(running, avatar.key.compressed))[0]).toMatchObject({ proof_location: '', archive_id: '' });
  });

  it('counts a member that is null as absent', async () => {
    const avatar = anAvatar('nullable');
    const wallet = aWallet('nullable');
    await linkWallet(running, avatar, wallet, { submit: { proof_location: null } });
    const { body: payload } = await walletPayload(running, avatar, wallet, { action: 'delete' });
    const body = signedSubmit(payload, avatar, wallet, { action: 'delete' });

    const { status } = await running.post('/v1/proof', { ...body, extra: { ...body.extra, wallet_signature: null } });

    expect(status).toBe(201);
  });
});
