/**
 * A server of the demo's own, on a free port with a database in a temporary folder, for flows that need another outside
 * world.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { built } from '../built.mjs';

/**
 * @import { AddressInfo } from 'node:net'
 * @import { WebTransport } from '@signet/look/node'
 */

/**
 * `platformsUrl` is where a stand-in for all platforms listens; absent: none is asked.
 * @param {Record<string, string>} env
 * @param {WebTransport} [transport]
 * @param {string} [platformsUrl]
 */
export async function startOwnServer(env, transport, platformsUrl) {
  execFileSync(process.execPath, [fileURLToPath(new URL('../ensure-built.mjs', import.meta.url))], {
    stdio: 'inherit',
  });
  const { loadEnvironment } = await built('config/environment.js');
  const { openDatabase } = await built('database/database.js');
  const { migrate } = await built('database/schema/migrator.js');
  const { createApplication } = await built('application.js');

  const { createVerifiers } = await import('@signet/look');
  const { addressesAt, settingsFromOptions } = await import('@signet/look/internal');
  const { WebClient } = await built('outbound/web-client.js');

  const folder = await mkdtemp(path.join(tmpdir(), 'signet-demo-'));
  if (!env.DATABASE_URL) console.log('Starting a server with a database of its own (some seconds) ...');
  const verifiers = createVerifiers(new WebClient(loadEnvironment({})));
  const environment = loadEnvironment({
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    ...(platformsUrl ? settingsFromOptions(addressesAt(platformsUrl, verifiers)) : {}),
    ...env,
  });
  const database = await openDatabase(environment);
  await migrate(database.directUrl);
  const app = await createApplication(environment, database, transport);
  await app.listen(environment.PORT, '127.0.0.1');
  return {
    baseUrl: `http://127.0.0.1:${/** @type {AddressInfo} */ (app.getHttpServer().address()).port}`,
    close: async () => {
      await app.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
