import { type RunningApp, startApp } from '../support/app.js';
import { aSolanaWallet, aWallet, anAvatar } from '../support/avatar.js';
import { countRows, expectRefused, type Refusal } from '../support/refusals.js';
import { linkWallet } from '../support/scenario.js';

const UUID_OF_VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const alice = anAvatar('alice');
const wallet = aWallet('alice');
const request = {
  action: 'create',
  platform: 'ethereum',
  identity: wallet.address,
  public_key: alice.key.compressed,
};

let running: RunningApp;

beforeAll(async () => {
  running = await startApp();
});
afterAll(() => running.close());

const ask = (changes: object = {}) => running.post('/v1/proof/payload', { ...request, ...changes });

describe('POST /v1/proof/payload', () => {
  it('answers the text to sign, the texts to publish, the uuid and the time', async () => {
    const before = Math.floor(Date.now() / 1000);

    const { status, headers, body } = await ask();

    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(body).sort()).toEqual(['created_at', 'post_content', 'sign_payload', 'uuid']);
    expect(body.uuid).toMatch(UUID_OF_VERSION_4);
    expect(body.created_at).toMatch(/^\d{10}$/);
    expect(Number(body.created_at)).toBeGreaterThanOrEqual(before);
    expect(Number(body.created_at)).toBeLessThanOrEqual(Date.now() / 1000);
    expect(body.post_content.default.split('%SIG_BASE64%')).toHaveLength(2);
  });

  it('has the caller sign canonical JSON of all fields, without a predecessor at first', async () => {
    const { body } = await ask();

    expect(body.sign_payload).toBe(
      `{"action":"create","avatar":"${alice.key.compressed}","created_at":"${body.created_at}","identity":"${wallet.address}",` +
        `"platform":"ethereum","prev":null,"uuid":"${body.uuid}"}`,
    );
  });

  it('names the signature of the previous link as predecessor', async () => {
    const carol = anAvatar('carol');
    await linkWallet(running, carol, aWallet('carol'));
    const chain = await running.get(`/v1/proofchain?public_key=${carol.key.compressed}`);

    const { body } = await ask({ public_key: carol.key.compressed });

    expect(JSON.parse(body.sign_payload).prev).toBe(chain.body.proof_chain[0].signature);
  });

  it('offers a text for a delete too', async () => {
    const { status, body } = await ask({ action: 'delete' });

    expect(status).toBe(200);
    expect(JSON.parse(body.sign_payload).action).toBe('delete');
    expect(body.post_content.default.split('%SIG_BASE64%')).toHaveLength(2);
  });

  it('gives two callers two uuids', async () => {
    const [first, second] = await Promise.all([ask(), ask()]);

    expect(first.body.uuid).not.toBe(second.body.uuid);
  });

  it('stores nothing', async () => {
    const before = await countRows(running);

    await ask();

    expect(await countRows(running)).toEqual(before);
  });

  it.each([
    ['uncompressed', alice.key.uncompressed],
    ['compressed in capitals', `0x${alice.key.compressed.slice(2).toUpperCase()}`],
    ['uncompressed in capitals', `0x${alice.key.uncompressed.slice(2).toUpperCase()}`],
  ])('takes a key that is %s for the same Avatar', async (_spelling, publicKey) => {
    const { status, body } = await ask({ public_key: publicKey });

    expect(status).toBe(200);
    expect(JSON.parse(body.sign_payload).avatar).toBe(alice.key.compressed);
  });

  it('writes an Ethereum address in lower case, whatever the case it was given in', async () => {
    const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'; // ERC-55, first example

    const { status, body } = await ask({ identity: checksummed });

    expect(status).toBe(200);
    expect(JSON.parse(body.sign_payload).identity).toBe(checksummed.toLowerCase());
  });

  it('signs a name without the marks and quotes that were copied with it', async () => {
    const { status, body } = await ask({ platform: 'twitter', identity: '\u202a“@alice_demo”\u202c\r\n' });

    expect(status).toBe(200);
    expect(JSON.parse(body.sign_payload).identity).toBe('alice_demo');
  });

  it('keeps the letter case of a Solana address', async () => {
    const { address } = aSolanaWallet('alice');

    const { status, body } = await ask({ platform: 'solana', identity: address });

    expect(status).toBe(200);
    expect(JSON.parse(body.sign_payload).identity).toBe(address);
  });

  it('ignores members it does not know', async () => {
    const { status } = await ask({ persona: 'x', __proto__: { action: 'nonsense' }, nested: { a: [1] } });

    expect(status).toBe(200);
  });

  const offTheCurve = `0x02${'f'.repeat(64)}`; // x is above the prime of the field
  const refusals: [string, object, Refusal][] = [
    ['no action', { action: undefined }, { code: 'invalid_request', message: 'action is missing' }],
    ['no platform', { platform: undefined }, { code: 'invalid_request', message: 'platform is missing' }],
    ['no identity', { identity: undefined }, { code: 'invalid_request', message: 'identity is missing' }],
    ['no public_key', { public_key: undefined }, { code: 'invalid_request', message: 'public_key is missing' }],
    ['null for a missing action', { action: null }, { code: 'invalid_request', message: 'action is missing' }],
    ['null for a missing identity', { identity: null }, { code: 'invalid_request', message: 'identity is missing' }],
    [
      'an unknown action',
      { action: 'update' },
      { code: 'invalid_request', message: 'action must be create or delete' },
    ],
    ['an action in capitals', { action: 'CREATE' }, { code: 'invalid_request', message: 'create or delete' }],
    ['a list of actions', { action: ['create'] }, { code: 'invalid_request', message: 'action must be' }],
    ['a number for an action', { action: 1 }, { code: 'invalid_request', message: 'action must be' }],
    ['an unknown platform', { platform: 'myspace' }, { code: 'unknown_platform', message: /"myspace".*ethereum/ }],
    ['a platform in capitals', { platform: 'Ethereum' }, { code: 'unknown_platform', message: '"Ethereum"' }],
    ['an object for a platform', { platform: {} }, { code: 'invalid_request', message: 'platform must be text' }],
    ['a name of Object', { platform: 'constructor' }, { code: 'unknown_platform', message: '"constructor"' }],
    ['an empty platform', { platform: '' }, { code: 'invalid_request', message: 'platform is empty' }],
    ['an empty identity', { identity: '' }, { code: 'invalid_request', message: 'identity is empty' }],
    ['an identity of spaces', { identity: '   ' }, { code: 'invalid_identity', message: 'empty' }],
    ['a number for an identity', { identity: 7 }, { code: 'invalid_request', message: 'identity must be text' }],
    ['a list of identities', { identity: ['a'] }, { code: 'invalid_request', message: 'identity must be text' }],
    ['an identity of 257 characters', { identity: 'a'.repeat(257) }, { code: 'invalid_identity', message: '257' }],
    ['U+0000 in an identity', { identity: 'a\0b' }, { code: 'invalid_identity', message: 'control character' }],
    ['a line break in an identity', { identity: 'a\nb' }, { code: 'invalid_identity', message: 'control character' }],
    ['U+007F in an identity', { identity: 'a\x7fb' }, { code: 'invalid_identity', message: 'control character' }],
    [
      'half a surrogate pair in an identity',
      { identity: 'a\ud800' },
      { code: 'invalid_identity', message: 'unpaired surrogate' },
    ],
    ['% as an identity', { identity: '%' }, { code: 'invalid_identity', message: '0x and 40 hex digits' }],
    ['_ as an identity', { identity: '_' }, { code: 'invalid_identity', message: '0x and 40 hex digits' }],
    ['\\ as an identity', { identity: '\\' }, { code: 'invalid_identity', message: '0x and 40 hex digits' }],
    [
      'a wrong checksum',
      { identity: '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
      { code: 'invalid_identity', message: 'checksum' },
    ],
    ['an ENS name', { identity: 'alice.eth' }, { code: 'invalid_identity', message: 'alice.eth can change hands' }],
    [
      'a Solana address of small order',
      { platform: 'solana', identity: '1'.repeat(32) },
      { code: 'invalid_identity', message: 'no wallet can sign for it' },
    ],
    ['an empty key', { public_key: '' }, { code: 'invalid_request', message: 'public_key is empty' }],
    ['a number for a key', { public_key: 2 }, { code: 'invalid_request', message: 'public_key must be text' }],
    [
      'a key that is a digit short',
      { public_key: alice.key.compressed.slice(0, -1) },
      { code: 'invalid_public_key', message: '66 or 130 hex digits' },
    ],
    [
      'a key that is a digit long',
      { public_key: `${alice.key.compressed}0` },
      { code: 'invalid_public_key', message: '66 or 130 hex digits' },
    ],
    [
      'a key without 0x',
      { public_key: alice.key.compressed.slice(2) },
      { code: 'invalid_public_key', message: 'expected 0x' },
    ],
    [
      'a key with a letter that is not a hex digit',
      { public_key: alice.key.compressed.replace(/.$/, 'g') },
      { code: 'invalid_public_key', message: 'hex digits' },
    ],
    ['a key off the curve', { public_key: offTheCurve }, { code: 'invalid_public_key', message: 'not a point' }],
    [
      'an uncompressed key off the curve',
      { public_key: alice.key.uncompressed.replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
      { code: 'invalid_public_key', message: 'not a point' },
    ],
    [
      'a key with a line break behind it',
      { public_key: `${alice.key.compressed}\n` },
      { code: 'invalid_public_key', message: 'hex digits' },
    ],
  ];

  it.each(refusals)('refuses %s', async (_what, changes, refusal) => {
    await expectRefused(running, () => ask(changes), refusal);
  });

  it('names every problem of a body at once', async () => {
    const { body } = await running.post('/v1/proof/payload', { action: 'update', identity: 5 });

    expect(body.message).toMatch(/action must be.*platform is missing.*identity must be text.*public_key is missing/);
  });
});

describe('a server on which a platform is switched off', () => {
  let restricted: RunningApp;

  beforeAll(async () => {
    restricted = await startApp({ env: { PLATFORMS: 'ethereum' } });
  });
  afterAll(() => restricted.close());

  const solana = { ...request, platform: 'solana', identity: aSolanaWallet('alice').address };

  it('issues no payload for a create there', async () => {
    await expectRefused(restricted, () => restricted.post('/v1/proof/payload', solana), {
      code: 'platform_not_configured',
      message: 'switched solana off',
    });
  });

  it('still issues payloads for deletes', async () => {
    const { status } = await restricted.post('/v1/proof/payload', { ...solana, action: 'delete' });

    expect(status).toBe(200);
  });
});
