import { verifyPatchChain } from '@signet/verify';
import { kvPayload, readKvChain, submitKv } from '../kv/kv-scenario.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { rawPost, sendRaw } from '../support/raw-http.js';
import { expectRefusal } from '../support/refusals.js';
import { linkWallet } from '../support/scenario.js';

let app: RunningApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('a key-value signature', () => {
  /** What a client signs that reads the text, shows it, and writes it again. */
  const rewritten = (text: string) => JSON.stringify(JSON.parse(text));
  const PATCH = { '137': { '56': 1 }, '1': 'x', '#': 2 };

  it('over the text as JavaScript writes it counts, and is stored with that text', async () => {
    const avatar = anAvatar('rewrites');
    const { body: payload } = await kvPayload(app, avatar, PATCH);
    const text = rewritten(payload.sign_payload);
    expect(text).not.toBe(payload.sign_payload);

    const answer = await submitKv(app, avatar, payload, PATCH, { submit: { signature: avatar.sign(text) } });

    expect(answer).toMatchObject({ status: 201, body: { proofs: [{ content: PATCH }] } });
    const chain = await readKvChain(app, avatar);
    expect(chain.map(({ signature_payload }) => signature_payload)).toEqual([text]);
    expect(verifyPatchChain(chain, { avatar: avatar.key.compressed }).ok).toBe(true);
  });

  it('over the issued text still counts, also for names that are numbers', async () => {
    const avatar = anAvatar('does not rewrite');
    const { body: payload } = await kvPayload(app, avatar, PATCH);

    expect((await submitKv(app, avatar, payload, PATCH)).status).toBe(201);
    expect((await readKvChain(app, avatar))[0].signature_payload).toBe(payload.sign_payload);
  });

  it('over another order than these two does not count', async () => {
    const avatar = anAvatar('orders as it likes');
    const { body: payload } = await kvPayload(app, avatar, PATCH);
    const { uuid, ...rest } = JSON.parse(payload.sign_payload) as { uuid: string };
    const signature = avatar.sign(JSON.stringify({ uuid, ...rest }));

    expectRefusal(await submitKv(app, avatar, payload, PATCH, { submit: { signature } }), {
      code: 'invalid_signature',
      message: 'signature',
    });
  });
});

describe('a body in ISO-8859-1', () => {
  const avatar = anAvatar('latin');
  const body = Buffer.from(
    JSON.stringify({
      avatar: avatar.key.compressed,
      platform: 'self',
      identity: avatar.key.compressed,
      patch: { n: 'Zoë' },
    }),
    'latin1',
  );
  const send = async (type: string) =>
    JSON.parse((await sendRaw(app.baseUrl, rawPost('/v1/kv/payload', body, [`Content-Type: ${type}`]))).text);

  it.each(['application/json; charset=ISO-8859-1', 'text/plain;charset="iso-8859-1"; x=y'])(
    'is read as such where it says so: %s',
    async (type) => {
      expect(JSON.parse((await send(type)).sign_payload).patch).toEqual({ n: 'Zoë' });
    },
  );

  it('is refused where it does not say so', async () => {
    expect(await send('application/json')).toMatchObject({ code: 'malformed_json' });
  });
});

describe('POST /v1/proof/restore_pubkey', () => {
  const avatar = anAvatar('restored');
  const wallet = aWallet('restored');
  let link: { uuid: string; signature: string; created_at: string };
  const restore = (changes: object = {}) =>
    app.post('/v1/proof/restore_pubkey', {
      action: 'create',
      platform: 'ethereum',
      identity: wallet.address,
      proof_post: postOf(link.signature, link.uuid),
      ...changes,
    });
  const postOf = (signature: string, uuid: string) =>
    `\ufffc  Verify  @alice  with  @NextDotID .\nSig: ${signature}\nMisc: ${uuid}|${link.created_at}|`;

  beforeAll(async () => {
    await linkWallet(app, avatar, wallet);
    const { body } = await app.get(`/v1/proofchain?public_key=${avatar.key.compressed}`);
    link = body.proof_chain[0];
  });

  it.each<[string, () => object]>([
    ['the post as a page shows it', () => ({})],
    [
      'the end of the longest text',
      () => ({ proof_post: postOf(link.signature, link.uuid).padStart(4096, 'I moved here. ') }),
    ],
    ['our own wording', () => ({ proof_post: `Sig: ${link.signature}\nUUID: ${link.uuid}\n` })],
    [
      'two signatures, the right one second',
      () => ({ proof_post: `${otherSignature()}\n${postOf(link.signature, link.uuid)}` }),
    ],
    [
      'uuid and signature without a post',
      () => ({ proof_post: undefined, uuid: link.uuid, signature: link.signature }),
    ],
    ['v written as 0 or 1', () => ({ proof_post: undefined, uuid: link.uuid, signature: lowV(link.signature) })],
    ['the identity in capitals', () => ({ identity: wallet.address.toUpperCase().replace('0X', '0x') })],
  ])('names the Avatar by %s', async (_what, changes) => {
    expect(await restore(changes())).toMatchObject({ status: 200, body: { public_key: avatar.key.compressed } });
  });

  it.each<[string, () => object]>([
    ['a forged signature', () => ({ proof_post: postOf(otherSignature(), link.uuid) })],
    ['the signature under another identity', () => ({ identity: aWallet('somebody else').address })],
    ['the uuid on another platform', () => ({ platform: 'twitter', identity: 'alice' })],
    ['a uuid that nobody used', () => ({ proof_post: postOf(link.signature, '909353ef-a9bb-4b4b-be79-a1e4eb82bd57') })],
    ['a post without uuid', () => ({ proof_post: `Sig: ${link.signature}` })],
    ['neither post nor uuid', () => ({ proof_post: undefined })],
    ['a uuid without signature', () => ({ proof_post: undefined, uuid: link.uuid })],
    [
      'the longest text, of signatures',
      () => ({ proof_post: postOf(link.signature, link.uuid).padStart(4096, manySignatures()) }),
    ],
  ])('tells no key by %s', async (_what, changes) => {
    expectRefusal(await restore(changes()), { code: 'not_restored', message: 'cannot be determined' });
  });

  it('tells no key of a delete, and none for a text of more than 4,096 characters, which says what to send', async () => {
    expectRefusal(await restore({ action: 'delete' }), { code: 'invalid_request', message: 'action' });
    expectRefusal(await restore({ proof_post: postOf(link.signature, link.uuid).padStart(4097) }), {
      code: 'invalid_request',
      message: 'proof_post must have at most 4096 characters; of a longer post, send uuid and signature',
    });
  });

  const otherSignature = (text = 'anything') => anAvatar('forger').sign(text);
  const manySignatures = () => Array.from({ length: 50 }, (_, n) => `Sig: ${otherSignature(`${n}`)}\n`).join('');
  const lowV = (signature: string) => {
    const bytes = Buffer.from(signature, 'base64');
    bytes[64]! -= 27;
    return bytes.toString('base64');
  };
});
