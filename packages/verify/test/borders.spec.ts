/** Where one thing ends and another begins: the largest that is taken, and the smallest that is not. */
import { constants, createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  dataItemId,
  dataItemMessage,
  encodeDataItemTags,
  isDataItemSigned,
  decodeEthereumSignature,
  decodeSolanaSignature,
  decodeSolanaMessage,
  readProofDocument,
} from '../src/internal/signatures.js';
import { verifyDataItem } from '../src/data-item.js';
import * as rules from '../src/index.js';
import { parseObject, utf8 } from '../src/internal/internal.js';
import { chainOf, keysNamed, patchesOf } from './chains.js';

const alice = keysNamed('alice');
const bob = keysNamed('bob');
const START = 1_718_000_000;
const WALLET = new URL('../../../test/archive/test-wallet.json', import.meta.url);
const stepOf = ({ steps }: rules.Verification, name: string) => steps.find((step) => step.name === name);

function nameless<Item extends { avatar?: string }>(item: Item): Item {
  const copy = { ...item };
  delete copy.avatar;
  return copy;
}

describe('the links of a chain', () => {
  const first = chainOf(alice, 1, { time: START });
  const behind = (seconds: number) => [...first, ...chainOf(alice, 1, { after: first[0]!, time: START - seconds })];

  it('have times that are told to be wrong where they are older than the one before by more than clocks may differ', () => {
    expect(rules.verifyChain(behind(300))).toMatchObject({ ok: true, complete: true });
    const detail = expect.stringMatching(/^2 of 2: A clock was wrong .* its time is 301 seconds before/);
    expect(rules.verifyChain(behind(301))).toMatchObject({
      ok: true,
      complete: false,
      steps: [{ name: 'time', state: 'not_checkable', detail }],
    });
  });

  it('fail where a text or a place was forged, whatever the times say', () => {
    const [one, late] = behind(301);
    const forged = rules.verifyChain([one!, { ...late!, created_at: String(START - 302) }]);
    const moved = rules.verifyChain([one!, ...chainOf(alice, 1, { after: late!, time: START - 900 })]);

    expect(forged.ok || moved.ok).toBe(false);
    expect(forged.steps.filter(({ state }) => state === 'failed').map(({ name }) => name)).toContain('fields');
    expect(moved.steps.filter(({ state }) => state === 'failed').map(({ name }) => name)).toEqual(['prev']);
  });

  it('revoke what is bound, and what may have been bound before the links that are at hand', () => {
    const links = chainOf(alice, 3);
    const [, , revoking] = links;

    expect(stepOf(rules.verifyChain(links).links[2]!, 'binding')).toMatchObject({ state: 'ok' });
    const tail = rules.verifyChain([revoking!], { after: links[1]! });
    expect(tail).toMatchObject({ ok: true, complete: false, avatar: alice.avatar });
    expect(stepOf(tail.links[0]!, 'binding')).toMatchObject({ state: 'not_checkable' });
  });

  it('belong to nobody where there are none', () => {
    expect(rules.verifyChain([])).toMatchObject({ ok: true, complete: true, avatar: '', bindings: [] });
    expect(rules.verifyChain([], { avatar: alice.avatar }).avatar).toBe(alice.avatar);
    expect(rules.verifyPatchChain([])).toMatchObject({ ok: true, avatar: '', entries: [] });
  });

  it('name their Avatar in their signed text where they do so nowhere else', () => {
    const links = chainOf(alice, 2).map(nameless);
    const patches = patchesOf(alice, [{ a: 1 }]).map(nameless);

    expect(rules.verifyChain(links)).toMatchObject({ ok: true, avatar: alice.avatar });
    expect(rules.verifyPatchChain(patches)).toMatchObject({ ok: true, avatar: alice.avatar });
    for (const item of [rules.verifyChain(links).links[0]!, rules.verifyPatchChain(patches).patches[0]!]) {
      expect(stepOf(item, 'avatar')).toBeUndefined();
    }
  });

  it('are checked by themselves without their place, and with it where it is known', () => {
    const [one, other] = chainOf(alice, 2);

    expect(stepOf(rules.verifyLink(other!), 'prev')).toBeUndefined();
    expect(stepOf(rules.verifyLink(other!, { previous: one! }), 'prev')).toMatchObject({ state: 'ok' });
    expect(stepOf(rules.verifyLink(other!, { previous: null }), 'prev')).toMatchObject({ state: 'failed' });
    expect(stepOf(rules.verifyLink(one!, { previous: null }), 'prev')).toMatchObject({ state: 'ok' });
  });
});

describe('a sentence about a step', () => {
  const saidOf = (digits: number) =>
    rules.verifyLink({ ...chainOf(alice, 1)[0]!, created_at: 'x'.repeat(digits) }).steps[0]!.detail;

  it('shows 200 characters of what was checked at most', () => {
    expect(saidOf(198)).toContain(` "${'x'.repeat(198)}",`);
    expect(saidOf(199)).toContain(` "${'x'.repeat(199)}...,`);
  });
});

describe('the object in a signed text', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

  it('has 256 levels at most, and is read from nothing but an object', () => {
    expect(parseObject(nested(256))).not.toBeNull();
    for (const text of [nested(257), '[]', 'null', '1', '"a"', '{', '', undefined, {}]) {
      expect(parseObject(text)).toBeNull();
    }
  });
});

describe('the signature of a wallet', () => {
  const hex = (bytes: number) => `0x${'ab'.repeat(bytes)}`;
  const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

  it('has on ethereum 64 KiB at most, in hex or Base64', () => {
    expect(decodeEthereumSignature(hex(65_536))).toHaveLength(65_536);
    expect(decodeEthereumSignature(base64(65_536))).toHaveLength(65_536);
    expect(decodeEthereumSignature(hex(65_537))).toBeNull();
    expect(decodeEthereumSignature(base64(65_537))).toBeNull();
    expect(decodeEthereumSignature('0xab')).toEqual(Uint8Array.of(0xab));
    expect(decodeEthereumSignature('0xa')).toBeNull();
  });

  it('has on solana 64 bytes, in Base58, padded Base64 or hex', () => {
    const bytes = Uint8Array.from({ length: 64 }, (_, index) => index + 1);
    const spellings = (of: Uint8Array) => [
      rules.encodeBase58(of),
      rules.encodeBase64(of),
      rules.encodeHex(of),
      `0x${rules.encodeHex(of)}`,
    ];

    for (const text of spellings(bytes)) expect(decodeSolanaSignature(text)).toEqual(bytes);
    for (const other of [bytes.slice(1), Uint8Array.of(1, ...bytes)]) {
      for (const text of spellings(other)) expect(decodeSolanaSignature(text)).toBeNull();
    }
  });

  it('comes with a message of 8,192 characters at most', () => {
    expect(decodeSolanaMessage(base64(6_144))).toHaveLength(6_144);
    expect(decodeSolanaMessage(base64(6_145))).toBeNull();
    expect(decodeSolanaMessage('0x0102')).toEqual(Uint8Array.of(1, 2));
  });

  it('is missing where it is empty or not a text, and not checkable where a contract made it', () => {
    const claim = { platform: 'ethereum', identity: alice.address, text: 'text' };
    const stateWith = (extra: object) => rules.verifyWallet({ ...claim, extra });

    for (const extra of [{}, { wallet_signature: '' }, { wallet_signature: 1 }]) {
      expect(stateWith(extra)).toMatchObject({ state: 'failed', detail: 'It has no wallet signature.' });
    }
    expect(stateWith({ wallet_signature: '0xab' }).state).toBe('failed');
    expect(stateWith({ wallet_signature: '0xab', chain_id: '1', block_number: '7' })).toMatchObject({
      state: 'not_checkable',
      detail:
        'Only the server says that this is a contract wallet, whose signature can only be checked on its chain (chain "1", block "7").',
    });
    expect(stateWith({ wallet_signature: 'no signature', chain_id: '1' }).state).toBe('failed');
  });

  it('fails, and throws nothing, where what it is about is no text and no object', () => {
    const claim = { platform: 'solana', identity: alice.address, text: 'text', extra: { wallet_signature: 'x' } };

    for (const wrong of [{ extra: null }, { extra: 'x' }, { platform: 1 }, { identity: null }, { text: undefined }]) {
      expect(rules.verifyWallet({ ...claim, ...wrong } as never)).toMatchObject({
        name: 'wallet_signature',
        state: 'failed',
      });
    }
  });
});

describe('a webhook', () => {
  const SECRET = rules.webhookSecret(new Uint8Array(32).fill(5));
  const message = { id: 'msg_1', timestamp: String(START), body: '{"type":"proof.bound"}' };
  const signature = rules.webhookSignature(message, [SECRET]);
  const headers = { 'webhook-id': message.id, 'webhook-timestamp': message.timestamp, 'webhook-signature': signature };
  const verify = (changes: Record<string, string | string[]>, context: rules.WebhookContext = { now: START }) =>
    rules.verifyWebhook(SECRET, { ...headers, ...changes }, message.body, context);

  it('may be five minutes away in either direction, or what the receiver says', () => {
    for (const now of [START - 300, START, START + 300]) expect(verify({}, { now }).complete).toBe(true);
    for (const now of [START - 301, START + 301]) expect(stepOf(verify({}, { now }), 'time')!.state).toBe('failed');
    expect(verify({}, { now: START + 10, toleranceSeconds: 10 }).complete).toBe(true);
    expect(verify({}, { now: START + 11, toleranceSeconds: 10 }).ok).toBe(false);
    expect(stepOf(verify({}, { now: 0, toleranceSeconds: null }), 'time')!.state).toBe('not_checkable');
  });

  it.each([
    [START + 300.2, 'It was sent 301 seconds ago by the clock here; at most 300 are allowed.'],
    [START - 400, 'It was dated 400 seconds ahead by the clock here; at most 300 are allowed.'],
  ])('says at %d in whole seconds how far away it is', (now, detail) => {
    expect(stepOf(verify({}, { now }), 'time')).toEqual({ name: 'time', state: 'failed', detail });
  });

  it('has all three headers, each once, under names in any letter case', () => {
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(rules.verifyWebhook(SECRET, upper, message.body, { now: START }).complete).toBe(true);
    for (const name of Object.keys(headers)) {
      expect(verify({ [name]: '' }).steps).toMatchObject([{ name: 'headers', state: 'failed' }]);
      expect(verify({ [name]: ['a', 'b'] }).steps).toMatchObject([{ name: 'headers', state: 'failed' }]);
    }
    for (const timestamp of ['1e9', ` ${START}`, `${START}s`, '-1', '1'.repeat(13)]) {
      expect(verify({ 'webhook-timestamp': timestamp }).steps).toMatchObject([{ name: 'headers', state: 'failed' }]);
    }
    expect(stepOf(verify({ 'webhook-timestamp': '1'.repeat(12) }), 'headers')!.state).toBe('ok');
  });

  it('has a signature that is the right one as a whole', () => {
    const wrong = [`${signature}A`, signature.slice(0, -1), signature.replace('v1,', 'v2,'), `w${signature.slice(1)}`];
    for (const text of wrong) expect(verify({ 'webhook-signature': text }).ok).toBe(false);
    expect(verify({ 'webhook-signature': `${wrong.join(' ')} ${signature}` }).complete).toBe(true);
  });

  it('is signed with each of the secrets, and with nothing that is not one', () => {
    const other = rules.webhookSecret(new Uint8Array(24).fill(6));

    expect(rules.webhookSignature(message, [SECRET, other])).toBe(
      `${signature} ${rules.webhookSignature(message, [other])}`,
    );
    expect(() => rules.webhookSignature(message, ['whsec_'])).toThrow('is whsec_ and');
  });
});

describe('a data item', () => {
  /** The wallet of the archive's tests, whose key has 4096 bits. */
  const wallet = createPrivateKey({ key: JSON.parse(readFileSync(WALLET, 'utf8')) as JsonWebKey, format: 'jwk' });
  const data = utf8('data');
  /** An item without tags. */
  function signedBy(privateKey: KeyObject) {
    const { n } = privateKey.export({ format: 'jwk' });
    const owner = new Uint8Array(Buffer.from(n!, 'base64url'));
    const fields = { owner, target: new Uint8Array(), anchor: new Uint8Array(), tags: [] };
    const key = { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
    return { ...fields, signature: new Uint8Array(sign('sha256', dataItemMessage(fields, data), key)) };
  }
  const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

  it('is signed by a wallet of 4096 bits and by no smaller one', async () => {
    const large = signedBy(wallet);
    const small = signedBy(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);

    expect(await isDataItemSigned(large, data)).toBe(true);
    expect(await isDataItemSigned(small, data)).toBe(false);
    expect(await isDataItemSigned({ ...large, owner: small.owner }, data)).toBe(false);
  });

  it('may be told with padding and without tags, and is not checked where a page has no WebCrypto', async () => {
    const head = signedBy(wallet);
    const id = dataItemId(head.signature);
    const told = { signature: `${base64url(head.signature)}==`, owner: { key: base64url(head.owner) } };
    const stateOf = async (changes: object = {}) => (await verifyDataItem(id, data, { ...told, ...changes })).steps[0]!;

    const half = [{ name: 'a', value: 'b' }, { name: 'c' }];
    for (const tags of [undefined, null, 'none', [], [null], [{ name: 'a' }], [{ value: 'a' }], half]) {
      expect(await stateOf({ tags })).toMatchObject({ state: 'ok' });
    }
    expect(await stateOf({ tags: [{ name: 'a', value: 'b' }] })).toMatchObject({ state: 'failed' });
    for (const signature of [`*${told.signature}`, `=${told.signature}`]) {
      expect(await stateOf({ signature })).toMatchObject({ state: 'not_checkable' });
    }
    for (const crypto of [undefined, {}]) {
      const original = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!;
      Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true });
      expect(await stateOf()).toMatchObject({ state: 'not_checkable', detail: expect.stringContaining('https') });
      Object.defineProperty(globalThis, 'crypto', original);
    }
  });

  it('has its lengths written as Avro does, seven bits at a time', () => {
    const lengthOf = (count: number) =>
      [...encodeDataItemTags([{ name: '', value: 'x'.repeat(count) }])].slice(2, -count - 1);

    expect(lengthOf(63)).toEqual([0x7e]);
    expect(lengthOf(64)).toEqual([0x80, 0x01]);
    expect(lengthOf(8_191)).toEqual([0xfe, 0x7f]);
    expect(lengthOf(8_192)).toEqual([0x80, 0x80, 0x01]);
  });
});

describe('a signature that somebody published', () => {
  const claim = { payload: 'the text', avatar: alice.avatar };
  const signature = alice.sign(claim.payload);
  const word = signature.slice(0, -1);
  const inLinesOf = (length: number) => word.match(new RegExp(`.{1,${length}}`, 'g'))!.join('\n');

  it('stands where its first letter does', () => {
    for (const text of [signature, `https://a.example/ ${signature}`, `a\r\n\nb ${signature}`, `a\n${inLinesOf(44)}`]) {
      const at = text.indexOf(signature.slice(0, 44));
      expect(rules.findPostedSignature(text, claim)).toEqual({ found: true, signature, at });
    }
  });

  it('may have six underscores around it, and eight lines', () => {
    expect(rules.findPostedSignature(`___${word}___`, claim).found).toBe(true);
    expect(rules.findPostedSignature(`______${word}`, claim).found).toBe(true);
    expect(rules.findPostedSignature(`____${word}___`, claim).found).toBe(false);
    expect(inLinesOf(11).split('\n')).toHaveLength(8);
    expect(rules.findPostedSignature(inLinesOf(11), claim).found).toBe(true);
    expect(inLinesOf(10).split('\n')).toHaveLength(9);
    expect(rules.findPostedSignature(inLinesOf(10), claim).found).toBe(false);
  });

  it('is found in a document where it stands, and at the beginning of one that writes it in escapes', () => {
    const document = JSON.stringify({ comment: 'c', signature }, null, 2);
    const escaped = document.replace(
      signature,
      signature.replace(/./g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
    );

    expect(rules.findDocumentSignature(document, claim)).toEqual({
      found: true,
      signature,
      at: document.indexOf(signature),
    });
    expect(rules.findDocumentSignature(escaped, claim)).toEqual({ found: true, signature, at: 0 });
    for (const text of [
      '{}',
      '{"signature":""}',
      '{"signature":1}',
      '',
      JSON.stringify({ signature: bob.sign('b') }),
    ]) {
      expect(rules.findDocumentSignature(text, claim).found).toBe(false);
    }
  });

  it('may be in a document of 64 KiB that begins with a byte order mark', () => {
    const document = (characters: number) => `{"signature":"a\ufeffb"}`.padEnd(characters);

    expect(readProofDocument(`\ufeff${document(65_535)}`)).toMatchObject({ signature: 'a\ufeffb' });
    expect(readProofDocument(document(65_536))).toMatchObject({ signature: 'a\ufeffb' });
    expect(readProofDocument(document(65_537))).toBeNull();
  });
});
