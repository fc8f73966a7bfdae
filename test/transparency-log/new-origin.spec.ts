import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { copyMigratedCluster, startEmbeddedTestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { QUICK_START } from '../support/tier.js';
import { until } from '../support/until.js';
import { getRaw, headOfRecords } from './log-client.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/log.mjs', import.meta.url));

/** The public key of a log, without its name. */
async function keyOf(server: RunningApp): Promise<string> {
  return (await server.get('/v1/log')).body.verifier_key.split('+').at(-1);
}

describe('npm run log -- new-origin, on an embedded database', () => {
  it('ends a log that settings name, and gives the next one another key, and never a name that has ended', async () => {
    const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    await copyMigratedCluster(DATA_DIR);
    const start = async (LOG_ORIGIN: string) =>
      startApp({ database: await startEmbeddedTestDatabase(DATA_DIR), env: { DATA_DIR, LOG_ORIGIN } });
    const end = (LOG_ORIGIN: string) => {
      const env = { PATH: process.env.PATH, DATA_DIR, LOG_ORIGIN };
      const { status, stdout } = spawnSync(process.execPath, [...QUICK_START, SCRIPT, 'new-origin', 'for a test'], {
        env,
        encoding: 'utf8',
      });
      return { code: status, said: stdout.trim().split('\n').at(-1) };
    };
    const first = await start('one.example/log');
    await linkWallet(first, anAvatar('alice'), aWallet('one'));
    await headOfRecords(first, 1);
    const firstKey = await keyOf(first);
    await first.close();

    expect(end('one.example/log')).toEqual({
      code: 2,
      said: expect.stringContaining('Set LOG_ORIGIN to another name than one.example/log first'),
    });
    expect(end('two.example/log')).toEqual({
      code: 0,
      said: expect.stringContaining('The log one.example/log has ended.'),
    });

    const second = await start('two.example/log');
    await headOfRecords(second, 1);
    expect((await second.get('/v1/log')).body).toMatchObject({ origin: 'two.example/log', state: 'ok' });
    expect(await keyOf(second)).not.toBe(firstKey);
    await second.close();

    expect(end('one.example/log')).toEqual({
      code: 2,
      said: expect.stringContaining('Set LOG_ORIGIN to another name than one.example/log first'),
    });
    expect(end('three.example/log')).toMatchObject({ code: 0 });
    // Nothing outside of the database remembers the name of before, with which the settings were left.
    for (const name of await readdir(DATA_DIR)) if (name.startsWith('log-head-')) await rm(path.join(DATA_DIR, name));
    const left = await start('two.example/log');
    await until(async () => (await left.get('/readyz')).body.log.state === 'refused');
    expect((await left.get('/v1/log')).body.problem).toContain('The log two.example/log has ended in this database');
    expect((await getRaw(left, '/log/checkpoint')).status).toBe(503);
    await left.close();
  });
});
