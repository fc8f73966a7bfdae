/** Where one thing ends and another begins: the largest that is taken, and the smallest that is not. */
import * as rules from '../src/index.js';
import { chainOf, keysNamed, patchesOf } from './chains.js';

const alice = keysNamed('alice');
const START = 1_718_000_000;
const stepOf = ({ steps }: rules.Verification, name: string) => steps.find((step) => step.name === name);

function nameless<Item extends { avatar?: string }>(item: Item): Item {
  const copy = { ...item };
  delete copy.avatar;
  return copy;
}

describe('the links of a chain', () => {
  const first = chainOf(alice, 1, { time: START });
  const behind = (seconds: number) => [...first, ...chainOf(alice, 1, { after: first[0]!, time: START - seconds })];

  it('may be older than the one before by what clocks may differ, and by no second more', () => {
    expect(rules.verifyChain(behind(300))).toMatchObject({ ok: true, complete: true });
    expect(rules.verifyChain(behind(301))).toMatchObject({
      ok: false,
      complete: false,
      steps: [{ name: 'time', state: 'failed', detail: '2 of 2: It is older than the link before it.' }],
    });
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
    expect(rules.parseObject(nested(256))).not.toBeNull();
    for (const text of [nested(257), '[]', 'null', '1', '"a"', '{', '', undefined, {}]) {
      expect(rules.parseObject(text)).toBeNull();
    }
  });
});

describe('the signature of a wallet', () => {
  const hex = (bytes: number) => `0x${'ab'.repeat(bytes)}`;
  const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

  it('has on ethereum 64 KiB at most, in hex or Base64', () => {
    expect(rules.decodeEthereumSignature(hex(65_536))).toHaveLength(65_536);
    expect(rules.decodeEthereumSignature(base64(65_536))).toHaveLength(65_536);
    expect(rules.decodeEthereumSignature(hex(65_537))).toBeNull();
    expect(rules.decodeEthereumSignature(base64(65_537))).toBeNull();
    expect(rules.decodeEthereumSignature('0xab')).toEqual(Uint8Array.of(0xab));
    expect(rules.decodeEthereumSignature('0xa')).toBeNull();
  });

  it('has on solana 64 bytes, in Base58, padded Base64 or hex', () => {
    const bytes = Uint8Array.from({ length: 64 }, (_, index) => index + 1);
    const spellings = (of: Uint8Array) => [
      rules.encodeBase58(of),
      rules.encodeBase64(of),
      rules.encodeHex(of),
      `0x${rules.encodeHex(of)}`,
    ];

    for (const text of spellings(bytes)) expect(rules.decodeSolanaSignature(text)).toEqual(bytes);
    for (const other of [bytes.slice(1), Uint8Array.of(1, ...bytes)]) {
      for (const text of spellings(other)) expect(rules.decodeSolanaSignature(text)).toBeNull();
    }
  });

  it('comes with a message of 8,192 characters at most', () => {
    expect(rules.decodeSolanaMessage(base64(6_144))).toHaveLength(6_144);
    expect(rules.decodeSolanaMessage(base64(6_145))).toBeNull();
    expect(rules.decodeSolanaMessage('0x0102')).toEqual(Uint8Array.of(1, 2));
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
      detail: 'The signature of a contract wallet can only be checked on its chain (chain "1", block "7").',
    });
    expect(stateWith({ wallet_signature: 'no signature', chain_id: '1' }).state).toBe('failed');
  });
});
