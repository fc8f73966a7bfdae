import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runHere } from '../../packages/cli/test/terminal.js';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { until } from '../support/until.js';
import { countRecords } from '../transparency-log/log-client.js';

const alice = anAvatar('alice');
const wallet = aWallet('one');
const hex = (key: Uint8Array) => Buffer.from(key).toString('hex');

describe('the receipts of the command line', () => {
  let server: RunningApp;
  let proxy: LyingProxy;
  let home: string;
  beforeAll(async () => {
    server = await startApp();
    proxy = await startLyingProxy(server.baseUrl);
    home = mkdtempSync(path.join(tmpdir(), 'signet-home-'));
    await until(async () => (await server.get('/healthz')).body.log.state === 'ok');
  });
  afterAll(async () => {
    await proxy?.close();
    await server?.close();
    rmSync(home, { recursive: true, force: true });
  });
  const signet = (...words: string[]) =>
    runHere(words, {
      ...{ HOME: home, XDG_CONFIG_HOME: home, SIGNET_SERVER: proxy.baseUrl },
      ...{ SIGNET_PRIVATE_KEY: hex(alice.privateKey), SIGNET_WALLET_KEY: hex(wallet.privateKey) },
    });
  const file = () => path.join(home, 'signet', 'log-receipts.json');

  it('are kept by writes, and gone when the log has what they promise', async () => {
    const bound = await signet('bind', 'ethereum', wallet.address);
    const patched = await signet('kv', 'patch', 'self', alice.key.compressed, '{"name":"Alice"}');
    await until(async () => (await countRecords(server)) === 2);
    const checked = await signet('log', 'receipts');
    const again = await signet('log', 'receipts');

    expect(bound.text).toContain('Its receipt is kept; signet log receipts checks it.');
    expect([bound.code, patched.code, checked.code]).toEqual([0, 0, 0]);
    expect(checked.text).toMatch(/^logged {3}link [0-9a-f-]{36}\r?\nlogged {3}patch [0-9a-f-]{36}\r?\n$/);
    expect(again).toEqual({ code: 0, text: expect.stringContaining('No receipt is kept of this server.') as string });
  });

  it('show a promise that was broken, with what proves it', async () => {
    const { code } = await signet('unbind', 'ethereum', wallet.address);
    await until(async () => (await countRecords(server)) === 3);
    proxy.lie = (asked, answer) => {
      if (asked.startsWith('/v1/proofchain/changes'))
        for (const link of answer.links) link.proof_location = 'elsewhere';
    };

    const broken = await signet('log', 'receipts');
    proxy.lie = null;

    expect(code).toBe(0);
    expect(broken.code).toBe(1);
    expect(broken.text).toContain('BROKEN');
    expect(broken.text).toContain('signet-receipt/1');
    expect(readFileSync(file(), 'utf8')).toContain('signet-receipt/1');
  });

  it('stop no write where they cannot be kept', async () => {
    writeFileSync(file(), 'not JSON');

    const { code, text } = await signet('kv', 'patch', 'self', alice.key.compressed, '{"a":1}');

    expect(code).toBe(0);
    expect(text).toContain('The receipt is not kept:');
  });
});
