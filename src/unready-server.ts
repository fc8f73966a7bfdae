import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from './config/environment.js';
import { logProcess } from './config/process-log.js';
import { VersionTooOldError } from './database/schema/schema-version.js';

/** Between two looks whether the database is one of this version now: after a restore, say. */
const LOOK_MS = 15_000;

/**
 * Opens the service. While a newer version has changed the database so that this one may not use it, the process lives,
 * says why, and is not ready: it answers `/livez`, and everything else with 503 and the reason.
 * @throws what `open` throws otherwise
 */
export async function whenVersionFits<Opened>(environment: Environment, open: () => Promise<Opened>): Promise<Opened> {
  let server: Server | null = null;
  for (let said = ''; ; await delay(LOOK_MS)) {
    try {
      const opened = await open();
      await closed(server);
      return opened;
    } catch (error) {
      if (!(error instanceof VersionTooOldError)) {
        await closed(server);
        throw error;
      }
      if (said !== error.message) logProcess('error', error.message);
      said = error.message;
      server ??= await answerUnready(environment, said);
    }
  }
}

/** Null where the address is taken: then nothing answers, which is not ready either. */
async function answerUnready({ PORT, HOST }: Environment, message: string): Promise<Server | null> {
  const body = JSON.stringify({ message, code: 'version_too_old' });
  const server = createServer((request, response) => {
    const isLive = request.url === '/livez';
    const retry = isLive ? {} : { 'Retry-After': String(LOOK_MS / 1000) };
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
