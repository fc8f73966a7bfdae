import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeUnless } from '../../packages/verify/test/support/unless.js';
import { describePage } from '../page/browser.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { testAuthority } from '../../packages/look/test/support/certificates.js';
import { freePort } from '../support/free-port.mjs';
import { lackOf } from '../support/lacks.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';

/** Debian: apt-get install nginx-light. */
const NGINX = process.env.NGINX_PATH ?? '/usr/sbin/nginx';
const fileOf = (name: string) => fileURLToPath(new URL(`../../docker/${name}`, import.meta.url));

/** A running nginx; `close` ends it. */
interface Nginx {
  output(): string;
  close(): Promise<void>;
}

/**
 * Runs a file of docker/ as it is but for what differs from machine to machine: `places` are texts in it and what
 * stands there instead. Temporary files go into a folder of the test.
 */
async function startNginx(name: string, places: Record<string, string>, port: number): Promise<Nginx> {
  const folder = mkdtempSync(path.join(tmpdir(), 'signet-nginx-'));
  let text = readFileSync(fileOf(name), 'utf8');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => {
    mkdirSync(path.join(folder, kind));
    return `${kind}_temp_path ${path.join(folder, kind)};`;
  });
  const all: Record<string, string> = {
    'pid /run/nginx.pid;': `pid ${path.join(folder, 'pid')};`,
    'worker_processes auto;': 'worker_processes 1;',
    'http {': `http {\n${temporary.join('\n')}`,
    ...places,
  };
  for (const [place, value] of Object.entries(all)) {
    if (!text.includes(place)) throw new Error(`${name} has no "${place}".`);
    text = text.replaceAll(place, value);
  }
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, text);
  let output = '';
  // As root it would run as somebody who may not write into the folder of the test.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const child: ChildProcess = spawn(NGINX, ['-p', folder, '-c', file, '-e', 'stderr', '-g', `daemon off; ${user}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr!.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const ended = once(child, 'exit');
  const close = async () => {
    child.kill('SIGQUIT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`nginx did not start: ${output}`);
      return fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' }).then(
        () => true,
        () => false,
      );
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { output: () => output, close };
}

describeUnless(lackOf(NGINX, ['-v']), 'behind nginx, as docker/ sets it up', () => {
  let running: RunningApp;
  let nginx: Nginx;
  let folder: string;
  let certificate: string;
  let secure: number;
  let plain: number;
  const alice = anAvatar();
  const wallet = aWallet();

  beforeAll(async () => {
    const env = { TRUST_PROXY: '1', RATE_LIMIT: 'on', ADMIN_TOKEN: 'an-admin-token-of-the-test-0123456789' };
    running = await startApp({ env });
    await linkWallet(running, alice, wallet);
    folder = mkdtempSync(path.join(tmpdir(), 'signet-certificates-'));
    const issued = await (await testAuthority()).issue(['signet.example', '127.0.0.1']);
    ({ certificate } = issued);
    writeFileSync(path.join(folder, 'crt'), certificate);
    writeFileSync(path.join(folder, 'key'), issued.key);
    [secure, plain] = [await freePort(), await freePort()];
    nginx = await startNginx(
      'nginx-tls.conf',
      {
        'server 127.0.0.1:3000;': `server ${new URL(running.baseUrl).host};`,
        'listen 80;': `listen 127.0.0.1:${plain};`,
        'listen 443 ssl http2;': `listen 127.0.0.1:${secure} ssl http2;`,
        '/etc/ssl/signet.crt': path.join(folder, 'crt'),
        '/etc/ssl/signet.key': path.join(folder, 'key'),
      },
      plain,
    );
  });
  afterAll(async () => {
    await nginx?.close();
    await running?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  interface Sent {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    /** The address of this machine from which the request comes. */
    from?: string;
  }

  const send = async (address: string, { method = 'GET', headers = {}, body = '', from }: Sent = {}) => {
    const { root } = await testAuthority();
    const options = { method, headers: { Host: 'signet.example', ...headers }, ca: root, servername: 'signet.example' };
    const url = `https://127.0.0.1:${secure}${address}`;
    return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
      const outgoing = request(url, { ...options, ...(from && { localAddress: from }) }, (answer) => {
        let text = '';
        answer.on('data', (bytes: Buffer) => (text += bytes.toString()));
        answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, text }));
        answer.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  };
  const left = async (sent: Sent) =>
    Number(/r=(\d+)/.exec(String((await send('/v1/platforms', sent)).headers['ratelimit']))![1]);

  it('answers the API over TLS, with the headers of the service and an id of the request', async () => {
    const { status, headers, text } = await send(`/v1/proof?platform=ethereum&identity=${wallet.address}&exact=true`);

    expect(status).toBe(200);
    expect((JSON.parse(text) as { ids: unknown[] }).ids).toHaveLength(1);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'access-control-allow-origin': '*' });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(headers['server']).toBe('nginx');
  });

  it('leads plain HTTP to TLS', async () => {
    const answer = await fetch(`http://127.0.0.1:${plain}/a/b?c=d`, { redirect: 'manual' });

    expect([answer.status, answer.headers.get('location')]).toEqual([301, 'https://127.0.0.1/a/b?c=d']);
  });

  it('names the host and scheme that clients know in the documents of the page', async () => {
    const { text } = await send(`/a/${alice.key.compressed}`, { headers: { Accept: 'text/html' } });

    expect(text).toContain(`<link rel="canonical" href="https://signet.example/a/${alice.key.compressed}" />`);
  });

  it('counts clients by the address from which they come, whatever they say of themselves', async () => {
    const first = await left({ from: '127.0.0.1' });
    const forged = await left({ from: '127.0.0.1', headers: { 'X-Forwarded-For': '198.51.100.7' } });
    const other = await left({ from: '127.0.0.2' });

    expect(forged).toBe(first - 1);
    expect(other).toBeGreaterThan(forged);
  });

  it('sends events on as they happen', async () => {
    const { root } = await testAuthority();
    let seen = '';
    const options = { headers: { Host: 'signet.example' }, ca: root, servername: 'signet.example' };
    const stream = request(`https://127.0.0.1:${secure}/v1/events`, options, (answer) => {
      answer.on('data', (bytes: Buffer) => (seen += bytes.toString()));
    });
    stream.on('error', () => {});
    stream.end();
    await until(() => seen.includes('ready'));
    const bob = aWallet('bob');
    await linkWallet(running, anAvatar('bob'), bob);

    await until(() => seen.includes(bob.address));
    stream.destroy();
  });

  it('passes on the refusal of the service up to its limit of bodies, and refuses more by itself', async () => {
    const post = (bytes: number) =>
      send('/v1/proof/payload', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Length': String(bytes) },
        body: `{"identity":"${'a'.repeat(bytes - 15)}"}`,
      });
    const large = await post(1024 * 1024);
    const larger = await post(1024 * 1024 + 1);

    expect([large.status, large.headers['content-type']]).toEqual([400, 'application/json; charset=utf-8']);
    expect(larger.status).toBe(413);
  });

  it('makes another protocol of no request', async () => {
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const { status, text } = await send('/v1/platforms', { headers });

    expect(status).toBe(200);
    expect(text).toContain('"platforms"');
  });

  it('keeps the numbers and the routes of operators inside', async () => {
    const token = { Authorization: 'Bearer an-admin-token-of-the-test-0123456789' };

    expect((await send('/metrics')).status).toBe(404);
    expect((await send('/admin/v1/subscriptions', { headers: token })).status).toBe(404);
    expect((await send('//admin/v1/subscriptions', { headers: token })).status).toBe(404);
    expect((await send('/console')).status).toBe(404);
    expect((await running.get('/admin/v1/subscriptions', token)).status).toBe(200);
  });

  it('writes nothing of what is asked into its own log', () => {
    expect(nginx.output()).not.toContain(wallet.address);
  });

  describePage(
    'in a browser',
    (visit) => {
      it('shows what a key has bound, checked, over TLS', async () => {
        const seen = await visit(`https://127.0.0.1:${secure}/?q=${wallet.address}`);
        await seen.page
          .locator('.found')
          .getByRole('link', { name: /Ethereum/ })
          .click();
        await seen.page.locator('.holder .checked-here.ok').first().waitFor();
        await seen.close();
      });
    },
    () => ({ certificate }),
  );

  describe('of two servers (docker/nginx.conf)', () => {
    let two: Nginx;
    let port: number;

    beforeAll(async () => {
      port = await freePort();
      const gone = await freePort();
      two = await startNginx(
        'nginx.conf',
        {
          'server signet:3000': `server 127.0.0.1:${gone}`,
          'server signet-2:3000': `server ${new URL(running.baseUrl).host}`,
          'listen 8080;': `listen 127.0.0.1:${port};`,
        },
        port,
      );
    });
    afterAll(() => two?.close());

    /** Asks as a proxy that ends TLS does: `client` is the address from which the request came to it. */
    const ask = (path: string, client = '198.51.100.7', more: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { 'X-Forwarded-For': client, 'X-Forwarded-Proto': 'https', ...more },
      });
    const leftFor = async (client: string) =>
      Number(/r=(\d+)/.exec((await ask('/v1/platforms', client)).headers.get('ratelimit')!)![1]);

    it('asks the other server where one is gone', async () => {
      for (let round = 0; round < 4; round++) expect((await ask('/v1/platforms')).status).toBe(200);
    });

    it('counts each client by the address that the proxy with TLS saw, not by what the client said before it', async () => {
      const first = await leftFor('198.51.100.20');
      const forged = await leftFor('203.0.113.9, 198.51.100.20');
      const other = await leftFor('198.51.100.21');

      expect(forged).toBe(first - 1);
      expect(other).toBe(first);
    });

    it('names the scheme that clients know in the documents of the page', async () => {
      const answer = await ask(`/a/${alice.key.compressed}`, undefined, { Accept: 'text/html' });

      expect(await answer.text()).toContain(`<link rel="canonical" href="https://127.0.0.1/a/`);
    });

    it('keeps the numbers and the routes of operators inside', async () => {
      const token = { Authorization: 'Bearer an-admin-token-of-the-test-0123456789' };

      for (const path of ['/metrics', '/admin/v1/jobs', '//admin/v1/jobs', '/console']) {
        expect([path, (await ask(path, undefined, token)).status]).toEqual([path, 404]);
      }
    });
  });
});
