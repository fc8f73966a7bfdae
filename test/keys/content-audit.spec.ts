import { runErase, runVerify, tablesWith } from '../erasure/erase-command.js';
import { writeKv } from '../kv/kv-scenario.js';
import { startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { headOfRecords } from '../transparency-log/log-client.js';
import { tamper, WRITTEN_HERE } from '../transparency-log/tampering.js';
import { commit, say } from './key-scenario.js';

const [alice, paper, next] = [anAvatar('alice'), anAvatar('words on paper'), anAvatar('the next key')];
const [onGithub, onX] = ['github', 'twitter'].map((platform) => ({ platform, identity: 'alice' }));
const AT_LAST = /BAD .*The content of Avatar 0x\w+ under ".*" on \w+ at the last patch that succession [\w-]+ names/;

/** What `npm run verify` says of the content that is kept of the owner of an Avatar that was succeeded. */
describe('npm run verify and the content of an owner', () => {
  let original: TestDatabase;
  let database: TestDatabase;
  beforeAll(async () => {
    original = await createTestDatabase();
    const server = await startApp({ databaseUrl: original.url });
    await commit(server, alice, [paper]);
    await writeKv(server, alice, { name: 'Alice' });
    await writeKv(server, alice, { site: 'alice.dev' }, onGithub);
    const { body } = await server.get(`/v1/kv/chain?avatar=${alice.key.compressed}`);
    await writeKv(server, alice, { name: 'Eve' });
    await writeKv(server, alice, { pay: 'eve' }, onX);
    const fields = { successor: next.key.compressed, since_patch: body.kv_chain[1].uuid as string };
    await say(server, alice, { action: 'key.succeed', fields }, { also: paper, successor: next });
    await headOfRecords(server, 6);
    await server.close();
  });
  afterAll(() => original?.drop());
  /** A copy that its log takes for the original. */
  beforeEach(async () => {
    database = await createEmptyDatabase(`template ${new URL(original.url).pathname.slice(1)} strategy file_copy`);
    await tamper(database.url, ...WRITTEN_HERE);
  });
  afterEach(() => database?.drop());

  const erase = (patch: number) => {
    const words = ['--patch', String(patch), '--reason', 'an order', '--with-content', '--yes'];
    return runErase(database.url, words);
  };

  it('finds it good as it was computed', async () => {
    expect(await runVerify(database.url)).toMatchObject({ code: 0 });
  });

  it.each([
    ['is changed', `update kv_entry_then set content = '{"name":"Mallory"}' where platform = 'self'`],
    [
      'is put in where there was none',
      `update kv_entry_then set content = '{"pay":"mallory"}' where platform = 'twitter'`,
    ],
    ['is taken out', `delete from kv_entry_then where platform = 'self'`],
    [
      'is kept of an entry that nobody has changed',
      `update kv_entry_then set platform = 'github', identity = 'alice' where platform = 'self'`,
    ],
    ['is that of another patch', `update kv_entry_then set since_position = 1`],
  ])('finds where it %s', async (_, statement) => {
    await tamper(database.url, statement);

    expect(await runVerify(database.url)).toMatchObject({ code: 1, said: expect.stringMatching(AT_LAST) });
  });

  it('finds where it is kept without a succession', async () => {
    await tamper(database.url, `update kv_entry_then set event = gen_random_uuid() where platform = 'self'`);

    const said = expect.stringMatching(/BAD .*no succession asks for it/);
    expect(await runVerify(database.url)).toMatchObject({ code: 1, said });
  });

  it.each([
    ['of the owner', 1],
    ['of the thief, in content of the owner', 3],
    ['of the thief alone', 4],
  ])('finds it good behind the erasure of a patch %s', async (_, patch) => {
    expect(await erase(patch)).toMatchObject({ code: 0 });

    expect(await runVerify(database.url)).toMatchObject({ code: 0 });
  });

  it('leaves no name of an entry whose only patch was erased', async () => {
    const before = await tablesWith(database.url, 'twitter');
    await erase(4);

    expect(before).toContain('kv_entry_then');
    expect(await tablesWith(database.url, 'twitter')).not.toContain('kv_entry_then');
  });
});
