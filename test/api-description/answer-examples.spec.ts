import { readFileSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { answerParserError } from '../../src/http/server/connection-errors.js';
import { SearchUpkeep } from '../../src/proof/look-up/search-upkeep.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startPushService } from '../push/push-service.js';
import { signedSubmit, walletPayload } from '../support/scenario.js';
import { startStandIn } from '../../packages/look/test/support/stand-in-server.js';

/*
 * The examples of the API description are answers of the service. They are recorded here, and each run compares them
 * with what the service answers now: all but what differs from run to run. RECORD_EXAMPLES=1 writes them anew.
 */

/** The files of recorded answers, by whose answers they hold. */
const FILES = {
  public: '../../src/api-description/answer-examples.json',
  admin: '../../src/api-description/admin-answer-examples.json',
};
type Audience = keyof typeof FILES;
const ADMIN_TOKEN = 'the-token-of-this-test-is-long-enough';
const HEADERS = { Authorization: `Bearer ${ADMIN_TOKEN}` };
/** Items of a list that an example shows. */
const SHOWN = 2;

type Examples = Record<string, Record<string, unknown>>;

const alice = anAvatar('alice');
const wallet = aWallet('alice');
const key = alice.key.compressed;

let database: TestDatabase;
let receiver: Awaited<ReturnType<typeof startStandIn>>;
let app: RunningApp;
const examples: Record<Audience, Examples> = { public: {}, admin: {} };

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startStandIn(() => ({ status: 204, body: '' }));
  app = await startApp({
    databaseUrl: database.url,
    env: {
      ADMIN_TOKEN,
      WEBHOOK_ALLOW_PRIVATE: 'on',
      RATE_LIMIT: 'on',
      RATE_LIMIT_DOCUMENTS: '1',
      DATABASE_LOCK_TIMEOUT_MS: '500',
    },
  });
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  await database.drop();
});

function record(
  operationId: string,
  { status, body }: Pick<Answer, 'status' | 'body'>,
  audience: Audience = 'public',
): Answer['body'] {
  (examples[audience][operationId] ??= {})[String(status)] = shortened(body);
  return body;
}

/** Errors that any operation may answer stand with the public ones, wherever they were seen. */
function audienceOf(operationId: string, path: string): Audience {
  return path.startsWith('/admin/') && operationId !== 'shared' ? 'admin' : 'public';
}

function shortened(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  // Whether there is a receipt depends on the moment: none is given before the log was looked at.
  const lasting = Object.entries(body).filter(([name]) => name !== 'receipt');
  const entries = lasting.map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, SHOWN) : value]);
  return Object.fromEntries(entries) as unknown;
}

const get = async (operationId: string, path: string) =>
  record(operationId, await app.get(path, HEADERS), audienceOf(operationId, path));
const post = async (operationId: string, path: string, body: object) =>
  record(operationId, await app.post(path, body, HEADERS), audienceOf(operationId, path));

async function send(
  operationId: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = HEADERS,
): Promise<void> {
  const response = await fetch(`${app.baseUrl}${path}`, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  record(operationId, { status: response.status, body: await response.json() }, audienceOf(operationId, path));
}

async function recordReads(): Promise<void> {
  for (const [operationId, path] of [
    ['getHealth', '/healthz'],
    ['getLiveness', '/livez'],
    ['getReadiness', '/readyz'],
    ['listPlatforms', '/v1/platforms'],
    ['findAccount', '/v1/platforms/github/account?name=alice'],
    ['findProofs', `/v1/proof?platform=ethereum&identity=${wallet.address}&exact=true`],
    ['getBinding', `/v1/proof/exists?platform=ethereum&identity=${wallet.address}&public_key=${key}`],
    ['getBinding', `/v1/proof/exists?platform=github&identity=alice&public_key=${key}`],
    ['getEvidence', `/v1/proof/evidence?platform=ethereum&identity=${wallet.address}&public_key=${key}`],
    ['listChecks', `/v1/proof/history?platform=ethereum&identity=${wallet.address}&public_key=${key}`],
    ['resolve', `/v1/resolve?platform=ethereum&identity=${wallet.address}`],
    ['resolve', '/v1/resolve?platform=ethereum'],
    ['listChecks', `/v1/proof/history?platform=github&identity=alice&public_key=${key}`],
    ['getProofChain', `/v1/proofchain?public_key=${key}`],
    ['listChanges', '/v1/proofchain/changes?last_id=0'],
    ['getKv', `/v1/kv?avatar=${key}`],
    ['getKv', `/v1/kv?avatar=${anAvatar('nobody').key.compressed}`],
    ['listKvPatches', `/v1/kv/chain?avatar=${key}`],
    ['findKvByIdentity', `/v1/kv/by_identity?platform=self&identity=${key}`],
    ['listJobs', '/admin/v1/jobs'],
    ['listDeadLetters', '/admin/v1/dead-letters'],
    ['listParkedEvents', '/admin/v1/parked-events'],
    ['getRechecks', '/admin/v1/revalidation'],
    ['listPlatformUse', '/admin/v1/platform-use'],
    ['listCircuits', '/admin/v1/circuits'],
    ['getArchive', '/admin/v1/archive'],
  ] as const)
    await get(operationId, path);
}

async function recordWrites(): Promise<void> {
  const payload = await walletPayload(app, alice, wallet);
  record('createPayload', payload);
  await post('submitProof', '/v1/proof', signedSubmit(payload.body, alice, wallet));
  const patch = { avatar: key, platform: 'self', identity: key, patch: { name: 'Alice' } };
  const { uuid, created_at, sign_payload: text } = await post('createKvPayload', '/v1/kv/payload', patch);
  await post('submitKvPatch', '/v1/kv', { ...patch, uuid, created_at, signature: alice.sign(text) });
}

async function recordSubscriptions(): Promise<void> {
  const url = `${receiver.baseUrl}/signet`;
  const subscriptions = '/admin/v1/subscriptions';
  const { id } = await post('createSubscription', subscriptions, { url, types: ['proof.bound'] });
  await get('listSubscriptions', subscriptions);
  await get('getSubscription', `${subscriptions}/${id}`);
  await get('getSubscription', `${subscriptions}/unknown`);
  await send('updateSubscription', 'PATCH', `${subscriptions}/${id}`, { types: [] });
  await post('rotateSubscriptionSecret', `${subscriptions}/${id}/rotate`, {});
  const delivery = await post('testSubscription', `${subscriptions}/${id}/test`, {});
  await get('listSubscriptionDeliveries', `${subscriptions}/${id}/deliveries`);
  await get('listDeliveries', '/admin/v1/deliveries');
  await get('getDelivery', `/admin/v1/deliveries/${delivery.id}`);
  await get('getDelivery', '/admin/v1/deliveries/unknown');
  await send('deleteSubscription', 'DELETE', `${subscriptions}/${id}`);
  await send('deleteSubscription', 'DELETE', `${subscriptions}/${id}`);
  await post('replayDeadLetters', '/admin/v1/dead-letters/replay', {});
  await post('replayDeadLetter', '/admin/v1/dead-letters/unknown/replay', {});
  await post('recheckNow', '/admin/v1/revalidation', { all_invalid: true });
  await post('resetCircuit', '/admin/v1/circuits/reset', { key: 'github@api.github.com' });
  await send('shared', 'GET', '/admin/v1/jobs', undefined, {});
}

/** By a server that browsers can subscribe at, and a stand-in of a push service. */
async function recordPushes(): Promise<void> {
  const service = await startPushService();
  const env = { PUBLIC_URL: 'https://id.example.org', LOG: 'off' };
  const other = await startApp({ databaseUrl: database.url, env, transport: service.transport });
  const { endpoint, keys } = service.browser();
  const subscriptions = '/v1/push/subscriptions';
  record('getPush', await other.get('/v1/push'));
  const { id } = record('subscribePush', await other.post(subscriptions, { avatar: key, endpoint, keys }));
  record('getPushSubscription', await other.get(`${subscriptions}/${id}`));
  record('getPushSubscription', await other.get(`${subscriptions}/unknown`));
  await other.close();
  await service.close();
  await send('unsubscribe', 'DELETE', `${subscriptions}/${id}`);
  await send('unsubscribe', 'DELETE', `${subscriptions}/${id}`);
}

/** Errors that any operation may answer. */
async function recordShared(): Promise<void> {
  await get('shared', '/v1/proofchain');
  await send('shared', 'DELETE', '/v1/proof');
  record('shared', { status: 408, body: timeoutAnswer() });
  await post('shared', '/v1/kv', { padding: 'x'.repeat(2 * 1024 * 1024) });
  await get('shared', `/admin/v1/subscriptions/${'a'.repeat(1000)}`);
  await (await fetch(`${app.baseUrl}/docs`)).arrayBuffer();
  await get('shared', '/asyncapi.json');
  record('shared', await app.get('/healthz', { 'X-Padding': 'x'.repeat(20_000) }));
  const operator = new pg.Client({ connectionString: database.url });
  await operator.connect();
  await operator.query('alter table kv_entry rename to kv_entry_gone');
  await get('shared', `/v1/kv?avatar=${key}`);
  await operator.query('alter table kv_entry_gone rename to kv_entry');
  await operator.query('begin; lock table kv_entry in access exclusive mode');
  await get('shared', `/v1/kv?avatar=${key}`);
  await operator.query('rollback');
  await operator.end();
}

/** What a socket is sent whose request is late; the wait itself is tested elsewhere. */
function timeoutAnswer(): unknown {
  let sent = '';
  const socket = Object.assign(new Socket(), { end: (text: string) => (sent = text) });
  Object.defineProperty(socket, 'writable', { value: true });
  answerParserError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket as unknown as Socket);
  return JSON.parse(sent.split('\r\n\r\n')[1]!) as unknown;
}

/** Leaves out of an example what is another one in each run. */
function lasting(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/whsec_[A-Za-z0-9+/=]+/g, '<secret>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/[A-Za-z0-9+/]{87}=/g, '<signature>')
    .replace(/"B[A-Za-z0-9_-]{86}"/g, '"<key>"')
    .replace(/\b1[0-9]{9}\b/g, '0')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/127\.0\.0\.1:\d+/g, '<host>')
    .replace(/\b\d+ s\b/g, '<n> s')
    // How far the log has come depends on the moment.
    .replace(/"log":\{[^{}]*\}/g, '"log":"<state of the log>"')
    .replace(/"revision":"\w+"/g, '"revision":"<commit>"');
  return JSON.parse(text) as unknown;
}

describe('the examples of the API description', () => {
  it('are what the service answers', async () => {
    await recordWrites();
    await app.app.get(SearchUpkeep).catchUp();
    await recordReads();
    await recordSubscriptions();
    await recordPushes();
    await recordShared();

    for (const [audience, name] of Object.entries(FILES) as [Audience, string][]) {
      const file = fileURLToPath(new URL(name, import.meta.url));
      if (process.env['RECORD_EXAMPLES'] === '1') {
        writeFileSync(file, `${JSON.stringify(examples[audience], null, 2)}\n`);
      } else {
        const recorded = JSON.parse(readFileSync(file, 'utf8')) as Examples;
        expect(lasting(recorded)).toEqual(lasting(examples[audience]));
      }
    }
  });
});
