import { createApplication } from '../../src/application.js';
import { type Environment, loadEnvironment } from '../../src/config/environment.js';
import { type OpenDatabase, openDatabase } from '../../src/database/database.js';
import type { WebTransport } from '../../packages/look/src/node/web-transport.js';
import { waitForDatabase } from '../../src/process/database-wait.js';
import type { RecordKinds } from '../../src/ledger/record-kind.js';
import { beginLog } from './begin-log.js';
import { TEST_DATA_DIR } from './database.js';
import {
  databaseSettings,
  DEFAULT_ENGINE,
  type Engine,
  openTestDatabase,
  type OpenTestDatabase,
  PATIENT,
} from './engines.js';

/** An answer as a client sees it. */
export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed body; every body of the service is JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a client does not know the shape either; tests assert it
  body: any;
}

/** The real application, listening on a free port of loopback, over a database of its own. */
export interface RunningApp {
  baseUrl: string;
  environment: Environment;
  app: Awaited<ReturnType<typeof createApplication>>;
  database: OpenDatabase;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** `body` is sent as it is if it is text, otherwise as JSON. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  close(): Promise<void>;
}

export interface StartOptions {
  env?: Record<string, string>;
  transport?: WebTransport;
  /** Absent: PostgreSQL, or what TEST_ENGINE says. */
  engine?: Engine;
  /** An existing database, for two applications over one; it is not dropped on close. */
  databaseUrl?: string;
  /** One that is open already; it is closed on close, and not dropped. */
  database?: OpenDatabase;
  /** Whether nobody says that a log of LOG_KEY is new, where the database has none. */
  isLogUnknown?: boolean;
  /** Those of the service when absent. */
  kinds?: RecordKinds;
}

/** Starts the application as `service.ts` does, without the banner and the signals. */
export async function startApp(options: StartOptions = {}): Promise<RunningApp> {
  const settings = {
    LOG_LEVEL: 'error',
    RATE_LIMIT: 'off',
    ...PATIENT,
    // A test may keep its own process busy for seconds.
    LOAD_SHEDDING: 'off',
    // See docs/long-tests.md, "The dialect".
    DIALECT: process.env.TEST_DIALECT ?? 'none',
    HOST: '127.0.0.1',
    DATA_DIR: TEST_DATA_DIR,
    ...(options.databaseUrl !== undefined && databaseSettings(options.databaseUrl)),
    ...options.env,
  };
  const environment = loadEnvironment(settings);
  const { database, drop } = await databaseFor(environment, options);
  try {
    if (environment.LOG_KEY !== undefined && !options.isLogUnknown) await beginLog(database.directUrl, settings);
    const create = () => createApplication(environment, database, options.transport, options.kinds);
    // A paused process loses the transaction of its start.
    const app = await waitForDatabase(create, () => {});
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as { port: number };
    const baseUrl = `http://127.0.0.1:${port}`;
    const close = async () => {
      await app.close();
      await drop();
    };
    return { baseUrl, environment, app, database, ...clientOf(baseUrl), close };
  } catch (error) {
    await drop();
    throw error;
  }
}

async function databaseFor(
  environment: Environment,
  { engine, databaseUrl, database: open, env }: StartOptions,
): Promise<OpenTestDatabase> {
  if (open) return { database: open, drop: () => open.close() };
  if (databaseUrl === undefined) return openTestDatabase(engine ?? DEFAULT_ENGINE, env);
  const database = await openDatabase(environment);
  return { database, drop: () => database.close() };
}

/** `get` and `post` against a server at `baseUrl`. */
export function clientOf(baseUrl: string): Pick<RunningApp, 'get' | 'post'> {
  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(`${baseUrl}${path}`, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    get: (path, headers = {}) => call(path, { headers }),
    post: (path, body, headers = {}) =>
      call(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}
