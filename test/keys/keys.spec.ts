import { verifyKeyChain } from '@signet/verify/key-events';
import { KEY_ENTRIES, verifyLogProof, verifyReceipt } from '@signet/verify/log';
import { DataSource } from 'typeorm';
import { verifyChains } from '../../src/audit/verify-command.js';
import { LogCheck } from '../../src/transparency-log/check/log-check.js';
import { LogStore } from '../../src/transparency-log/signing/heads/log-store.js';
import { RECORD_KINDS } from '../../src/records/record-kinds.js';
import { writeKv } from '../kv/kv-scenario.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { headOfRecords, policyOf, proofOf } from '../transparency-log/log-client.js';
import { commit, keyName, keyPayload, say, stateOf, succeed } from './key-scenario.js';

const [alice, paper, next] = ['alice', 'words on paper', 'next'].map((name) => anAvatar(name)) as [
  ReturnType<typeof anAvatar>,
  ReturnType<typeof anAvatar>,
  ReturnType<typeof anAvatar>,
];
const AVATAR = alice.key.compressed;

describe('key events of an Avatar, over HTTP', () => {
  let server: RunningApp;
  let source: DataSource;
  beforeAll(async () => {
    server = await startApp();
    source = server.app.get(DataSource);
  });
  afterAll(() => server?.close());

  it.each([
    ['key.commit', {}, 'Its fields are not {delay_hours,recovery}.'],
    ['key.freeze', { until: 1 }, 'Its fields are not {}.'],
    ['key.commit', { delay_hours: 24, recovery: [`eip155:0x${'Ab'.repeat(20)}`] }, /<address>, in small letters\.$/],
  ])('are refused as %s of %j with what is wrong', async (action, fields, problem) => {
    const { status, body } = await keyPayload(server, alice, action, fields);

    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_key_event' });
    expect(body.message).toEqual(
      typeof problem === 'string' ? `It is no key event. ${problem}` : expect.stringMatching(problem),
    );
  });

  it('begin with a commit that is in force at once, and end with a succession by both keys', async () => {
    const first = await commit(server, alice, [paper]);
    await linkWallet(server, alice, aWallet('one'));
    await writeKv(server, alice, { name: 'Alice' });
    const frozen = await say(server, alice, { action: 'key.freeze' });
    const refusals = [await linkWallet(server, alice, aWallet('two')), await writeKv(server, alice, { name: 'Eve' })];
    const thawed = await say(server, alice, { action: 'key.thaw' }, { by: paper });
    const written = await writeKv(server, alice, { name: 'Alice B.' });
    const last = await succeed(server, alice, next, { also: paper });
    const after = [await linkWallet(server, alice, aWallet('two')), await writeKv(server, alice, { name: 'Eve' })];

    expect([first, frozen, thawed, written, last].map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'avatar_frozen'],
      [400, 'avatar_frozen'],
    ]);
    expect(after.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'avatar_succeeded'],
      [400, 'avatar_succeeded'],
    ]);
    expect(last.body.key_event).toMatchObject({ signer: 'main', cosigner: keyName(paper), links: 1, patches: 2 });
    expect(await stateOf(server, alice)).toMatchObject({
      ...{ avatar: AVATAR, is_frozen: false, freeze: null, pending: [] },
      committed: { recovery: [keyName(paper)], delay_hours: 72, event: first.body.key_event.uuid },
      succession: { successor: next.key.compressed, at: last.body.key_event.recorded_at },
    });
    expect((await stateOf(server, next)).predecessors).toEqual([AVATAR]);
  });

  it('verify as a chain, which is a part of the feed', async () => {
    const { body } = await server.get(`/v1/keys/chain?avatar=${AVATAR}`);
    const feed = await server.get('/v1/keys/changes?last_id=0');

    expect(verifyKeyChain(body.keys, { avatar: AVATAR })).toMatchObject({ ok: true, complete: true });
    expect(feed.body.keys).toEqual(body.keys);
    expect(body.pagination).toMatchObject({ total: 4, next: 0 });
  });

  it('are in the log as they were recorded, counted by its map, and their receipts hold', async () => {
    await headOfRecords(server, 7);
    const { body } = await server.get(`/v1/keys/chain?avatar=${AVATAR}`);
    const policy = await policyOf(server);
    for (const item of body.keys) {
      const record = { kind: KEY_ENTRIES, item };
      expect(verifyLogProof(await proofOf(server, `uuid=${item.uuid}`), { record, policy })).toMatchObject({
        ok: true,
      });
      const receipt = await (await fetch(`${server.baseUrl}/v1/log/receipt?uuid=${item.uuid}`)).text();
      expect(verifyReceipt(receipt, { record, policy })).toMatchObject({ ok: true });
      const moved = { ...record, item: { ...item, due_at: item.due_at + 1 } };
      expect(verifyReceipt(receipt, { record: moved, policy }).ok).toBe(false);
    }
    const map = await server.get(`/v1/log/map?avatar=${AVATAR}`);
    expect(map.body.value).toMatchObject({ keys: 4, key: expect.any(Number), links: 1, patches: 2 });
  });

  it('pass the audit and the check of the log', async () => {
    const lines: string[] = [];
    const isGood = await verifyChains(
      (sql, values) => source.query(sql, values),
      (line) => lines.push(line),
    );
    const entries = await source.transaction(async (manager) => {
      const { state } = await server.app.get(LogStore).snapshot(manager);
      return new LogCheck(manager, state!, server.environment, RECORD_KINDS).run();
    });

    expect(lines.join('\n')).toMatch(/^Keys: 4 key events in 1 chains, 1 states\. All verify/m);
    expect(isGood).toBe(true);
    expect(entries).toBeGreaterThan(0);
  });
});

describe('bindings of an Avatar whose key was stolen', () => {
  let server: RunningApp;
  beforeAll(async () => {
    server = await startApp({ env: { LOG: 'off' } });
  });
  afterAll(() => server?.close());

  it('count up to the last link of the owner, and groups name the successor', async () => {
    const [own, stolen] = [aWallet('own'), aWallet('of the thief')];
    const existing = (address: string) =>
      server.get(`/v1/proof/exists?platform=ethereum&identity=${address}&public_key=${AVATAR}`);
    const groups = async (address: string) =>
      (await server.get(`/v1/proof?platform=ethereum&identity=${address}&exact=true`)).body.ids;
    await commit(server, alice, [paper]);
    await linkWallet(server, alice, own);
    const { body } = await server.get(`/v1/proofchain?public_key=${AVATAR}`);
    await linkWallet(server, alice, stolen);
    const fields = { successor: next.key.compressed, since_link: body.proof_chain[0].uuid };
    const before = await groups(own.address);
    await say(server, alice, { action: 'key.freeze' });
    const frozen = await groups(own.address);
    await say(server, alice, { action: 'key.succeed', fields }, { also: paper, successor: next });
    const after = await groups(stolen.address);

    expect(before[0]).not.toHaveProperty('frozen');
    expect(before[0]).not.toHaveProperty('successor');
    expect(frozen[0]).toMatchObject({ frozen: true });
    expect(after[0]).toMatchObject({ successor: next.key.compressed });
    expect(after[0]).not.toHaveProperty('frozen');
    expect(after[0].proofs.map((proof: { is_valid: boolean; invalid_reason: string }) => proof)).toEqual([
      expect.objectContaining({ is_valid: false, invalid_reason: 'made after the key was reported stolen' }),
      expect.objectContaining({ is_valid: true, invalid_reason: '' }),
    ]);
    expect((await existing(stolen.address)).body).toMatchObject({ is_valid: false });
    expect((await existing(own.address)).body).toMatchObject({ is_valid: true });
  });
});
