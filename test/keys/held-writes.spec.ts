import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@signet/sdk';
import { LogMonitor, type MonitorState } from '@signet/sdk/log';
import { runHere } from '../../packages/cli/test/terminal.js';
import { runVerify } from '../erasure/erase-command.js';
import { writeKv } from '../kv/kv-scenario.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { checkFile } from '../../web/src/verify/check-file.js';
import { headOfRecords } from '../transparency-log/log-client.js';
import { runLogCommand, tamper } from '../transparency-log/tampering.js';
import { commit, say, succeed } from './key-scenario.js';

const [alice, paper, next] = [anAvatar('alice'), anAvatar('words on paper'), anAvatar('the next key')];
const [own, late] = [aWallet('own'), aWallet('late')];
const AVATAR = alice.key.compressed;
/** How an operator lets an Avatar write whose keys have stopped that, and says afterwards that nothing has happened. */
const OPEN = ['create table kept_hold as table avatar_hold', 'delete from avatar_hold'];
const CLOSE = ['insert into avatar_hold select * from kept_hold', 'drop table kept_hold'];

/** What readers say of links and patches that a hostile operator records while the keys of their Avatar forbid it. */
describe('writes of an Avatar whose keys have stopped them', () => {
  let database: TestDatabase;
  let server: RunningApp;
  /** What a monitor knew that has looked before. */
  let before: MonitorState;
  beforeEach(async () => {
    database = await createTestDatabase();
    server = await startApp({ databaseUrl: database.url });
    await commit(server, alice, [paper]);
    await linkWallet(server, alice, own);
    await writeKv(server, alice, { name: 'Alice' });
  });
  afterEach(async () => {
    await server.close();
    await database.drop();
  });

  const monitor = async (state?: MonitorState) => {
    const one = new LogMonitor({ baseUrl: server.baseUrl, once: true, state });
    const alarms: string[] = [];
    for await (const event of one.follow()) {
      if (event.type === 'alarm') alarms.push(`${event.code}: ${event.message}`);
    }
    return { alarms, state: one.state };
  };
  const client = () => createClient({ baseUrl: server.baseUrl, demand: { complete: true } });
  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      ({ code, message }: Error & { code: string }) => `${code}: ${message}`,
    );
  /** What all who read say: a client of an answer, a monitor that looks anew and one that goes on, and the commands. */
  const said = async () => {
    const name = { platform: 'ethereum', identity: own.address, avatar: AVATAR };
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'signet-held-')), 'alice.json');
    const text = JSON.stringify(await createClient({ baseUrl: server.baseUrl }).export(AVATAR));
    await writeFile(file, text);
    const onPage = checkFile(text, { avatar: '', log: '' }).checked?.steps.find(({ name }) => name === 'held');
    return {
      exists: await refusalOf(client().proofs.exists(name)),
      of: await refusalOf(client().proofs.of(AVATAR)),
      content: await refusalOf(client().kv.get(AVATAR)),
      audit: (await monitor()).alarms,
      monitor: (await monitor(before)).alarms,
      file: /^FAILED +(Link \d.*|Patch \d.*)$/m.exec((await runHere(['verify', file])).text)?.[1] ?? null,
      page: onPage?.state === 'failed' ? onPage.detail : null,
      verify: /BAD after .*\. (Of Avatar .*)$/m.exec((await runVerify(database.url)).said)?.[1] ?? null,
      check: (await runLogCommand(database.url, path.dirname(file), ['check'])).code,
    };
  };
  const silent = {
    exists: null,
    of: null,
    content: null,
    audit: [],
    monitor: [],
    file: null,
    page: null,
    verify: null,
    check: 0,
  };
  /** Everything below is recorded behind this. */
  const hold = async (records: number) => {
    await headOfRecords(server, records);
    before = (await monitor()).state;
    await tamper(database.url, ...OPEN);
  };
  const frozen = (uuid: string, what: string) => ({
    sentence: `${what} was recorded while key event ${uuid} had stopped the writes of the Avatar.`,
    alarm: `held: ${what} of ${AVATAR} was recorded while key event ${uuid} had stopped its writes.`,
  });

  it('are none where an Avatar was frozen and thawed, and wrote before and behind that', async () => {
    await say(server, alice, { action: 'key.freeze' });
    await headOfRecords(server, 4);
    before = (await monitor()).state;
    await say(server, alice, { action: 'key.thaw' });
    await linkWallet(server, alice, late);
    await writeKv(server, alice, { name: 'Alice L.' });
    await headOfRecords(server, 7);

    expect(await said()).toEqual(silent);
  });

  it('are noticed while it is frozen: a link', async () => {
    const { body } = await say(server, alice, { action: 'key.freeze' }, { by: paper });
    await hold(4);
    expect((await linkWallet(server, alice, late)).status).toBe(201);
    await tamper(database.url, ...CLOSE);
    await headOfRecords(server, 5);

    const { sentence, alarm } = frozen(body.key_event.uuid, 'Link 2');
    expect(await said()).toEqual({
      ...silent,
      ...{ exists: expect.stringContaining(`Of ${AVATAR}: ${sentence}`) },
      ...{ of: expect.stringContaining(`Of ${AVATAR}: ${sentence}`) },
      ...{
        audit: [alarm],
        monitor: [alarm],
        file: sentence,
        page: sentence,
        verify: `Of Avatar ${AVATAR}: ${sentence}`,
      },
    });
  });

  it('are noticed while it is frozen: a patch, also when the freeze was ended behind it', async () => {
    const { body } = await say(server, alice, { action: 'key.freeze' }, { by: paper });
    await hold(4);
    expect((await writeKv(server, alice, { name: 'Eve' })).status).toBe(201);
    await tamper(database.url, ...CLOSE);
    await headOfRecords(server, 5);
    const { sentence, alarm } = frozen(body.key_event.uuid, 'Patch 2');
    const ofContent = expect.stringMatching(new RegExp(`^incomplete: .* Of ${AVATAR}: ${sentence}`)) as unknown;
    const others = {
      audit: [alarm],
      monitor: [alarm],
      file: sentence,
      page: sentence,
      verify: `Of Avatar ${AVATAR}: ${sentence}`,
    };

    expect(await said()).toEqual({ ...silent, ...others, content: ofContent });
    await say(server, alice, { action: 'key.thaw' }, { by: paper });
    await headOfRecords(server, 6);
    expect(await said()).toEqual({ ...silent, ...others });
  });

  it('are noticed behind a succession, whatever time it is', async () => {
    const { body } = await succeed(server, alice, next, { also: paper });
    await hold(4);
    expect((await linkWallet(server, alice, late)).status).toBe(201);
    await tamper(database.url, ...CLOSE);
    await headOfRecords(server, 5);

    const { sentence, alarm } = frozen(body.key_event.uuid, 'Link 2');
    expect(await said()).toMatchObject({
      exists: expect.stringContaining(sentence),
      audit: [alarm],
      file: sentence,
      page: sentence,
    });
  });
});
