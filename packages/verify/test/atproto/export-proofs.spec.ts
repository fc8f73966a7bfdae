import { linkPayload, type SignedLink } from '../../src/index.js';
import { type AtprotoProof, type ExportedProof, verifyExportProofs } from '../../src/atproto/atproto.js';
import { encodeBase64 } from '../../src/text/encoding.js';
import { keysNamed } from '../chains.js';
import { AtprotoAccount } from '../support/atproto-account.js';

const POSTS = 'app.bsky.feed.post';
const RKEY = '3lprcc55bb222';
const OTHER_RKEY = '3lprcc55bb333';
const JUNE = Date.UTC(2026, 5, 1);
const JULY = Date.UTC(2026, 6, 1);
const alice = keysNamed('alice');

function linkOf(identity: string): SignedLink {
  const fields = {
    ...{ action: 'create', avatar: alice.avatar, created_at: String(JUNE / 1000 - 60), identity },
    ...{ platform: 'bluesky', uuid: '6f1c0f3e-0000-4000-8000-000000000000' },
  };
  const signature_payload = linkPayload({ ...fields, prev: null });
  const signature = alice.sign(signature_payload);
  return { ...fields, proof_location: '', signature, signature_payload, extra: {} };
}

/** An account whose post holds the signature over a link, and what a server keeps of it. */
class Bound {
  readonly link = linkOf(this.account.did);
  readonly post = { $type: POSTS, text: `My key. ${this.link.signature}`, createdAt: '2026-06-01T00:00:00Z' };
  proof!: AtprotoProof;

  private constructor(readonly account: AtprotoAccount) {}

  static async create(): Promise<Bound> {
    const bound = new Bound(await AtprotoAccount.create());
    await bound.account.put(POSTS, RKEY, bound.post);
    bound.proof = await bound.at(JUNE);
    return bound;
  }

  /** What the account's server shows of a place at a time. */
  async at(at: number, { rkey = RKEY, of = this.account } = {}): Promise<AtprotoProof> {
    return { type: 'atproto', car: encodeBase64(await of.carOf(POSTS, rkey, { at })), operations: of.operations };
  }

  /** What came of the end, in an export of the server. */
  async endBy(gone_proof: unknown, { proof = this.proof as unknown, isValid = false, rkey = RKEY } = {}) {
    const { created_at, identity, platform } = this.link;
    const url = `at://${this.account.did}/${POSTS}/${rkey}`;
    const seen = { url, seen_at: created_at, sha256: '', account_id: identity, matched_text: '' };
    const evidence = { ...seen, ...(proof !== undefined && { proof }), gone_proof };
    const state = { last_checked_at: created_at, is_valid: isValid, invalid_reason: isValid ? '' : 'gone' };
    const bindings = [{ platform, identity, created_at, ...state, evidence }];
    const found = await verifyExportProofs({ avatar: alice.avatar, links: [this.link], bindings });
    expect(found.filter(({ of }) => of === 'end')).toHaveLength(1);
    return found.find(({ of }) => of === 'end')!;
  }
}

const namesOf = ({ steps }: ExportedProof, state: string) =>
  steps.filter((step) => step.state === state).map(({ name }) => name);

describe('a proof of the end of a binding in an export', () => {
  let bound: Bound;
  beforeEach(async () => {
    bound = await Bound.create();
  });

  it('shows that the post stands there no more, by a newer commit', async () => {
    await bound.account.delete(POSTS, RKEY);
    const end = await bound.endBy(await bound.at(JULY));

    expect(end).toMatchObject({ ok: true, complete: true, committedAt: JULY / 1000 });
    const steps = ['shape', 'did', 'commit', 'record', 'expected', 'time', 'evidence'];
    expect(end.steps.map(({ name }) => name)).toEqual(steps);
  });

  it('shows that the text there holds the signature no more', async () => {
    await bound.account.put(POSTS, RKEY, { ...bound.post, text: 'Something else.' });

    expect(await bound.endBy(await bound.at(JULY))).toMatchObject({ ok: true, complete: true });
  });

  it('fails where the signature still stands there', async () => {
    expect(namesOf(await bound.endBy(await bound.at(JULY)), 'failed')).toEqual(['evidence']);
  });

  it('fails by a commit that is not newer than that of the post', async () => {
    await bound.account.delete(POSTS, RKEY);

    for (const at of [JUNE - 1000, JUNE]) {
      expect(namesOf(await bound.endBy(await bound.at(at)), 'failed')).toEqual(['time']);
    }
  });

  it('fails with the commit of another account', async () => {
    const of = await AtprotoAccount.create();
    const theirs = await bound.at(JULY, { of });

    expect(namesOf(await bound.endBy(theirs), 'failed')).toEqual(['did', 'commit']);
    const ours = { ...theirs, operations: bound.account.operations };
    expect(namesOf(await bound.endBy(ours), 'failed')).toEqual(['commit']);
  });

  it('fails with a changed byte', async () => {
    await bound.account.delete(POSTS, RKEY);
    const end = await bound.at(JULY);
    const bytes = Buffer.from(end.car, 'base64');
    bytes[bytes.length - 1]! ^= 1;

    expect(namesOf(await bound.endBy({ ...end, car: bytes.toString('base64') }), 'failed')).toEqual(['shape']);
  });

  it('fails for a binding that the server calls valid', async () => {
    await bound.account.delete(POSTS, RKEY);

    expect(namesOf(await bound.endBy(await bound.at(JULY), { isValid: true }), 'failed')).toEqual(['expected']);
  });

  it('shows nothing where no proof shows that the post stood there before', async () => {
    const absent = await bound.at(JULY, { rkey: OTHER_RKEY });
    const before = await bound.at(JUNE, { rkey: OTHER_RKEY });

    for (const proof of [undefined, before, { ...bound.proof, car: '?' }, { type: 'other' }]) {
      const end = await bound.endBy(absent, { proof, rkey: OTHER_RKEY });
      expect({ complete: end.complete, open: namesOf(end, 'not_checkable') }).toEqual({
        complete: false,
        open: ['time'],
      });
    }
  });

  it('is none where it is of another kind', async () => {
    const { link, account } = bound;
    const seen = { url: '', seen_at: '1', sha256: '', account_id: account.did, matched_text: '' };
    const state = { last_checked_at: '1', is_valid: false, invalid_reason: 'gone' };
    const ends = [undefined, null, {}, 'atproto', { type: 'dnssec', chain: '' }];
    const bindings = ends.map((gone_proof) => ({ ...link, ...state, evidence: { ...seen, gone_proof } }));

    expect(await verifyExportProofs({ avatar: alice.avatar, links: [link], bindings })).toEqual([]);
  });
});
