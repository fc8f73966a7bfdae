import { DataSource } from 'typeorm';
import { commit, DAY, HOUR, letPass, say, stateOf, succeed } from '../../keys/key-scenario.js';
import { writeKv } from '../../kv/kv-scenario.js';
import type { Answer } from '../../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { stepDatabaseClock } from '../../support/database-clock.js';
import { databaseSettings } from '../../support/engines.js';
import { withClockAhead } from '../../support/jumping-clock.js';
import { linkWallet } from '../../support/scenario.js';
import { type ServiceProcess, startService } from '../../support/service-process.js';
import { until } from '../../support/until.js';

const MINUTE = 60;
/** By how many seconds the clock of each server is ahead. */
const CLOCKS = [0, 3 * MINUTE, HOUR, -HOUR];
const paper = anAvatar('words on paper');
const codeOf = ({ status, body }: Answer): unknown => (status === 201 ? 201 : body.code);

describe('servers of one database whose clocks are stepped, and an hour apart', () => {
  let database: TestDatabase;
  let source: DataSource;
  let servers: ServiceProcess[];
  let count = 0;
  beforeAll(async () => {
    database = await createTestDatabase();
    source = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    const settings = { ...databaseSettings(database.url), LOG: 'off' };
    servers = await Promise.all(
      CLOCKS.map((seconds) => startService({ ...settings, ...withClockAhead(1_000 * seconds) })),
    );
  });
  afterAll(async () => {
    await Promise.all((servers ?? []).map((server) => server.kill9()));
    await source?.destroy();
    await database?.drop();
  });

  const owner = async (): Promise<TestAvatar> => {
    const avatar = anAvatar(`of wrong clocks ${(count += 1)}`);
    await commit(servers[0]!, avatar, [paper]);
    await linkWallet(servers[0]!, avatar, aWallet(`of wrong clocks ${count}`));
    return avatar;
  };
  /** What all servers say, without the time itself. */
  const said = async (avatar: TestAvatar) => {
    const states = await Promise.all(servers.map((server) => stateOf(server, avatar)));
    return states.map(({ is_frozen, committed, freeze, pending, succession }) =>
      JSON.stringify({ is_frozen, committed, freeze, pending, succession }),
    );
  };
  /** Steps the clock of the database, by sessions that have begun with it. */
  const step = (seconds: number) => stepDatabaseClock(database.url, seconds);
  const expectOneState = async (avatar: TestAvatar) => expect(new Set(await said(avatar)).size).toBe(1);

  it('take key events where they agree with the database to within four minutes, and are one state everywhere', async () => {
    const alice = await owner();
    const freezes: unknown[] = [];
    for (const server of servers) {
      const answer = await say(server, alice, { action: 'key.freeze' });
      freezes.push([answer.status, codeOf(answer)]);
      if (answer.status === 201) await say(servers[0]!, alice, { action: 'key.thaw' }, { by: paper });
      await expectOneState(alice);
      // A main key that froze may not freeze again for 30 days behind the end of that.
      await letPass(source, alice, 38 * DAY);
    }

    expect(freezes).toEqual([
      [201, 201],
      [201, 201],
      [503, 'clock_untrue'],
      [503, 'clock_untrue'],
    ]);
  });

  it('stop writes by the clock of the database, whatever their own say', async () => {
    const alice = await owner();
    await say(servers[0]!, alice, { action: 'key.freeze' });
    const frozen = await Promise.all(servers.map((server) => writeKv(server, alice, { n: 1 })));
    await letPass(source, alice, 7 * DAY);
    const thawed = [];
    for (const server of servers.slice(0, 2)) thawed.push(codeOf(await writeKv(server, alice, { n: 1 })));

    expect(frozen.map(codeOf)).toEqual(servers.map(() => 'avatar_frozen'));
    expect(thawed).toEqual([201, 201]);
    await expectOneState(alice);
  });

  it('take back nothing when the clock of the database is stepped back behind what was settled, and announce it once', async () => {
    await step(0);
    const again = await Promise.all(
      CLOCKS.map((seconds) =>
        startService({ ...databaseSettings(database.url), LOG: 'off', ...withClockAhead(1_000 * seconds) }),
      ),
    );
    await Promise.all(servers.map((server) => server.kill9()));
    servers = again;
    const [alice, bob] = [await owner(), await owner()];
    const next = anAvatar('the next key');
    await succeed(servers[0]!, alice, next, { by: paper });
    await succeed(servers[0]!, bob, next, { by: paper });
    await letPass(source, alice, 72 * HOUR - 30 * MINUTE);
    expect(JSON.parse((await said(alice))[0]!)).toMatchObject({ is_frozen: true, succession: null });

    await step(HOUR);
    const names = () =>
      source.query<{ name: string }[]>(
        `select name from domain_event where payload->>'avatar' = $1 and name = 'key.succeeded'`,
        [alice.key.compressed],
      );
    await until(async () => (await names()).length === 1);
    const ahead = await said(alice);
    const untrue = await say(servers[0]!, bob, { action: 'key.freeze' }, { by: paper });
    const byClock = await say(servers[2]!, bob, { action: 'key.commit', fields: { recovery: [] } });
    await step(0);
    const back = await said(alice);
    const written = await Promise.all(servers.slice(0, 2).map((server) => writeKv(server, alice, { n: 1 })));

    // Of servers an hour ahead the database is right, and of all others it is an hour off.
    expect(codeOf(untrue)).toBe('clock_untrue');
    expect(codeOf(byClock)).not.toBe('clock_untrue');
    expect(new Set([...ahead, ...back]).size).toBe(1);
    expect(JSON.parse(back[0]!)).toMatchObject({ succession: { successor: next.key.compressed } });
    expect(written.map(codeOf)).toEqual(['avatar_succeeded', 'avatar_succeeded']);
    expect(await names()).toHaveLength(1);
  });
});
