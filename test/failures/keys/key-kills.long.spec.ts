import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { commit, DAY, HOUR, letPass, say, stateOf, succeed } from '../../keys/key-scenario.js';
import type { Answer } from '../../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { databaseSettings } from '../../support/engines.js';
import { linkWallet } from '../../support/scenario.js';
import { until } from '../../support/until.js';
import { Fleet, SERVERS } from '../chaos/fleet.js';

const KILLS = Number(process.env.KEY_KILLS ?? 100);
/** Kills around one due time: a server that is killed takes a second or two to be back. */
const KILLS_AROUND = 2;
const ROUNDS = Math.ceil(KILLS / KILLS_AROUND);
const TIMEOUT_MS = (ROUNDS + 10) * 60_000;
/** What is left of a delay when the kills begin, and for how long they go on. */
const [LEFT_SECONDS, SPREAD_MS] = [2, 2_500];

const [paper, next] = [anAvatar('words on paper'), anAvatar('the next key')];

/** What is due in a round: whose, how long it takes, and what is announced of it in all. */
interface Due {
  avatar: TestAvatar;
  seconds: number;
  news: string[];
}

describe('kill -9 of servers around the times at which key events are due', () => {
  let database: TestDatabase;
  let source: DataSource;
  let fleet: Fleet;
  const random = new SeededRandom('kills around due times');
  beforeAll(async () => {
    database = await createTestDatabase();
    source = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    // The log has the times of key events, which this test changes.
    fleet = new Fleet(() => ({ ...databaseSettings(database.url), LOG: 'off' }), random);
    await fleet.start();
  }, TIMEOUT_MS);
  afterAll(async () => {
    await fleet?.stop();
    await source?.destroy();
    await database?.drop();
  });

  const taken = ({ status, body }: Answer): void => {
    if (status !== 201) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  };

  /** A commit and a succession that are pending, and a freeze, all of which are due a moment later. */
  const begin = async (round: number): Promise<Due[]> => {
    const server = fleet.members.find((member) => member !== undefined)!;
    const owner = async (name: string, ...recovery: TestAvatar[]) => {
      const avatar = anAvatar(`${name} ${round}`);
      if (recovery.length > 0) taken(await commit(server, avatar, recovery));
      taken(await linkWallet(server, avatar, aWallet(`${name} ${round}`)));
      return avatar;
    };
    const [late, frozen, moved] = [await owner('late'), await owner('frozen', paper), await owner('moved', paper)];
    taken(await commit(server, late, [paper]));
    taken(await say(server, frozen, { action: 'key.freeze' }, { by: paper }));
    taken(await succeed(server, moved, next, { by: paper }));
    const all = [
      { avatar: late, seconds: 72 * HOUR, news: ['key.pending', 'key.committed'] },
      { avatar: frozen, seconds: 30 * DAY, news: ['key.committed', 'key.frozen', 'key.thawed'] },
      { avatar: moved, seconds: 72 * HOUR, news: ['key.committed', 'key.pending', 'key.succeeded'] },
    ];
    for (const { avatar, seconds } of all) await letPass(source, avatar, seconds - LEFT_SECONDS);
    return all;
  };

  /** What all servers that are there say of an Avatar, without the time. */
  const statesOf = (avatar: TestAvatar): Promise<object[]> =>
    Promise.all(
      fleet.members.flatMap((server) =>
        server
          ? [
              stateOf(server, avatar).then(({ is_frozen, committed, succession }) => ({
                is_frozen,
                committed,
                succession,
              })),
            ]
          : [],
      ),
    );
  const namesOf = async ({ key }: TestAvatar): Promise<string[]> => {
    const rows = await source.query<{ name: string }[]>(
      `select name from domain_event where name like 'key.%' and payload->>'avatar' = $1 and position is not null order by position`,
      [key.compressed],
    );
    return rows.map(({ name }) => name);
  };

  it(
    'leave one state everywhere, and announce each once',
    async () => {
      const all: Due[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const due = await begin(round);
        all.push(...due);
        for (let kill = 0; kill < KILLS_AROUND; kill += 1) {
          await delay(random.below(SPREAD_MS / KILLS_AROUND));
          await fleet.killOne();
        }
        await delay(Math.max(0, 1_000 * LEFT_SECONDS - SPREAD_MS));
        for (const { avatar } of due) {
          // The clock decides, and no job.
          await until(async () =>
            (await statesOf(avatar)).every((state) => !(state as { is_frozen: boolean }).is_frozen),
          );
          const states = await statesOf(avatar);
          expect(states).toHaveLength(SERVERS);
          expect(states).toEqual(states.map(() => states[0]));
        }
      }

      const left = () => source.query<object[]>('select from key_deadline where due_at <= now()');
      await until(async () => (await left()).length === 0, TIMEOUT_MS);
      await until(async () => (await namesOf(all.at(-1)!.avatar)).length === all.at(-1)!.news.length);
      const wrong: string[] = [];
      for (const { avatar, news } of all) {
        const names = await namesOf(avatar);
        if (names.join() !== news.join()) wrong.push(`${avatar.key.compressed}: ${names.join()}, not ${news.join()}`);
      }
      process.stdout.write(
        `kills around due times: ${fleet.kills} servers of ${SERVERS} killed with -9, ${all.length} events that were due, announced otherwise: ${wrong.length}\n`,
      );
      expect(wrong).toEqual([]);
      expect(fleet.outputs.filter((output) => /"level":"(?:error|fatal)"/.test(output))).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
