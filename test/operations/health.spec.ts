import { type RunningApp, startApp } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';

describe('GET /healthz', () => {
  let running: RunningApp;

  afterEach(() => running.close());

  it('tells who answers, which build it is and which platforms it supports', async () => {
    running = await startApp();

    const { status, headers, body } = await running.get('/healthz');

    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(body)).toEqual(['hello', 'built_at', 'revision', 'environment', 'platforms', 'log']);
    expect(body.hello).toBe('proof service');
    expect(body.environment).toBe('production');
    expect(body.revision).toMatch(/^([0-9a-f]{40}|unknown)$/);
    expect(body.platforms).toEqual(expect.arrayContaining(['ethereum', 'solana']));
  });

  it('says when it was built in UNIX seconds, as text', async () => {
    running = await startApp();

    const { body } = await running.get('/healthz');

    expect(body.built_at).toMatch(/^[1-9]\d{9}$/);
    expect(Number(body.built_at)).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('says that it is a staging server where the operator says so', async () => {
    running = await startApp({ env: { ENVIRONMENT: 'staging' } });

    const { body } = await running.get('/healthz');

    expect(body.environment).toBe('staging');
  });

  it('lists only the platforms that the operator switched on', async () => {
    running = await startApp({ env: { PLATFORMS: 'solana' } });

    const { body } = await running.get('/healthz');

    expect(body.platforms).toEqual(['solana']);
  });
});

describe('settings that contradict the platforms', () => {
  it('refuse to start a service that is named like a platform', async () => {
    await expect(startApp({ env: { SERVICE_NAME: 'ethereum' } })).rejects.toThrow('SERVICE_NAME may not be "ethereum"');
  });

  it('refuse to start with a platform that does not exist', async () => {
    await expect(startApp({ env: { PLATFORMS: 'ethereum,myspace' } })).rejects.toThrow('PLATFORMS names myspace');
  });

  it('leave no name behind in the database when they refuse to start', async () => {
    const { url, drop } = await createTestDatabase();
    await expect(startApp({ databaseUrl: url, env: { SERVICE_NAME: 'ethereum' } })).rejects.toThrow('is a platform');

    const running = await startApp({ databaseUrl: url });

    expect((await running.get('/healthz')).status).toBe(200);
    await running.close();
    await drop();
  });
});

describe('the name of a deployment', () => {
  it('cannot change once a database knows it', async () => {
    const { url, drop } = await createTestDatabase();
    const first = await startApp({ databaseUrl: url, env: { SERVICE_NAME: 'acme' } });
    await first.close();

    await expect(startApp({ databaseUrl: url, env: { SERVICE_NAME: 'other' } })).rejects.toThrow(
      /service_name is "acme".*started with "other"/,
    );

    await drop();
  });
});
