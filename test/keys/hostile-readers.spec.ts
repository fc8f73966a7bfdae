import { randomUUID } from 'node:crypto';
import { createClient } from '@signet/sdk';
import { LogMonitor, MemoryHeadStore, type MonitorState } from '@signet/sdk/log';
import { keyEventPayload } from '@signet/verify/key-events';
import { runVerify } from '../erasure/erase-command.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { headOfRecords } from '../transparency-log/log-client.js';
import { tamper } from '../transparency-log/tampering.js';
import { commit, DAY, say } from './key-scenario.js';

const [alice, paper, next] = [anAvatar('alice'), anAvatar('words on paper'), anAvatar('the next key')];
const [own, stolen] = [aWallet('own'), aWallet('of a thief')];
const AVATAR = alice.key.compressed;
const HIDDEN = [
  `delete from key_event where action = 'key.succeed'`,
  `update avatar_hold set succeeded_from = null, successor = null, succession = null, since_link = null, since_patch = null`,
];

/** What readers say of a server whose operator has changed what keys have said, or what follows from it. */
describe('readers of a server that changes what keys have said', () => {
  let database: TestDatabase;
  let server: RunningApp;
  let before: MonitorState;
  let heads: MemoryHeadStore;
  beforeEach(async () => {
    database = await createTestDatabase();
    server = await startApp({ databaseUrl: database.url });
    heads = new MemoryHeadStore();
    await commit(server, alice, [paper]);
    await linkWallet(server, alice, own);
    const { body } = await server.get(`/v1/proofchain?public_key=${AVATAR}`);
    await linkWallet(server, alice, stolen);
    await headOfRecords(server, 3);
    const fields = { successor: next.key.compressed, since_link: body.proof_chain[0].uuid as string };
    await say(server, alice, { action: 'key.succeed', fields }, { also: paper, successor: next });
    await headOfRecords(server, 4);
    before = (await monitor()).state;
  });
  afterEach(async () => {
    await server.close();
    await database.drop();
  });

  const monitor = async (state?: MonitorState) => {
    const one = new LogMonitor({ baseUrl: server.baseUrl, once: true, state, patienceMs: 0 });
    const alarms: string[] = [];
    for await (const event of one.follow()) {
      if (event.type === 'alarm') alarms.push(`${event.code}: ${event.message}`);
    }
    return { alarms, state: one.state };
  };
  const client = (fetch?: typeof globalThis.fetch) =>
    createClient({
      baseUrl: server.baseUrl,
      demand: { complete: true },
      log: { heads },
      retries: 0,
      ...(fetch && { fetch }),
    });
  const saidBy = (work: Promise<unknown>): Promise<string | null> =>
    work.then(
      () => null,
      ({ code, message }: Error & { code: string }) => `${code}: ${message}`,
    );
  const said = async (asked = client()) => ({
    keys: await saidBy(asked.keys.state(AVATAR)),
    of: await saidBy(asked.proofs.of(AVATAR)),
    exists: await saidBy(asked.proofs.exists({ platform: 'ethereum', identity: stolen.address, avatar: AVATAR })),
    audit: (await monitor()).alarms,
    monitor: (await monitor(before)).alarms,
  });
  /** What was done is done to the rows, while no server runs. */
  const change = async (...statements: string[]) => {
    await server.close();
    await tamper(database.url, ...statements);
    server = await startApp({ databaseUrl: database.url });
  };
  const silent = { keys: null, of: null, exists: null, audit: [], monitor: [] };

  it('say nothing where nothing was changed', async () => {
    expect(await said()).toEqual(silent);
  });

  it('say that the newest key event is hidden', async () => {
    await change(...HIDDEN);
    // An honest server over the changed rows goes on no more.
    await until(async () => (await server.get('/v1/log')).body.state === 'refused');
    const refused = 'standstill: The log signs nothing any more: Records or erasures that are in the log are no longer';

    const missing = expect.stringMatching(/1 of 2 key events of 0x\w+ is missing, the newest among them/);
    expect(await said()).toEqual({
      ...{ keys: missing, of: missing, exists: missing },
      audit: [
        expect.stringContaining(refused),
        expect.stringMatching(/^content_missing: The server does not show the key event 2/),
      ],
      monitor: [expect.stringContaining(refused)],
    });
  });

  it('say that an old one is shown, also with the map of its time', async () => {
    const old = new Map<string, string>();
    const paths = /\/v1\/keys\/chain|\/v1\/log\/map/;
    const note: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      const url = String(input instanceof Request ? input.url : input);
      if (paths.test(url)) old.set(url, await answer.clone().text());
      return answer;
    };
    await client(note).keys.state(AVATAR);
    await linkWallet(server, anAvatar('somebody else'), aWallet('else'));
    await headOfRecords(server, 5);
    await client().chain(AVATAR).toArray();
    const events = JSON.parse([...old].find(([url]) => url.includes('/v1/keys/chain'))![1]) as {
      keys: object[];
      pagination: object;
    };
    const first = { keys: events.keys.slice(0, 1), pagination: { ...events.pagination, total: 1, next: 0 } };
    const answer =
      (isMapOld: boolean): typeof fetch =>
      async (input, init) => {
        const url = String(input instanceof Request ? input.url : input);
        const map = isMapOld ? old.get(url) : undefined;
        const text = url.includes('/v1/keys/chain')
          ? JSON.stringify(first)
          : url.includes('/v1/log/map')
            ? map
            : undefined;
        return text === undefined
          ? fetch(input, init)
          : new Response(text, { headers: { 'content-type': 'application/json' } });
      };

    expect(await saidBy(client(answer(false)).keys.state(AVATAR))).toMatch(/1 of 2 key events of 0x\w+ is missing/);
    expect(await saidBy(client(answer(true)).keys.state(AVATAR))).toMatch(
      /It is that of \d+ entries, and the log had \d+ before/,
    );
  });

  it('say that the time at which it is due was moved', async () => {
    await change("update key_event set due_at = due_at + interval '1 hour' where action = 'key.succeed'");

    const moved = expect.stringMatching(/Its due_at is \d+, and by the rules it is \d+/);
    expect(await said()).toEqual({
      ...{ keys: moved, of: moved },
      // The binding is not shown as valid, so no key event is asked for.
      exists: null,
      audit: [
        expect.stringMatching(/^content_changed: What the server shows as the key event 2/),
        expect.stringMatching(/^signature: The key event 2 .* Its due_at is/),
      ],
      monitor: [],
    });
  });

  it('say that a key event was made up, which no key of the Avatar has signed', async () => {
    const [carol, mallory] = [anAvatar('carol'), anAvatar('mallory')];
    const [avatar, uuid] = [carol.key.compressed, randomUUID()];
    await linkWallet(server, carol, aWallet('of carol'));
    await headOfRecords(server, 5);
    const now = Math.floor(Date.now() / 1000);
    const statement = { action: 'key.freeze' as const, fields: {}, avatar, uuid, created_at: now, prev: null };
    const text = keyEventPayload(statement);
    await change(`
      insert into key_event (id, avatar, position_in_chain, action, fields, signer, links, patches, created_at,
        recorded_at, due_at, uuid, signature, signature_payload)
      select max(id) + 1, '${avatar}', 1, 'key.freeze', '{}', 'main', 1, 0, to_timestamp(${now}), to_timestamp(${now}),
        to_timestamp(${now + 7 * DAY}), '${uuid}', '${mallory.sign(text)}', '${text}' from key_event`);
    await headOfRecords(server, 6);

    const forged = /Its signature was not made by the Avatar over its signed text/;
    const { alarms } = await monitor(before);
    expect(await saidBy(client().keys.state(avatar))).toMatch(forged);
    expect(await saidBy(client().proofs.of(avatar))).toMatch(forged);
    expect(alarms).toEqual([expect.stringMatching(forged)]);
    expect(await runVerify(database.url)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/Keys: BAD .*signature/),
    });
  });

  it('say that a link is shown as valid which a succession has voided', async () => {
    await change('update avatar_hold set since_link = 1000');

    const behind = expect.stringMatching(
      /is shown as valid, and was made behind the last link that its owner names as their own/,
    );
    expect(await said()).toEqual({ ...silent, of: behind, exists: behind });
  });
});
