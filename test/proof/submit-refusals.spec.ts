import type { SubmitRequestDto } from '../../src/proof/proof.dto.js';
import { ProofService } from '../../src/proof/proof.service.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { aSolanaWallet, aWallet, anAvatar } from '../support/avatar.js';
import { countRows, expectRefused, type Refusal } from '../support/refusals.js';
import { linkWallet, signedSubmit, walletPayload } from '../support/scenario.js';
import { withNumber, withRecovery } from '../support/signature-forms.js';

const alice = anAvatar('alice');
const mallory = anAvatar('mallory');
const wallet = aWallet('alice');

type Body = ReturnType<typeof signedSubmit>;
type Change = (body: Body, payload: Answer['body']) => object;

const extra =
  (changes: object): Change =>
  (body) => ({ extra: { ...body.extra, ...changes } });
const avatarSignature =
  (change: (signature: string) => string): Change =>
  (body) => ({
    extra: { ...body.extra, signature: change(body.extra.signature) },
  });
const walletSignature =
  (change: (signature: string) => string): Change =>
  (body) => ({
    extra: { ...body.extra, wallet_signature: change(body.extra.wallet_signature!) },
  });

/** `text` with another hex digit at `index`. */
function changed(text: string, index: number): string {
  const digit = (Number.parseInt(text[index]!, 16) ^ 1).toString(16);
  return text.slice(0, index) + digit + text.slice(index + 1);
}

let running: RunningApp;

beforeAll(async () => {
  running = await startApp();
});
afterAll(() => running.close());

describe('POST /v1/proof refuses a body of the wrong shape:', () => {
  const missing = (member: string): [string, object, string] => [`no ${member}`, { [member]: undefined }, 'is missing'];
  const shapes: [string, object, string][] = [
    ...['action', 'platform', 'identity', 'public_key', 'uuid', 'created_at'].map(missing),
    ['null for a missing uuid', { uuid: null }, 'uuid is missing'],
    ['null for a missing created_at', { created_at: null }, 'created_at is missing'],
    ['an unknown action', { action: 'update' }, 'action must be create or delete'],
    ['a number for created_at', { created_at: 1763700000 }, 'created_at must be UNIX seconds as decimal text'],
    ['a text that is not a time', { created_at: 'yesterday' }, 'created_at must be UNIX seconds'],
    ['a time with a fraction', { created_at: '1763700000.5' }, 'created_at must be UNIX seconds'],
    ['a negative time', { created_at: '-1' }, 'created_at must be UNIX seconds'],
    ['a time with a leading zero', { created_at: '01763700000' }, 'created_at must be UNIX seconds'],
    ['a time of 400 digits', { created_at: '9'.repeat(400) }, 'created_at must be UNIX seconds'],
    ['a number for uuid', { uuid: 5 }, 'uuid must be'],
    ['a text that is not a uuid', { uuid: 'five' }, 'uuid must be the uuid that the payload endpoint gave'],
    ['a uuid of another version', { uuid: '0190163d-8694-739b-aea5-966c26f8ad91' }, 'uuid must be the uuid'],
    ['U+0000 in the uuid', { uuid: '\0' }, 'uuid must be the uuid'],
    ['a list for proof_location', { proof_location: ['a'] }, 'proof_location must be text'],
    ['text for extra', { extra: 'signature' }, 'extra must be an object'],
    ['a number for extra', { extra: 5 }, 'extra must be an object'],
    ['a list for extra', { extra: [{ signature: 'a' }] }, 'extra must be an object'],
    ['a number for the signature', { extra: { signature: 5 } }, 'extra.signature must be text'],
    ['a list for the wallet signature', { extra: { wallet_signature: ['a'] } }, 'wallet_signature must be text'],
  ];

  it.each(shapes)('%s', async (_what, changes, message) => {
    const { body: payload } = await walletPayload(running, alice, wallet);

    await expectRefused(
      running,
      () => running.post('/v1/proof', { ...signedSubmit(payload, alice, wallet), ...changes }),
      { code: 'invalid_request', message },
    );
  });
});

describe('POST /v1/proof refuses', () => {
  const key: Refusal = { code: 'invalid_public_key', message: 'Not an Avatar public key' };
  const identity = (message: string): Refusal => ({ code: 'invalid_identity', message });
  const mismatch: Refusal = { code: 'payload_mismatch', message: 'exactly as they were in the payload step' };
  const signature = (message: string | RegExp): Refusal => ({ code: 'invalid_signature', message });
  /** What the text is comes before anything is said of keys. */
  const malformed = (what: string) => signature(`in hex behind 0x; this is ${what}`);
  const hexOf = (text: string) => Buffer.from(text, 'base64').toString('hex');
  const notTheAvatars = signature('extra.signature was not made by the Avatar key');
  const notTheWallets = signature(/wallet_signature|wallet signature/i);

  const refusals: [string, Change, Refusal][] = [
    ['a key without 0x', (body) => ({ public_key: body.public_key.slice(2) }), key],
    ['a key that is a digit short', (body) => ({ public_key: body.public_key.slice(0, -1) }), key],
    ['a key off the curve', () => ({ public_key: `0x02${'f'.repeat(64)}` }), key],
    ['an unknown platform', () => ({ platform: 'myspace' }), { code: 'unknown_platform', message: '"myspace"' }],
    ['an identity of spaces', () => ({ identity: '  ' }), identity('empty')],
    ['an identity of 257 characters', () => ({ identity: 'a'.repeat(257) }), identity('257')],
    ['U+0000 in the identity', (body) => ({ identity: `${body.identity}\0` }), identity('control character')],
    ['% as the identity', () => ({ identity: '%' }), identity('0x and 40 hex digits')],

    ['the payload of another Avatar', () => ({ public_key: mallory.key.compressed }), mismatch],
    ['the payload of another identity', () => ({ identity: aWallet('mallory').address }), mismatch],
    ['the payload of another platform', () => ({ platform: 'solana', identity: aSolanaWallet().address }), mismatch],
    ['the payload of another action', () => ({ action: 'delete' }), mismatch],
    ['a uuid with another first digit', ({ uuid }) => ({ uuid: changed(uuid, 0) }), mismatch],
    ['a uuid with another digit in its random part', ({ uuid }) => ({ uuid: changed(uuid, 10) }), mismatch],
    ['a uuid with another digit in its seal', ({ uuid }) => ({ uuid: changed(uuid, 16) }), mismatch],
    ['a uuid with another last digit', ({ uuid }) => ({ uuid: changed(uuid, 35) }), mismatch],
    ['a time that is a second later', (body) => ({ created_at: String(Number(body.created_at) + 1) }), mismatch],
    ['a time that is a second earlier', (body) => ({ created_at: String(Number(body.created_at) - 1) }), mismatch],
    ['a time of which the last digit is missing', (body) => ({ created_at: body.created_at.slice(0, -1) }), mismatch],
    ['a uuid that nobody issued', () => ({ uuid: '5c1ba0a2-1f0e-4d1c-9d3b-3e0d3c1a9a77' }), mismatch],

    ['no extra', () => ({ extra: undefined }), signature('extra.signature is missing')],
    ['null for extra', () => ({ extra: null }), signature('extra.signature is missing')],
    ['no signature of the Avatar', extra({ signature: undefined }), signature('extra.signature is missing')],
    ['null for the signature', extra({ signature: null }), signature('extra.signature is missing')],
    ['an empty signature', extra({ signature: '' }), signature('extra.signature is missing')],
    [
      'the signature of another Avatar',
      (body, payload) => ({ extra: { ...body.extra, signature: mallory.sign(payload.sign_payload) } }),
      notTheAvatars,
    ],
    ['the signature of another text', extra({ signature: alice.sign('another text') }), notTheAvatars],
    [
      'the signature of the wallet in its place',
      (body) => ({ extra: { ...body.extra, signature: body.extra.wallet_signature } }),
      signature(new RegExp(`not made by the Avatar key.*\\(address ${wallet.address}\\)`)),
    ],
    [
      'a signature over the text with a line break behind it',
      (body, payload) => ({ extra: { ...body.extra, signature: alice.sign(`${payload.sign_payload}\n`) } }),
      signature('it was made by that key over the text with a line break behind it.'),
    ],
    ['a signature cut short', avatarSignature((text) => text.slice(0, 80)), malformed('60 bytes.')],
    ['a signature that is too long', avatarSignature((text) => text.replace('=', 'A')), malformed('66 bytes.')],
    ['a signature that is not Base64', extra({ signature: 'not?base64!' }), malformed('not Base64')],
    [
      'a signature without its padding',
      avatarSignature((text) => text.replace(/=+$/, '')),
      malformed('Base64 without'),
    ],
    ['a signature in the URL alphabet', extra({ signature: '-_-_' }), malformed('Base64 in the URL alphabet')],
    ['a signature with a line break', avatarSignature((text) => `${text}\n`), malformed('Base64 with white space')],
    ['a signature with U+0000', avatarSignature((text) => `${text}\0`), malformed('not Base64')],
    ['a signature in hex without 0x', avatarSignature(hexOf), malformed('hex of 65 bytes without 0x')],
    [
      'a signature in half a digit of hex',
      avatarSignature((text) => `0x${hexOf(text)}0`),
      malformed('an odd number (131)'),
    ],
    ['the placeholder of a signature', extra({ signature: '%SIG_BASE64%' }), malformed('the placeholder')],
    ...[2, 26, 29, 31, 255].map((v): [string, Change, Refusal] => [
      `a signature with v ${v}`,
      avatarSignature((text) => withRecovery(text, () => v)),
      malformed(`65 bytes whose last one, v, is ${v}; 27 or 28`),
    ]),
    [
      'a signature with the other v',
      avatarSignature((text) => withRecovery(text, (v) => 55 - v)),
      signature('over the right text, but its recovery byte v'),
    ],
    ...(['r', 's'] as const).flatMap((part) =>
      ([0n, 'n', 'n + 1', 2n ** 256n - 1n] as const).map((value): [string, Change, Refusal] => [
        `a signature whose ${part} is ${value}`,
        avatarSignature((text) => withNumber(text, part, value)),
        malformed('65 bytes with an impossible r or s'),
      ]),
    ),

    ['no wallet signature', extra({ wallet_signature: undefined }), signature('wallet signature is missing')],
    ['null for the wallet signature', extra({ wallet_signature: null }), signature('wallet signature is missing')],
    ['an empty wallet signature', extra({ wallet_signature: '' }), signature('wallet signature is missing')],
    [
      'the signature of another wallet',
      (body, { sign_payload: text }) => ({ extra: { ...body.extra, wallet_signature: aWallet('mallory').sign(text) } }),
      notTheWallets,
    ],
    ['a wallet signature over another text', extra({ wallet_signature: wallet.sign('another') }), notTheWallets],
    [
      'the signature of the Avatar in place of the wallet',
      (body) => ({ extra: { ...body.extra, wallet_signature: body.extra.signature } }),
      signature('It is a signature of the Avatar key, and the wallet has to sign as well.'),
    ],
    ['a wallet signature that is not Base64', extra({ wallet_signature: 'not?base64!' }), notTheWallets],
    ['a wallet signature in hex without 0x', walletSignature(hexOf), signature('this is hex of 65 bytes without 0x')],
    ['a wallet signature cut short', walletSignature((text) => text.slice(0, 80)), notTheWallets],
    ['a wallet signature with v 29', walletSignature((text) => withRecovery(text, () => 29)), notTheWallets],
    ['a wallet signature whose r is 0', walletSignature((text) => withNumber(text, 'r', 0n)), notTheWallets],
  ];

  /** One whose signature, with a changed end, is not taken for DER (0x30) or for a form with v (27 to 34) in front. */
  async function plainSubmit() {
    for (;;) {
      const { body: payload } = await walletPayload(running, alice, wallet);
      const body = signedSubmit(payload, alice, wallet);
      if (Buffer.from(body.extra.signature, 'base64')[0]! > 0x30) return { body, payload };
    }
  }

  it.each(refusals)('%s', async (_what, change, refusal) => {
    const { body, payload } = await plainSubmit();

    await expectRefused(running, () => running.post('/v1/proof', { ...body, ...change(body, payload) }), refusal);
  });

  it('a wallet signature over the very same text with another Avatar in it, which nothing but the signature shows', async () => {
    const { body: payload } = await walletPayload(running, alice, wallet);
    const honest = signedSubmit(payload, alice, wallet);
    // The uuid fits, so its HMAC lets it pass; without the Avatar in the text both texts would be one.
    const theirs = payload.sign_payload.replace(alice.key.compressed, mallory.key.compressed);
    const body = { ...honest, extra: { ...honest.extra, wallet_signature: wallet.sign(theirs) } };

    await expectRefused(running, () => running.post('/v1/proof', body), notTheWallets);
    expect((await running.post('/v1/proof', honest)).status).toBe(201);
  });

  it('a wallet signature that was made for the payload of another Avatar', async () => {
    const theirs = (await walletPayload(running, mallory, wallet)).body;
    const { body: payload } = await walletPayload(running, alice, wallet);
    const stolen = wallet.sign(theirs.sign_payload);

    await expectRefused(
      running,
      () =>
        running.post('/v1/proof', {
          ...signedSubmit(payload, alice, wallet),
          ...extra({ wallet_signature: stolen })(signedSubmit(payload, alice, wallet), payload),
        }),
      notTheWallets,
    );
  });
});

describe('POST /v1/proof refuses, because of what is recorded already,', () => {
  const avatar = anAvatar('recorded');
  const bound = aWallet('recorded');

  it('the same submit twice', async () => {
    const { body: payload } = await walletPayload(running, avatar, bound);
    const body = signedSubmit(payload, avatar, bound);
    expect((await running.post('/v1/proof', body)).status).toBe(201);

    await expectRefused(running, () => running.post('/v1/proof', body), {
      code: 'already_recorded',
      message: `${body.uuid} was already submitted`,
    });
  });

  it('a submit after the chain has moved on, and says so', async () => {
    const { body: payload } = await walletPayload(running, avatar, aWallet('late'));
    await linkWallet(running, avatar, aWallet('faster'));

    await expectRefused(running, () => running.post('/v1/proof', signedSubmit(payload, avatar, aWallet('late'))), {
      code: 'stale_chain',
      message: /moved on.*new payload/,
    });
  });

  it('a submit for the empty chain after the first link was made', async () => {
    const newcomer = anAvatar('newcomer');
    const { body: payload } = await walletPayload(running, newcomer, aWallet('late'));
    await linkWallet(running, newcomer, aWallet('faster'));

    await expectRefused(running, () => running.post('/v1/proof', signedSubmit(payload, newcomer, aWallet('late'))), {
      code: 'stale_chain',
      message: 'moved on',
    });
  });

  it('a changed field even after the chain has moved on', async () => {
    const { body: payload } = await walletPayload(running, avatar, aWallet('late'));
    await linkWallet(running, avatar, aWallet('faster'));
    const body = signedSubmit(payload, avatar, aWallet('late'));

    await expectRefused(running, () => running.post('/v1/proof', { ...body, identity: wallet.address }), {
      code: 'payload_mismatch',
      message: 'exactly as they were',
    });
  });

  it.each([
    ['without a signature', undefined, 'extra.signature is missing'],
    ['with the signature of another Avatar', mallory.sign('anything'), 'not made by the Avatar key'],
  ])('a delete %s', async (_what, signature, message) => {
    const { body: payload } = await walletPayload(running, avatar, bound, { action: 'delete' });
    const body = signedSubmit(payload, avatar, bound, { action: 'delete' });

    await expectRefused(running, () => running.post('/v1/proof', { ...body, extra: { signature } }), {
      code: 'invalid_signature',
      message,
    });
  });

  it.each([
    ['that was never made', anAvatar('empty-handed'), wallet],
    ['that another Avatar holds', anAvatar('envious'), bound],
    ['of another identity than the one it holds', avatar, aWallet('never bound')],
  ])('the delete of a binding %s', async (_what, who, whose) => {
    await expectRefused(running, () => linkWallet(running, who, whose, { action: 'delete' }), {
      code: 'binding_not_found',
      message: `holds no binding of "${whose.address}" on ethereum`,
    });
  });

  it('the second delete of one binding', async () => {
    const fickle = anAvatar('fickle');
    await linkWallet(running, fickle, bound);
    await linkWallet(running, fickle, bound, { action: 'delete' });

    await expectRefused(running, () => linkWallet(running, fickle, bound, { action: 'delete' }), {
      code: 'binding_not_found',
      message: 'nothing to delete',
    });
  });
});

describe('a payload', () => {
  const TTL_SECONDS = 7 * 24 * 3600;
  const SKEW_SECONDS = 5 * 60;
  const owner = anAvatar('owner of a payload');
  let link: SubmitRequestDto;

  beforeAll(async () => {
    const { body } = await walletPayload(running, owner, wallet);
    link = {
      action: 'create',
      platform: 'ethereum',
      identity: wallet.address,
      public_key: owner.key.compressed,
      uuid: body.uuid,
      created_at: body.created_at,
      extra: { signature: owner.sign(body.sign_payload), wallet_signature: wallet.sign(body.sign_payload) },
    };
  });

  const submitAt = (secondsLater: number) =>
    running.app.get(ProofService).submit(link, new Date((Number(link.created_at) + secondsLater) * 1000));

  it.each([
    ['is refused a second after its seven days', TTL_SECONDS + 1, /issued 604801 seconds ago.*good for 604800/],
    ['is refused by a clock that is more than five minutes behind', -SKEW_SECONDS - 1, /301 seconds ahead/],
  ])('%s', async (_what, secondsLater, message) => {
    const before = await countRows(running);

    await expect(submitAt(secondsLater)).rejects.toMatchObject({
      code: 'payload_expired',
      message: expect.stringMatching(message),
    });

    expect(await countRows(running)).toEqual(before);
  });

  it('is accepted at the last second of its seven days', async () => {
    await expect(submitAt(TTL_SECONDS)).resolves.toMatchObject({ link: { action: 'create' } });
  });
});
