import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { UpgradeStatus } from '../../src/database/schema/upgrade-status.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { type OpenTestDatabase, openTestDatabase } from '../support/engines.js';
import { connectTo } from '../support/event-writer.js';
import { kvPayload, submitKv } from './kv-scenario.js';

/** Any step will do. */
const STEP = 'proof_holders';

let opened: OpenTestDatabase;
let running: RunningApp;

describe('while an upgrade goes on behind a service with one connection', () => {
  beforeAll(async () => {
    opened = await openTestDatabase('embedded');
    const client = await connectTo(opened.database.url);
    const openStep = `update upgrade_step set due_at = now() + interval '1 day', finished_at = null where id = $1`;
    await client.query(openStep, [STEP]);
    await client.end();
    running = await startApp({ database: opened.database });
  });
  afterAll(async () => {
    await running?.close();
    await opened?.drop();
  });

  it('a patch is recorded when it is time to look again how far the upgrade is', async () => {
    const alice = anAvatar('alice');
    const { body } = await kvPayload(running, alice, { a: 1 });
    await running.app.get(UpgradeStatus).steps();
    const now = performance.now.bind(performance);
    const later = jest.spyOn(performance, 'now').mockImplementation(() => now() + 2_000);

    const { status } = await submitKv(running, alice, body, { a: 1 });

    later.mockRestore();
    expect(status).toBe(201);
  });

  it('a transaction does not wait for somebody who looks and waits for its connection', async () => {
    const dataSource = running.app.get(DataSource);
    const status = new UpgradeStatus(dataSource);
    const [waiting, steps] = await dataSource.transaction(async (manager) => {
      const reading = status.steps();
      return [reading, await status.steps(manager)];
    });

    expect(steps.filter(({ state }) => state !== 'done').map(({ id }) => id)).toEqual([STEP]);
    expect(await waiting).toEqual(steps);
  });
});
