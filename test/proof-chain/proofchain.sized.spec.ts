import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { problemsOfChain, readChain } from '../support/chain-checks.js';
import { ENGINES_OF_TIER } from '../support/engines.js';
import { expectRefusal } from '../support/refusals.js';
import { linkWallet, signedSubmit, walletPayload } from '../support/scenario.js';

const alice = anAvatar('alice');
const wallet = aWallet('alice');
const LONG = 41;
const busy = anAvatar('busy');

describe.each(ENGINES_OF_TIER)('GET /v1/proofchain on %s', (engine) => {
  let running: RunningApp;

  const page = (query: Record<string, string>) => running.get(`/v1/proofchain?${new URLSearchParams(query)}`);

  beforeAll(async () => {
    running = await startApp({ engine });
    for (let index = 1; index <= LONG; index++) {
      const action = index % 2 === 1 ? 'create' : 'delete';
      await linkWallet(running, busy, aWallet(`busy ${Math.ceil(index / 2)}`), { action });
    }
  });
  afterAll(() => running.close());

  it('answers every field of a link', async () => {
    const { body: payload } = await walletPayload(running, alice, wallet);
    const submit = signedSubmit(payload, alice, wallet);
    await running.post('/v1/proof', submit);

    const { status, body } = await page({ public_key: alice.key.compressed });

    expect(status).toBe(200);
    expect(body).toEqual({
      pagination: { total: 1, per: 20, current: 1, next: 0 },
      proof_chain: [
        {
          action: 'create',
          platform: 'ethereum',
          identity: wallet.address,
          proof_location: '',
          created_at: payload.created_at,
          signature: submit.extra.signature,
          signature_payload: payload.sign_payload,
          extra: { wallet_signature: submit.extra.wallet_signature },
          uuid: payload.uuid,
          archive_id: '',
        },
      ],
    });
  });

  it('holds every link once, oldest first, each signed and naming the one before', async () => {
    const chain = await readChain(running, busy.key.compressed);

    expect(chain).toHaveLength(LONG);
    expect(chain[0]).toMatchObject({ action: 'create', identity: aWallet('busy 1').address });
    expect(problemsOfChain(busy.key.compressed, chain)).toEqual([]);
  });

  it('has twenty links a page', async () => {
    const pages = await Promise.all(
      ['1', '2', '3', '4'].map((number) => page({ public_key: busy.key.compressed, page: number })),
    );

    expect(pages.map(({ body }) => [body.proof_chain.length, body.pagination])).toEqual([
      [20, { total: LONG, per: 20, current: 1, next: 2 }],
      [20, { total: LONG, per: 20, current: 2, next: 3 }],
      [1, { total: LONG, per: 20, current: 3, next: 0 }],
      [0, { total: LONG, per: 20, current: 4, next: 0 }],
    ]);
  });

  it.each([
    ['an uncompressed key', { public_key: busy.key.uncompressed }],
    ['a key in capitals', { public_key: `0x${busy.key.compressed.slice(2).toUpperCase()}` }],
    ['the parameter named avatar', { avatar: busy.key.compressed }],
    ['both names at once', { public_key: busy.key.compressed, avatar: busy.key.uncompressed }],
    ['page 0', { public_key: busy.key.compressed, page: '0' }],
    ['an empty page', { public_key: busy.key.compressed, page: '' }],
  ])('answers the same for %s', async (_what, query: Record<string, string>) => {
    const { status, body } = await page(query);

    expect(status).toBe(200);
    expect(body.pagination).toEqual({ total: LONG, per: 20, current: 1, next: 2 });
  });

  it('is empty for an Avatar that never signed a link', async () => {
    const { status, body } = await page({ public_key: anAvatar('nobody').key.compressed });

    expect(status).toBe(200);
    expect(body).toEqual({ pagination: { total: 0, per: 20, current: 1, next: 0 }, proof_chain: [] });
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['no key', {}, 'invalid_request', 'public_key is missing'],
    ['an empty key', { public_key: '' }, 'invalid_public_key', 'expected 0x'],
    ['a key without 0x', { public_key: busy.key.compressed.slice(2) }, 'invalid_public_key', 'expected 0x'],
    [
      'a key that is a digit short',
      { public_key: busy.key.compressed.slice(0, -1) },
      'invalid_public_key',
      '66 or 130',
    ],
    ['a key off the curve', { avatar: `0x02${'f'.repeat(64)}` }, 'invalid_public_key', 'not a point'],
    ['page -1', { public_key: busy.key.compressed, page: '-1' }, 'invalid_request', 'page must not be negative'],
    ['page two', { public_key: busy.key.compressed, page: 'two' }, 'invalid_request', 'page must be a whole number'],
    ['page 1.5', { public_key: busy.key.compressed, page: '1.5' }, 'invalid_request', 'page must be a whole number'],
    ['a page of 20 digits', { public_key: busy.key.compressed, page: '9'.repeat(20) }, 'invalid_request', 'page must'],
  ])('refuses %s', async (_what, query, code, message) => {
    expectRefusal(await page(query), { code, message });
  });

  it('refuses a key that is given twice', async () => {
    const key = busy.key.compressed;

    expectRefusal(await running.get(`/v1/proofchain?public_key=${key}&public_key=${key}`), {
      code: 'invalid_request',
      message: 'public_key must be one key',
    });
  });
});
