import { spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { itUnless, type Lack } from '../../packages/verify/test/support/unless.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { freePort } from '../support/free-port.mjs';
import { lackOf } from '../support/lacks.js';
import { linkWallet } from '../support/scenario.js';
import { isLongRun } from '../support/tier.js';
import { until } from '../support/until.js';
import { blockNamed } from './guide-blocks.js';

const ADMIN_TOKEN = 'playground-admin-token-0000';

let folder: string;
let app: RunningApp;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'signet-receivers-'));
  for (const name of ['receiver.mjs', 'receiver.py', 'receiver.go'])
    writeFileSync(path.join(folder, name), blockNamed(name));
  app = await startApp({ env: { ADMIN_TOKEN, WEBHOOK_ALLOW_PRIVATE: 'on' } });
});
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the receivers of webhooks', () => {
  const receivers: [name: string, command: string, words: string[], lack: () => Lack][] = [
    ['JavaScript', process.execPath, ['receiver.mjs'], () => null],
  ];
  if (isLongRun) {
    receivers.push(['Python', 'python3', ['receiver.py'], () => lackOf('python3')]);
    // Compiling takes half a minute of both cores.
    receivers.push(['Go', 'go', ['run', 'receiver.go'], () => lackOf('go', ['version'])]);
  }
  for (const [name, command, words, lack] of receivers) {
    const title = `hear of a revoke in ${name}, and refuse what nobody signed`;
    itUnless(lack(), title, () => hearsOfRevokes(name, command, words));
  }

  async function hearsOfRevokes(name: string, command: string, words: string[]): Promise<void> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hook`;
    const { body: subscription } = await app.post(
      '/admin/v1/subscriptions',
      { url, types: ['proof.revoked'] },
      { Authorization: `Bearer ${ADMIN_TOKEN}` },
    );
    const child = spawn(command, words, {
      cwd: folder,
      env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: subscription.secret },
      // `go run` starts a process of its own, which ends with the group.
      detached: true,
    });
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    try {
      const post = (headers: Record<string, string>, body: string) => fetch(url, { method: 'POST', headers, body });
      const isListening = () =>
        post({}, '{}').then(
          () => true,
          () => false,
        );
      await until(isListening);

      const [alice, wallet] = [anAvatar(name), aWallet(name)];
      expect((await linkWallet(app, alice, wallet)).status).toBe(201);
      expect((await linkWallet(app, alice, wallet, { action: 'delete' })).status).toBe(201);
      await until(() => output.includes(`proof.revoked ${wallet.address}`));

      const body = JSON.stringify({ type: 'proof.revoked', data: { identity: 'forged' } });
      const key = Buffer.from(subscription.secret.slice('whsec_'.length), 'base64');
      const signed = (id: string, timestamp: number, text: string) => ({
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`,
      });
      const now = Math.floor(Date.now() / 1000);
      expect((await post(signed(randomUUID(), now, body), `${body} `)).status).toBe(401);
      expect((await post(signed(randomUUID(), now - 3600, body), body)).status).toBe(401);
      expect(output).not.toContain('forged');

      // What an Avatar says about its keys, which a subscription to all types gets too, is about no account.
      const ofKeys = JSON.stringify({ type: 'key.frozen', data: { avatar: alice.key.compressed } });
      const id = randomUUID();
      expect((await post(signed(id, now, ofKeys), ofKeys)).status).toBe(204);
      await until(() => output.includes(id));
      // Superscript digits are digits to some.
      const odd = { ...signed(id, now, ofKeys), 'webhook-timestamp': '\u00b2' };
      expect((await post(odd, ofKeys)).status).toBe(401);
      expect((await post({ ...signed(id, now, ofKeys), 'webhook-signature': 'v1,\u00e9' }, ofKeys)).status).toBe(401);
    } finally {
      process.kill(-child.pid!, 'SIGKILL');
    }
  }
});
