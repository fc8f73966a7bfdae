import { randomUUID } from 'node:crypto';
import type { Bound, Looker } from '@signet/look';
import { createLooker } from '@signet/look/node';
import { createLooker as createBrowserLooker } from '@signet/look/browser';
import { canonicalJson, type SignedLink } from '@signet/verify';
import { anAvatar, aWallet } from '../support/avatar.js';
import { jsonReply, type StandIn, startStandIn } from '../support/stand-in-server.js';
import { gistOf, signedPost } from './signed-posts.js';

const GIST = '0123456789abcdef0123456789abcdef';
const alice = anAvatar('alice');

/** A binding of a wallet; with `chain` the text says that it is a contract there. */
function boundWallet(address: string, wallet_signature: string | null, chain?: { chain_id: number }): Bound {
  const avatar = alice.key.compressed;
  const fields = { action: 'create', avatar, created_at: '1718000000', identity: address, platform: 'ethereum' };
  const named = chain ? { ...chain, block_number: 7 } : {};
  const signature_payload = canonicalJson({ ...fields, uuid: randomUUID(), prev: null, ...named });
  const extra = { wallet_signature: wallet_signature ?? aWallet('one').sign(signature_payload), ...named };
  const { uuid } = JSON.parse(signature_payload) as { uuid: string };
  const signature = alice.sign(signature_payload);
  const link = { ...fields, uuid, proof_location: '', signature, signature_payload, extra } as unknown as SignedLink;
  return { avatar, link, accountId: '' };
}

describe('a looker', () => {
  let github: StandIn;
  let lookers: [string, Looker][];
  beforeAll(async () => {
    github = await startStandIn(() => jsonReply({ message: 'Not Found' }, 404));
    const options = { github: { apiBase: github.baseUrl, token: 'very-secret' } };
    lookers = [
      ['Node', createLooker(options)],
      ['a browser', createBrowserLooker(options)],
    ];
  });
  afterAll(async () => {
    await github.close();
    for (const [, looker] of lookers) await looker.close();
  });
  beforeEach(() => {
    github.requests.length = 0;
  });
  const inBoth = (bound: Bound) => Promise.all(lookers.map(([, looker]) => looker.look(bound)));

  it('sees a wallet of one key, which asks nobody', async () => {
    const seen = { state: 'seen', evidence: null, isSameSignature: null, reason: '' };

    expect(await inBoth(boundWallet(aWallet('one').address, null))).toMatchObject([seen, seen]);
  });

  it('does not see a wallet of which nothing is signed', async () => {
    const gone = { state: 'not_seen', problem: null };

    expect(await inBoth(boundWallet(aWallet('two').address, ''))).toMatchObject([gone, gone]);
  });

  it('says of a contract wallet what is missing, and not that it refused, also of links that name no chain', async () => {
    const inProgram = {
      state: 'could_not_look',
      problem: 'credential',
      reason: expect.stringContaining('ETH_RPC_URLS'),
    };
    const inPage = { state: 'not_readable_here', problem: null };

    // By the signature of another key nobody can tell a contract wallet from a wallet that did not sign.
    expect(await inBoth(boundWallet(aWallet('two').address, null))).toMatchObject([inProgram, inPage]);
    expect(await inBoth(boundWallet(`0x${'7'.repeat(40)}`, '0x07'))).toMatchObject([inProgram, inPage]);

    expect(await inBoth(boundWallet(`0x${'7'.repeat(40)}`, '0x07', { chain_id: 10 }))).toMatchObject([
      inProgram,
      inPage,
    ]);
  });

  it('tells what a binding is that no such program knows', async () => {
    const { bound } = signedPost({ platform: 'github', identity: 'alice-demo', location: GIST });
    const unknown = { state: 'not_readable_here', by: 'you' };

    expect(await inBoth({ ...bound, link: { ...bound.link, platform: 'nowhere' } })).toMatchObject([unknown, unknown]);
  });

  it('sends a credential from Node, and from a browser never', async () => {
    const post = signedPost({ platform: 'github', identity: 'alice-demo', location: GIST });
    github.handle(() => jsonReply(gistOf(post)));

    expect(await inBoth(post.bound)).toMatchObject([{ state: 'seen' }, { state: 'seen' }]);
    const sent = github.requests.map(({ headers }) => `${headers['authorization']} ${headers['x-github-api-version']}`);
    expect(sent.sort()).toEqual(['Bearer very-secret 2022-11-28', 'undefined undefined']);
  });

  it('notices that the post holds another signature of the key, and another account of the name', async () => {
    const post = signedPost({ platform: 'github', identity: 'alice-demo', location: GIST });
    github.handle(() => jsonReply(gistOf(post)));
    const otherLink = { ...post.bound, link: { ...post.bound.link, signature: 'AAAA' } };

    const other = { state: 'seen', isSameSignature: false };
    expect(await inBoth(otherLink)).toMatchObject([other, other]);
    const another = { state: 'not_seen', reason: expect.stringContaining('another account now') };
    expect(await inBoth({ ...post.bound, accountId: '1' })).toMatchObject([another, another]);
  });

  it('ends when it is told to', async () => {
    github.handle(() => 'hang');
    const { bound } = signedPost({ platform: 'github', identity: 'alice-demo', location: GIST });

    for (const [, looker] of lookers) {
      const stop = new AbortController();
      const looking = looker.look(bound, { signal: stop.signal });
      const asked = github.requests.length;
      stop.abort(new Error(`stopped behind ${asked} requests`));
      await expect(looking).rejects.toThrow('stopped');
    }
  });
});
