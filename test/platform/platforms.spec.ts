import type { PlatformVerifier } from '../../packages/look/src/platform-verifier.js';
import { PlatformService } from '../../src/platform/platform.service.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { jsonReply, startStandIn, type StandIn } from '../../packages/look/test/support/stand-in-server.js';

const PLATFORMS_OF_THE_CONTRACT = 'twitter keybase ethereum github discord dotbit solana minds dns activitypub'.split(
  ' ',
);
const GIST = '0123456789abcdef0123456789abcdef';
const alice = anAvatar('alice');

const LINK = { action: 'create', platform: 'self', identity: alice.key.compressed, public_key: alice.key.compressed };

let app: RunningApp;
/** What the module has registered, so that a new platform is not missing here. */
let registered: PlatformVerifier[];
let github: StandIn;
beforeAll(async () => {
  github = await startStandIn(() => jsonReply({ message: 'Not Found' }, 404));
  app = await startApp({ env: { GITHUB_API_BASE: github.baseUrl, GITHUB_TOKEN: 'not-a-real-token' } });
  registered = app.app.get(PlatformService).all();
});
afterAll(async () => {
  await app.close();
  await github.close();
});

interface Step {
  sign_payload: string;
  uuid: string;
  created_at: string;
  post_content: { default: string };
}

const link = { platform: 'github', identity: 'Alice-Demo', public_key: alice.key.compressed };
const binding = `platform=github&identity=alice-demo&public_key=${alice.key.compressed}`;

function gist(content: string) {
  return {
    id: GIST,
    public: true,
    truncated: false,
    owner: { login: 'Alice-Demo', id: 42, type: 'User' },
    files: {
      [`${alice.key.compressed}.json`]: {
        filename: `${alice.key.compressed}.json`,
        size: content.length,
        truncated: false,
        content,
      },
    },
  };
}

async function prepare(action: 'create' | 'delete'): Promise<Step> {
  const answer = await app.post('/v1/proof/payload', { action, ...link });
  expect(answer.status).toBe(200);
  return answer.body as Step;
}

async function publish(step: Step): Promise<void> {
  const content = step.post_content.default.replace('%SIG_BASE64%', alice.sign(step.sign_payload));
  github.handle(() => jsonReply(gist(content)));
}

function submit(step: Step, more: Record<string, unknown>) {
  return app.post('/v1/proof', { action: 'create', ...link, uuid: step.uuid, created_at: step.created_at, ...more });
}

describe('GET /v1/platforms', () => {
  it('describes every registered platform, and an example identity of each matches its pattern', async () => {
    const { status, body } = await app.get('/v1/platforms');

    expect(status).toBe(200);
    expect(body.platforms.map((entry: { platform: string }) => entry.platform)).toEqual(
      registered.map(({ platform }) => platform),
    );
    expect(body.platforms.map((entry: { platform: string }) => entry.platform)).toEqual(
      expect.arrayContaining(PLATFORMS_OF_THE_CONTRACT),
    );
    for (const entry of body.platforms) {
      expect(entry.identity_example).toMatch(new RegExp(entry.identity_pattern, 'u'));
      expect(entry.steps.length).toBeGreaterThan(1);
      expect(entry.needs_proof_location).toBe(entry.proof_location_forms.length > 0);
    }
  });

  it('answers names and addresses for clients, and leaves out those that a platform does not have', async () => {
    const { body } = await app.get('/v1/platforms');
    const entryOf = (platform: string) =>
      body.platforms.find((entry: { platform: string }) => entry.platform === platform);

    expect(entryOf('github')).toMatchObject({
      label: 'GitHub',
      profile_urls: ['https://github.com/{identity}'],
      post_url: 'https://gist.github.com/{identity}/{location}',
      compose_url: 'https://gist.github.com/',
      file_name: '{avatar}.json',
    });
    expect(entryOf('dns')).toMatchObject({ label: 'DNS' });
    for (const absent of ['profile_urls', 'post_url', 'compose_url', 'file_name']) {
      expect(entryOf('dns')).not.toHaveProperty(absent);
    }
  });

  it('tells by which name public keys are looked up, and so does the refusal of an unknown platform', async () => {
    const { body } = await app.get('/v1/platforms');
    const refusal = await app.get('/v1/proof?platform=myspace&identity=alice');
    const keys = await app.get(`/v1/proof?platform=${body.service_name}&identity=${alice.key.compressed}`);

    expect(body.service_name).toBe('self');
    expect(refusal).toMatchObject({ status: 400, body: { code: 'unknown_platform' } });
    expect(refusal.body.message).toMatch(/activitypub, .*and keys are looked up under its own name, self\.$/);
    expect(keys.status).toBe(200);
  });

  it.each<[string, (app: RunningApp) => Promise<Answer>]>([
    ['a binding', (server) => server.post('/v1/proof/payload', LINK)],
    ['a state', (server) => server.get(`/v1/proof/exists?platform=self&identity=a&public_key=${alice.key.compressed}`)],
    ['who holds it', (server) => server.get(`/v1/resolve?platform=self&identity=${alice.key.compressed}`)],
    ['a proof of the map', (server) => server.get(`/v1/log/map?platform=self&identity=${alice.key.compressed}`)],
  ])('calls its own name no platform where keys have a parameter of their own: %s', async (_what, ask) => {
    const { status, body } = await ask(app);

    expect({ status, code: body.code }).toEqual({ status: 400, code: 'unknown_platform' });
    expect(body.message).toMatch(/^"self" is the name of this service and no platform: .* public_key or avatar/);
  });

  it('says what the operator has to set where a platform cannot be checked, and health leaves it out', async () => {
    const { body } = await app.get('/v1/platforms');
    const health = await app.get('/healthz');

    const unset = { keybase: 'KEYBASE_FILE_URL_TEMPLATE', discord: 'DISCORD_BOT_TOKEN' };
    for (const [platform, setting] of Object.entries(unset)) {
      const entry = body.platforms.find((other: { platform: string }) => other.platform === platform);
      expect(entry).toMatchObject({ is_available: false, unavailable_reason: expect.stringContaining(setting) });
    }
    const configured = registered.filter((verifier) => !verifier.missingSetting?.()).map(({ platform }) => platform);
    expect(health.body.platforms).toEqual(configured);
    expect(configured).toEqual(expect.not.arrayContaining(Object.keys(unset)));
  });

  it('takes no letter for an ASCII one whose lower case is one, on no platform', async () => {
    for (const { platform, guide } of registered) {
      const identity = guide.identityExample.replace(/[a-z]/, '\u212a');
      // Numbers have no letters.
      if (identity === guide.identityExample) continue;

      const answer = await app.post('/v1/proof/payload', { ...link, action: 'create', platform, identity });

      expect([platform, answer.status, answer.body.code]).toEqual([platform, 400, expect.any(String)]);
      const found = await app.get(`/v1/proof?platform=${platform}&exact=true&identity=${encodeURIComponent(identity)}`);
      expect([platform, found.body.ids]).toEqual([platform, []]);
    }
  });

  it('refuses a create on a platform that lacks its setting, and still answers queries and issues deletes', async () => {
    const discord = { platform: 'discord', identity: 'alice.demo', public_key: alice.key.compressed };

    const create = await app.post('/v1/proof/payload', { action: 'create', ...discord });
    const remove = await app.post('/v1/proof/payload', { action: 'delete', ...discord });
    const query = await app.get('/v1/proof?platform=discord&identity=alice.demo');

    expect(create).toMatchObject({ status: 400, body: { code: 'platform_not_configured' } });
    expect(remove.status).toBe(200);
    expect(query).toMatchObject({ status: 200, body: { ids: [] } });
  });
});

describe('a binding that is proved by a post', () => {
  it('needs a location before any platform is asked', async () => {
    const step = await prepare('create');
    const before = github.requests.length;

    for (const proof_location of [undefined, '', '  ']) {
      expect(await submit(step, { proof_location })).toMatchObject({
        status: 400,
        body: { code: 'missing_proof_location' },
      });
    }
    expect(github.requests.length).toBe(before);
  });

  it('refuses what is not a location on the platform, a missing post and a platform that does not answer, and records nothing', async () => {
    const step = await prepare('create');

    github.handle(() => jsonReply({ message: 'Not Found' }, 404));
    expect(await submit(step, { proof_location: 'https://github.com/a/b' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_proof_location' },
    });
    expect(await submit(step, { proof_location: GIST })).toMatchObject({
      status: 400,
      body: { code: 'proof_rejected' },
    });
    github.handle(() => jsonReply({}, 500));
    expect(await submit(step, { proof_location: GIST })).toMatchObject({
      status: 400,
      body: { code: 'platform_unavailable' },
    });

    const chain = await app.get(`/v1/proofchain?public_key=${alice.key.compressed}`);
    expect(chain.body.pagination.total).toBe(0);
  });

  it('stores the canonical identity, location and signature, and what was seen; a delete erases the text', async () => {
    const step = await prepare('create');
    await publish(step);

    expect(await submit(step, { proof_location: `https://gist.github.com/Alice-Demo/${GIST}` })).toMatchObject({
      status: 201,
      body: {},
    });
    const chain = await app.get(`/v1/proofchain?public_key=${alice.key.compressed}`);
    expect(chain.body.proof_chain).toMatchObject([
      {
        identity: 'alice-demo',
        proof_location: GIST,
        signature: alice.sign(step.sign_payload),
        signature_payload: step.sign_payload,
        extra: {},
      },
    ]);
    const evidence = await app.get(`/v1/proof/evidence?${binding}`);
    expect(evidence).toMatchObject({
      status: 200,
      body: {
        account_id: '42',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        matched_text: expect.stringContaining(step.uuid),
      },
    });
    expect(JSON.stringify(evidence.body)).not.toContain('not-a-real-token');

    const farewell = await prepare('delete');
    const requests = github.requests.length;
    const removed = await submit(farewell, {
      action: 'delete',
      extra: { signature: alice.sign(farewell.sign_payload) },
    });
    expect(removed.status).toBe(201);
    expect(github.requests.length).toBe(requests);
    const after = await app.get(`/v1/proof/evidence?${binding}`);
    expect(after.body).toEqual({ ...evidence.body, matched_text: '' });
  });

  it('has no evidence for a binding that was never checked on a platform', async () => {
    const answer = await app.get(
      `/v1/proof/evidence?platform=ethereum&identity=0x${'1'.repeat(40)}&public_key=${alice.key.compressed}`,
    );

    expect(answer).toMatchObject({ status: 404, body: { code: 'evidence_not_found' } });
  });
});
