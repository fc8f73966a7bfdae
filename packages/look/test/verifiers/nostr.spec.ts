import { InvalidSignatureError, PlatformUnavailableError } from '@signet/look';
import { encodeBase64, decodeHex } from '@signet/verify';
import type { ProofClaim } from '../../src/platform-verifier.js';
import type { Fetcher } from '../../src/web/fetcher.js';
import { NostrVerifier } from '../../src/verifiers/nostr/nostr.verifier.js';
import { aNostrKey, anAvatar } from '../support/avatar.js';
import { aFetcher } from '../support/fetcher.js';
import { hugeBody, jsonReply, type StandInHandler, type StandInReply, textReply } from '../support/stand-in-server.js';
import { describeIdentities } from './describe-forms.js';
import { withVerifier } from './describe-verifier.js';

const alice = aNostrKey('alice');
const mallory = aNostrKey('mallory');
const verifier = new NostrVerifier(aFetcher());
const payload = `{"action":"create","created_at":"1718000000","identity":"${alice.npub}","platform":"nostr","prev":null}`;

function claim(change: Partial<ProofClaim> = {}): ProofClaim {
  return {
    avatar: anAvatar('alice').key,
    identity: alice.npub,
    signPayload: payload,
    uuid: '6f1c0f3e-0000-4000-8000-000000000000',
    createdAt: new Date(1_718_000_000_000),
    previous: null,
    proofLocation: '',
    walletSignature: alice.sign(payload),
    ...change,
  };
}

const { npub } = alice;
const nsec = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5';

describeIdentities(verifier, {
  accepted: [
    [npub, npub],
    [npub.toUpperCase(), npub],
    [`nostr:${npub}`, npub],
    [`NOSTR:${npub.toUpperCase()}`, npub],
    [`  ${npub}\n`, npub],
    [alice.hex, npub],
    [alice.hex.toUpperCase(), npub],
    [`https://njump.me/${npub}`, npub],
    [`https://primal.net/p/${npub}?tab=notes`, npub],
    [`https://snort.social/${npub}`, npub],
  ],
  refused: [
    '',
    'alice@example.org',
    nsec,
    `${npub.slice(0, -1)}${npub.endsWith('q') ? 'p' : 'q'}`, // a wrong checksum
    npub.slice(0, -1),
    `${npub}q`,
    `https://evil.example.org/${npub}`, // a page of another site
    'eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34', // no point has this x (BIP-340, vector 5)
    'fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30', // not below the prime (vector 14)
    '0'.repeat(64),
    alice.hex.slice(2),
    'note1fntxtkcy9pjwucqwa9mddn7v03wwwsu9j330jj350nvhpky2tuaspk6nqc',
    'q'.repeat(5000),
  ],
});

describe('a private key in place of an identity', () => {
  it('is refused without being repeated, and a person is told what it is', () => {
    let message = '';
    try {
      verifier.canonicalIdentity(nsec);
    } catch (error) {
      ({ message } = error as Error);
    }

    expect(message).toContain('private key');
    expect(message).not.toContain(nsec.slice(5, 20));
  });

  it('is looked up nowhere', async () => {
    await expect(verifier.findAccount(nsec)).rejects.toMatchObject({ code: 'invalid_identity' });
    await expect(verifier.findAccount(`${nsec}@example.org`)).rejects.toMatchObject({ code: 'invalid_identity' });
  });
});

describe('the signature of a key of Nostr', () => {
  const sig = alice.sign(payload);
  const base64 = encodeBase64(decodeHex(sig)!);

  it.each([
    ['hex', sig],
    ['hex in capitals', sig.toUpperCase()],
    ['hex behind 0x', `0x${sig}`],
    ['Base64', base64],
  ])('is accepted in %s, and kept as Base64', async (_form, walletSignature) => {
    expect(await verifier.verify(claim({ walletSignature }))).toEqual({
      valid: true,
      extra: { wallet_signature: base64 },
    });
  });

  it.each([
    ['of another key', mallory.sign(payload)],
    ['over another payload', alice.sign(payload.replace('create', 'delete'))],
    ['over an event of another kind', alice.event(payload, { kind: 22242 }).sig],
    ['over an event with a tag', alice.event(payload, { tags: [['u', 'https://example.org']] }).sig],
    ['over an event of another time', alice.event(payload, { created_at: 1718000001 }).sig],
    ['of zeros', '0'.repeat(128)],
  ])('does not count %s, and the event that was expected is named by its id', async (_what, walletSignature) => {
    const verdict = await verifier.verify(claim({ walletSignature }));

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining(alice.event(payload).id) });
    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining('kind 26743, created_at 1718000000') });
  });

  it.each([undefined, ''])('is asked for where it is missing (%s)', async (walletSignature) => {
    expect(await verifier.verify(claim({ walletSignature }))).toEqual({
      valid: false,
      reason: expect.stringContaining('extra.wallet_signature'),
    });
  });

  it.each([
    ['63 bytes', sig.slice(2)],
    ['65 bytes', Buffer.alloc(65, 9).toString('base64')],
    ['Base64 without padding', base64.replaceAll('=', '')],
    ['an odd number of hex digits', sig.slice(1)],
    ['a whole event', JSON.stringify(alice.event(payload))],
    ['100,000 letters', 'a'.repeat(100_000)],
  ])('is refused as malformed: %s', async (_what, walletSignature) => {
    await expect(verifier.verify(claim({ walletSignature }))).rejects.toThrow(InvalidSignatureError);
  });

  it('does not count for an identity that no key has', async () => {
    expect(await verifier.verify(claim({ identity: 'npub1' }))).toMatchObject({ valid: false });
  });
});

describe('a name at a domain (NIP-05)', () => {
  const bench = {
    platform: 'nostr',
    hosts: ['example.org'],
    create: (web: Fetcher) => new NostrVerifier(web),
    settings: () => ({}),
  };
  const asked: string[] = [];
  const find = (name: string, reply: StandInReply) => {
    const answer: StandInHandler = ({ path, query }) => {
      asked.push(`${path}?${query.toString()}`);
      return reply;
    };
    asked.length = 0;
    const limits: Record<string, string> = reply === 'hang' ? { OUTBOUND_TIMEOUT_MS: '400' } : {};
    return withVerifier(bench, answer, (it) => it.verifier.findAccount!(name), limits);
  };
  const names = (entries: object) => jsonReply({ names: entries });
  const isAlice = names({ alice: alice.hex, _: mallory.hex });

  it.each(['alice@example.org', ' Alice@Example.ORG\n', '<alice@example.org>'])('leads to a key: %j', async (name) => {
    expect(await find(name, isAlice)).toEqual({ identity: npub, name: 'alice@example.org' });
    expect(asked).toEqual(['/.well-known/nostr.json?name=alice']);
  });

  it.each(['example.org', '_@example.org'])('is the domain itself: %s', async (name) => {
    expect(await find(name, isAlice)).toEqual({ identity: mallory.npub, name: 'example.org' });
    expect(asked).toEqual(['/.well-known/nostr.json?name=_']);
  });

  it.each([npub, `nostr:${npub}`, alice.hex])('is not looked for where a key is given: %s', async (name) => {
    expect(await find(name, isAlice)).toEqual({ identity: npub, name: '' });
    expect(asked).toEqual([]);
  });

  it.each([
    ['names others', names({ bob: alice.hex })],
    ['names nobody', jsonReply({})],
    ['names an npub', names({ alice: npub })],
    ['names a key that is not on the curve', names({ alice: 'f'.repeat(64) })],
    ['names half a key', names({ alice: alice.hex.slice(32) })],
    ['names no text', names({ alice: [alice.hex] })],
    ['has a list of names', jsonReply({ names: ['alice'] })],
    ['has no such file', textReply('', 404)],
    ['sends elsewhere', jsonReply({ names: { alice: alice.hex } }, 302, { location: 'https://example.org/other' })],
  ])('leads nowhere where the domain %s', async (_what, reply) => {
    expect(await find('alice@example.org', reply)).toBeNull();
    expect(asked).toHaveLength(1);
  });

  it('is not one of those that all objects have', async () => {
    expect(await find('constructor@example.org', names({}))).toBeNull();
  });

  it.each([
    ['is busy', jsonReply({}, 429)],
    ['is down', textReply('', 503)],
    ['answers a page', textReply('<html>', 200, 'text/html')],
    ['breaks off', 'cut' as const],
    ['answers a megabyte', hugeBody(1 << 20)],
    ['never answers', 'hang' as const],
  ])('is not known where the domain %s', async (_what, reply) => {
    await expect(find('alice@example.org', reply)).rejects.toThrow(PlatformUnavailableError);
  });

  it.each([
    'alice@',
    '@example.org',
    'al ice@example.org',
    'alice@127.0.0.1',
    'alice@localhost',
    'a@b@example.org',
    'alice',
  ])('is refused where it has another form: %s', async (name) => {
    await expect(find(name, isAlice)).rejects.toMatchObject({ code: 'invalid_identity' });
    expect(asked).toEqual([]);
  });
});
