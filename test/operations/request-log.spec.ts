import pg from 'pg';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet, signedSubmit, walletPayload } from '../support/scenario.js';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';

const TOKEN = 'the-token-of-the-operator-1234567890';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const PAYLOAD_SECRET = 'a-payload-secret-that-nobody-must-see-0123456789';

const alice = anAvatar('alice');
const wallet = aWallet('alice');

type LogLine = Record<string, unknown>;

describe('the log of a server at level info', () => {
  let database: TestDatabase;
  let receiver: StandIn;
  let service: ServiceProcess;
  beforeAll(async () => {
    database = await createTestDatabase();
    receiver = await startStandIn(() => ({ status: 204 }));
    service = await startService({
      DATABASE_URL: database.url,
      LOG_LEVEL: 'info',
      ADMIN_TOKEN: TOKEN,
      PAYLOAD_SECRET,
      WEBHOOKS: JSON.stringify([{ url: `${receiver.baseUrl}/hook?key=${SECRET.slice(6)}`, secret: SECRET }]),
      WEBHOOK_ALLOW_PRIVATE: 'true',
    });
  });
  afterAll(async () => {
    await service.kill9();
    await receiver.close();
    await database.drop();
  });

  /** All lines that are whole. */
  const lines = (): LogLine[] =>
    service
      .output()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as LogLine);
  const lineOf = async (requestId: string | null, context = 'Request'): Promise<LogLine> => {
    const find = () => lines().find((line) => line['request_id'] === requestId && line['context'] === context);
    await until(() => find() !== undefined);
    return find()!;
  };

  it('has one line for each request, with its route, status and duration', async () => {
    const { headers } = await service.get(`/v1/proofchain?public_key=${alice.key.compressed}`);

    const line = await lineOf(headers.get('x-request-id'));
    expect(line).toMatchObject({
      level: 'info',
      message: 'GET /v1/proofchain 200',
      method: 'GET',
      route: '/v1/proofchain',
      status: 200,
      duration_ms: expect.any(Number),
    });
    expect(new Date(line['time'] as string).getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  it('tells by a code why a request was refused', async () => {
    const { headers } = await service.get('/v1/proof');

    expect(await lineOf(headers.get('x-request-id'))).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('keeps the id that a proxy gave the request', async () => {
    const { headers } = await service.get('/v1/platforms', { 'X-Request-Id': 'proxy-1.2_three' });

    expect(headers.get('x-request-id')).toBe('proxy-1.2_three');
    expect(await lineOf('proxy-1.2_three')).toMatchObject({ route: '/v1/platforms' });
  });

  it.each([
    ['too short', 'abc'],
    ['too long', 'a'.repeat(129)],
    ['a forged line of the log', 'abcdefgh{"level":"error"}'],
  ])('gives a request another id if the one it came with is %s', async (_why, id) => {
    const { headers } = await service.get('/v1/platforms', { 'X-Request-Id': id });

    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('says nothing of the probes of machines while all is well', async () => {
    for (const path of ['/livez', '/readyz', '/healthz']) expect((await service.get(path)).status).toBe(200);
    const { headers } = await service.get('/v1/platforms');
    await lineOf(headers.get('x-request-id'));

    const probed = lines().filter(({ route }) => ['/livez', '/readyz', '/healthz'].includes(String(route)));
    expect(probed).toEqual([]);
  });

  it('holds no key, identity, signature, secret or token, whatever is asked', async () => {
    expect((await linkWallet(service, alice, wallet)).status).toBe(201);
    const refused = await walletPayload(service, alice, aWallet('other'));
    const forged = signedSubmit(refused.body, anAvatar('mallory'), aWallet('other'));
    expect((await service.post('/v1/proof', { ...forged, public_key: alice.key.compressed })).status).toBe(400);
    const patch = {
      avatar: alice.key.uncompressed,
      platform: 'self',
      identity: alice.key.compressed,
      patch: { a: 'b' },
    };
    const kv = await service.post('/v1/kv/payload', patch);
    const signature = alice.sign(kv.body.sign_payload);
    const { uuid, created_at } = kv.body;
    expect((await service.post('/v1/kv', { ...patch, uuid, created_at, signature })).status).toBe(201);
    await service.get(`/v1/kv?avatar=${alice.key.uncompressed}`);
    await service.get(`/v1/proof?platform=ethereum&identity=${wallet.address}`);
    await service.get(`/${alice.key.compressed}`);
    for (const token of [TOKEN, `${TOKEN}-guessed`]) {
      const headers = { Authorization: `Bearer ${token}` };
      await service.get('/admin/v1/jobs', headers);
      await service.post('/admin/v1/subscriptions', { url: 'nowhere', secret: SECRET }, headers);
    }
    await until(() => receiver.requests.length >= 2);
    const last = await service.get('/v1/platforms');
    await lineOf(last.headers.get('x-request-id'));

    const chain = await service.get(`/v1/proofchain?public_key=${alice.key.compressed}`);
    const link = chain.body.proof_chain[0];
    const output = service.output();
    const confidential = {
      'the key of an Avatar': alice.key.compressed.slice(2),
      'the same uncompressed': alice.key.uncompressed.slice(2),
      'an identity': wallet.address,
      'a signature of an Avatar': link.signature,
      'a signature of a wallet': link.extra.wallet_signature,
      'a signature of a patch': signature,
      'a forged signature': forged.extra.signature,
      'the uuid of a payload': uuid,
      'the token': TOKEN,
      'the secret of a webhook': SECRET.slice(6),
      'the HMAC key of payloads': PAYLOAD_SECRET,
      'a header of a webhook': String(receiver.requests[0]!.headers['webhook-signature']),
    };
    expect(Object.entries(confidential).filter(([, text]) => output.includes(text))).toEqual([]);
    expect(lines().filter(({ route }) => route === '/v1/proof').length).toBeGreaterThan(2);
  });

  it('names a request that failed for a reason of ours, beside the reason', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('alter table proof_check rename to hidden');

    const { status, headers, body } = await service.get(
      `/v1/proof/history?platform=ethereum&identity=${wallet.address}&public_key=${alice.key.compressed}`,
    );

    await client.query('alter table hidden rename to proof_check');
    await client.end();
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'internal_error' });
    const id = headers.get('x-request-id');
    expect(await lineOf(id)).toMatchObject({ level: 'error', status: 500, route: '/v1/proof/history' });
    expect(await lineOf(id, 'Http')).toMatchObject({ level: 'error', stack: expect.stringContaining('proof_check') });
    expect(service.output()).not.toContain(alice.key.compressed.slice(2));
  });
});
