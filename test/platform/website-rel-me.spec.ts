import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, type Draft, fromPrivateKey } from '@signet/sdk';
import { verifyExport } from '@signet/verify';
import { DataSource } from 'typeorm';
import { atTerminal, runHere } from '../../packages/cli/test/terminal.js';
import { connectTo, type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { page, site } from '../../packages/look/test/verifiers/suites/website.js';
import { RecheckService } from '../../src/rechecks/recheck.service.js';
import { nextCheckOf } from '../rechecks/bound-gist.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';

const PAGE = 'alice.example.org/~alice';
const alice = anAvatar('alice');
const key = alice.key.compressed;

let standIn: StandIn;
let app: RunningApp;
/** What the head of the page has now. */
let head: string;

beforeAll(async () => {
  standIn = await startStandIn((request) => site({ [PAGE]: page(head) })(request), { tls: true });
  app = await startApp({
    transport: await connectTo(standIn, ['alice.example.org']),
    env: { REVALIDATION: 'off', RATE_BUDGETS: 'website=1000/1' },
  });
});
afterAll(async () => {
  await app.close();
  await standIn.close();
});
beforeEach(() => void (head = ''));

const client = () => createClient({ baseUrl: app.baseUrl });
const signer = fromPrivateKey(alice.privateKey);
const names = { platform: 'website', identity: PAGE, public_key: key };
const query = new URLSearchParams(names).toString();

/** Binds the page by the text that a client shows, which `publish` puts into its head. */
function bind(rel: 'me' | undefined, publish = (text: string) => void (head = text)) {
  const options = { platform: 'website', identity: PAGE, signer, rel, patienceMs: 0 } as const;
  return client().bind({ ...options, publish: ({ text }) => publish(text) });
}

async function recheck(): Promise<void> {
  const sql = <Row>(text: string, values: unknown[] = []) =>
    app.app.get(DataSource).query(text, values) as Promise<Row[]>;
  await app.app.get(RecheckService).checkDue(await nextCheckOf({ sql }, PAGE));
}

/** The body of a submit, of which nothing is published yet. */
async function submission(platform = 'website', identity = PAGE) {
  const asked = { action: 'create', platform, identity, public_key: key };
  const { body } = await app.post('/v1/proof/payload', asked);
  const { uuid, created_at, sign_payload } = body as Record<string, string>;
  return { ...asked, uuid, created_at, extra: { rel: 'me', signature: alice.sign(sign_payload!) } };
}

describe('a website that names the key by rel="me"', () => {
  it('is bound by the link of the page of the key, and says that it holds no signature', async () => {
    const { uuid } = await bind('me');

    expect(head).toBe(`<link rel="me" href="${app.baseUrl}/a/${key}">`);
    const [link] = (await app.get(`/v1/proofchain?public_key=${key}`)).body.proof_chain as { uuid: string }[];
    expect(link).toMatchObject({ uuid, extra: { rel: 'me' }, proof_location: '' });
    expect((await app.get(`/v1/proof/evidence?${query}`)).body).toMatchObject({ matched_text: '' });
    const state = await client().proofs.exists({ platform: 'website', identity: PAGE, avatar: key });
    expect(state).toMatchObject({ is_valid: true, resting: { identity: 'server', rel: 'me' } });
  });

  it('is told apart in exports, which verify', async () => {
    await bind('me');
    const { ok, bindings } = verifyExport(await client().export(key));

    expect(ok).toBe(true);
    expect(bindings).toHaveLength(1);
    expect(bindings[0]!.steps).toContainEqual({
      name: 'evidence',
      state: 'not_checkable',
      detail: 'The text that the server saw is not there.',
    });
  });

  it('is valid for as long as the page names the key, and no longer', async () => {
    await bind('me');
    const isValid = async () => ((await app.get(`/v1/proof/exists?${query}`)).body as { is_valid: boolean }).is_valid;
    await recheck();
    expect(await isValid()).toBe(true);

    head = '';
    await recheck();
    await recheck();
    expect(await isValid()).toBe(false);

    head = `<link href="/a/${key}" rel="ME">`;
    await recheck();
    expect(await isValid()).toBe(false);

    head = `<link href="https://elsewhere.example.net/a/${key}" rel="author ME">`;
    await recheck();
    expect(await isValid()).toBe(true);
  });

  it('does not take the place of the signature where a link needs that', async () => {
    await bind(undefined);
    const [link] = (await client().export(key)).links.slice(-1);
    expect(link).toMatchObject({ extra: {} });

    head = `<link rel="me" href="${app.baseUrl}/a/${key}">`;
    await recheck();
    await recheck();
    expect((await app.get(`/v1/proof/exists?${query}`)).body).toMatchObject({ is_valid: false });
    await expect(bind(undefined, () => {})).rejects.toMatchObject({ code: 'proof_rejected' });
  });

  it('is refused without the link, without the signature, of another key, and on other platforms', async () => {
    const refused = (status: number, code: string) => ({ status, body: { code } });
    const body = await submission();
    expect(await app.post('/v1/proof', body)).toMatchObject(refused(400, 'proof_rejected'));
    head = `<link rel="me" href="https://elsewhere.example.net/a/${key}">`;
    expect(await app.post('/v1/proof', { ...body, extra: { rel: 'me' } })).toMatchObject(
      refused(400, 'invalid_signature'),
    );
    const byMallory = { rel: 'me', signature: anAvatar('mallory').sign('x') };
    expect(await app.post('/v1/proof', { ...body, extra: byMallory })).toMatchObject(refused(400, 'invalid_signature'));
    expect(await app.post('/v1/proof', { ...body, extra: { ...body.extra, rel: 'you' } })).toMatchObject(
      refused(400, 'invalid_request'),
    );
    const elsewhere = { ...(await submission('github', 'alice')), proof_location: '0123456789abcdef0123456789abcdef' };
    expect(await app.post('/v1/proof', elsewhere)).toMatchObject(refused(400, 'invalid_request'));
    expect(await app.post('/v1/proof', body)).toMatchObject({ status: 201 });
  });

  it('is offered for websites alone', async () => {
    const platforms = await client().platforms();

    expect(platforms.filter((one) => one.takes_rel_me).map(({ platform }) => platform)).toEqual(['website']);
  });

  it('goes on from a draft that was kept', async () => {
    const draft = await client().draft({ platform: 'website', identity: PAGE, signer, rel: 'me' });
    const kept = JSON.parse(JSON.stringify(draft)) as ReturnType<Draft['toJSON']>;
    const resumed = client().resume(kept);
    head = resumed.text();

    expect(await resumed.submit({ patienceMs: 0 })).toMatchObject({ uuid: draft.uuid });
  });

  it('is bound and shown by the command', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'signet-rel-me-'));
    const env = { HOME: home, SIGNET_PRIVATE_KEY: Buffer.from(alice.privateKey).toString('hex') };
    const words = (...more: string[]) => ['--server', app.baseUrl, ...more];
    try {
      expect(await runHere(words('bind', 'github', 'alice', '--rel-me'), env)).toMatchObject({ code: 2 });
      const binding = atTerminal(words('bind', 'website', PAGE, '--rel-me', '--patience', '60'), { env });
      await binding.sees('<link rel="me"');
      // Nothing that is about the signature.
      expect(binding.screen()).not.toMatch(/SIG_BASE64|well-known/);
      head = `<link rel="me" href="${app.baseUrl}/a/${key}">`;
      expect(await binding.code).toBe(0);
      const shown = { code: 0, text: expect.stringContaining('server: the page names the key alone') };
      expect(await runHere(words('exists', 'website', PAGE), env)).toMatchObject(shown);
      expect(await runHere(words('proofs', PAGE), env)).toMatchObject(shown);
      expect(await runHere(words('chain', key, '--verify'), env)).toMatchObject(shown);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
