import { DataSource } from 'typeorm';
import {
  connectTo,
  jsonReply,
  type StandIn,
  type StandInReply,
  startStandIn,
  textReply,
} from '../../packages/look/test/support/stand-in-server.js';
import { RecheckService } from '../../src/rechecks/recheck.service.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { nextCheckOf } from '../rechecks/bound-gist.js';

const HOST = 'code.example.com';
const alice = anAvatar('alice');
const NOT_FOUND = jsonReply({ message: 'Not Found' }, 404);

/** For each platform: whose account, where its text is asked for, and how it shows a text, or that there is none. */
interface Place {
  platform: string;
  identity: string;
  location?: string;
  shows: (path: string, text: string | null) => StandInReply;
}

const PLACES: Place[] = [
  {
    platform: 'hackernews',
    identity: 'Alice_Demo',
    shows: (_path, about) => jsonReply(about === null ? null : { id: 'Alice_Demo', created: 1173923446, about }),
  },
  {
    platform: 'lobsters',
    identity: 'alice_demo',
    shows: (_path, about) =>
      about === null
        ? NOT_FOUND
        : jsonReply({ username: 'alice_demo', created_at: '2019-04-26T14:25:28.000-05:00', about }),
  },
  {
    platform: 'orcid',
    identity: '0000-0002-1825-0097',
    shows: (_path, content) =>
      jsonReply({
        'orcid-identifier': { path: '0000-0002-1825-0097' },
        person: { biography: content === null ? null : { content }, 'researcher-urls': { 'researcher-url': [] } },
      }),
  },
  {
    platform: 'discourse',
    identity: `alice@${HOST}`,
    shows: (_path, bio_raw) => jsonReply({ user: { id: 42, username: 'Alice', ...(bio_raw !== null && { bio_raw }) } }),
  },
  {
    platform: 'forgejo',
    identity: `alice@${HOST}`,
    location: `https://${HOST}/alice/proof`,
    shows: (path, description) =>
      path.startsWith('/api/v1/orgs/') || description === null
        ? NOT_FOUND
        : jsonReply({ private: false, fork: false, description, owner: { id: 11, login: 'Alice' } }),
  },
  {
    platform: 'gitlab',
    identity: `alice@${HOST}`,
    location: 'proof',
    shows: (path, description) =>
      path === '/api/graphql'
        ? jsonReply({ data: { project: { isForked: false } } })
        : description === null
          ? NOT_FOUND
          : jsonReply({ description, namespace: { id: 13, path: 'alice', kind: 'user' } }),
  },
  {
    platform: 'website',
    identity: HOST,
    shows: (path, text) =>
      text !== null && path === '/.well-known/signet.json' ? textReply(text) : textReply('', 404, 'text/html'),
  },
  {
    platform: 'steam',
    identity: '76561197960287930',
    shows: (_path, text) =>
      textReply(
        `<profile><steamID64>76561197960287930</steamID64><privacyState>public</privacyState><summary><![CDATA[${text ?? ''}]]></summary></profile>`,
        200,
        'text/xml',
      ),
  },
];

let standIn: StandIn;
let operatorsHost: StandIn;
let app: RunningApp;
let text: string | null;
let place: Place;

beforeEach(async () => {
  text = null;
  const answer = ({ path }: { path: string }) => place.shows(path, text);
  standIn = await startStandIn(answer, { tls: true });
  operatorsHost = await startStandIn(answer);
  const { baseUrl } = operatorsHost;
  const names = ['HACKERNEWS_BASE_URL', 'LOBSTERS_BASE_URL', 'ORCID_BASE_URL', 'STEAM_BASE_URL'];
  const env = { REVALIDATION: 'off', LOG: 'off', ...Object.fromEntries(names.map((name) => [name, baseUrl])) };
  app = await startApp({ transport: await connectTo(standIn, [HOST]), env });
});
afterEach(async () => {
  await app.close();
  await operatorsHost.close();
  await standIn.close();
});

const namesOf = ({ platform, identity }: Place) => ({ platform, identity, public_key: alice.key.compressed });

async function submit(change = (written: string): string | null => written): Promise<{ status: number; body: object }> {
  const names = namesOf(place);
  const { body } = await app.post('/v1/proof/payload', { action: 'create', ...names });
  text = change(body.post_content.default.replace('%SIG_BASE64%', alice.sign(body.sign_payload)));
  const { uuid, created_at } = body;
  return app.post('/v1/proof', { action: 'create', ...names, uuid, created_at, proof_location: place.location ?? '' });
}

async function recheck(): Promise<void> {
  const sql = <Row>(statement: string, values: unknown[] = []) =>
    app.app.get(DataSource).query(statement, values) as Promise<Row[]>;
  await app.app.get(RecheckService).checkDue(await nextCheckOf({ sql }, place.identity));
}

const isValid = async () =>
  ((await app.get(`/v1/proof/exists?${new URLSearchParams(namesOf(place)).toString()}`)).body as { is_valid: boolean })
    .is_valid;

describe.each(PLACES)('an account by a text on $platform', (one) => {
  beforeEach(() => void (place = one));

  it('is bound, checked again, invalid when the text is gone, and valid when it is back', async () => {
    expect(await submit()).toMatchObject({ status: 201 });
    expect(await isValid()).toBe(true);
    await recheck();
    const written = text;

    text = null;
    await recheck();
    expect(await isValid()).toBe(true);
    await recheck();
    expect(await isValid()).toBe(false);

    text = written;
    await recheck();
    expect(await isValid()).toBe(true);
  });

  it('is refused without its text, and with that of another key', async () => {
    expect(await submit(() => null)).toMatchObject({ status: 400, body: { code: 'proof_rejected' } });
    const mallory = anAvatar('mallory').sign('x');
    const other = (written: string) => written.replace(/[A-Za-z0-9+/]{87}=/, mallory);
    expect(await submit(other)).toMatchObject({ status: 400, body: { code: 'proof_rejected' } });
  });
});
