import { DataSource } from 'typeorm';
import { type RunningApp, startApp } from '../support/app.js';
import { aSolanaWallet, aWallet, anAvatar } from '../support/avatar.js';
import { expectRefusal, type Refusal } from '../support/refusals.js';
import { linkWallet } from '../support/scenario.js';

const alice = anAvatar('alice');
const wallet = aWallet('alice');

let running: RunningApp;

beforeAll(async () => {
  running = await startApp();
  await linkWallet(running, alice, wallet);
});
afterAll(() => running.close());

type Parameters = Record<string, string | undefined>;

const ask = (changes: Parameters = {}) => {
  const parameters = { platform: 'ethereum', identity: wallet.address, public_key: alice.key.compressed, ...changes };
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return running.get(`/v1/proof/exists?${new URLSearchParams(given)}`);
};

describe('GET /v1/proof/exists', () => {
  it('answers the state of the binding', async () => {
    const { status, body } = await ask();

    const chain = await running.get(`/v1/proofchain?public_key=${alice.key.compressed}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      created_at: chain.body.proof_chain[0].created_at,
      last_checked_at: expect.stringMatching(/^\d{10}$/),
      is_valid: true,
      invalid_reason: '',
    });
  });

  it('says why a binding is not valid any more', async () => {
    const bob = anAvatar('bob');
    await linkWallet(running, bob, aWallet('bob'));
    await running.app
      .get(DataSource)
      .query(`update proof set is_valid = false, invalid_reason = 'the post is gone' where avatar = $1`, [
        bob.key.compressed,
      ]);

    const { status, body } = await ask({ identity: aWallet('bob').address, public_key: bob.key.compressed });

    expect(status).toBe(200);
    expect(body).toMatchObject({ is_valid: false, invalid_reason: 'the post is gone' });
  });

  it.each([
    ['uncompressed key', { public_key: alice.key.uncompressed }],
    ['key in capitals', { public_key: `0x${alice.key.compressed.slice(2).toUpperCase()}` }],
    ['address in capitals', { identity: `0x${wallet.address.slice(2).toUpperCase()}` }],
  ])('takes an %s for the same', async (_what, changes) => {
    expect((await ask(changes)).status).toBe(200);
  });

  it('asks no checksum of an address in a query', async () => {
    const wrong = wallet.address.replace(/[a-f]/, (letter) => letter.toUpperCase());

    expect((await ask({ identity: wrong })).status).toBe(200);
  });

  const unknownAvatar: Refusal = { status: 404, code: 'avatar_not_found', message: 'This Avatar is unknown here' };
  const unknownIdentity: Refusal = {
    status: 404,
    code: 'identity_not_found',
    message: 'The Avatar is known, but it holds no binding of this identity on ethereum',
  };
  const invalid = (message: string): Refusal => ({ code: 'invalid_request', message });

  it.each<[string, Parameters, Refusal]>([
    ['an unknown Avatar', { public_key: anAvatar('nobody').key.compressed }, unknownAvatar],
    [
      'an unknown Avatar and an impossible identity',
      { public_key: anAvatar('nobody').key.compressed, identity: 'alice' },
      unknownAvatar,
    ],
    ['an identity that a known Avatar does not hold', { identity: aWallet('other').address }, unknownIdentity],
    ['an identity that the platform could not have', { identity: 'alice' }, unknownIdentity],
    ['an identity with U+0000', { identity: 'a\0' }, unknownIdentity],
    ['an identity of spaces', { identity: ' ' }, unknownIdentity],
    ['an identity of 300 characters', { identity: 'a'.repeat(300) }, unknownIdentity],
    [
      'the identity under another platform',
      { platform: 'solana', identity: aSolanaWallet().address },
      { ...unknownIdentity, message: 'on solana' },
    ],
    ['no platform', { platform: undefined }, invalid('platform is missing')],
    ['no identity', { identity: undefined }, invalid('identity is missing')],
    ['no public_key', { public_key: undefined }, invalid('public_key is missing')],
    ['an empty platform', { platform: '' }, invalid('platform is empty')],
    ['an empty identity', { identity: '' }, invalid('identity is empty')],
    ['an empty public_key', { public_key: '' }, invalid('public_key is empty')],
    ['an unknown platform', { platform: 'myspace' }, { code: 'unknown_platform', message: '"myspace"' }],
    [
      'a key without 0x',
      { public_key: alice.key.compressed.slice(2) },
      { code: 'invalid_public_key', message: 'expected 0x' },
    ],
    [
      'a key off the curve',
      { public_key: `0x02${'f'.repeat(64)}` },
      { code: 'invalid_public_key', message: 'not a point' },
    ],
  ])('refuses %s', async (_what, changes, refusal) => {
    expectRefusal(await ask(changes), refusal);
  });

  it('refuses a parameter that is given twice', async () => {
    const twice = `/v1/proof/exists?platform=ethereum&platform=solana&identity=a&public_key=${alice.key.compressed}`;

    expectRefusal(await running.get(twice), invalid('platform must be text'));
  });

  it('does not know a binding any more after it was revoked, but still the Avatar', async () => {
    const carol = anAvatar('carol');
    await linkWallet(running, carol, wallet);
    await linkWallet(running, carol, wallet, { action: 'delete' });

    expectRefusal(await ask({ public_key: carol.key.compressed }), unknownIdentity);
  });
});
