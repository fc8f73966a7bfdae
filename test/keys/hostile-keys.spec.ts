import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runVerify } from '../erasure/erase-command.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { headOfRecords } from '../transparency-log/log-client.js';
import { runLogCommand, tamper } from '../transparency-log/tampering.js';
import { commit, succeed } from './key-scenario.js';

const [alice, paper, next] = [anAvatar('alice'), anAvatar('words on paper'), anAvatar('the next key')];
const AVATAR = `'${alice.key.compressed}'`;

/** What an operator does to key events in the database, and what the commands of an operator say of it. */
describe('an operator who changes what keys have said', () => {
  let database: TestDatabase;
  let server: RunningApp;
  beforeEach(async () => {
    database = await createTestDatabase();
    server = await startApp({ databaseUrl: database.url });
    await commit(server, alice, [paper]);
    await linkWallet(server, alice, aWallet('before'));
    await succeed(server, alice, next, { by: paper });
    await headOfRecords(server, 3);
    await server.close();
  });
  afterEach(() => database?.drop());

  const said = async () => {
    const [verify, check] = [
      await runVerify(database.url),
      await runLogCommand(database.url, await mkdtemp(path.join(tmpdir(), 'keys-log-')), ['check']),
    ];
    return { verify, check: { code: check.code, said: check.said } };
  };

  it('is not noticed where nothing was changed', async () => {
    const { verify, check } = await said();

    expect(verify).toMatchObject({ code: 0, said: expect.stringContaining('2 key events') });
    expect(check).toMatchObject({ code: 0 });
  });

  it.each([
    [
      'hides the newest one',
      [`delete from key_deadline`, `delete from key_event where action = 'key.succeed'`],
      /What stops the writes of 0x\w+ is not what its key events say/,
      /key event 2 is not in the database any more/,
    ],
    [
      'hides it with what follows from it',
      [
        'delete from key_deadline',
        `delete from key_event where action = 'key.succeed'`,
        `update avatar_hold set frozen_until = null, succeeded_from = null, successor = null, succession = null,
           since_link = null, since_patch = null, settled_until = (select recorded_at from key_event where avatar = ${AVATAR})`,
      ],
      null,
      /key event 2 is not in the database any more/,
    ],
    [
      'moves a deadline',
      [
        "update key_event set due_at = due_at - interval '2 days' where action = 'key.succeed'",
        "update avatar_hold set succeeded_from = succeeded_from - interval '2 days', frozen_until = frozen_until - interval '2 days'",
        "update key_deadline set due_at = due_at - interval '2 days'",
      ],
      /key event/i,
      /key event 2 is not the one that was logged/,
    ],
    [
      'moves it where it stops writes alone',
      ["update avatar_hold set succeeded_from = succeeded_from - interval '3 days'"],
      /What stops the writes of 0x\w+ is not what its key events say/,
      null,
    ],
    [
      'lets time pass for it',
      ['update avatar_hold set settled_until = succeeded_from'],
      /The keys of 0x\w+ are settled up to \d{4}-\S+Z, which lies ahead/,
      null,
    ],
    [
      'revives what a succession voids',
      ['update avatar_hold set since_link = 0'],
      /What stops the writes of 0x\w+ is not what its key events say/,
      null,
    ],
    [
      'keeps quiet about what comes',
      ['delete from key_deadline'],
      /What key event [\w-]+ does when it is due would not be announced/,
      null,
    ],
  ])('is noticed who %s', async (_what, statements, byVerify, byCheck) => {
    await tamper(database.url, ...statements);
    const { verify, check } = await said();

    if (byVerify) expect(verify).toMatchObject({ code: 1, said: expect.stringMatching(byVerify) });
    else expect(verify.code).toBe(0);
    if (byCheck) expect(check).toMatchObject({ code: 1, said: expect.stringMatching(byCheck) });
    else expect(check.code).toBe(0);
  });
});
