import { DataSource } from 'typeorm';
import {
  connectTo,
  hugeBody,
  type StandIn,
  type StandInHandler,
  type StandInReply,
  type StandInRequest,
  startStandIn,
  textReply,
} from '../../packages/look/test/support/stand-in-server.js';
import type { VerifierUnderTest } from '../../packages/look/test/verifiers/describe-verifier.js';
import { bluesky } from '../../packages/look/test/verifiers/suites/bluesky.js';
import { PROFILE_SUITES } from '../../packages/look/test/verifiers/suites/profiles.js';
import { WebClient } from '../../src/outbound/web-client.js';
import { RecheckService } from '../../src/rechecks/recheck.service.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { until } from '../support/until.js';

const alice = anAvatar('alice');
/** Each with what it answers, as in the specs of the verifiers. */
const SUITES: VerifierUnderTest[] = [...PROFILE_SUITES, bluesky];

let standIn: StandIn;
let operatorsHost: StandIn;
let app: RunningApp;
/** What the platform answers now. */
let handler: StandInHandler;
let suite: VerifierUnderTest;

beforeAll(async () => {
  const answer = (request: StandInRequest) => handler(request);
  standIn = await startStandIn(answer, { tls: true });
  operatorsHost = await startStandIn(answer);
  const settings = SUITES.map((one) => one.settings(operatorsHost.baseUrl));
  app = await startApp({
    transport: await connectTo(standIn, [...new Set(SUITES.flatMap(({ hosts = [] }) => hosts))]),
    env: {
      ...{ REVALIDATION: 'off', LOG: 'off', ...Object.assign({}, ...settings) },
      // So many checks in so short a time.
      RATE_BUDGETS: SUITES.map(({ platform }) => `${platform}=1000/1`).join(),
    },
  });
});
afterAll(async () => {
  await app.close();
  await operatorsHost.close();
  await standIn.close();
});

const namesOf = ({ platform, identity }: VerifierUnderTest) => ({
  ...{ platform, identity, public_key: alice.key.compressed },
});
const showing = (text: string, author = suite.identity) => suite.published({ author, text, avatar: alice.key });

/** Both steps of a create; in between, the platform answers with what `publish` makes of the text. */
async function submit(publish: (text: string) => StandInHandler): Promise<{ status: number; body: object }> {
  const names = { action: 'create', ...namesOf(suite) };
  const { body } = await app.post('/v1/proof/payload', names);
  handler = publish(body.post_content.default.replace('%SIG_BASE64%', alice.sign(body.sign_payload)));
  const { uuid, created_at } = body;
  return app.post('/v1/proof', { ...names, uuid, created_at, proof_location: suite.proofLocation });
}

/** Checks what is due at the time that was set for this account, to which the clock is moved. */
async function recheck(): Promise<void> {
  const statement = 'select next_check_at as next from proof where platform = $1 and next_check_at is not null';
  let rows: { next: Date }[] = [];
  await until(async () => {
    rows = await app.app.get(DataSource).query(statement, [suite.platform]);
    return rows.length > 0;
  });
  // Answers tell whole seconds.
  const next = Math.ceil(rows[0]!.next.getTime() / 1000) * 1000;
  await app.app.get(RecheckService).checkDue(new Date(next));
}

const requests = () => standIn.requests.length + operatorsHost.requests.length;
const stateOf = async () =>
  (await app.get(`/v1/proof/exists?${new URLSearchParams(namesOf(suite)).toString()}`)).body as object;

describe.each(SUITES)('an account by a text on $platform', (one) => {
  beforeEach(() => void (suite = one));

  it.each(Object.entries(one.missing))(
    'is bound, checked again, invalid when the text is gone (%s), and valid when it is back',
    async (_how, gone) => {
      expect(await submit(showing)).toMatchObject({ status: 201 });
      const shown = handler;
      expect(await stateOf()).toMatchObject({ is_valid: true });
      await recheck();

      handler = gone;
      await recheck();
      expect(await stateOf()).toMatchObject({ is_valid: true });
      await recheck();
      expect(await stateOf()).toMatchObject({ is_valid: false });

      handler = shown;
      await recheck();
      expect(await stateOf()).toMatchObject({ is_valid: true });
    },
  );

  it('is refused without its text, with that of another key, of another account, and of somebody else', async () => {
    const refused = { status: 400, body: { code: 'proof_rejected' } };
    const mallory = anAvatar('mallory').sign('x');
    const ways: ((text: string) => StandInHandler)[] = [
      ...Object.values(suite.missing).map((gone) => () => gone),
      (text) => showing(text.replace(/[A-Za-z0-9+/]{87}=/g, mallory)),
      (text) => showing(text, suite.otherIdentity),
      ...Object.values(suite.foreign ?? {}).map(
        (foreign) => (text: string) => foreign({ author: suite.identity, text, avatar: alice.key }),
      ),
    ];
    for (const way of ways) expect(await submit(way)).toMatchObject(refused);
  });

  it('is lost when somebody else has its name, who publishes the same', async () => {
    if (!suite.reused) return;
    let published = '';
    expect(await submit((text) => showing((published = text)))).toMatchObject({ status: 201 });
    handler = suite.reused({ author: suite.identity, text: published, avatar: alice.key });
    await recheck();
    await recheck();
    expect(await stateOf()).toMatchObject({ is_valid: false });

    handler = showing(published);
    await recheck();
    expect(await stateOf()).toMatchObject({ is_valid: true });
  });

  it.each<[string, StandInReply]>([
    ['a redirect to another host', { status: 302, headers: { location: 'https://evil.example.net/' } }],
    ['a bot wall', textReply('<html>Are you human?</html>', 403, 'text/html')],
    ['an error', textReply('oops', 500)],
    ['two megabytes', hugeBody(2 << 20)],
    ['a connection that breaks', 'cut'],
  ])('is neither bound nor lost by %s', async (_what, reply) => {
    const web = app.app.get(WebClient);
    const forgetFailures = () => web.circuits().forEach(({ key }) => web.resetCircuit(key));
    expect(await submit(showing)).toMatchObject({ status: 201 });
    handler = () => reply;
    for (let looks = 0; looks < 2; looks++) {
      const asked = requests();
      await recheck();
      expect(requests()).toBeGreaterThan(asked);
      forgetFailures();
    }

    expect(await stateOf()).toMatchObject({ is_valid: true });
    expect(await submit(() => handler)).toMatchObject({ status: 400, body: { code: 'platform_unavailable' } });
    forgetFailures();
  });
});
