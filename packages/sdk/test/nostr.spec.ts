import { encodeBase64, decodeHex, verifyWallet } from '@signet/verify';
import { aNostrKey, anAvatar } from '../../look/test/support/avatar.js';
import { createClient, fromPrivateKey, nostrWallet, signatureOfNostrEvent } from '../src/index.js';
import { jsonReply, type StandIn, startStandIn } from './support/stand-in.js';

const alice = aNostrKey('alice');
const mallory = aNostrKey('mallory');
const textFor = (identity: string) => JSON.stringify({ action: 'create', created_at: '1718000000', identity });
const text = textFor(alice.npub);

/** An extension that signs as NIP-07 says, or changes the event that it is asked to sign. */
function extension(change: object = {}, answer: (event: object) => unknown = (event) => event) {
  const asked: object[] = [];
  return {
    asked,
    getPublicKey: () => Promise.resolve(alice.hex),
    signEvent(event: { content: string }) {
      asked.push(event);
      return Promise.resolve(answer(alice.event(event.content, { ...event, ...change })));
    },
  };
}

const isSigned = (signature: { wallet_signature: string }) =>
  verifyWallet({ platform: 'nostr', identity: alice.npub, text, extra: signature }).state === 'ok';

describe('a key of Nostr', () => {
  it('signs by an extension, which is asked for one event of our kind', async () => {
    const program = extension();
    const wallet = nostrWallet(program);

    expect(await wallet.npub()).toBe(alice.npub);
    expect(isSigned(await wallet.sign(text))).toBe(true);
    expect(program.asked).toEqual([{ kind: 26743, created_at: 1718000000, tags: [], content: text }]);
  });

  it.each([
    ['a time of its own', { created_at: 1718000001 }, /created_at has to be 1718000000/],
    ['a tag', { tags: [['client', 'x']] }, /without tags/],
    ['another kind', { kind: 1 }, /kind has to be 26743/],
    ['another content', { content: '{}' }, /content/],
  ])('does not sign by an extension that gives the event %s', async (_what, change, why) => {
    await expect(nostrWallet(extension(change)).sign(text)).rejects.toThrow(
      expect.objectContaining({ code: 'wrong_signer', message: expect.stringMatching(why) }),
    );
  });

  it.each([
    ['nothing', () => undefined],
    ['the event as a text', (event: object) => JSON.stringify(event)],
    ['a signature of another key', (event: object) => ({ ...event, sig: mallory.sign(text) })],
    ['a signature that is no hex', (event: object) => ({ ...event, sig: 'sig' })],
  ])('does not sign by an extension that answers %s', async (_what, answer) => {
    await expect(nostrWallet(extension({}, answer)).sign(text)).rejects.toThrow(
      expect.objectContaining({ code: 'wrong_signer' }),
    );
  });

  it('does not sign for another key than that of the extension, and no other text', async () => {
    await expect(nostrWallet(extension()).sign(textFor(mallory.npub))).rejects.toThrow(/Another key/);
    await expect(nostrWallet(extension()).sign('a text')).rejects.toMatchObject({ code: 'wrong_signer' });
    await expect(nostrWallet({ ...extension(), getPublicKey: () => Promise.resolve('') }).npub()).rejects.toThrow(
      /gave no public key/,
    );
  });

  it('leaves what the person declined as the extension says it', async () => {
    const declined = new Error('User rejected');
    const wallet = nostrWallet({ ...extension(), signEvent: () => Promise.reject(declined) });

    await expect(wallet.sign(text)).rejects.toBe(declined);
  });

  it('signs in memory: bytes, hex and nsec', async () => {
    const hex = Buffer.from(alice.privateKey).toString('hex');

    for (const given of [alice.privateKey, hex, `0x${hex.toUpperCase()}`]) {
      const wallet = nostrWallet(given);
      expect(await wallet.npub()).toBe(alice.npub);
      expect(isSigned(await wallet.sign(text))).toBe(true);
    }
  });

  it.each(['', 'nsec1', alice.npub, '0'.repeat(64), 'f'.repeat(64), 'ab'.repeat(31)])(
    'is no private key, and is not repeated: %j',
    (given) => {
      expect(() => nostrWallet(given)).toThrow(
        expect.objectContaining({ code: 'wrong_signer', message: expect.stringMatching(/^A private key of Nostr is/) }),
      );
    },
  );
});

describe('an event that was signed elsewhere', () => {
  it('gives its signature, as an object, as a text, and by its sig', () => {
    const event = alice.event(text);
    const base64 = encodeBase64(decodeHex(event.sig)!);

    expect(signatureOfNostrEvent(event, text)).toBe(base64);
    expect(signatureOfNostrEvent(` ${event.sig}\n`, text)).toBe(base64);
    expect(signatureOfNostrEvent(`${JSON.stringify(event, null, 2)}\n`, text)).toBe(base64);
  });

  it.each([
    '',
    'event',
    '[]',
    'null',
    mallory.sign(text),
    JSON.stringify({ ...alice.event(text), sig: mallory.sign(text) }),
  ])('is refused where it is not that event: %s', (event) => {
    expect(() => signatureOfNostrEvent(event, text)).toThrow(/^The event cannot be used\./);
  });
});

describe('names of Nostr', () => {
  const asked: string[] = [];
  let standIn: StandIn;
  beforeEach(async () => {
    asked.length = 0;
    standIn = await startStandIn(({ path }) => {
      asked.push(path);
      return jsonReply({ message: 'none', code: 'account_not_found' }, 404);
    });
  });
  afterEach(() => standIn.close());

  const nsec = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5';
  it.each([nsec, `nostr:${nsec.toUpperCase()}`, `${nsec}@example.org`])(
    'are sent to nobody where they are %s',
    async (name) => {
      const client = createClient({ baseUrl: standIn.baseUrl, trustServer: true });

      await expect(client.account('nostr', name)).rejects.toMatchObject({ code: 'invalid_identity' });
      await expect(client.resolve({ platform: 'nostr', identity: name })).rejects.toMatchObject({
        code: 'invalid_identity',
      });
      expect(asked).toEqual([]);
    },
  );

  it('and a private key in any other place is sent to nobody, and is not repeated', async () => {
    const client = createClient({ baseUrl: standIn.baseUrl, trustServer: true });
    const signer = fromPrivateKey(anAvatar('alice').privateKey);
    const refused = { code: 'invalid_identity', message: expect.not.stringContaining(nsec.slice(0, 20)) };
    const words = `${'abandon '.repeat(11)}about`;
    const places = [
      client.proofs.find({ identity: words }).toArray(),
      client.proofs.find({ identity: nsec }).toArray(),
      client.proofs.exists({ platform: 'github', identity: nsec, avatar: signer.avatar }),
      client.draft({ platform: 'github', identity: nsec, signer }),
      client.kv.patch({ platform: 'self', identity: signer.avatar, patch: { note: `key ${nsec}` }, signer }),
    ];

    for (const place of places) await expect(place).rejects.toMatchObject(refused);
    expect(asked).toEqual([]);
  });

  it('are asked for at the server where they are names at domains', async () => {
    const client = createClient({ baseUrl: standIn.baseUrl, trustServer: true });

    expect(await client.account('nostr', 'alice@example.org')).toBeNull();
    await expect(client.resolve({ platform: 'nostr', identity: 'alice@example.org' })).rejects.toThrow(
      /leads to no account/,
    );
    expect(asked).toEqual(['/v1/platforms/nostr/account', '/v1/platforms/nostr/account']);
  });
});
