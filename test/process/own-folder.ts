import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ServiceProcess, startService } from '../support/service-process.js';

/** A folder for each test of a file, and what has to be ended behind it, the last first. */
export class OwnFolder {
  path = '';
  readonly cleanUps: (() => Promise<unknown>)[] = [];

  constructor() {
    beforeEach(async () => {
      this.path = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    });
    afterEach(async () => {
      for (const cleanUp of this.cleanUps.splice(0).reverse()) await cleanUp();
      await rm(this.path, { recursive: true });
    });
  }

  /** A service that ends with the test. */
  async start(env: Record<string, string>): Promise<ServiceProcess> {
    const service = await startService(env);
    this.cleanUps.push(() => service.kill9());
    return service;
  }
}
