import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, fromPrivateKey } from '@signet/sdk';
import { type AlarmCode, LogMonitor, type MonitorState } from '@signet/sdk/log';
import { identityKeyText } from '@signet/verify/internal/chains';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { completeClient, errorOf } from '../support/sdk-answers.js';
import { headOfRecords } from '../transparency-log/log-client.js';
import { runLogCommand, tamper } from '../transparency-log/tampering.js';
import { runErase } from './erase-command.js';

const alice = anAvatar('alice');
const ofAlice = alice.key.compressed;
const [first, second, third, fourth] = ['first', 'second', 'third', 'fourth'].map(aWallet);
const keyOf = ({ address: identity }: { address: string }) => identityKeyText({ platform: 'ethereum', identity });

/**
 * Link 4 revokes the second of three wallets, and link 5 binds a fourth one. The operator erases the revoke, and says
 * of it what is not so.
 */
describe('a revoke that an operator erases as something else', () => {
  let dataDir: string;
  let database: TestDatabase;
  let server: RunningApp;
  let before: MonitorState;

  const erase = async (id: number) => {
    const words = ['--link', String(id), '--reason', 'order', '--with-binding', '--yes'];
    expect(await runErase(database.url, words, { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  };
  const start = async () => {
    server = await startApp({ databaseUrl: database.url, env: { DATA_DIR: dataDir } });
  };
  const follow = async (state?: MonitorState) => {
    const monitor = new LogMonitor({ baseUrl: server.baseUrl, once: true, patienceMs: 0, retries: 0, state });
    const codes: AlarmCode[] = [];
    for await (const event of monitor.follow()) if (event.type === 'alarm') codes.push(event.code);
    return { codes, state: monitor.state };
  };
  /** Brings the binding of a wallet back, as the row of its link was. */
  const bindAgain = ({ address }: { address: string }, linkId: number) => `
    insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
    select avatar, platform, '${address}', '${address}', ${linkId}, created_at, now(), true from chain_link where id = ${linkId}`;

  beforeEach(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    await start();
    for (const wallet of [first, second, third]) await linkWallet(server, alice, wallet!);
    await linkWallet(server, alice, second!, { action: 'delete' });
    await linkWallet(server, alice, fourth!);
    await headOfRecords(server, 5);
    before = (await follow()).state;
    await server.close();
    await erase(4);
  });
  afterEach(async () => {
    await server?.close();
    await database?.drop();
  });

  it('that is lawful leaves what it revoked unbound, for everybody', async () => {
    await start();
    await headOfRecords(server, 6);

    const { proofs } = (await completeClient(server.baseUrl).proofs.of(ofAlice))!;
    expect(proofs.map(({ identity }) => identity).sort()).toEqual(
      [first, third, fourth].map((one) => one!.address).sort(),
    );
    for (const state of [undefined, before]) expect((await follow(state)).codes).toEqual([]);
  });

  it.each([
    ['the key of no name', { identity_key: 'ab'.repeat(32) }, '', [bindAgain(second!, 2)]],
    [
      'the key of another wallet, which was not revoked',
      { identity_key: keyOf(first!) },
      '',
      [bindAgain(second!, 2), 'delete from proof where link_id = 1'],
    ],
    ['a create', {}, "action = 'create', ", []],
  ])('is refused by SDK, audit, monitor, export and log -- check: %s', async (_, members, action, more) => {
    const erased = JSON.stringify(members);
    await tamper(database.url, `update chain_link set ${action} erased = erased || '${erased}' where id = 4`, ...more);
    await start();
    await headOfRecords(server, 6);

    const notSaid = 'The entry is that of something else, or of a record that did something else.';
    const byLog = createClient({ baseUrl: server.baseUrl, demand: { log: true }, retries: 0, log: { logWaitMs: 0 } });
    for (const client of [byLog, completeClient(server.baseUrl)]) {
      expect((await errorOf(client.chain(ofAlice).toArray())).message).toContain(notSaid);
      expect((await errorOf(client.proofs.of(ofAlice))).message).toContain(notSaid);
    }
    const plain = createClient({ baseUrl: server.baseUrl, retries: 0 });
    expect((await errorOf(plain.export(ofAlice, { logWaitMs: 0 }))).message).toContain(notSaid);
    // Both read the log alone for the map, so neither accuses that.
    expect((await follow()).codes).toEqual(['content_changed', 'content_changed']);
    expect((await follow(before)).codes).toEqual(['content_changed']);
    expect((await runLogCommand(database.url, dataDir, ['check'])).code).toBe(1);
  });

  it('is refused where another erased link is shown in its place, with its signature', async () => {
    await erase(1);
    // The revoke stands in front of what it revoked, where the first link was, and that where the revoke was.
    await tamper(
      database.url,
      'create table kept as select id, position_in_chain as position, signature from chain_link where id in (1, 4)',
      'update chain_link set position_in_chain = 100 where id = 4',
      ...[1, 4].map(
        (id) => `update chain_link set position_in_chain = kept.position, signature = kept.signature
          from kept where chain_link.id = ${id} and kept.id = ${5 - id}`,
      ),
      bindAgain(second!, 2),
    );
    await start();
    await headOfRecords(server, 7);

    const words = 'stands in the log before one that it follows in the chain.';
    const byLog = createClient({ baseUrl: server.baseUrl, demand: { log: true }, retries: 0, log: { logWaitMs: 0 } });
    for (const client of [byLog, completeClient(server.baseUrl)]) {
      expect((await errorOf(client.proofs.of(ofAlice))).message).toContain(words);
      expect((await errorOf(client.chain(ofAlice).toArray())).message).toContain(words);
    }
    const plain = createClient({ baseUrl: server.baseUrl, retries: 0 });
    expect((await errorOf(plain.export(ofAlice, { logWaitMs: 0 }))).message).toContain('stands in the log before one');
    expect((await follow()).codes).toContain('signature');
  });
});

/** Three patches, of which the operator erases the first two, and shows each at the place of the other. */
describe('patches that an operator erases, and shows in another order', () => {
  it('are refused by a client that demands the log', async () => {
    const database = await createTestDatabase();
    const env = { DATA_DIR: await mkdtemp(path.join(tmpdir(), 'signet-test-')) };
    const start = () => startApp({ databaseUrl: database.url, env });
    let server = await start();
    try {
      const { kv } = createClient({ baseUrl: server.baseUrl });
      const about = { platform: 'ethereum', identity: first!.address, signer: fromPrivateKey(alice.privateKey) };
      await linkWallet(server, alice, first!);
      for (const name of ['one', 'two', 'three']) await kv.patch({ ...about, patch: { name } });
      await headOfRecords(server, 4);
      await server.close();
      for (const id of ['1', '2']) {
        const words = ['--patch', id, '--reason', 'order', '--with-content', '--yes'];
        expect(await runErase(database.url, words, env)).toMatchObject({ code: 0 });
      }
      await tamper(
        database.url,
        'create table kept as select id, position_in_chain as position, signature from kv_patch where id in (1, 2)',
        'update kv_patch set position_in_chain = 100 where id = 2',
        ...[1, 2].map(
          (id) => `update kv_patch set position_in_chain = kept.position, signature = kept.signature
            from kept where kv_patch.id = ${id} and kept.id = ${3 - id}`,
        ),
      );
      server = await start();
      await headOfRecords(server, 6);

      const options = { baseUrl: server.baseUrl, demand: { log: true }, retries: 0, log: { logWaitMs: 0 } } as const;
      for (const client of [createClient(options), completeClient(server.baseUrl)]) {
        for (const answer of [client.kv.chain(ofAlice).toArray(), client.kv.get(ofAlice)]) {
          expect((await errorOf(answer)).message).toContain(
            'stands in the log before one that it follows in the chain.',
          );
        }
      }
    } finally {
      await server.close();
      await database.drop();
    }
  });
});
