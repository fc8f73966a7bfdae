import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createClient, fromPrivateKey } from '@signet/sdk';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet } from '../support/avatar.js';
import { startRegistry } from './stand-in-registry.js';

describe('npm run walk, as a new developer with npm alone', () => {
  let app: RunningApp;
  let registry: Awaited<ReturnType<typeof startRegistry>>;
  const folder = mkdtempSync(path.join(tmpdir(), 'signet-npm-'));
  beforeAll(async () => {
    [app, registry] = await Promise.all([startApp(), startRegistry()]);
  });
  afterAll(async () => {
    await registry?.close();
    await app?.close();
    rmSync(folder, { recursive: true });
  });

  it('comes from an empty folder to a verified look-up by three commands and at most five lines', async () => {
    const signer = fromPrivateKey(aWallet('walk').privateKey);
    await createClient({ baseUrl: app.baseUrl }).bind({ platform: 'ethereum', identity: signer.address, signer });
    // Nothing that this machine has of npm: no cache, no settings.
    const settings = { npm_config_registry: registry.url, npm_config_cache: path.join(folder, 'cache') };
    const env = { PATH: process.env.PATH, HOME: folder, ...settings };
    const words = ['scripts/walk.mjs', '--server', app.baseUrl, '--who', signer.address];

    const { stdout } = await promisify(execFile)(process.execPath, words, { env });

    expect(stdout).toContain(`[ 'ethereum ${signer.address}: valid' ]`);
    expect(stdout).toMatch(/\$ npm init -y {4}#[^]*\$ npm install [^]*\$ node who\.mjs {4}#/);
    expect(stdout).toMatch(/\n3 commands, [1-5] lines, [\d.]+ seconds\.\n$/);
  });
});
