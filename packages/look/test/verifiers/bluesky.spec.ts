import { type AtprotoProof, verifyAtprotoProof } from '@signet/verify/atproto';
import { AtprotoAccount, newKey } from '../../../verify/test/support/atproto-account.js';
import type { ValidVerdict } from '../../src/platform-verifier.js';
import { BlueskyVerifier } from '../../src/verifiers/bluesky/bluesky.verifier.js';
import { PlatformUnavailableError } from '@signet/look';
import { aFetcher } from '../support/fetcher.js';
import { jsonReply, type StandInHandler, type StandInReply, textReply } from '../support/stand-in-server.js';
import { carFor, PDS } from '../support/bluesky-stand-in.js';
import { describeIdentities, describeLocations } from './describe-forms.js';
import { aClaim, describePostVerifier, postOf, refusal, verdictEverywhere, withVerifier } from './describe-verifier.js';
import {
  alice,
  bluesky as suite,
  mallory,
  network,
  posting,
  POSTS,
  PROFILES,
  RKEY,
  rotationKeys,
} from './suites/bluesky.js';

describePostVerifier(suite);

const offline = new BlueskyVerifier(aFetcher());

describe('bluesky: what is its own', () => {
  const claim = aClaim(suite);
  const text = postOf(offline, claim);
  const check = (handler: StandInHandler, asked = claim) => verdictEverywhere(suite, handler, asked);
  const placeOf = (rkey = RKEY) => ({ did: alice.did, collection: POSTS, rkey });

  it('keeps a proof that verifies without a network', async () => {
    const verdict = await check(network(alice, posting(text)));

    const { proof } = (verdict as ValidVerdict).evidence!;
    const { ok, complete, record, account } = await verifyAtprotoProof(proof as AtprotoProof, placeOf());
    expect({ ok, complete, record }).toMatchObject({ ok: true, complete: true, record: { text } });
    expect(account).toMatchObject({ handle: 'alice.example.org' });
  });

  it('keeps a proof that a post is gone', async () => {
    const verdict = await check(network(alice, async () => {}));

    expect(verdict).toMatchObject({ valid: false, reason: 'There is no such post or profile.' });
    const { ok, record } = await verifyAtprotoProof((verdict as { proof: AtprotoProof }).proof, placeOf());
    expect({ ok, record }).toEqual({ ok: true, record: null });
  });

  it('reads the text of a profile', async () => {
    const handler = network(alice, (account) => account.put(PROFILES, 'self', { $type: PROFILES, description: text }));
    const asked = { ...claim, proofLocation: `https://bsky.app/profile/${alice.did}` };

    expect(await check(handler, asked)).toMatchObject({ valid: true, accountId: alice.did });
  });

  it('takes a post back whose text was replaced under the same key', async () => {
    const handler = network(alice, async (account) => {
      await posting(text)(account);
      await posting('something else')(account);
    });

    expect(await check(handler)).toEqual(refusal());
  });

  it.each<[string, StandInHandler]>([
    [
      'a file of another account',
      async () => carFor(mallory.withoutRecords(), new URLSearchParams({ did: mallory.did })),
    ],
    ['a file that is cut', async ({ query }) => cut(await carFor(alice.withoutRecords(), query))],
    ['a commit of another key', async () => ({ bytes: await alice.carOf(POSTS, RKEY, { signer: rotationKeys[0]! }) })],
  ])('says that nothing is known after %s', async (_what, answer) => {
    const handler = network(alice, posting(text), { '/xrpc/com.atproto': answer });

    await expect(check(handler)).rejects.toThrow(PlatformUnavailableError);
  });

  it('says that nothing is known of operations that do not verify', async () => {
    const changed = alice.operations.map((entry) => ({ ...entry, createdAt: 'now' }));

    await expect(check(network(alice, posting(text), { '/did:plc:': () => jsonReply(changed) }))).rejects.toThrow(
      PlatformUnavailableError,
    );
  });

  it.each(['http://pds.example.org', 'https://127.0.0.1', 'file:///etc/passwd'])(
    'contacts no server that an account names as %s',
    async (server) => {
      const account = await AtprotoAccount.create({ server });
      const asked = { ...claim, identity: account.did };
      const handler = network(account, posting(text), { '/did:plc:': () => jsonReply(account.operations) });
      const outcome = await check(handler, asked).catch((error: unknown) => error);

      if (!(outcome instanceof PlatformUnavailableError)) expect(outcome).toEqual(refusal());
    },
  );

  it('asks the server that an account has moved to, and not the one that it left', async () => {
    const left = 'left.example.org';
    const account = await AtprotoAccount.create({ server: `https://${left}` });
    const { rotationKeys: keys } = account.facts;
    await account.operate({ ...account.facts, signingKey: await newKey('p256'), server: `https://${PDS}` }, keys[0]!);
    const asked = {
      ...claim,
      identity: account.did,
      proofLocation: `https://bsky.app/profile/${account.did}/post/${RKEY}`,
    };
    const answer = network(account, posting(text), { '/did:plc:': () => jsonReply(account.operations) });
    const hosts: unknown[] = [];
    const handler: StandInHandler = (request) => {
      hosts.push(request.headers['host']);
      return answer(request);
    };

    const verdict = await verdictEverywhere({ ...suite, hosts: [PDS, left] }, handler, asked);
    expect(verdict).toMatchObject({ valid: true, accountId: account.did });
    expect(hosts).toContain(PDS);
    expect(hosts).not.toContain(left);
  });

  it('reads an account whose DID is a host', async () => {
    const did = 'did:web:alice.example.org';
    const account = Object.assign(alice.withoutRecords(), { did });
    const document = { id: did, service: [{ id: '#atproto_pds', serviceEndpoint: `https://${PDS}` }] };
    const asked = { ...claim, identity: did, proofLocation: `https://bsky.app/profile/${did}/post/${RKEY}` };
    const handler = network(account, posting(text), { '/.well-known/did.json': () => jsonReply(document) });

    const hosts = [PDS, 'alice.example.org'];
    const verdict = await verdictEverywhere({ ...suite, hosts }, handler, asked);
    expect(verdict).toMatchObject({ valid: true, accountId: did, evidence: { proof: { operations: null } } });
  });

  it('writes texts that fit a post of 300 characters', () => {
    const written = Object.values(offline.postContent(claim)).map(
      (one) => [...new Intl.Segmenter().segment(one.replace('%SIG_BASE64%', 'a'.repeat(88)))].length,
    );

    expect(Math.max(...written)).toBeLessThanOrEqual(300);
  });
});

describe('bluesky: handles', () => {
  const HANDLE = 'alice.example.org';
  const silent = () => Promise.reject(new PlatformUnavailableError('silent'));
  const none = () => Promise.resolve([]);
  /** What is found for `name` where `textsOf` reads the TXT records, and the domain of the handle serves `file`. */
  const find = (name: string, textsOf: (domain: string) => Promise<string[]>, file: StandInReply = { status: 404 }) =>
    withVerifier(
      {
        ...suite,
        hosts: [PDS, HANDLE, 'mallory.example.org'],
        create: (web, options) => new BlueskyVerifier(web, options, undefined, [textsOf]),
      },
      network(alice, posting('x'), { '/.well-known/atproto-did': () => file }),
      ({ verifier }) => verifier.findAccount!(name),
    );
  const found = { identity: alice.did, name: HANDLE };
  const record = (did: string) => (domain: string) =>
    Promise.resolve(domain === `_atproto.${HANDLE}` ? [`did=${did}`, 'v=spf1 -all'] : []);

  it.each([HANDLE, `@${HANDLE}`, 'Alice.Example.ORG', `at://${HANDLE}`, `https://bsky.app/profile/${HANDLE}`])(
    'finds the account by a TXT record: %s',
    async (name) => {
      expect(await find(name, record(alice.did))).toEqual(found);
    },
  );

  it('finds the account by a file at the domain', async () => {
    expect(await find(HANDLE, none, textReply(`${alice.did}\n`))).toEqual(found);
    expect(await find(HANDLE, silent, textReply(alice.did))).toEqual(found);
  });

  it('finds the handle of an account that leads back to it', async () => {
    expect(await find(alice.did, record(alice.did))).toEqual(found);
  });

  it.each([
    ['leads to another account', record(mallory.did)],
    ['leads to several accounts', () => Promise.resolve([`did=${alice.did}`, `did=${mallory.did}`])],
    ['leads nowhere', none],
  ])('shows no handle that %s', async (_what, textsOf) => {
    expect(await find(alice.did, textsOf)).toEqual({ identity: alice.did, name: '' });
  });

  it.each([
    ['an account that does not bear it', record(mallory.did)],
    ['no DID', record('nobody')],
    ['an account that does not exist', record(`did:plc:${'a'.repeat(24)}`)],
    ['a page of a host', none],
  ])('finds nobody by a handle that leads to %s', async (_what, textsOf) => {
    expect(await find(HANDLE, textsOf, textReply('<html>', 200, 'text/html'))).toBeNull();
  });

  it('says that nothing is known where the resolver is silent and the domain has no file', async () => {
    await expect(find(HANDLE, silent)).rejects.toThrow(PlatformUnavailableError);
    await expect(find(HANDLE, none, { status: 503 })).rejects.toThrow(PlatformUnavailableError);
  });

  it.each(['', 'alice', 'localhost', '127.0.0.1', 'alice.local', 'al ice.example.org', 'alice.example.org/x'])(
    'asks nobody about %j, which is no handle',
    async (name) => {
      await expect(find(name, silent)).rejects.toMatchObject({ code: 'invalid_identity' });
    },
  );
});

function cut(reply: StandInReply): StandInReply {
  const { bytes, ...rest } = reply as { bytes: Uint8Array };
  return { ...rest, bytes: bytes.slice(0, -40) };
}

describeIdentities(offline, {
  accepted: [
    [alice.did, alice.did],
    [`at://${alice.did}`, alice.did],
    [`https://bsky.app/profile/${alice.did}`, alice.did],
    [`https://bsky.app/profile/${alice.did}/post/${RKEY}`, alice.did],
    [alice.did.toUpperCase(), alice.did],
    ['did:web:Alice.example.org', 'did:web:alice.example.org'],
  ],
  refused: [
    '',
    'alice.bsky.social',
    '@alice.bsky.social',
    'did:plc:short',
    'did:key:zQ3sh',
    'did:web:localhost',
    'did:web:a.b:8080',
  ],
});

describeLocations(offline, {
  identity: alice.did,
  accepted: [
    [RKEY, `https://bsky.app/profile/${alice.did}/post/${RKEY}`],
    [`at://${alice.did}/${POSTS}/${RKEY}`, `https://bsky.app/profile/${alice.did}/post/${RKEY}`],
    [`https://bsky.app/profile/alice.example.org/post/${RKEY}`, `https://bsky.app/profile/${alice.did}/post/${RKEY}`],
    [
      `https://bsky.app/profile/${alice.did}/post/${RKEY}?ref=x#y`,
      `https://bsky.app/profile/${alice.did}/post/${RKEY}`,
    ],
    [`at://${alice.did}/${PROFILES}/self`, `https://bsky.app/profile/${alice.did}`],
    ['https://bsky.app/profile/alice.example.org', `https://bsky.app/profile/${alice.did}`],
  ],
  refused: [
    '',
    `https://bsky.app/profile/${mallory.did}/post/${RKEY}`,
    `at://${alice.did}/app.bsky.feed.like/${RKEY}`,
    'https://example.org/profile/alice/post/1',
    'https://bsky.app/',
  ],
});
