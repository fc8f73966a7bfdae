import { keccak_256 } from '@noble/hashes/sha3.js';
import secp256k1 from 'secp256k1';
import { InvalidSignatureError } from '@signet/look';
import { findAvatarKey } from '@signet/verify';
import { readVectors } from '../../../verify/test/support/vectors.js';
import type { ProofClaim } from '../../src/platform-verifier.js';
import { EthereumVerifier } from '../../src/verifiers/ethereum/ethereum.verifier.js';
import { aFetcher } from '../support/fetcher.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { describeIdentities } from './describe-forms.js';

const verifier = new EthereumVerifier(aFetcher());
const alice = aWallet('alice');
const payload = `{"action":"create","identity":"${alice.address}","platform":"ethereum","prev":null}`;
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The checksummed examples of ERC-55. */
const CHECKSUMMED = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
];

function claim(change: Partial<ProofClaim> = {}): ProofClaim {
  return {
    avatar: anAvatar('alice').key,
    identity: alice.address,
    signPayload: payload,
    uuid: '6f1c0f3e-0000-4000-8000-000000000000',
    createdAt: new Date(1_718_000_000_000),
    previous: null,
    proofLocation: '',
    walletSignature: alice.sign(payload),
    ...change,
  };
}

/** The bytes of alice's signature with some of them changed. */
function changed(change: (bytes: Buffer) => Buffer | void): string {
  const bytes = Buffer.from(alice.sign(payload), 'base64');
  return (change(bytes) ?? bytes).toString('base64');
}

const bytes32 = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

const LOWER_CASE = CHECKSUMMED[0]!.toLowerCase();

describeIdentities(verifier, {
  accepted: [
    ...CHECKSUMMED.map((address): [string, string] => [address, address.toLowerCase()]),
    [`  ${CHECKSUMMED[0]!}\n`, LOWER_CASE],
    [`eip155:1:${CHECKSUMMED[0]!}`, LOWER_CASE],
    [`eip155:42161:${CHECKSUMMED[0]!}`, LOWER_CASE],
    [`ethereum:${CHECKSUMMED[0]!}`, LOWER_CASE],
    [`ethereum:${CHECKSUMMED[0]!}@1`, LOWER_CASE],
    [`eth:${CHECKSUMMED[0]!}`, LOWER_CASE],
    [LOWER_CASE.toUpperCase(), LOWER_CASE],
    [LOWER_CASE, LOWER_CASE],
    [`0x${LOWER_CASE.slice(2).toUpperCase()}`, LOWER_CASE],
  ],
  refused: [
    '',
    '0x',
    '0x1234',
    CHECKSUMMED[0]!.slice(2),
    `${CHECKSUMMED[0]!}00`,
    `${CHECKSUMMED[0]!.slice(0, -1)}g`,
    `eip155::${CHECKSUMMED[0]!}`,
    `eip155:1:${CHECKSUMMED[0]!.slice(2)}`,
    `bip122:1:${CHECKSUMMED[0]!}`,
    `eip155:${CHECKSUMMED[0]!}`,
    `ethereum:${CHECKSUMMED[0]!}@`,
    `ethereum:${CHECKSUMMED[0]!}@1/transfer`,
    `${CHECKSUMMED[0]!},${CHECKSUMMED[0]!}`,
  ],
});

describe('an ethereum address as identity', () => {
  it('names the chain that a code for cameras names', () => {
    expect(verifier.chainOf(`ethereum:${LOWER_CASE}@137`)).toBe(137);
    expect(verifier.chainOf(`eip155:10:${LOWER_CASE}`)).toBe(10);
    expect(verifier.chainOf(`eth:${LOWER_CASE}`)).toBeNull();
  });

  it.each([
    ['alice.eth', /change hands/],
    [`https://etherscan.io/address/${LOWER_CASE}`, /is a wallet address/],
    [`${LOWER_CASE}.`, /is a wallet address/],
  ])('is not %s, and the sentence fits', (text, sentence) => {
    expect(() => verifier.canonicalIdentity(text)).toThrow(sentence);
  });

  it('is refused where its letters do not match the checksum, but a query for it is answered', () => {
    const mistyped = CHECKSUMMED[0]!.replace('aAeb', 'AAeb');

    expect(() => verifier.canonicalIdentity(mistyped)).toThrow(/checksum/);
    expect(verifier.findIdentity(mistyped)).toBe(CHECKSUMMED[0]!.toLowerCase());
  });

  it.each(['alice.eth', 'sub.alice.eth', 'alice.base.eth', 'ethereum:alice.eth'])(
    'is not a name: %s is refused with a helpful message',
    (name) => {
      expect(() => verifier.canonicalIdentity(name)).toThrow(/give the address/);
      expect(verifier.findIdentity(name)).toBeNull();
    },
  );
});

describe('the chain of an ethereum identity', () => {
  it.each([
    [`eip155:10:${LOWER_CASE}`, 10],
    [` EIP155:0010:${LOWER_CASE}`, 10],
    [`ethereum:${LOWER_CASE}`, null],
    [LOWER_CASE, null],
    ['eip155:10:alice.eth', null],
  ])('of %j is %j', (text, chain) => {
    expect(verifier.chainOf(text)).toBe(chain);
  });
});

describe('the signature of an ethereum wallet', () => {
  it('is told from one of the Avatar key, which is not enough', async () => {
    const verdict = await verifier.verify(claim({ walletSignature: anAvatar('alice').sign(payload) }));
    const others = await verifier.verify(claim({ walletSignature: anAvatar('mallory').sign(payload) }));

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining('signature of the Avatar key') });
    expect(others).toEqual({ valid: false, reason: expect.not.stringContaining('Avatar') });
  });

  it.each([
    ['!'.repeat(131_074), 'must be standard Base64'],
    ['!'.repeat(131_075), 'longer than 64 KiB'],
    [Buffer.alloc(64 * 1024 + 1).toString('base64'), 'longer than 64 KiB'],
    [`0x${'00'.repeat(64 * 1024 + 1)}`, 'longer than 64 KiB'],
    ['ab'.repeat(65), 'must be standard Base64'],
  ])('is told how it is malformed', async (walletSignature, words) => {
    await expect(verifier.verify(claim({ walletSignature }))).rejects.toThrow(words);
  });

  it.each([0, 1])('is accepted with v as 27 and 28, and as 0 and 1 (key %i)', async (index) => {
    const wallet = aWallet(`wallet ${index}`);
    const low = Buffer.from(wallet.sign(payload), 'base64');
    low[64]! -= 27;

    expect(await verifier.verify(claim({ identity: wallet.address, walletSignature: wallet.sign(payload) }))).toEqual({
      valid: true,
    });
    expect(await verifier.verify(claim({ identity: wallet.address, walletSignature: low.toString('base64') }))).toEqual(
      { valid: true },
    );
  });

  it('is accepted as hex behind 0x', async () => {
    const walletSignature = `0x${Buffer.from(alice.sign(payload), 'base64').toString('hex')}`;

    expect(await verifier.verify(claim({ walletSignature }))).toEqual({ valid: true });
  });

  it('is accepted in the compact form of ERC-2098', async () => {
    const walletSignature = changed((bytes) => {
      if (bytes[64] === 28) bytes[32]! |= 0x80;
      return bytes.subarray(0, 64);
    });

    expect(await verifier.verify(claim({ walletSignature }))).toEqual({ valid: true });
  });

  it('is accepted with a high s and the other v', async () => {
    const walletSignature = changed((bytes) => {
      const s = BigInt(`0x${bytes.subarray(32, 64).toString('hex')}`);
      return Buffer.concat([bytes.subarray(0, 32), bytes32(CURVE_ORDER - s), Buffer.of(55 - bytes[64]!)]);
    });

    expect(await verifier.verify(claim({ walletSignature }))).toEqual({ valid: true });
  });

  it.each([2, 3, 26, 29, 35, 36, 37, 255])('is refused with v = %i', async (v) => {
    const walletSignature = changed((bytes) => void (bytes[64] = v));

    expect((await verifier.verify(claim({ walletSignature }))).valid).toBe(false);
  });

  it.each([
    ['r = 0', 0, 0n],
    ['r = n', 0, CURVE_ORDER],
    ['r = n + 1', 0, CURVE_ORDER + 1n],
    ['r = 2^256 - 1', 0, 2n ** 256n - 1n],
    ['s = 0', 32, 0n],
    ['s = n', 32, CURVE_ORDER],
    ['s = n + 1', 32, CURVE_ORDER + 1n],
    ['s = 2^256 - 1', 32, 2n ** 256n - 1n],
  ])('is refused with %s', async (_what, at, value) => {
    const walletSignature = changed((bytes) => void bytes32(value).copy(bytes, at));

    expect((await verifier.verify(claim({ walletSignature }))).valid).toBe(false);
  });

  it('is refused where the signer counted UTF-16 units instead of bytes', async () => {
    const signPayload = '{"identity":"бюхер"}';
    const prefixed = Buffer.from(`\x19Ethereum Signed Message:\n${signPayload.length}${signPayload}`);
    const { signature, recid } = secp256k1.ecdsaSign(keccak_256(prefixed), alice.privateKey);
    const wrong = Buffer.concat([signature, Buffer.of(27 + recid)]).toString('base64');

    expect((await verifier.verify(claim({ signPayload, walletSignature: wrong }))).valid).toBe(false);
    expect(await verifier.verify(claim({ signPayload, walletSignature: alice.sign(signPayload) }))).toEqual({
      valid: true,
    });
  });

  it.each([
    ['of another wallet', aWallet('mallory').sign(payload)],
    ['over another payload', alice.sign(`${payload}\n`)],
    ['cut short', changed((bytes) => bytes.subarray(0, 60))],
    ['with a byte too many', changed((bytes) => Buffer.concat([bytes, Buffer.of(0)]))],
  ])('is refused %s', async (_what, walletSignature) => {
    const verdict = await verifier.verify(claim({ walletSignature }));

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining(alice.address) });
  });

  it('says what was signed where its key signed another text by mistake', async () => {
    const verdict = await verifier.verify(claim({ walletSignature: alice.sign(`${payload}\n`) }));

    expect(verdict).toEqual({
      valid: false,
      reason: expect.stringContaining('over the text with a line break behind'),
    });
  });

  it('says nothing of a mistake where another key signed another text', async () => {
    const verdict = await verifier.verify(claim({ walletSignature: aWallet('mallory').sign(`${payload}\n`) }));

    expect(verdict).toEqual({ valid: false, reason: expect.not.stringContaining('made by that key') });
  });

  it('says that contract wallets are not asked where no endpoint is configured', async () => {
    const verdict = await verifier.verify(claim({ walletSignature: '0x1234' }));

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining('not set up to ask contract wallets') });
  });

  it.each([undefined, ''])('is asked for where it is missing (%s)', async (walletSignature) => {
    expect(await verifier.verify(claim({ walletSignature }))).toEqual({
      valid: false,
      reason: expect.stringContaining('extra.wallet_signature'),
    });
  });

  it.each([
    '!',
    'abc',
    alice.sign(payload).replace(/=$/, ''),
    '0x123',
    `0x${'zz'.repeat(32)}z`,
    Buffer.from(alice.sign(payload), 'base64').toString('hex'),
    'ab'.repeat(64),
    `${alice.sign(payload)}\n`,
  ])('is refused as malformed: %j', async (walletSignature) => {
    await expect(verifier.verify(claim({ walletSignature }))).rejects.toThrow(InvalidSignatureError);
  });

  it('of recorded links verifies (test/vectors/proof-links.json)', async () => {
    const { records } = readVectors<{
      records: {
        platform: string;
        public_key: string;
        payload: string;
        wallet_address: string;
        wallet_signature: string;
      }[];
    }>('proof-links.json');
    const links = records.filter(({ platform, wallet_signature }) => platform === 'ethereum' && wallet_signature);

    const verdicts = await Promise.all(
      links.map((link) =>
        verifier.verify(
          claim({
            avatar: findAvatarKey(link.public_key)!,
            identity: verifier.canonicalIdentity(link.wallet_address),
            signPayload: link.payload,
            walletSignature: link.wallet_signature,
          }),
        ),
      ),
    );

    expect(verdicts).toEqual([{ valid: true }, { valid: true }]);
  });
});

describe('the texts for an ethereum wallet', () => {
  it('say that nothing has to be published, and hold the placeholder once', () => {
    const { default: text } = verifier.postContent(claim());

    expect(text).toContain('Nothing has to be published');
    expect(text.split('%SIG_BASE64%')).toHaveLength(2);
  });
});

it('costs little', () => {
  expect(verifier.costs).toEqual({ rates: { plain: { requests: 25, seconds: 1 } } });
});
