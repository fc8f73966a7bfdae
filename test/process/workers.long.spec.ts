import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf } from '../support/child.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { runService, type ServiceProcess, startService } from '../support/service-process.js';

const LONG_MS = 120_000;

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(50);
}

describe('WORKERS', () => {
  let database: TestDatabase;
  let service: ServiceProcess | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await service?.kill9();
  });
  afterAll(() => database.drop());

  it('above 1 is refused for the embedded database', async () => {
    const { code, output } = await runService({ WORKERS: '2' });

    expect(code).toBe(1);
    expect(output).toContain('WORKERS above 1 needs DATABASE_URL');
  });

  // What children a process has is read from /proc.
  (process.platform === 'linux' ? it : it.skip)(
    'serve one port, replace one that dies, and stop together',
    async () => {
      service = await startService({ DATABASE_URL: database.url, WORKERS: '2' });
      const replaced = () => [...service!.output().matchAll(/Worker \d+ is ready/g)].length;
      const [first] = childrenOf(service.pid);

      process.kill(first!, 'SIGKILL');
      await until(() => replaced() === 1);

      expect((await service.get('/healthz')).status).toBe(200);
      expect(service.output()).toContain(`Worker ${first} ended (SIGKILL); another one is started.`);

      service.signal('SIGTERM');

      expect((await service.ended).code).toBe(0);
    },
    LONG_MS,
  );
});
