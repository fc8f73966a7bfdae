import { readCheckpoint, readPolicy, readReceipt, verifyReceipt } from '@signet/verify/log';
import { DataSource } from 'typeorm';
import { sha256 } from '../../src/crypto/hashing.js';
import { LogIdentity } from '../../src/transparency-log/signing/heads/log-identity.js';
import { writeKv } from '../kv/kv-scenario.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aSolanaWallet, aWallet } from '../support/avatar.js';
import { leastCpuMs } from '../../packages/look/test/support/cpu-time.js';
import { ENGINES_OF_TIER } from '../support/engines.js';
import { linkSolana, linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { getRaw, policyOf, proofOf, readHead } from './log-client.js';

const alice = anAvatar('alice');
const bob = anAvatar('bob');
const DAY = 86_400;

/** Waits until the server has read the state of its log. */
async function ready(server: RunningApp): Promise<void> {
  await until(async () => (await readHead(server)) !== null);
}

describe.each(ENGINES_OF_TIER)('receipts of a server on %s', (engine) => {
  let server: RunningApp;

  beforeAll(async () => {
    server = await startApp({ engine });
    await ready(server);
  });
  afterAll(() => server?.close());

  it('come with each write, and promise exactly what comes into the log', async () => {
    const answers = [
      await linkWallet(server, alice, aWallet('one')),
      await linkSolana(server, alice, aSolanaWallet('sun')),
      await linkWallet(server, alice, aWallet('one'), { action: 'delete' }),
    ];
    const patches = [
      await writeKv(server, alice, { name: 'Alice', 10: 1, 9: 2 }),
      await writeKv(server, bob, '{"a":1e2,"__proto__":[]}'),
    ];
    const policy = await policyOf(server);
    const { links } = (await server.get('/v1/proofchain/changes?last_id=0')).body;
    const { patches: stored } = (await server.get('/v1/kv/changes?last_id=0')).body;

    expect(answers.map(({ status, body }) => [status, Object.keys(body)])).toEqual(
      Array(3).fill([201, ['proof_location', 'extra', 'receipt']]),
    );
    expect(answers.map(({ body }) => [body.proof_location, body.extra])).toEqual(
      links.map(({ proof_location, extra }: { proof_location: string; extra: object }) => [proof_location, extra]),
    );
    for (const [index, { body }] of [...answers, ...patches].entries()) {
      const item = index < 3 ? { link: links[index] } : { patch: stored[index - 3] };
      const proof = await proofOf(server, `uuid=${(item.link ?? item.patch).uuid}`);
      const result = verifyReceipt(body.receipt, { ...item, proof, policy, now: Date.now() / 1000 });
      expect(result.steps.filter(({ state }) => state !== 'ok').map(({ name }) => name)).toEqual(['witnesses']);
      expect(result.receipt!.deadline - result.receipt!.time).toBe(DAY);
      expect(Math.abs(Date.now() / 1000 - result.receipt!.time)).toBeLessThan(300);
    }
  });

  it('are given again to a client that lost the answer, with the same facts', async () => {
    const { body } = await linkWallet(server, bob, aWallet('two'));
    const first = readReceipt(body.receipt)!.receipt;
    const { links } = (await server.get('/v1/proofchain/changes?last_id=0')).body;
    const again = await getRaw(server, `/v1/log/receipt?uuid=${first.uuid}`);
    const second = verifyReceipt(again.text, { link: links.at(-1), policy: await policyOf(server) });

    expect(again.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(second.ok).toBe(true);
    expect({ ...second.receipt!, time: 0, deadline: 0 }).toEqual({ ...first, time: 0, deadline: 0 });
    expect(Math.abs(second.receipt!.time - first.time)).toBeLessThanOrEqual(60);

    const { patches } = (await server.get('/v1/kv/changes?last_id=0')).body;
    const ofPatch = await getRaw(server, `/v1/log/receipt?uuid=${patches[0].uuid}`);
    expect(verifyReceipt(ofPatch.text, { patch: patches[0], policy: await policyOf(server) }).ok).toBe(true);
  });

  it('are not given for what is not recorded', async () => {
    const { status, body } = await server.get('/v1/log/receipt?uuid=74913704-0904-4e3a-9fa1-ce6a90be6612');

    expect([status, body.code]).toEqual([404, 'record_not_found']);
    expect((await server.get('/v1/log/receipt')).status).toBe(400);
  });

  it('cannot be taken for a checkpoint, nor a checkpoint for a receipt', async () => {
    const { body } = await linkWallet(server, anAvatar('carol'), aWallet('three'));

    expect(readReceipt(body.receipt)).not.toBeNull();
    expect(readCheckpoint(body.receipt)).toBeNull();
    expect(readReceipt((await getRaw(server, '/log/checkpoint')).text)).toBeNull();
  });
});

describe('a server that can promise nothing', () => {
  it('gives no receipt without a log', async () => {
    const server = await startApp({ env: { LOG: 'off' } });
    const { status, body } = await linkWallet(server, alice, aWallet('one'));
    const patched = await writeKv(server, alice, { a: 1 });
    const path = await server.get('/v1/log/receipt?uuid=74913704-0904-4e3a-9fa1-ce6a90be6612');
    await server.close();

    expect([status, Object.keys(body)]).toEqual([201, ['proof_location', 'extra']]);
    expect(Object.keys(patched.body)).toEqual(['avatar', 'proofs']);
    expect([path.status, path.body.code]).toEqual([404, 'not_found']);
  });

  it('gives no receipt while its log is refused, and its deadline is a setting', async () => {
    const server = await startApp({ env: { LOG_RECEIPT_SECONDS: '60' } });
    await ready(server);
    const { receipt } = readReceipt((await linkWallet(server, alice, aWallet('one'))).body.receipt)!;
    await server.app.get(DataSource).query(`update log_state set refusal = 'for a test'`);
    await linkWallet(server, bob, aWallet('two'));
    await until(async () => (await server.get('/v1/log')).body.state === 'refused');
    const { status, body } = await linkWallet(server, bob, aWallet('three'));
    const again = await server.get(`/v1/log/receipt?uuid=${receipt.uuid}`);
    await server.close();

    expect(receipt.deadline - receipt.time).toBe(60);
    expect([status, Object.keys(body)]).toEqual([201, ['proof_location', 'extra']]);
    expect([again.status, again.body.code]).toEqual([503, 'log_refused']);
  });
});

describe('a record whose deadline is over', () => {
  it('gets no receipt any more, though it had one, and its proof stays', async () => {
    const server = await startApp({ env: { LOG_RECEIPT_SECONDS: '60' } });
    try {
      await ready(server);
      const { receipt } = readReceipt((await linkWallet(server, alice, aWallet('one'))).body.receipt)!;
      const path = `/v1/log/receipt?uuid=${receipt.uuid}`;
      const before = await getRaw(server, path);
      await proofOf(server, `uuid=${receipt.uuid}`);
      await tamperAt(server, "update chain_link set recorded_at = recorded_at - interval '61 seconds'");
      const { status, body } = await server.get(path);

      expect(readReceipt(before.text)!.receipt).toMatchObject({ uuid: receipt.uuid, deadline: receipt.deadline });
      expect([status, body.code]).toEqual([404, 'receipt_over']);
      expect(body.message).toContain('its proof shows');
    } finally {
      await server.close();
    }
  });
});

/** Changes rows of `server` that nobody may change. */
async function tamperAt({ app }: RunningApp, statement: string): Promise<void> {
  await app.get(DataSource).transaction(async (manager) => {
    await manager.query('set local session_replication_role = replica');
    await manager.query(statement);
  });
}

describe('a key that signs receipts and checkpoints', () => {
  const identity = new LogIdentity(new Uint8Array(32).fill(7), 'self', 'signet.example/log');
  const facts = {
    log: 'signet.example/log',
    kind: 'link' as const,
    avatar: alice.key.compressed,
    uuid: '74913704-0904-4e3a-9fa1-ce6a90be6612',
    hash: 'ab'.repeat(32),
    time: 1_700_000_000,
    deadline: 1_700_086_400,
  };

  it('signs receipts as others verify them', () => {
    const policy = readPolicy(`log ${identity.verifierKey}\nquorum none\n`);
    const result = verifyReceipt(identity.signReceipt(facts), { policy });

    expect(result.steps.find(({ name }) => name === 'receipt_signature')!.state).toBe('ok');
  });

  it('signs no receipt that is a checkpoint, whatever its name is', () => {
    for (const origin of ['signet-receipt/1', '5', 'log', 'a']) {
      const named = new LogIdentity(new Uint8Array(32).fill(7), 'self', origin);
      expect(readCheckpoint(named.signReceipt({ ...facts, log: origin }))).toBeNull();
      expect(readReceipt(named.sign({ size: 5, root: sha256(Buffer.from('x')) }))).toBeNull();
    }
  });

  it('takes less than a millisecond of processor time for one', () => {
    const signMany = () => {
      for (let count = 0; count < 50; count++) identity.signReceipt(facts);
    };

    expect(leastCpuMs(signMany) / 50).toBeLessThan(1);
  });
});
