import { DataSource } from 'typeorm';
import { type RunningApp, startApp, type StartOptions } from '../support/app.js';
import { type StandIn, startStandIn } from '../support/stand-in-server.js';
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

export { type GistWorld, startGistWorld };
