import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../config/environment.js';
import { logProcess } from '../config/process-log.js';
import { VersionTooOldError } from '../database/schema/schema-version.js';

/** Milliseconds between two tries to open the service, such as after a restore of the database. */
const RETRY_MS = 15_000;

/**
 * Opens the service, once this version may use the database. While a newer version has changed it too much, the process
 * lives and logs the reason, but is not ready: it answers `/livez`, and everything else with 503 and the reason.
 * @throws what `open` throws otherwise
 */
export async function whenVersionFits<Opened>(environment: Environment, open: () => Promise<Opened>): Promise<Opened> {
  let server: Server | null = null;
  for (let logged = ''; ; await delay(RETRY_MS)) {
    try {
      const opened = await open();
      await closed(server);
      return opened;
    } catch (error) {
      if (!(error instanceof VersionTooOldError)) {
        await closed(server);
        throw error;
      }
      if (logged !== error.message) logProcess('error', error.message);
      logged = error.message;
      server ??= await answerUnready(environment, logged);
    }
  }
}

/** Returns null if the port is in use; refused connections also read as "not ready". */
async function answerUnready({ PORT, HOST }: Environment, message: string): Promise<Server | null> {
  const body = JSON.stringify({ message, code: 'version_too_old' });
  const server = createServer((request, response) => {
    const isLive = request.url === '/livez';
    const retry = isLive ? {} : { 'Retry-After': String(RETRY_MS / 1000) };
    response.writeHead(isLive ? 200 : 503, { 'Content-Type': 'application/json; charset=utf-8', ...retry });
    response.end(isLive ? '{"status":"ok"}' : body);
  });
  server.listen(PORT, HOST);
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return null;
  }
}

async function closed(server: Server | null): Promise<void> {
  if (!server) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
