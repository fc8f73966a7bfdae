import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { type RunningApp, startApp } from './app.js';
import { createTestDatabase } from './database.js';

/** The real application behind a proxy that may change what it answers. */
export interface BehindProxy {
  running: RunningApp;
  proxy: LyingProxy;
  /** URL of its database. */
  databaseUrl: string;
  close(): Promise<void>;
}

/** Starts the application on a database of its own, which `seed` may fill before. */
export async function startBehindProxy(seed?: (databaseUrl: string) => Promise<void>): Promise<BehindProxy> {
  const { url: databaseUrl, drop } = await createTestDatabase();
  await seed?.(databaseUrl);
  const running = await startApp({ databaseUrl });
  const proxy = await startLyingProxy(running.baseUrl);
  const close = async () => {
    await proxy.close();
    await running.close();
    await drop();
  };
  return { running, proxy, databaseUrl, close };
}
