import { type RunningApp, startApp } from '../support/app.js';
import { type LyingProxy, startLyingProxy } from './lying-proxy.js';

/** A service with a proxy in front of it. */
export interface ProxiedApp {
  running: RunningApp;
  proxy: LyingProxy;
}

/** One for all tests of a `describe`, there when they run; the proxy tells no lies when a test begins. */
export function proxiedApp(): ProxiedApp {
  const service = {} as ProxiedApp;
  beforeAll(async () => {
    service.running = await startApp();
    service.proxy = await startLyingProxy(service.running.baseUrl);
  });
  afterEach(() => {
    service.proxy.lie = null;
  });
  afterAll(async () => {
    await service.proxy?.close();
    await service.running?.close();
  });
  return service;
}
