import pg from 'pg';
import { anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { type Gist, type GistWorld, showGists } from '../rechecks/bound-gist.js';
import { feedOf, type ObserverInTest, startGistWorld, startObserver, untilIdle } from './observer-world.js';

const COUNT = 12;
const idOf = (n: number) => String(n).padStart(32, '0');

/** How often each gist was asked for. */
function timesAsked(github: StandIn[]): number[] {
  const paths = github.flatMap(({ requests }) => requests.map(({ path }) => path));
  return Array.from({ length: COUNT }, (_, n) => paths.filter((path) => path === `/gists/${idOf(n)}`).length);
}

describe('the looks of one deployment', () => {
  let world: GistWorld;
  let database: TestDatabase;

  beforeAll(async () => {
    world = await startGistWorld();
    for (let n = 0; n < COUNT; n += 1) await world.bind(anAvatar(`person ${n}`), idOf(n), `person${n}`, n + 1);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  it('are made by one of its servers each', async () => {
    const start = () =>
      startObserver(world.app, new Map(world.gists), { databaseUrl: database.url, env: { LOG: 'off' } });
    const servers: ObserverInTest[] = await Promise.all([start(), start()]);
    try {
      await until(async () => (await feedOf(servers[0]!)).length === COUNT);

      expect(timesAsked(servers.map(({ github }) => github))).toEqual(Array(COUNT).fill(1));
      expect(await servers[0]!.sql('select items from followed_feed')).toEqual([{ items: COUNT }]);
    } finally {
      for (const server of servers) await server.close();
    }
  });

  it('use a quarter of the budget of a platform, and the others wait for later windows', async () => {
    const env = { LOG: 'off', RATE_BUDGETS: 'github=8/3600' };
    const server = await startObserver(world.app, new Map(world.gists), { databaseUrl: database.url, env });
    try {
      await until(async () => (await feedOf(server)).length === 2);
      await untilIdle(server);

      expect(server.github.requests).toHaveLength(2);
      const rows = await server.sql<{ hours: number; count: string }>(
        `select ceil(extract(epoch from next_look_at - now()) / 3600)::int as hours, count(*)::int as count
         from observed_binding where is_seen is null group by 1 order by 1`,
      );
      expect(rows).toEqual([1, 2, 3, 4, 5].map((hours) => ({ hours, count: 2 })));
    } finally {
      await server.close();
    }
  });

  it('go on after a kill in the middle, and no binding is left out or looked at again', async () => {
    const gists = new Map<string, Gist>(world.gists);
    const show = showGists(gists);
    const github = await startStandIn(({ path }) => {
      // The looks at half of them never end before the kill.
      return Number(path.slice(-2)) % 2 === 1 && isBeforeKill ? 'hang' : show({ path } as never);
    });
    let isBeforeKill = true;
    const env = {
      ...{ DATABASE_URL: database.url, LOOK_AT: world.app.baseUrl, LOG: 'off', REVALIDATION: 'off' },
      ...{ GITHUB_API_BASE: github.baseUrl, GITHUB_TOKEN: 'token', OUTBOUND_TIMEOUT_MS: '1500' },
    };
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const said = async () => (await client.query<{ link_hash: string }>('select link_hash from seen_statement')).rows;
    let server: ServiceProcess = await startService(env);
    try {
      await until(async () => github.requests.length > 4 && (await said()).length > 0);
      await server.kill9();
      const before = timesAsked([github]);
      const done = (await said()).length;
      expect(done).toBeLessThan(COUNT);

      isBeforeKill = false;
      server = await startService(env);
      await until(async () => (await said()).length === COUNT);

      const again = timesAsked([github]).map((times, n) => times - before[n]!);
      expect(again.filter((times) => times > 0)).toHaveLength(COUNT - done);
      expect((await client.query('select items, problem from followed_feed')).rows).toEqual([
        { items: String(COUNT), problem: '' },
      ]);
    } finally {
      await server.kill9();
      await client.end();
      await github.close();
    }
  });
});
