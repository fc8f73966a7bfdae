import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, fromPrivateKey } from '@signet/sdk';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { runHere } from '../../packages/cli/test/terminal.js';
import { jsonReply, type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import type { DescribedText } from '../../packages/look/src/verifiers/described/described-text.js';
import { verifierFor } from '../../packages/look/src/verifiers/described/described.verifier.js';
import { WebClient } from '../../src/outbound/web-client.js';
import { PlatformService } from '../../src/platform/platform.service.js';
import { RecheckService } from '../../src/rechecks/recheck.service.js';
import { describePage } from '../page/browser.js';
import { walletInPage } from '../page/wallet-in-page.js';
import { nextCheckOf } from '../rechecks/bound-gist.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, type TestAvatar } from '../support/avatar.js';

/** A platform of which nothing in this repository knows: its description, and what it shows of each person. */
const described = (base: string): DescribedText => ({
  platform: 'penpals',
  publishes: 'record',
  guide: {
    label: 'Pen Pals',
    profileUrls: ['https://penpals.example/people/{identity}'],
    postUrl: 'https://penpals.example/people/{identity}',
    identityPattern: '^[a-z]{2,20}$',
    identityExample: 'alice',
    locationForms: [],
    steps: ['Ask for a payload.', 'Put the signature in place of %SIG_BASE64%.', 'Write the text on your card.'],
  },
  rates: { requests: 100, seconds: 1 },
  base,
  path: ({ user }) => `/people/${encodeURIComponent(user)}`,
  texts: ['card.text'],
  format: 'plain',
  id: 'number',
  name: 'name',
  absent: [404],
  nameIn: ({ host, path: [kind, name] }) => (host === 'penpals.example' && kind === 'people' ? (name ?? null) : null),
});

describe('a platform that is added while the service runs', () => {
  let penpals: StandIn;
  let app: RunningApp;
  /** The text on the card of each person. */
  const cards = new Map<string, string>();

  beforeAll(async () => {
    penpals = await startStandIn(({ path: asked }) => {
      const name = asked.replace('/people/', '');
      const text = cards.get(name);
      return text === undefined
        ? jsonReply({ error: 'nobody' }, 404)
        : jsonReply({ number: `7-${name}`, name, card: { text } });
    });
    app = await startApp({ env: { REVALIDATION: 'off', LOG: 'off' } });
    const Penpals = verifierFor(described(penpals.baseUrl));
    app.app.get(PlatformService).add(new Penpals(app.app.get(WebClient)));
  });
  afterAll(async () => {
    await app?.close();
    await penpals?.close();
  });

  const link = (identity: string, { key }: TestAvatar) => ({
    ...{ platform: 'penpals', identity, public_key: key.compressed },
  });
  const stateOf = async (identity: string, avatar: TestAvatar) =>
    (await app.get(`/v1/proof/exists?${new URLSearchParams(link(identity, avatar)).toString()}`)).body as object;

  it('is told by the list of platforms, by health, and by refusals', async () => {
    const { platforms } = (await app.get('/v1/platforms')).body as { platforms: { platform: string }[] };

    expect(platforms.find(({ platform }) => platform === 'penpals')).toMatchObject({
      ...{ label: 'Pen Pals', identity_pattern: '^[a-z]{2,20}$', identity_example: 'alice' },
      ...{ needs_proof_location: false, is_available: true },
    });
    expect((await app.get('/healthz')).body.platforms).toContain('penpals');
    expect((await app.get('/v1/proof?platform=myspace&identity=x')).body.message).toContain('penpals');
    const wrong = { action: 'create', ...link('No One', anAvatar('alice')) };
    expect((await app.post('/v1/proof/payload', wrong)).body).toMatchObject({
      ...{ code: 'invalid_identity', message: expect.stringContaining('Pen Pals') },
    });
  });

  it('is bound over HTTP, refused without its text, gone, restored and found', async () => {
    const alice = anAvatar('alice');
    const named = link('https://penpals.example/people/Alice', alice);
    const { body } = await app.post('/v1/proof/payload', { action: 'create', ...named });
    const proof = { action: 'create', ...named, uuid: body.uuid, created_at: body.created_at };
    expect(await app.post('/v1/proof', proof)).toMatchObject({ status: 400, body: { code: 'proof_rejected' } });

    const text = body.post_content.default.replace('%SIG_BASE64%', alice.sign(body.sign_payload)) as string;
    cards.set('alice', text);
    expect((await app.post('/v1/proof', proof)).status).toBe(201);
    expect(await stateOf('alice', alice)).toMatchObject({ is_valid: true });
    const recheck = async () => {
      const sql = <Row>(statement: string, values: unknown[] = []) =>
        app.app.get(DataSource).query(statement, values) as Promise<Row[]>;
      await app.app.get(RecheckService).checkDue(await nextCheckOf({ sql }, 'alice'));
    };
    cards.delete('alice');
    await recheck();
    await recheck();
    expect(await stateOf('alice', alice)).toMatchObject({ is_valid: false });
    cards.set('alice', text);
    await recheck();
    expect(await stateOf('alice', alice)).toMatchObject({ is_valid: true });

    expect((await app.get('/v1/proof?platform=penpals&exact=true&identity=Alice')).body.ids).toHaveLength(1);
  });

  it('is bound by the SDK, which verifies what it finds, and revoked', async () => {
    const client = createClient({ baseUrl: app.baseUrl });
    const bob = anAvatar('bob');
    const signer = fromPrivateKey(bob.privateKey);
    const draft = await client.draft({ platform: 'penpals', identity: 'bob', signer });
    cards.set('bob', draft.text());
    await draft.submit();

    expect(await client.proofs.find({ platform: 'penpals', identity: 'bob', exact: true }).toArray()).toMatchObject([
      { avatar: bob.key.compressed },
    ]);
    expect(await client.resolve('penpals:bob')).toMatchObject({ avatar: bob.key.compressed });
    await client.unbind({ platform: 'penpals', identity: 'bob', signer });
    expect(await client.proofs.find({ platform: 'penpals', identity: 'bob', exact: true }).toArray()).toEqual([]);
  });

  it('is bound by the command line, which shows its steps', async () => {
    const carol = anAvatar('carol');
    const folder = await mkdtemp(path.join(tmpdir(), 'signet-penpals-'));
    const draft = path.join(folder, 'draft.json');
    const signet = async (...words: string[]) => {
      const { code, text } = await runHere([...words, '--json'], {
        ...{ SIGNET_SERVER: app.baseUrl, HOME: folder },
        SIGNET_PRIVATE_KEY: Buffer.from(carol.privateKey).toString('hex'),
      });
      expect({ code, text }).toEqual({ code: 0, text: expect.any(String) });
      return text;
    };
    const shown = await signet('bind', 'penpals', 'carol', '--draft', draft);
    expect(shown).toContain('Write the text on your card.');
    const said = shown.split('\n').find((line) => line.includes('"publish"'))!;
    cards.set('carol', (JSON.parse(said) as { text: string }).text);
    await signet('bind', '--resume', draft);

    expect(await stateOf('carol', carol)).toMatchObject({ is_valid: true });
    expect(await signet('proofs', 'carol', '--platform', 'penpals')).toContain(carol.key.compressed);
    await rm(folder, { recursive: true });
  });

  describePage('on the page', (visit) => {
    const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

    it('is bound with its name, its steps and a common icon', async () => {
      const dave = anAvatar('dave');
      const seen = await visit(`${app.baseUrl}/bind`, {
        before: walletInPage(Buffer.from(dave.privateKey).toString('hex')),
        expected: [/status of 40[04]/],
      });
      const { page } = seen;
      await page.getByRole('radio', { name: 'Pen Pals' }).check();
      await page.getByRole('textbox', { name: 'Your name on Pen Pals' }).fill('dave');
      await page.getByText('What comes next on this platform').click();
      await page.locator('.steps-of-platform li').getByText('Write the text on your card.').waitFor();
      await press(page, 'Continue');
      await press(page, 'Test Wallet');
      await press(page, 'Sign this text');
      cards.set('dave', await page.getByRole('textbox', { name: 'Text to publish' }).inputValue());
      await press(page, 'I have published it: check');
      await page.getByRole('heading', { name: 'Connected' }).waitFor();

      expect(await stateOf('dave', dave)).toMatchObject({ is_valid: true });
      await page.goto(`${app.baseUrl}/p/penpals/dave`);
      await page.getByText('Pen Pals').first().waitFor();
      expect(await page.locator('.platform-icon use').first().getAttribute('href')).toBe('/platform-icons.svg#other');
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    });
  });
});
