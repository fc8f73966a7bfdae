import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { readFileSync } from 'node:fs';
import { InvalidRequestError, InvalidSignatureError } from '@signet/look';
import { findAvatarKey } from '@signet/verify';
import { readVectors } from '../../../verify/test/support/vectors.js';
import type { ProofClaim } from '../../src/platform-verifier.js';
import { SolanaVerifier } from '../../src/verifiers/solana/solana.verifier.js';
import { aSolanaWallet, anAvatar, offChainMessage } from '../support/avatar.js';
import { describeIdentities } from './describe-forms.js';

const verifier = new SolanaVerifier();
const { messages: ledgerMessages } = JSON.parse(
  readFileSync(new URL('fixtures/solana-ledger.json', import.meta.url), 'utf8'),
) as {
  messages: { site: string; address: string; text: string; signature: string }[];
};
const alice = aSolanaWallet('alice');
const payload = `{"action":"create","identity":"${alice.address}","platform":"solana","prev":null}`;

function claim(change: Partial<ProofClaim> = {}): ProofClaim {
  return {
    avatar: anAvatar('alice').key,
    identity: alice.address,
    signPayload: payload,
    uuid: '6f1c0f3e-0000-4000-8000-000000000000',
    createdAt: new Date(1_718_000_000_000),
    previous: null,
    proofLocation: '',
    walletSignature: alice.signBase58(payload),
    ...change,
  };
}

function signBytes(message: Uint8Array): string {
  return base58.encode(ed25519.sign(message, alice.privateKey));
}

/** Solana, "Off-Chain Message Signing", version 0; without more, for no application and in format 0. */
function publishedWrapper(text: string, { domain = Buffer.alloc(32), format = 0, signer = alice.address } = {}) {
  return offChainMessage(text, base58.decode(signer), domain, format);
}

/** The layout that was shipped first: neither application domain nor signers. */
function shippedWrapper(text: string): Buffer<ArrayBuffer> {
  const body = Buffer.from(text);
  const length = Buffer.of(body.length % 256, Math.floor(body.length / 256));
  return Buffer.concat([Buffer.from('\xffsolana offchain\x00\x00', 'latin1'), length, body]);
}

const { address } = alice;
const bytes = base58.decode(address);

describeIdentities(verifier, {
  accepted: [
    [address, address],
    [`  ${address}\n`, address],
    [`solana:${address}`, address],
    [` solana:${address}\n`, address],
    [`solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${address}`, address],
    [`https://explorer.solana.com/address/${address}?cluster=mainnet`, address],
    [`https://solscan.io/account/${address}#portfolio`, address],
  ],
  refused: [
    '',
    base58.encode(bytes.slice(1)), // 31 bytes
    base58.encode(Uint8Array.of(1, ...bytes)), // 33 bytes
    `1${address}`, // a leading 1 too many
    `0${address.slice(1)}`, // the letter 0
    address.toLowerCase(), // a lowercased copy
    `${address}/abc`, // a word behind the address
    `https://evil.example/address/${address}`, // a page of another site
    Buffer.from(bytes).toString('hex'),
    '2'.repeat(5000),
    '1'.repeat(32), // the System Program (all ones)
  ],
});

describe('a solana address as identity', () => {
  /** The 8 points of small order, and other spellings of the same; libsodium refuses the same list. */
  it.each([
    '0100000000000000000000000000000000000000000000000000000000000000',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000080',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    '0100000000000000000000000000000000000000000000000000000000000080',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  ])('is refused: the small-order point %s', async (hex) => {
    const address = base58.encode(Buffer.from(hex, 'hex'));
    // S = 0 with R = A: what lax verifiers take for a signature of such a key.
    const forged = Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(32)]).toString('base64');

    const verdict = await verifier.verify(claim({ identity: address, walletSignature: forged }));

    expect(() => verifier.canonicalIdentity(address)).toThrow(/no wallet can sign for it/);
    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining('not an address that can sign') });
  });

  it.each(['alice', base58.encode(bytes.slice(1)), `1${address}`])(
    'is told its form where it has another: %s',
    (text) => {
      expect(() => verifier.canonicalIdentity(text)).toThrow(/Base58 of 32 bytes/);
    },
  );

  it('is refused: an address off the curve, such as a program derives', () => {
    // y = 2 has no x on the curve.
    expect(() => verifier.canonicalIdentity(base58.encode(Uint8Array.of(2, ...new Uint8Array(31))))).toThrow(
      InvalidRequestError,
    );
  });
});

describe('the signature of a solana wallet', () => {
  const base64 = alice.sign(payload);
  const hex = Buffer.from(base64, 'base64').toString('hex');

  it.each([
    ['Base58', alice.signBase58(payload)],
    ['padded Base64', base64],
    ['hex', hex],
    ['hex in capitals', hex.toUpperCase()],
    ['hex behind 0x', `0x${hex}`],
    ['Base58 over the published off-chain wrapper', signBytes(publishedWrapper(payload))],
    ['Base58 over the off-chain wrapper that was shipped first', signBytes(shippedWrapper(payload))],
    ['Base58 over the off-chain wrapper of version 1', signBytes(versionOneWrapper(payload))],
  ])('is accepted in %s', async (_form, walletSignature) => {
    expect(await verifier.verify(claim({ walletSignature }))).toEqual({ valid: true });
  });

  it.each([
    ['of another wallet', aSolanaWallet('mallory').signBase58(payload)],
    ['over another payload', alice.signBase58(`${payload} `)],
    ['over another wrapped payload', signBytes(publishedWrapper(`${payload} `))],
    ['for an application that is not named', signBytes(publishedWrapper(payload, { domain: Buffer.alloc(32, 7) }))],
    ['of zeros', base58.encode(new Uint8Array(64))],
  ])('does not count %s', async (_what, walletSignature) => {
    const verdict = await verifier.verify(claim({ walletSignature }));

    expect(verdict).toEqual({
      valid: false,
      reason: expect.stringContaining(
        `The wallet signature was not made by the key of ${alice.address} over this payload.`,
      ),
    });
  });

  it('says what was signed where its key signed another text by mistake', async () => {
    const verdict = await verifier.verify(claim({ walletSignature: alice.signBase58(JSON.stringify(payload)) }));

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining('over the text as a JSON string') });
  });

  it('does not count with S raised by the group order, which would verify twice', async () => {
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const bytes = Buffer.from(base64, 'base64');
    const raised = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order;
    const s = Buffer.from(raised.toString(16).padStart(64, '0'), 'hex').reverse();

    const verdict = await verifier.verify(
      claim({ walletSignature: Buffer.concat([bytes.subarray(0, 32), s]).toString('base64') }),
    );

    expect(verdict.valid).toBe(false);
  });

  it.each([undefined, ''])('is asked for where it is missing (%s)', async (walletSignature) => {
    const verdict = await verifier.verify(claim({ walletSignature }));

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining('extra.wallet_signature') });
  });

  it.each([
    ['63 bytes', base58.encode(new Uint8Array(63).fill(9))],
    ['65 bytes', Buffer.alloc(65, 9).toString('base64')],
    ['Base64 without padding', base64.replaceAll('=', '')],
    ['an odd number of hex digits', hex.slice(1)],
    ['a word', 'not a signature'],
    ['100,000 letters', '2'.repeat(100_000)],
  ])('is refused as malformed: %s', async (_what, walletSignature) => {
    await expect(verifier.verify(claim({ walletSignature }))).rejects.toThrow(InvalidSignatureError);
  });

  it('of a recorded link verifies (test/vectors/proof-links.json)', async () => {
    const { records } = readVectors<{
      records: {
        platform: string;
        public_key: string;
        payload: string;
        wallet_address: string;
        wallet_signature: string;
      }[];
    }>('proof-links.json');
    const record = records.find(({ platform, wallet_signature }) => platform === 'solana' && wallet_signature)!;

    const verdict = await verifier.verify(
      claim({
        avatar: findAvatarKey(record.public_key)!,
        identity: verifier.canonicalIdentity(record.wallet_address),
        signPayload: record.payload,
        walletSignature: record.wallet_signature,
      }),
    );

    expect(verdict).toEqual({ valid: true });
  });
});

/** @solana/offchain-messages 8.4.0, version 1: header, signer count, signers, and the text to the end. */
function versionOneWrapper(text: string, signers = [alice.address]): Buffer<ArrayBuffer> {
  const head = Buffer.from('\xffsolana offchain\x01', 'latin1');
  return Buffer.concat([
    head,
    Buffer.of(signers.length),
    ...signers.map((key) => base58.decode(key)),
    Buffer.from(text),
  ]);
}

/** A Ledger behind a browser wallet writes the site into the wrapper (see the fixture). */
function siteDomain(site: string): Buffer<ArrayBuffer> {
  const domain = Buffer.alloc(32);
  domain.write(site);
  return domain;
}

describe('a solana wallet that wraps the payload', () => {
  const base64 = (message: Uint8Array) => Buffer.from(message).toString('base64');
  const wrapped = publishedWrapper(payload, { domain: siteDomain('dapp.example.com:8443') });
  const longer = Buffer.concat([wrapped, Buffer.from(' ')]);

  it('is accepted with the message that it signed, which is kept', async () => {
    const verdict = await verifier.verify(
      claim({ walletSignature: signBytes(wrapped), walletMessage: base64(wrapped) }),
    );

    expect(verdict).toEqual({ valid: true, extra: { wallet_message: base64(wrapped) } });
  });

  it('may send the message as hex, which is kept as Base64', async () => {
    const walletMessage = `0x${wrapped.toString('hex')}`;

    expect(await verifier.verify(claim({ walletSignature: signBytes(wrapped), walletMessage }))).toEqual({
      valid: true,
      extra: { wallet_message: base64(wrapped) },
    });
  });

  it.each([
    ['the domain is any 32 bytes', publishedWrapper(payload, { domain: Buffer.alloc(32, 7) })],
    ['the format is UTF-8', publishedWrapper(payload, { domain: siteDomain('a.example'), format: 1 })],
    ['the format is long UTF-8', publishedWrapper(payload, { domain: siteDomain('a.example'), format: 2 })],
  ])('is accepted where %s', async (_what, message) => {
    expect(
      await verifier.verify(claim({ walletSignature: signBytes(message), walletMessage: base64(message) })),
    ).toMatchObject({ valid: true });
  });

  it.each([
    ['the payload itself', Buffer.from(payload)],
    ['the wrapper without a domain', publishedWrapper(payload)],
    ['the wrapper that was shipped first', shippedWrapper(payload)],
    ['the wrapper of version 1', versionOneWrapper(payload)],
  ])('keeps no message that everybody can rebuild: %s', async (_what, message) => {
    const walletSignature = signBytes(message);

    expect(await verifier.verify(claim({ walletSignature }))).toEqual({ valid: true });
    expect(await verifier.verify(claim({ walletSignature, walletMessage: base64(message) }))).toEqual({ valid: true });
  });

  it('is accepted where its message says one thing and it signed the payload itself', async () => {
    expect(await verifier.verify(claim({ walletMessage: base64(wrapped) }))).toEqual({ valid: true });
  });

  it('is told to send the message where the signature alone does not verify', async () => {
    const verdict = await verifier.verify(claim({ walletSignature: signBytes(wrapped) }));

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining('extra.wallet_message') });
  });

  it('is not told to send a message where it has sent one', async () => {
    const verdict = await verifier.verify(
      claim({ walletSignature: signBytes(longer), walletMessage: base64(wrapped) }),
    );

    expect(verdict).toEqual({
      valid: false,
      reason: `The wallet signature was not made by the key of ${alice.address} over this payload.`,
    });
  });

  it('does not count where the signature is not over the message', async () => {
    const other = publishedWrapper(payload, { domain: siteDomain('other.example.com') });

    const verdict = await verifier.verify(claim({ walletSignature: signBytes(other), walletMessage: base64(wrapped) }));

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining('was not made by the key of') });
  });

  const mallory = aSolanaWallet('mallory').address;
  it.each([
    ['another text', publishedWrapper(`${payload} `, { domain: siteDomain('a.example') }), 'text'],
    ['no text', publishedWrapper('', { domain: siteDomain('a.example') }), 'text'],
    ['another text in version 1', versionOneWrapper(`${payload}\n`), 'text'],
    ['bytes behind its text', longer, 'text'],
    ['a cut text', wrapped.subarray(0, -1), 'text'],
    ['an unknown format', publishedWrapper(payload, { domain: siteDomain('a.example'), format: 3 }), 'alone'],
    ['another signer', publishedWrapper(payload, { signer: mallory }), 'alone'],
    ['a second signer', versionOneWrapper(payload, [alice.address, mallory]), 'alone'],
    ['no signer', versionOneWrapper(payload, []), 'alone'],
    ['version 2', Buffer.concat([wrapped.subarray(0, 16), Buffer.of(2), wrapped.subarray(17)]), 'alone'],
    ['a text that is not wrapped', Buffer.from(`${payload} `), 'neither'],
    ['nothing but the mark', wrapped.subarray(0, 16), 'text'],
  ])('is refused with a message of %s, although it signed it', async (_what, message, why) => {
    const asked = verifier.verify(claim({ walletSignature: signBytes(message), walletMessage: base64(message) }));

    await expect(asked).rejects.toThrow(InvalidSignatureError);
    await expect(asked).rejects.toThrow(why);
  });

  it.each([
    ['Base64 without padding', base64(longer).replaceAll('=', '')],
    ['an odd number of hex digits', '0x123'],
    ['a word', '?'],
    ['100,000 letters', 'A'.repeat(100_000)],
  ])('is refused with a message that is %s', async (_what, walletMessage) => {
    await expect(verifier.verify(claim({ walletMessage }))).rejects.toThrow(/extra.wallet_message/);
  });

  it.each(ledgerMessages)(
    'signs like a real Ledger behind a browser: $site',
    async ({ site, address, text, signature }) => {
      const asked = (walletMessage?: string) =>
        verifier.verify(claim({ identity: address, signPayload: text, walletSignature: signature, walletMessage }));
      const message = publishedWrapper(text, { domain: siteDomain(site), signer: address });

      expect(await asked(base64(message))).toMatchObject({ valid: true });
      expect(await asked()).toMatchObject({ valid: false });
    },
  );
});

describe('the texts for a solana wallet', () => {
  it('say that nothing has to be published, and hold the placeholder once', () => {
    const { default: text } = verifier.postContent(claim());

    expect(text).toContain('Nothing has to be published');
    expect(text.split('%SIG_BASE64%')).toHaveLength(2);
  });
});
