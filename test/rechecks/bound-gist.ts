import { DataSource } from 'typeorm';
import { RecheckService } from '../../src/rechecks/recheck.service.js';
import { WebClient } from '../../src/outbound/web-client.js';
import { type RunningApp, startApp, type StartOptions } from '../support/app.js';
import type { TestAvatar } from '../support/avatar.js';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { gistReply, NO_SUCH_GIST } from './due-proofs.js';

export const HOUR_MS = 3600 * 1000;

/** One gist of the stand-in for GitHub; a test changes what is shown of it. */
export interface Gist {
  login: string;
  accountId: number;
  avatar: TestAvatar;
  content: string;
}

/**
 * The application beside a stand-in for GitHub. Its rechecks run only when a test asks for them, at a time that the
 * test names.
 */
export interface GistWorld {
  app: RunningApp;
  github: StandIn;
  /** By id. */
  gists: Map<string, Gist>;
  /** Rows of the database, for what the API does not show. */
  sql<Row>(text: string, parameters?: unknown[]): Promise<Row[]>;
  rechecks: RecheckService;
  /** Both steps for a gist of `login`, which is published in between; answers when the first recheck is due. */
  bind(avatar: TestAvatar, gistId: string, login: string, accountId?: number): Promise<Date>;
  /** Forgets the failures of the stand-in, as time would. */
  forgetFailures(): void;
  close(): Promise<void>;
}

export async function startGistWorld(options: StartOptions = {}): Promise<GistWorld> {
  const gists = new Map<string, Gist>();
  const github = await startStandIn(showGists(gists));
  const app = await startApp({
    ...options,
    env: { REVALIDATION: 'off', GITHUB_API_BASE: github.baseUrl, GITHUB_TOKEN: 'token', ...options.env },
  });
  const dataSource = app.app.get(DataSource);
  const sql = <Row>(text: string, parameters: unknown[] = []) => dataSource.query(text, parameters) as Promise<Row[]>;
  return {
    app,
    github,
    gists,
    sql,
    rechecks: app.app.get(RecheckService),
    bind: async (avatar, gistId, login, accountId = 7) => {
      await bindGist(app, gists, { avatar, gistId, login, accountId });
      return nextCheckOf({ sql }, login);
    },
    forgetFailures: () => void app.app.get(WebClient).resetCircuit(`github@127.0.0.1:${github.port}`),
    close: async () => {
      await app.close();
      await github.close();
    },
  };
}

/** What a stand-in for GitHub answers while all is well. */
export function showGists(gists: Map<string, Gist>): Parameters<typeof startStandIn>[0] {
  return ({ path }) => {
    const gist = gists.get(path.replace('/gists/', ''));
    return gist ? gistReply(gist.login, gist.accountId, gist.avatar, gist.content) : NO_SUCH_GIST;
  };
}

/** Both steps for a gist, which is published in between. @throws Error if the second is not answered with 201 */
export async function bindGist(
  app: Pick<RunningApp, 'post'>,
  gists: Map<string, Gist>,
  { avatar, gistId, login, accountId }: { avatar: TestAvatar; gistId: string; login: string; accountId: number },
): Promise<void> {
  const names = { action: 'create', platform: 'github', identity: login, public_key: avatar.key.compressed };
  const { body: payload } = await app.post('/v1/proof/payload', names);
  const content = payload.post_content.default.replace('%SIG_BASE64%', avatar.sign(payload.sign_payload));
  gists.set(gistId, { login, accountId, avatar, content });
  const { uuid, created_at } = payload;
  const answer = await app.post('/v1/proof', { ...names, uuid, created_at, proof_location: gistId });
  if (answer.status !== 201) throw new Error(`The gist was not bound: ${JSON.stringify(answer.body)}`);
}

/**
 * Waits until the listener of `proof.bound` has set it; a test that waits in vain runs into its time limit. Rounded up
 * to a whole second: the clock of a pass runs on while it asks, and answers tell whole seconds.
 */
export async function nextCheckOf({ sql }: Pick<GistWorld, 'sql'>, identity: string): Promise<Date> {
  for (;;) {
    const [row] = await sql<{ next: Date | null }>('select next_check_at as next from proof where identity = $1', [
      identity,
    ]);
    if (row?.next) return new Date(Math.ceil(row.next.getTime() / 1000) * 1000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** `hours` after `time`. */
export function hoursAfter(time: Date, hours: number): Date {
  return new Date(time.getTime() + hours * HOUR_MS);
}
