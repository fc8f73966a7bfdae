import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { RecheckService } from '../../../src/rechecks/recheck.service.js';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { patchWriter } from '../kill/writers.js';
import { seedDueProofs } from '../../rechecks/due-proofs.js';
import { type RunningApp, startApp } from '../../support/app.js';
import { aWallet, anAvatar } from '../../support/avatar.js';
import { stepClock } from '../../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { expectRefusal } from '../../support/refusals.js';
import { linkWallet, signedSubmit, walletPayload } from '../../support/scenario.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const alice = anAvatar('alice');
const wallet = aWallet('alice');

let database: TestDatabase;
let running: RunningApp;

beforeEach(async () => {
  stepClock(0);
  database = await createTestDatabase();
  running = await startApp({ databaseUrl: database.url, env: { REVALIDATION: 'off' } });
});
afterEach(async () => {
  await running.close();
  jest.useRealTimers();
  await database.drop();
});

describe('servers whose clocks differ', () => {
  it('accept each other\u2019s payloads up to five minutes ahead', async () => {
    stepClock(4 * MINUTE);
    const { body: payload } = await walletPayload(running, alice, wallet);
    stepClock(0);

    const { status } = await running.post('/v1/proof', signedSubmit(payload, alice, wallet));

    expect(status).toBe(201);
  });

  it('say which clock is wrong beyond that', async () => {
    stepClock(10 * MINUTE);
    const { body: payload } = await walletPayload(running, alice, wallet);
    stepClock(0);

    const answer = await running.post('/v1/proof', signedSubmit(payload, alice, wallet));

    expectRefusal(answer, { code: 'payload_expired', message: /lies \d+ seconds ahead of this server's clock/ });
  });

  it.each([4 * MINUTE, HOUR, DAY])('still tell a chain that moved on from a changed field: %i ms', async (ms) => {
    stepClock(ms);
    const { body: early } = await walletPayload(running, alice, wallet);
    stepClock(-ms);
    expect((await linkWallet(running, alice, aWallet('another'))).status).toBe(201);
    stepClock(0);

    const answer = await running.post('/v1/proof', signedSubmit(early, alice, wallet));

    expectRefusal(answer, { code: 'stale_chain', message: 'moved on' });
  });

  it('tell it from a changed field where the head has a time that lies ahead, too', async () => {
    stepClock(HOUR);
    expect((await linkWallet(running, alice, aWallet('ahead'))).status).toBe(201);
    stepClock(0);
    const { body: early } = await walletPayload(running, alice, wallet);
    expect((await linkWallet(running, alice, aWallet('another'))).status).toBe(201);

    const answer = await running.post('/v1/proof', signedSubmit(early, alice, wallet));

    expectRefusal(answer, { code: 'stale_chain', message: 'moved on' });
  });
});

describe('a clock that is wrong by a day', () => {
  it.each([
    ['ahead', DAY],
    ['behind', -DAY],
  ])('and %s neither hurries nor delays rechecks, whose times are those of the database', async (_where, ms) => {
    const dataSource = running.app.get(DataSource);
    await seedDueProofs(dataSource, { avatar: alice, platform: 'twitter', count: 2 });
    await dataSource.query(`update proof set next_check_at = now() + interval '1 hour' where identity = 'user1'`);
    stepClock(ms);

    const { total } = await running.app.get(RecheckService).progress();
    await running.app.get(RecheckService).sweep({ avatar: alice.key.compressed });

    expect(total.due).toBe(1);
    const late = `select count(*)::int as late from proof where next_check_at > now() or next_check_at < now() - interval '2 hours'`;
    expect(await dataSource.query(late)).toEqual([{ late: 0 }]);
  });
});

describe.each([
  ['back by an hour', -HOUR],
  ['back by a year', -365 * DAY],
  ['ahead by a day', DAY],
  ['ahead by ten years', 3650 * DAY],
])('a clock that steps %s', (_step, ms) => {
  it('changes nothing for chains, content and reads, there and back again', async () => {
    const writer = patchWriter('bob', new SeededRandom('clock steps'));
    const rounds = [0, ms, 0];

    for (const [round, step] of rounds.entries()) {
      stepClock(step);
      const bound = await linkWallet(running, alice, aWallet(`wallet ${round}`));
      const isWritten = await writer.write(running);
      const exists = await running.get(
        `/v1/proof/exists?platform=ethereum&identity=${aWallet(`wallet ${round}`).address}&public_key=${alice.key.compressed}`,
      );

      expect([bound.status, isWritten, exists.status, exists.body.is_valid]).toEqual([201, true, 200, true]);
      expect((await running.get('/readyz')).status).toBe(200);
    }

    const { body } = await running.get('/v1/proofchain/changes?last_id=0');
    expect(body.links.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3]);
    expect(writer.acknowledged()).toBe(3);
    expect(await writer.check(running)).toEqual([]);
  });
});
