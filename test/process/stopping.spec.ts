import { connect } from 'node:net';
import pg from 'pg';
import { bindGist, type Gist, showGists } from '../rechecks/bound-gist.js';
import { anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';

const GIST = '0123456789abcdef0123456789abcdef';

let database: TestDatabase;
let service: ServiceProcess;
let outside: pg.Client;
let github: StandIn;

beforeEach(async () => {
  database = await createTestDatabase();
  outside = new pg.Client({ connectionString: database.url });
  await outside.connect();
  github = await startStandIn(() => ({ status: 500 }));
  service = await startService({
    ...{ DATABASE_URL: database.url, SHUTDOWN_DELAY_SECONDS: '0' },
    // No time limit of the service ends the wait for the platform, however busy the machine is.
    ...{ GITHUB_API_BASE: github.baseUrl, GITHUB_TOKEN: 'token', OUTBOUND_TIMEOUT_MS: '120000' },
  });
});
afterEach(async () => {
  await service.kill9();
  await github.close();
  await outside.end();
  await database.drop();
});

const isRefused = () =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    socket.once('connect', () => (socket.destroy(), resolve(false)));
    socket.once('error', () => resolve(true));
  });

/** A submit that waits for the platform until `release` is called. */
async function heldSubmit(): Promise<{ answer: Promise<void>; release(): void }> {
  const gists = new Map<string, Gist>();
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  github.handle((request) => released.then(() => showGists(gists)(request)));
  const answer = bindGist(service, gists, { avatar: anAvatar('alice'), gistId: GIST, login: 'alice', accountId: 7 });
  const tooEarly = answer.then(() => {
    throw new Error('Answered before it was held.');
  });
  await Promise.race([tooEarly, until(() => github.requests.length > 0)]);
  tooEarly.catch(() => {});
  return { answer, release };
}

describe.each(['SIGTERM', 'SIGINT'] as const)('a service that is told to stop by %s', (signal) => {
  it('finishes what runs, takes nothing new, and ends with code 0', async () => {
    const submit = await heldSubmit();

    service.signal(signal);
    await until(isRefused);
    submit.release();

    await submit.answer;
    const { code, output } = await service.ended;
    expect(code).toBe(0);
    expect(output).toContain(`${signal}: finishing running requests`);
    expect((await outside.query('select 1 from chain_link')).rowCount).toBe(1);
  });
});

describe('a service that is told to stop', () => {
  it('ends with code 0 although clients keep idle connections open', async () => {
    await service.get('/healthz');
    const idle = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));

    service.signal('SIGTERM');

    expect((await service.ended).code).toBe(0);
    idle.destroy();
  });

  it('ends the event streams that are open, with code 0', async () => {
    const stream = await fetch(`${service.baseUrl}/v1/events`);

    service.signal('SIGTERM');

    expect((await service.ended).code).toBe(0);
    expect(stream.headers.get('content-type')).toMatch('text/event-stream');
    await stream.body!.cancel().catch(() => {});
  });
});

describe('a service that is told to stop twice', () => {
  it('ends at once, whatever runs', async () => {
    const submit = await heldSubmit();
    submit.answer.catch(() => {}); // it is cut off

    service.signal('SIGTERM');
    await until(isRefused);
    service.signal('SIGTERM');

    expect((await service.ended).code).toBe(1);
    submit.release();
  });
});
