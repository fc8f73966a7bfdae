import { createClient, fromPrivateKey } from '../src/index.js';
import { type StandIn, startStandIn } from './support/stand-in.js';

const HANDLE = 'alice.example.org';
const DID = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
const OTHER = 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa';
const ACCOUNT = { platform: 'bluesky', identity: DID, name: HANDLE, checked_at: '1763700000' };
const ACCOUNT_PATH = '/v1/platforms/bluesky/account';
const ONE_PAGE = { total: 1, per: 20, current: 1, next: 0 };
const signer = fromPrivateKey(new Uint8Array(32).fill(1));
const { avatar } = signer;

describe('names of accounts that can change hands', () => {
  let server: StandIn;
  let account: unknown = ACCOUNT;
  let blanks = '';
  let binding: object | null = null;
  beforeAll(async () => {
    server = await startStandIn(({ path }) => {
      if (path === '/v1/proof' && binding) return { json: { pagination: ONE_PAGE, ids: [binding] } };
      if (path !== ACCOUNT_PATH) return { status: 404, json: { message: 'There is none.', code: 'not_found' } };
      return { text: JSON.stringify(account) + blanks, headers: { 'content-type': 'application/json' } };
    });
  });
  beforeEach(() => {
    [account, blanks, binding] = [ACCOUNT, '', null];
    server.requests.length = 0;
  });
  afterAll(() => server?.close());

  const client = () => createClient({ baseUrl: server.baseUrl, retries: 0, trustServer: true });

  it('lead to the account that the server names', async () => {
    expect(await client().account('bluesky', HANDLE)).toEqual(ACCOUNT);
    expect(await client().account('bluesky', DID)).toEqual(ACCOUNT);
  });

  it.each<[string, unknown, string?]>([
    ['of another platform', { ...ACCOUNT, platform: 'github' }],
    ['whose identity is no DID', { ...ACCOUNT, identity: 'mallory.example.org' }],
    ['of two identities', { ...ACCOUNT, identity: `${DID},${OTHER}` }],
    ['whose identity is a key', { ...ACCOUNT, identity: avatar }],
    ['whose identity is spelled in another way', { ...ACCOUNT, identity: ` ${DID}` }],
    ['without an identity', { platform: 'bluesky', name: HANDLE, checked_at: '1' }],
    ['whose identity is no text', { ...ACCOUNT, identity: [DID] }],
    ['without a name', { ...ACCOUNT, name: null }],
    ['without a time', { ...ACCOUNT, checked_at: 1 }],
    ['that is a list', [ACCOUNT]],
    ['of another identity than was asked for', { ...ACCOUNT, identity: OTHER }, DID],
  ])('are refused where the server answers an account %s', async (_what, answer, name = HANDLE) => {
    account = answer;

    await expect(client().account('bluesky', name)).rejects.toMatchObject({ code: 'invalid_answer' });
    if (name === DID) return;
    await expect(client().proofs.exists({ platform: 'bluesky', identity: name, avatar })).rejects.toMatchObject({
      code: 'invalid_answer',
    });
    // Nothing else was asked by what is no account.
    expect(new Set(server.requests.map(({ path }) => path))).toEqual(new Set([ACCOUNT_PATH]));
  });

  it('are not read on where the answer is long', async () => {
    blanks = ' '.repeat(10_000_000);

    await expect(client().account('bluesky', HANDLE)).rejects.toMatchObject({ code: 'answer_too_large' });
  });

  it.each<[string, string, (name: { platform: 'bluesky'; identity: string; avatar: string }) => Promise<unknown>]>([
    ['evidence', '/v1/proof/evidence', (name) => client().proofs.evidence(name)],
    ['history', '/v1/proof/history', (name) => client().proofs.history(name).page(1)],
    ['exists', '/v1/proof/exists', (name) => client().proofs.exists(name)],
    ['find', '/v1/proof', ({ platform, identity }) => client().proofs.find({ platform, identity }).page(1)],
    ['findMany', '/v1/proof', ({ platform, identity }) => client().proofs.findMany([identity], { platform })],
  ])('are looked up before the question of %s', async (_what, path, ask) => {
    await ask({ platform: 'bluesky', identity: HANDLE, avatar }).catch(() => undefined);

    const asked = server.requests.filter((request) => request.path === path);
    expect(new Set(asked.map(({ query }) => query.get('identity')))).toContain(DID);
  });

  it('stand in what is found for several of them, as they were asked for', async () => {
    const state = { created_at: '1', last_checked_at: '1', is_valid: true, invalid_reason: '' };
    binding = { avatar, proofs: [{ platform: 'bluesky', identity: DID, ...state }] };

    const found = await client().proofs.findMany([HANDLE, DID], { platform: 'bluesky' });
    expect(found.map(({ identity, groups }) => [identity, groups.length])).toEqual([
      [HANDLE, 1],
      [DID, 1],
    ]);
  });

  it('are looked up before content is signed for one', async () => {
    const request = { platform: 'bluesky', identity: HANDLE, patch: {}, signer } as const;
    await expect(client().kv.patch(request)).rejects.toMatchObject({ code: 'not_found' });

    const { body } = server.requests.find(({ path }) => path === '/v1/kv/payload')!;
    expect(JSON.parse(body)).toMatchObject({ identity: DID });
  });
});
