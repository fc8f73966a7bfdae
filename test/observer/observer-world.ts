import { DataSource } from 'typeorm';
import { observer } from '../../packages/verify/src/log-sign.js';
import { writeVerifierKey } from '../../packages/verify/src/seen.js';
import { type RunningApp, startApp, type StartOptions } from '../support/app.js';
import type { TestAvatar } from '../support/avatar.js';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { type Gist, type GistWorld, showGists, startGistWorld } from '../rechecks/bound-gist.js';

/** A server that looks at another one, with a view of GitHub of its own. */
export interface ObserverInTest {
  app: RunningApp;
  /** GitHub as this server sees it. */
  github: StandIn;
  /** The gists that it sees, by id. */
  gists: Map<string, Gist>;
  sql<Row>(text: string, parameters?: unknown[]): Promise<Row[]>;
  /** Makes all looks due, those for the second "no" as if an hour had passed. */
  makeDue(): Promise<void>;
  /** The statements that it makes of an Avatar, once there are `count` of them. */
  statements(avatar: string, count?: number): Promise<Statement[]>;
  verifierKey(): Promise<string>;
  close(): Promise<void>;
}

/** An item of GET /v1/proofs/seen. */
export interface Statement {
  id?: number;
  link: string;
  uuid: string;
  avatar: string;
  platform: string;
  identity: string;
  account_id: string;
  seen: boolean;
  seen_at: string;
  verifier_key: string;
  sha256: string;
  note: string;
}

/** Starts a server that looks at `lookAt`; it sees `gists`. */
export async function startObserver(
  lookAt: Pick<RunningApp, 'baseUrl'>,
  gists: Map<string, Gist>,
  options: StartOptions = {},
): Promise<ObserverInTest> {
  const github = await startStandIn(showGists(gists));
  const app = await startApp({
    ...options,
    env: {
      ...{ LOOK_AT: `${lookAt.baseUrl}/`, GITHUB_API_BASE: github.baseUrl, GITHUB_TOKEN: 'token', REVALIDATION: 'off' },
      ...options.env,
    },
  });
  const sql = <Row>(text: string, parameters: unknown[] = []) =>
    app.app.get(DataSource).query(text, parameters) as Promise<Row[]>;
  return {
    ...{ app, github, gists, sql },
    makeDue: async () => {
      await sql(
        `update observed_binding set next_look_at = now(), gone_since = gone_since - interval '61 minutes'
         where leased_until is null`,
      );
    },
    statements: async (avatar, count = 1) => {
      let found: Statement[] = [];
      await until(async () => {
        const { body } = await app.get(`/v1/proofs/seen?avatar=${avatar}`);
        found = body.statements;
        return found.length >= count;
      });
      return found;
    },
    verifierKey: async () => (await app.get('/v1/proofs/seen/keys')).body.verifier_key,
    close: async () => {
      await app.close();
      await github.close();
    },
  };
}

/** A page of GET /v1/proofs/seen/changes from its beginning. */
export async function feedOf({ app }: Pick<ObserverInTest, 'app'>, after = 0): Promise<Statement[]> {
  return (await app.get(`/v1/proofs/seen/changes?last_id=${after}&count=100`)).body.statements;
}

/** Waits until nothing is due and nothing is looked at. */
export async function untilIdle({ sql }: Pick<ObserverInTest, 'sql'>): Promise<void> {
  await until(async () => {
    const rows = await sql('select from observed_binding where next_look_at <= now() or leased_until > now()');
    return rows.length === 0;
  });
}

/** Reads all feeds again now. */
export async function followNow({ sql }: Pick<ObserverInTest, 'sql'>): Promise<void> {
  await sql('update followed_feed set next_at = now() where leased_until is null');
  await until(async () => (await sql('select from followed_feed where next_at <= now()')).length === 0);
}

/** Looks again until the observer says `seen` of the only binding that it knows. */
export async function untilSays(one: ObserverInTest, seen: boolean): Promise<void> {
  await until(async () => {
    await untilIdle(one);
    if ((await feedOf(one))[0]?.seen === seen) return true;
    await one.makeDue();
    return false;
  });
}

/** Starts three servers that look at `world` and have seen the post of the Avatar there: `eye0` to `eye2`. */
export async function startThreeObservers(world: GistWorld, avatar: string): Promise<ObserverInTest[]> {
  const env = (n: number) => ({ PUBLIC_URL: `https://eye${n}.example`, SEEN_KEY: seedOf(n), LOG: 'off' });
  const start = (n: number) => startObserver(world.app, new Map(world.gists), { env: env(n) });
  const observers = await Promise.all([0, 1, 2].map(start));
  await Promise.all(observers.map((one) => one.statements(avatar)));
  return observers;
}

/** A server with a bound gist that believes the three servers which look at it. */
export interface BelievedObservers {
  world: GistWorld;
  observers: ObserverInTest[];
  /** The way from the server to each observer. */
  ways: StandIn[];
  /** The verifier key of each observer. */
  keys: string[];
  close(): Promise<void>;
}

/** Starts a server on which `holder` has bound the account alice by `gist`, and three observers that it believes. */
export async function startBelievedObservers(holder: TestAvatar, gist: string): Promise<BelievedObservers> {
  const ways = await Promise.all([0, 1, 2].map(() => startStandIn(() => 'cut')));
  const keys = ways.map((_, n) =>
    writeVerifierKey(observer(`eye${n}.example/seen`, Buffer.from(seedOf(n), 'hex')).key),
  );
  const lines = ways.map(({ baseUrl }, n) => `observer eye${n} ${keys[n]} ${baseUrl}\n`);
  const world = await startBoundWorld(holder, gist, { env: { OBSERVERS: lines.join('') } });
  const observers = await startThreeObservers(world, holder.key.compressed);
  ways.forEach((way, n) =>
    way.handle(async ({ path, query }) => ({ json: (await observers[n]!.app.get(`${path}?${query}`)).body })),
  );
  return {
    ...{ world, observers, ways, keys },
    close: async () => {
      for (const one of [...observers, world, ...ways]) await one.close();
    },
  };
}

/** The secret of the observer with this number, hex. */
function seedOf(n: number): string {
  return `0${n + 1}`.repeat(32);
}

/** How often `observer` asked for the gist with this id. */
export function looksAt({ github }: Pick<ObserverInTest, 'github'>, id: string): number {
  return github.requests.filter(({ path }) => path === `/gists/${id}`).length;
}

/** Starts a server on which `holder` has bound the account alice by `gist`. */
export async function startBoundWorld(holder: TestAvatar, gist: string, options?: StartOptions): Promise<GistWorld> {
  const world = await startGistWorld(options);
  await world.bind(holder, gist, 'alice');
  return world;
}

export { type GistWorld, startGistWorld };
