import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, createClient, fromPrivateKey, type Demands } from '@signet/sdk';
import { verifyExport } from '@signet/verify';
import { type AtprotoProof, verifyAtprotoProof, verifyExportProofs } from '@signet/verify/atproto';
import { DataSource } from 'typeorm';
import { PDS, showAccounts } from '../../packages/look/test/support/bluesky-stand-in.js';
import {
  connectTo,
  type StandIn,
  type StandInHandler,
  startStandIn,
  textReply,
} from '../../packages/look/test/support/stand-in-server.js';
import { AtprotoAccount } from '../../packages/verify/test/support/atproto-account.js';
import { RecheckService } from '../../src/rechecks/recheck.service.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { runHere } from '../../packages/cli/test/terminal.js';
import { nextCheckOf } from '../rechecks/bound-gist.js';

const POSTS = 'app.bsky.feed.post';
const RKEY = '3lprcc55bb222';
const HANDLE = 'alice.example.org';
const alice = anAvatar('alice');

let account: AtprotoAccount;
let place: { did: string; collection: string; rkey: string };
let standIn: StandIn;
let app: RunningApp;
let names: Record<string, string>;
let query: string;

beforeEach(async () => {
  account = await AtprotoAccount.create({ server: `https://${PDS}` });
  place = { did: account.did, collection: POSTS, rkey: RKEY };
  names = { platform: 'bluesky', identity: account.did, public_key: alice.key.compressed };
  query = new URLSearchParams(names).toString();
  const accounts = showAccounts([account], account);
  const answer: StandInHandler = (request) =>
    request.path === '/.well-known/atproto-did' ? textReply(account.did) : accounts(request);
  standIn = await startStandIn(answer, { tls: true });
  const transport = await connectTo(standIn, [PDS, HANDLE, 'plc.example.org', 'appview.example.org']);
  const env = {
    REVALIDATION: 'off',
    PLC_DIRECTORY_URL: 'https://plc.example.org',
    BLUESKY_APPVIEW_URL: 'https://appview.example.org',
  };
  app = await startApp({ transport, env });
});
afterEach(async () => {
  await app.close();
  await standIn.close();
});

async function payload(action: 'create' | 'delete') {
  const { status, body } = await app.post('/v1/proof/payload', { action, ...names });
  expect(status).toBe(200);
  return body as { sign_payload: string; uuid: string; created_at: string; post_content: { default: string } };
}

/** Both steps, with the post between them. */
async function bind(): Promise<void> {
  const { sign_payload, uuid, created_at, post_content } = await payload('create');
  const text = post_content.default.replace('%SIG_BASE64%', alice.sign(sign_payload));
  await account.put(POSTS, RKEY, { $type: POSTS, text, createdAt: '2026-01-01T00:00:00Z' });
  const proof_location = `at://${account.did}/${POSTS}/${RKEY}`;
  const answer = await app.post('/v1/proof', { action: 'create', ...names, uuid, created_at, proof_location });
  expect(answer.status).toBe(201);
}

async function unbind(): Promise<void> {
  const { sign_payload, uuid, created_at } = await payload('delete');
  const extra = { signature: alice.sign(sign_payload) };
  expect(await app.post('/v1/proof', { action: 'delete', ...names, uuid, created_at, extra })).toMatchObject({
    status: 201,
  });
}

const evidence = async () => (await app.get(`/v1/proof/evidence?${query}`)).body;

/** Looks at the binding when it is due. The second look that finds nothing ends it. */
async function recheck(): Promise<void> {
  const sql = <Row>(text: string, values: unknown[] = []) =>
    app.app.get(DataSource).query(text, values) as Promise<Row[]>;
  await app.app.get(RecheckService).checkDue(await nextCheckOf({ sql }, account.did));
}

/** What `signet verify --json` says of a file. */
async function verified(file: object) {
  const folder = mkdtempSync(path.join(tmpdir(), 'signet-bluesky-'));
  try {
    const name = path.join(folder, 'export.json');
    writeFileSync(name, JSON.stringify(file));
    const { text } = await runHere(['verify', name, '--json'], { HOME: folder });
    // What is refused follows on a line of its own.
    return JSON.parse(text.split('\n').find((line) => line.startsWith('{'))!);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('an account on Bluesky', () => {
  it('is bound with a proof that its server has signed', async () => {
    await bind();

    const { account_id, url, proof } = await evidence();
    expect({ account_id, url }).toEqual({ account_id: account.did, url: `at://${account.did}/${POSTS}/${RKEY}` });
    expect(await verifyAtprotoProof(proof as AtprotoProof, place)).toMatchObject({ ok: true, complete: true });
  });

  it('keeps the proof of its end, and that of the post, when the post is gone', async () => {
    await bind();
    await account.delete(POSTS, RKEY);
    await recheck();
    await recheck();

    expect((await app.get(`/v1/proof/exists?${query}`)).body).toMatchObject({ is_valid: false });
    const { proof, gone_proof } = await evidence();
    const [before, after] = await Promise.all(
      [proof, gone_proof].map((one: AtprotoProof) => verifyAtprotoProof(one, place)),
    );
    expect(before).toMatchObject({ ok: true, record: { $type: POSTS } });
    expect(after).toMatchObject({ ok: true, record: null });
  });

  it('is exported with the proof of its end, which the command checks', async () => {
    await bind();
    await account.delete(POSTS, RKEY);
    await recheck();
    await recheck();
    const client = createClient({ baseUrl: app.baseUrl });
    const file = await client.export(alice.key.compressed, { logWaitMs: 0 });
    expect(verifyExport(JSON.parse(JSON.stringify(file)))).toMatchObject({ ok: true });
    expect((await verifyExportProofs(file)).map(({ of, complete }) => [of, complete])).toEqual([
      ['post', true],
      ['end', true],
    ]);

    const [{ gone_proof: whole }] = (await verified(file)).bindings;
    expect(whole.map(({ state }: { state: string }) => state)).toEqual(Array(7).fill('ok'));
    const evidence = file.bindings[0]!.evidence! as { proof: unknown; gone_proof: unknown };
    evidence.gone_proof = evidence.proof;
    const { ok, steps } = await verified(file);
    const failed = steps.filter(({ state }: { state: string }) => state === 'failed');
    expect({ ok, failed: failed.map(({ name }: { name: string }) => name) }).toEqual({
      ok: false,
      failed: ['time', 'evidence'],
    });
    evidence.gone_proof = { type: 'other' };
    const open = (await verified(file)).steps.filter(({ state }: { state: string }) => state !== 'ok');
    expect(open.map(({ name }: { name: string }) => name)).toContain('platform_end');
  });

  it('has no proof of its end any more once the post is there again', async () => {
    await bind();
    const { record } = await verifyAtprotoProof((await evidence()).proof as AtprotoProof, place);
    await account.delete(POSTS, RKEY);
    await recheck();
    await recheck();
    await account.put(POSTS, RKEY, record as object);
    await recheck();

    expect((await app.get(`/v1/proof/exists?${query}`)).body).toMatchObject({ is_valid: true });
    expect(await evidence()).not.toHaveProperty('gone_proof');
  });

  it('takes the proofs with it when it is revoked', async () => {
    await bind();
    await unbind();

    const after = await evidence();
    expect(after).toMatchObject({ matched_text: '' });
    expect(after).not.toHaveProperty('proof');
  });

  it('is exported with its proof, which is checked without a network', async () => {
    await bind();
    const client = createClient({ baseUrl: app.baseUrl });
    const file = await client.export(alice.key.compressed, { logWaitMs: 0 });

    expect(verifyExport(JSON.parse(JSON.stringify(file)))).toMatchObject({ ok: true });
    const [checked, ...others] = await verifyExportProofs(file);
    expect(others).toEqual([]);
    expect(checked).toMatchObject({ ok: true, complete: true, account: { server: `https://${PDS}` } });
    expect(checked!.steps.map(({ name }) => name)).toEqual([
      'shape',
      'did',
      'commit',
      'record',
      'expected',
      'evidence',
    ]);

    const elsewhere = <Named extends object>(one: Named) => ({ ...one, platform: 'elsewhere' });
    const changed = { ...file, links: file.links.map(elsewhere), bindings: file.bindings.map(elsewhere) };
    const [other] = await verifyExportProofs(changed);
    expect(other!.steps.find(({ state }) => state === 'failed')).toMatchObject({ name: 'expected' });
  });

  it('rests on the platform for clients that take the signature of its server', async () => {
    await bind();
    const found = async (demand: Demands) => {
      const group = await createClient({ baseUrl: app.baseUrl, demand }).proofs.of(alice.key.compressed);
      return group!.proofs.map(({ resting }) => resting.identity);
    };
    const requestsOf = async (call: (client: Client) => Promise<unknown>) => {
      let count = 0;
      const counted: typeof fetch = (...asked) => (count++, fetch(...asked));
      await call(createClient({ baseUrl: app.baseUrl, demand: { platform: true }, fetch: counted }));
      return count;
    };

    expect(await found({ platform: true })).toEqual(['platform']);
    // docs/guide/app/checks.md
    const name = { platform: 'bluesky', identity: account.did, avatar: alice.key.compressed } as const;
    expect(await requestsOf((client) => client.proofs.exists(name))).toBeLessThanOrEqual(5);
    expect(await requestsOf((client) => client.resolve(name))).toBeLessThanOrEqual(2);
    await expect(found({ here: true })).rejects.toMatchObject({ code: 'not_shown_here' });
  });

  it('is refused by the command where the file of its post was changed', async () => {
    await bind();
    const client = createClient({ baseUrl: app.baseUrl });
    const good = await client.export(alice.key.compressed, { logWaitMs: 0 });
    const changed = structuredClone(good);
    const proof = changed.bindings[0]!.evidence!.proof as AtprotoProof;
    proof.car = proof.car.replace(/.(?=[^]{40}$)/, (letter) => (letter === 'A' ? 'B' : 'A'));
    const folder = mkdtempSync(path.join(tmpdir(), 'signet-bluesky-'));
    try {
      const run = (file: object) => {
        const name = path.join(folder, 'export.json');
        writeFileSync(name, JSON.stringify(file));
        return runHere(['verify', name], { HOME: folder });
      };

      expect(await run(good)).toMatchObject({ code: 0 });
      expect((await run(changed)).text).toContain(`bluesky ${account.did}:`);
      expect((await run(changed)).code).not.toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is found by its handle, which the server asks for once in some minutes', async () => {
    const path = `/v1/platforms/bluesky/account?name=${HANDLE}`;
    const answer = await app.get(path);
    const asked = standIn.requests.length;

    expect(answer).toMatchObject({ status: 200, body: { platform: 'bluesky', identity: account.did, name: HANDLE } });
    expect((await app.get(path)).body).toEqual(answer.body);
    expect(standIn.requests).toHaveLength(asked);
  });

  it.each([
    ['bluesky', 'nobody', 400, 'invalid_identity'],
    ['bluesky', '', 400, 'invalid_identity'],
    ['github', 'alice', 400, 'invalid_request'],
    ['nowhere', 'alice', 400, 'unknown_platform'],
  ])('answers a name on %s that is %j by %s', async (platform, name, status, code) => {
    expect(await app.get(`/v1/platforms/${platform}/account?name=${name}`)).toMatchObject({ status, body: { code } });
  });

  it('is bound, found and resolved by its handle with the SDK', async () => {
    await bind();
    const client = createClient({ baseUrl: app.baseUrl });
    const identity = HANDLE;

    expect(await client.proofs.exists({ platform: 'bluesky', identity, avatar: alice.key.compressed })).toMatchObject({
      is_valid: true,
    });
    expect(await client.proofs.find({ platform: 'bluesky', identity }).toArray()).toHaveLength(1);
    expect(await client.resolve(`bluesky:${HANDLE}`)).toMatchObject({ avatar: alice.key.compressed });
    const { sign_payload } = (
      await client.draft({ platform: 'bluesky', identity, signer: fromPrivateKey(alice.privateKey) })
    ).toJSON();
    expect(JSON.parse(sign_payload!)).toMatchObject({ identity: account.did });
  });

  it('is refused by its handle, which can go over to somebody else', async () => {
    const answer = await app.post('/v1/proof/payload', { action: 'create', ...names, identity: 'alice.example.org' });

    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_identity' } });
  });
});

describe('the dialect of NextID', () => {
  it.each([
    [{}, false],
    [{ PLATFORMS: 'github,bluesky' }, true],
  ])('knows the platforms of the contract, and others that the operator names: %j', async (more, isKnown) => {
    const other = await startApp({ env: { DIALECT: 'nextid', ...more } });
    try {
      const { platforms } = (await other.get('/healthz')).body as { platforms: string[] };
      expect(platforms.includes('bluesky')).toBe(isKnown);
      expect((await other.get(`/v1/proof/exists?${query}`)).body.code === 'unknown_platform').toBe(!isKnown);
    } finally {
      await other.close();
    }
  });
});
