import { jest } from '@jest/globals';
import { readLogProof } from '@signet/verify/log';
import { readMapEntry } from '@signet/verify/internal/map';
import { DataSource } from 'typeorm';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { stepClock } from '../support/clock.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { headOfRecords } from './log-client.js';

const alice = anAvatar('alice');
const DAY_MS = 86_400_000;

describe('a log to which little is added', () => {
  let server: RunningApp;
  let records = 0;
  const query = <Row>(sql: string): Promise<Row[]> => server.app.get(DataSource).query(sql);
  const grow = async (): Promise<void> => {
    await linkWallet(server, alice, aWallet(`${records}`));
    await headOfRecords(server, (records += 1));
  };
  beforeAll(async () => {
    server = await startApp();
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  afterAll(() => server?.close());

  it('forgets former states of its map also while no tree head is signed', async () => {
    for (let n = 0; n < 3; n++) await grow();
    const { length } = await query('select from map_past');
    expect(length).toBeGreaterThan(0);

    await query("update log_checkpoint set signed_at = signed_at - interval '1 hour'");
    await until(async () => (await query('select from map_past')).length === 0);
    // One tile has all that there is: an Avatar and three identities.
    expect(await query('select from map_tile')).toHaveLength(1);
  });

  it('gives entries of the map no time of a clock that is a day ahead', async () => {
    const now = Date.now();
    stepClock(DAY_MS);
    await grow();
    const { body } = await server.get(`/v1/log/map?avatar=${alice.key.compressed}`);

    const entry = readMapEntry(readLogProof(body.log_proof)!.extra!)!;
    expect(entry.recorded_at * 1000).toBeLessThan(now + DAY_MS / 2);
  });
});
