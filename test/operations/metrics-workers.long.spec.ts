import { childrenOf } from '../support/child.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { until } from '../support/until.js';

describe('the numbers of a server with WORKERS=2', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startService({ DATABASE_URL: database.url, WORKERS: '2' });
  });
  afterAll(async () => {
    await service.kill9();
    await database.drop();
  });

  const SAMPLE = 'signet_http_request_duration_seconds_count{method="GET",route="/v1/platforms",status="200"}';
  const sampleOf = (lines: string[]) => lines.find((line) => line.startsWith(SAMPLE));

  /** On a connection of its own, so that it comes to one worker or the other. */
  const get = (path: string) => fetch(`${service.baseUrl}${path}`, { headers: { Connection: 'close' } });

  it('are those of both, whichever is asked', async () => {
    for (let count = 0; count < 10; count += 1) expect((await get('/v1/platforms')).status).toBe(200);

    const sample = `${SAMPLE} 10`;
    for (let count = 0; count < 4; count += 1) {
      const lines = (await (await get('/metrics')).text()).split('\n');
      expect(lines).toContain(sample);
      expect(lines.filter((line) => /^signet_build_info\{.*\} 1$/.test(line))).toHaveLength(1);
      expect(lines).toContain('signet_database_up 1');
      expect(lines).toContain('signet_workers_missing 0');
    }
  });

  // What children a process has is read from /proc.
  (process.platform === 'linux' ? it : it.skip)(
    'are there while one of them stands still, with what that one said last',
    async () => {
      const all = sampleOf((await (await get('/metrics')).text()).split('\n'));
      const [still] = childrenOf(service.pid);

      process.kill(still!, 'SIGSTOP');
      try {
        let lines: string[] = [];
        await until(async () => {
          lines = (await (await get('/metrics')).text()).split('\n');
          return lines.includes('signet_workers_missing 1');
        });
        expect(sampleOf(lines)).toBe(all);
      } finally {
        process.kill(still!, 'SIGCONT');
      }
    },
    90_000,
  );
});
