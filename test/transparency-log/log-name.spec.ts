import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RunningApp, startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { readHead } from './log-client.js';
import { runLogCommand } from './tampering.js';

let database: TestDatabase;
let dataDir: string;

/** The name of the log as a server with these settings signs it. */
async function nameWith(env: Record<string, string>): Promise<string> {
  const server = await startApp({ databaseUrl: database.url, env: { DATA_DIR: dataDir, ...env } });
  try {
    return await nameOf(server);
  } finally {
    await server.close();
  }
}

async function nameOf(server: RunningApp, not = ''): Promise<string> {
  let name = not;
  await until(async () => {
    name = (await readHead(server))?.origin ?? not;
    return name !== not && (await server.get('/v1/log')).body.state === 'ok';
  });
  return name;
}

beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
});
afterEach(() => database.drop());

describe('the name of a log that no setting names', () => {
  it('is its public address without the scheme, and stays that when the address changes or is unset', async () => {
    expect(await nameWith({ PUBLIC_URL: 'https://id.example.org' })).toBe('id.example.org/log');

    expect(await nameWith({ PUBLIC_URL: 'https://other.example.org:8443' })).toBe('id.example.org/log');
    expect(await nameWith({})).toBe('id.example.org/log');
  });

  it('stays what it is when the address is set later', async () => {
    const name = await nameWith({});

    expect(name).toMatch(/^self-[0-9a-f]{16}$/);
    expect(await nameWith({ PUBLIC_URL: 'https://id.example.org' })).toBe(name);
  });

  it('is never that of a log that has ended', async () => {
    const env = { PUBLIC_URL: 'https://id.example.org', LOG_KEY: '11'.repeat(32) };
    const server = await startApp({ databaseUrl: database.url, env: { DATA_DIR: dataDir, ...env } });
    try {
      const first = await nameOf(server);
      const newOrigin = () => runLogCommand(database.url, dataDir, ['new-origin', 'a test'], env);

      expect(await newOrigin()).toMatchObject({ code: 0 });

      expect(await nameOf(server, first)).toMatch(/^self-[0-9a-f]{16}$/);
      // Without another key the third log would be called as the second one.
      expect(await newOrigin()).toMatchObject({ code: 2, said: expect.stringContaining('Set LOG_ORIGIN to another') });
    } finally {
      await server.close();
    }
  });
});
