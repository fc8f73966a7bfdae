import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf } from '../support/child.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { steadyClients } from '../support/steady-clients.js';
import { until } from '../support/until.js';

/** Stops of each kind. */
const ROUNDS = Number(process.env.STOP_ROUNDS ?? 10);
/** Eight that keep their connections, and four that never do. */
const CLIENTS = { kept: 8, fresh: 4 };
const ALL = CLIENTS.kept + CLIENTS.fresh;

let database: TestDatabase;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => service?.kill9());
afterAll(() => database.drop());

const start = (env: Record<string, string>) => startService({ DATABASE_URL: database.url, ...env });

interface Readiness {
  /** When `/readyz` first said `stopping`, in milliseconds of `performance.now()`. */
  stoppingAt: number | undefined;
  retryAfter: string | null;
}

/** Asks `/readyz` on connections of its own, as a load balancer does, until it says `stopping` or nothing any more. */
async function watchReadiness(baseUrl: string): Promise<Readiness> {
  for (;;) {
    const answer = await fetch(`${baseUrl}/readyz`, { headers: { Connection: 'close' } }).catch(() => null);
    if (answer === null) return { stoppingAt: undefined, retryAfter: null };
    const { code } = (await answer.json()) as { code?: string };
    if (answer.status === 503 && code === 'stopping') {
      return { stoppingAt: performance.now(), retryAfter: answer.headers.get('retry-after') };
    }
    await delay(20);
  }
}

const rounds = (title: string, round: () => Promise<void>) =>
  describe(title, () => {
    it.each(Array.from({ length: ROUNDS }, (_, index) => index + 1))('round %i', round);
  });

describe.each(['1', '2'])('a service with WORKERS=%s under clients that ask again and again', (workers) => {
  rounds('is not ready first and then stops, without a connection that is reset', async () => {
    service = await start({ WORKERS: workers });
    const clients = steadyClients(service.baseUrl, CLIENTS);
    await until(() => clients.report.answered > 10 * ALL);
    const readiness = watchReadiness(service.baseUrl);

    service.signal('SIGTERM');
    await clients.ended;

    const { answered, closing, refusedAt, failures } = clients.report;
    process.stdout.write(`stop with WORKERS=${workers}: ${answered} answers, ${closing} with Connection: close\n`);
    expect(failures).toEqual([]);
    const { stoppingAt, retryAfter } = await readiness;
    expect(stoppingAt).toBeLessThan(Math.min(...refusedAt));
    expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(closing).toBeGreaterThan(0);
    expect((await service.ended).code).toBe(0);
  });
});

// What children a process has is read from /proc.
(process.platform === 'linux' ? describe : describe.skip)('a service with WORKERS=2', () => {
  it('is ready when each worker is: one that dies at once leaves the other', async () => {
    service = await start({ WORKERS: '2' });
    const workers = childrenOf(service.pid);
    process.kill(workers[0]!, 'SIGKILL');

    const clients = steadyClients(service.baseUrl, { kept: 0, fresh: 4 });
    await until(() => clients.report.answered > 100 || clients.report.refusedAt.length > 0);
    clients.stop();
    await clients.ended;

    expect(workers).toHaveLength(2);
    expect(clients.report.refusedAt).toEqual([]);
  });

  rounds('loses the requests in a worker that is killed, and no others', async () => {
    service = await start({ WORKERS: '2' });
    const { pid, output } = service;
    const isReplaced = () => [...output().matchAll(/Worker \d+ is ready/g)].length === 1;
    const clients = steadyClients(service.baseUrl, CLIENTS);
    await until(() => clients.report.answered > 10 * ALL);

    process.kill(childrenOf(pid)[0]!, 'SIGKILL');
    await until(isReplaced);
    const { answered } = clients.report;
    const failedByThen = clients.report.failures.length;
    await until(() => clients.report.answered > answered + 10 * ALL);
    clients.stop();
    await clients.ended;

    const { failures, refusedAt } = clients.report;
    expect(refusedAt).toEqual([]);
    // Each client has one request at a time.
    expect(failures.length).toBeLessThanOrEqual(ALL);
    expect(failures).toHaveLength(failedByThen);
  });

  it('ends in order although a supervisor sends the signal to every process of it', async () => {
    service = await start({ WORKERS: '2' });
    const clients = steadyClients(service.baseUrl, CLIENTS);
    await until(() => clients.report.answered > 10 * ALL);

    for (const pid of childrenOf(service.pid)) process.kill(pid, 'SIGTERM');
    service.signal('SIGTERM');
    await clients.ended;

    expect(clients.report.failures).toEqual([]);
    expect((await service.ended).code).toBe(0);
  });
});
