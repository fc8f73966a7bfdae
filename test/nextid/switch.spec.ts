import { createClient } from '@signet/sdk';
import { kvPayload, writeKv } from '../kv/kv-scenario.js';
import { weightedLength } from '../../packages/look/test/verifiers/x-length.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aSolanaWallet, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { bindOnNewPlatform, NEW_PLATFORM } from '../support/new-platform.js';
import { linkSolana, linkWallet } from '../support/scenario.js';

const avatar = anAvatar('compared');
const wallet = aWallet('compared');
const { compressed, uncompressed } = avatar.key;
const bare = compressed.slice(2);

/** One database, served with and without the dialect. */
let database: TestDatabase;
let plain: RunningApp;
let spoken: RunningApp;

beforeAll(async () => {
  database = await createTestDatabase();
  plain = await startApp({ databaseUrl: database.url });
  spoken = await startApp({
    databaseUrl: database.url,
    env: { DIALECT: 'nextid', KEYBASE_FILE_URL_TEMPLATE: 'https://keybase.example.com/{username}/{pubkey}.{ext}' },
  });
  await linkWallet(plain, avatar, wallet);
  await linkSolana(plain, avatar, aSolanaWallet('compared'));
  await writeKv(plain, avatar, { a: 1 });
  await writeKv(plain, avatar, { large: 'x'.repeat(40_000) }, { platform: 'ethereum', identity: wallet.address });
  await writeKv(plain, avatar, { more: 'x'.repeat(40_000) }, { platform: 'ethereum', identity: wallet.address });
});
afterAll(async () => {
  await spoken?.close();
  await plain?.close();
  await database?.drop();
});

const LINK = { action: 'create', platform: 'ethereum', identity: wallet.address, public_key: compressed };

describe('what the contract refuses', () => {
  const kv = { platform: 'self', identity: compressed, patch: {} };

  it.each<[string, string, object?]>([
    ['a key without 0x in a payload', '/v1/proof/payload', { ...LINK, public_key: bare }],
    ['Identity in a payload', '/v1/proof/payload', { ...LINK, identity: undefined, Identity: wallet.address }],
    ['persona in a key-value payload', '/v1/kv/payload', { ...kv, persona: compressed }],
    ['nextid in a key-value payload', '/v1/kv/payload', { ...kv, avatar: compressed, platform: 'nextid' }],
    ['nextid in a look-up', `/v1/proof?platform=nextid&identity=${compressed}`],
    ['a key without 0x in exists', `/v1/proof/exists?platform=ethereum&identity=${wallet.address}&public_key=${bare}`],
    ['a key without 0x for a chain', `/v1/proofchain?public_key=${bare}`],
    ['a page that is the text null', `/v1/proof?identity=${wallet.address}&exact=true&page=null`],
    ['a feed without last_id', '/v1/proofchain/changes'],
    ['a count of 5', '/v1/proofchain/changes?last_id=0&count=5'],
    ['a count of 1000', '/v1/proofchain/changes?last_id=0&count=1000'],
    ['persona for key-value content', `/v1/kv?persona=${compressed}`],
    ['a key without 0x for key-value content', `/v1/kv?avatar=${bare}`],
  ])('is refused where the dialect is off, and taken where it is on: %s', async (_what, path, ...[body]) => {
    const send = (app: RunningApp) => (body ? app.post(path, body) : app.get(path));

    expect((await send(plain)).status).toBe(400);
    expect((await send(spoken)).status).toBe(200);
  });

  it.each<[string, string, object?]>([
    ['a body that is a list', '/v1/proof/payload', [LINK]],
    ['a key that is none', '/v1/proof/payload', { ...LINK, public_key: bare.slice(1) }],
    ['a count that is no number', '/v1/proofchain/changes?last_id=0&count=many'],
    ['an unknown platform', '/v1/proof?platform=steam&identity=alice'],
    ['a binding under nextid', '/v1/proof/payload', { ...LINK, platform: 'nextid' }],
    ['key-value content of nobody', '/v1/kv'],
  ])('stays refused where the dialect is on: %s', async (_what, path, ...[body]) => {
    expect((await (body ? spoken.post(path, body) : spoken.get(path))).status).toBe(400);
  });

  it('has no subkeys where the dialect is off', async () => {
    expect((await plain.get(`/v1/subkey?avatar=${compressed}`)).status).toBe(404);
    expect((await spoken.get(`/v1/subkey?avatar=${compressed}`)).status).toBe(200);
  });
});

/** All members of an answer, such as `ids.proofs.platform`. */
function membersOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => membersOf(item, path)))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = path === '' ? name : `${path}.${name}`;
    return [here, ...membersOf(inner, here)];
  });
}

describe('a platform that closed lists of clients do not have', () => {
  const named = { platform: NEW_PLATFORM, identity: 'pen-alice' };
  beforeAll(async () => {
    await bindOnNewPlatform(plain, avatar, named.identity);
    await writeKv(plain, avatar, { c: 3 }, named);
  });

  it.each([
    ['/healthz'],
    ['/v1/platforms'],
    [`/v1/proof?identity=${wallet.address}&exact=true`],
    [`/v1/proof?identity=${wallet.address.slice(0, 8)}`],
    [`/v1/proof?platform=self&identity=${compressed}`],
    ['/v1/proof?identity=pen-ali'],
  ])('is left out of what the dialect answers to %s', async (path) => {
    const [without, withIt] = [await plain.get(path), await spoken.get(path)];

    expect([without.status, withIt.status]).toEqual([200, 200]);
    expect(JSON.stringify(withIt.body)).not.toContain(NEW_PLATFORM);
    expect(JSON.stringify(without.body)).toContain(NEW_PLATFORM);
    if (!path.startsWith('/v1/proof')) return;
    const [group] = withIt.body.ids;
    expect(group.proofs.length).toBeGreaterThan(0);
    expect(group.proofs_total).toBe(group.proofs.length);
  });

  it('is left out with the group where it has nothing else', async () => {
    const lonely = anAvatar('lonely');
    await bindOnNewPlatform(plain, lonely, 'pen-lonely');
    const byKey = `/v1/proof?platform=self&identity=${lonely.key.compressed}`;

    expect((await plain.get(byKey)).body.ids).toHaveLength(1);
    expect((await spoken.get(byKey)).body.ids).toEqual([]);
  });

  it('has no look-up by its name', async () => {
    for (const route of ['/v1/proof?', '/v1/proof/exists?', '/v1/proof/history?', '/v1/proof/evidence?']) {
      const query = new URLSearchParams({ ...named, public_key: compressed, exact: 'true' }).toString();
      expect((await spoken.get(route + query)).body.code).toBe('unknown_platform');
    }
  });

  it.each([
    [`/v1/proofchain?public_key=${compressed}`],
    ['/v1/proofchain/changes?last_id=0'],
    [`/v1/kv?avatar=${compressed}`],
  ])('stands in what clients check as a whole: %s', async (path) => {
    expect(JSON.stringify((await spoken.get(path)).body)).toContain(NEW_PLATFORM);
  });
});

describe('an answer', () => {
  const LINK_MEMBERS = ['alt_id', 'arweave_id'];
  const GROUP_MEMBERS = ['persona', 'alias', 'last_arweave_id', 'activated_at', 'proofs.alt_id'];
  const within = (name: string, members: string[]) => members.map((member) => `${name}.${member}`);

  it.each<[path: string, added: string[], body?: object]>([
    ['/healthz', ['runtime']],
    ['/v1/platforms', []],
    ['/v1/proof/payload', [], LINK],
    [`/v1/proof?identity=${wallet.address}&exact=true`, within('ids', GROUP_MEMBERS)],
    [`/v1/proof?identity=${wallet.address.slice(0, 8)}`, within('ids', GROUP_MEMBERS)],
    [`/v1/proof?platform=self&identity=${compressed}`, within('ids', GROUP_MEMBERS)],
    [`/v1/proof/exists?platform=ethereum&identity=${wallet.address}&public_key=${compressed}`, []],
    [`/v1/proof/history?platform=ethereum&identity=${wallet.address}&public_key=${compressed}`, []],
    [`/v1/proofchain?public_key=${compressed}`, within('proof_chain', LINK_MEMBERS)],
    ['/v1/proofchain/changes?last_id=0', within('links', LINK_MEMBERS)],
    [`/v1/kv?avatar=${compressed}`, ['persona']],
    [`/v1/kv/chain?avatar=${compressed}`, []],
    [`/v1/kv/by_identity?platform=self&identity=${compressed}`, []],
    ['/v1/kv/payload', [], { avatar: compressed, platform: 'self', identity: compressed, patch: { b: 1 } }],
  ])('has no other member than without the dialect, but the named ones: %s', async (path, added, ...[body]) => {
    const send = (app: RunningApp) => (body ? app.post(path, body) : app.get(path));
    const [without, withIt] = [await send(plain), await send(spoken)];

    expect([without.status, withIt.status]).toEqual([200, 200]);
    // The dialect leaves out platforms that old clients do not know, which are behind the others.
    if (path === '/v1/platforms') without.body.platforms.splice(withIt.body.platforms.length);
    expect(membersOf(withIt.body).sort()).toEqual([...membersOf(without.body), ...added].sort());
  });

  it('of a refusal is the same', async () => {
    const [without, withIt] = await Promise.all([plain, spoken].map((app) => app.get('/v1/proof')));

    expect(withIt!.body).toEqual(without!.body);
  });

  it('gives the key itself its outward name and its short form', async () => {
    const own = ({ body }: Answer) => body.proofs.find(({ platform }: Answer['body']) => /self|nextid/.test(platform));

    expect(own(await spoken.get(`/v1/kv?avatar=${compressed}`))).toMatchObject({
      platform: 'nextid',
      identity: compressed,
    });
    expect(own(await plain.get(`/v1/kv?avatar=${compressed}`))).toMatchObject({
      platform: 'self',
      identity: uncompressed,
    });
  });

  it('keeps what else an answer has, such as the receipt of a write', async () => {
    const theirs = await writeKv(spoken, avatar, { a: 2 });
    const ours = await writeKv(plain, avatar, { a: 3 });

    expect(theirs.body.receipt).toMatch(/^signet-receipt\/1\n/);
    expect(Object.keys(theirs.body).sort()).toEqual([...Object.keys(ours.body), 'persona'].sort());
  });

  it('leaves an entry out of a list that is too large for it', async () => {
    const path = `/v1/kv/by_identity?platform=ethereum&identity=${wallet.address}`;

    expect((await plain.get(path)).body.values).toMatchObject([{ content: null }]);
    expect((await spoken.get(path)).body.values).toEqual([]);
  });

  it('tells the time of the newest link and the stable id of an account', async () => {
    const { body } = await spoken.get(`/v1/proof?platform=self&identity=${compressed}`);
    const chain = await plain.get(`/v1/proofchain?public_key=${compressed}`);

    expect(body.ids[0]).toMatchObject({ persona: compressed, activated_at: chain.body.proof_chain.at(-1).created_at });
    for (const proof of body.ids[0].proofs) expect(proof.alt_id).toBe(proof.identity);
  });

  it('with the longest name fits a post on X', async () => {
    const link = { ...LINK, platform: 'twitter', identity: 'fifteen_letters' };
    const { body } = await spoken.post('/v1/proof/payload', link);

    for (const [language, text] of Object.entries<string>(body.post_content)) {
      const published = text.replace('%SIG_BASE64%', 'A'.repeat(88));
      expect([language, weightedLength(published) <= 280]).toEqual([language, true]);
    }
  });

  it.each(['github', 'keybase'])('has the key as persona in the document of %s', async (platform) => {
    const { body } = await spoken.post('/v1/proof/payload', { ...LINK, platform, identity: 'alice' });

    expect(JSON.parse(body.post_content.default)).toMatchObject({ persona: compressed, avatar: compressed });
  });

  it('is described with its members only where it has them', async () => {
    const schemas = async (app: RunningApp) => (await app.get('/openapi.json')).body.components.schemas;

    expect((await schemas(spoken)).IdentityGroup.properties).toHaveProperty('persona');
    expect((await schemas(plain)).IdentityGroup.properties).not.toHaveProperty('persona');
  });
});

describe('a subkey', () => {
  const P256 =
    '0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5';
  const subkey = { avatar: compressed, algorithm: 'es256', public_key: P256, rp_id: 'app.example.com' };
  const add = async (changes: object = {}, signer = avatar) => {
    const { body } = await spoken.post('/v1/subkey/payload', { ...subkey, ...changes });
    const signature = body.sign_payload ? signer.sign(body.sign_payload) : 'AAAA';
    return spoken.post('/v1/subkey', { ...subkey, name: 'phone', signature, ...changes });
  };

  it('is signed, stored once and listed by Avatar and by key', async () => {
    const { body: payload } = await spoken.post('/v1/subkey/payload', subkey);
    expect(payload.sign_payload).toBe(
      `{"avatar":"${bare}","algorithm":"es256","public_key":"${P256}","rp_id":"app.example.com"}`,
    );

    expect(await add()).toMatchObject({ status: 200, body: payload });
    expect((await add({ name: 'another name' })).status).toBe(200);

    const stored = {
      avatar: compressed,
      algorithm: 'es256',
      public_key: P256,
      name: 'phone',
      rp_id: 'app.example.com',
    };
    const { body: byAvatar } = await spoken.get(`/v1/subkey?avatar=${uncompressed}`);
    expect(byAvatar).toEqual({ subkeys: [{ ...stored, created_at: expect.any(Number) }] });
    expect((await spoken.get(`/v1/subkey?algorithm=es256&public_key=${P256}`)).body).toEqual(byAvatar);
  });

  it.each<[string, string, object, Parameters<typeof add>[1]?]>([
    ['signed by another key', 'invalid_signature', {}, anAvatar('another')],
    ['that is not a point on its curve', 'invalid_public_key', { public_key: `0x${'11'.repeat(64)}` }],
    ['of an unknown algorithm', 'invalid_request', { algorithm: 'ed25519' }],
    ['without rp_id', 'invalid_request', { rp_id: '' }],
  ])('is refused: %s', async (_what, code, changes, ...[signer]) => {
    expect(await add(changes, signer)).toMatchObject({ status: 400, body: { code } });
  });

  it('is one of 100 at most', async () => {
    const owner = anAvatar('collector of subkeys');
    const addFor = (index: number) => add({ avatar: owner.key.compressed, rp_id: `app${index}.example.com` }, owner);
    for (let index = 0; index < 100; index += 1) expect((await addFor(index)).status).toBe(200);

    expect(await addFor(100)).toMatchObject({ status: 400, body: { code: 'too_many_subkeys' } });
    expect((await addFor(0)).status).toBe(200);
  });

  it('has to be asked for by an Avatar, or by algorithm and key', async () => {
    expect((await spoken.get('/v1/subkey?algorithm=es256')).status).toBe(400);
  });

  it('has no power: its signature on a patch is refused', async () => {
    const other = anAvatar('subkey of compared');
    await add({ algorithm: 'secp256k1', public_key: other.key.compressed });
    const { body } = await kvPayload(spoken, avatar, { b: 2 });
    const target = { avatar: compressed, platform: 'self', identity: compressed, patch: { b: 2 } };
    const signature = other.sign(body.sign_payload);

    expect(
      await spoken.post('/v1/kv', { ...target, uuid: body.uuid, created_at: body.created_at, signature }),
    ).toMatchObject({ status: 400, body: { code: 'invalid_signature' } });
  });
});

describe('the SDK of this service', () => {
  it('verifies the key-value content of a server that speaks the dialect', async () => {
    const client = createClient({ baseUrl: spoken.baseUrl });

    expect((await client.kv.get(compressed))!.proofs.map(({ platform }) => platform)).toContain('nextid');
  });
});
