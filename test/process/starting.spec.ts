import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { readChain } from '../support/chain-checks.js';
import { copyMigratedCluster, createTestDatabase, startEmbeddedTestDatabase } from '../support/database.js';
import { connectTo } from '../support/event-writer.js';
import { linkWallet } from '../support/scenario.js';
import { launchService, messagesIn, runService } from '../support/service-process.js';
import { until } from '../support/until.js';
import { OwnFolder } from './own-folder.js';

/** Starts take long on a busy machine. */

const STACK = /^ {4}at |\\n {4}at |"stack"/m;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = path.join(ROOT, 'dist/src/main.js');

const own = new OwnFolder();

describe('a service that may not write where it has to', () => {
  it.each([
    ['is a file', 'file'],
    ['lies below a file', 'file/data'],
  ])('says in one sentence that its data folder %s', async (_what, place) => {
    await writeFile(path.join(own.path, 'file'), '');
    const DATA_DIR = path.join(own.path, place);

    const { code, output } = await runService({ DATA_DIR });

    expect(code).toBe(1);
    expect(messagesIn(output).trim()).toBe(
      `The data folder ${DATA_DIR} is a file, or lies below one. Move that file away, or set DATA_DIR to another folder.`,
    );
  });
});

describe('a service whose modules were compiled without the bundle', () => {
  const OLD_BUNDLE = `export const startService = () => console.log('from the bundle')`;

  it.each(['missing', 'older', 'newer'])('starts from what is new: the bundle is %s', async (bundle) => {
    const dist = path.join(own.path, 'dist');
    await cp(path.join(ROOT, 'dist/src'), path.join(dist, 'src'), { recursive: true });
    await cp(path.join(ROOT, 'package.json'), path.join(own.path, 'package.json'));
    await symlink(path.join(ROOT, 'node_modules'), path.join(own.path, 'node_modules'));
    await writeFile(path.join(dist, '.tsbuildinfo'), '');
    if (bundle !== 'missing') {
      await mkdir(path.join(dist, 'service'));
      await writeFile(path.join(dist, 'service/service.js'), OLD_BUNDLE);
      const seconds = Date.now() / 1000 + (bundle === 'newer' ? 60 : -60);
      await utimes(path.join(dist, 'service/service.js'), seconds, seconds);
    }

    const { output } = await launchService({ PORT: 'web' }, undefined, path.join(dist, 'src/main.js')).ended;

    const text = messagesIn(output);
    if (bundle === 'newer') return expect(text).toBe('from the bundle');
    expect(text).toContain(
      'dist/service is missing or older than dist/src, so the start takes longer: run npm run build.',
    );
    expect(text).toContain('PORT must be');
    expect(text).not.toContain('from the bundle');
  });
});

describe('what a service says of itself', () => {
  it('is one JSON object a line where the output is no terminal, refusals included', async () => {
    const { output } = await runService({ PORT: 'web' });

    const records = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records).toEqual([
      {
        level: 'error',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        pid: expect.any(Number),
        context: 'Process',
        message: expect.stringContaining('PORT must be'),
      },
    ]);
  });

  // `script` gives a program a terminal; its options differ elsewhere.
  (process.platform === 'linux' ? it : it.skip)('is plain text at a terminal', async () => {
    const DATA_DIR = path.join(own.path, 'data');
    await copyMigratedCluster(DATA_DIR);
    const picked = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR };
    const terminal = spawn('script', ['-qec', `"${process.execPath}" "${MAIN}"`, '/dev/null'], {
      env: { ...picked, PORT: '0', HOST: '127.0.0.1', DATA_DIR, DATA_DIRR: DATA_DIR },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let text = '';
    terminal.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
    const ended = once(terminal, 'close');

    await until(() => text.includes('Open the page'));
    // The terminal turns this into SIGINT.
    terminal.stdin.write('\x03');
    await ended;

    expect(text).toMatch(/\n *Signet is ready\.\r\n/);
    expect(text).toMatch(/ {4}Address {4}http:\/\/localhost:\d+ \(127\.0\.0\.1\)\r\n/);
    expect(text).toContain(`Database   embedded PostgreSQL (PGlite) in ${DATA_DIR}`);
    expect(text).toMatch(/Platforms .*ethereum.*solana/);
    expect(text).toMatch(/\r\n {2}Open the page: http:\/\/localhost:\d+\r\n/);
    expect(text).toMatch(/^DATA_DIRR is not a setting; did you mean DATA_DIR\?\r\n/m);
    expect(text).toContain('SIGINT: finishing running requests, then stopping.');
  });
});

describe('a service that starts', () => {
  it('needs no setting, says where everything is, and keeps its data, also where a first start was cut short', async () => {
    const DATA_DIR = path.join(own.path, 'data');
    const alice = anAvatar('alice');
    const cutShort = path.join(DATA_DIR, 'pglite.unfinished');
    await mkdir(cutShort, { recursive: true });
    await writeFile(path.join(cutShort, 'PG_VERSION'), '18\n');
    const first = await own.start({ DATA_DIR });
    const health = await first.get('/healthz');
    await linkWallet(first, alice, aWallet('alice'));
    const { body: unfinished } = await first.post('/v1/proof/payload', {
      action: 'create',
      platform: 'ethereum',
      identity: aWallet('second').address,
      public_key: alice.key.compressed,
    });
    first.signal('SIGTERM');
    await first.ended;

    const second = await own.start({ DATA_DIR });

    expect(health.body.platforms).toContain('ethereum');
    expect(existsSync(cutShort)).toBe(false);
    expect(first.output()).toMatch(/Making the embedded database.*[^]*Signet is ready/);
    expect(second.output()).not.toContain('Making the embedded database');
    const lines = first.output().trim().split('\n');
    const isReady = JSON.parse(lines.find((line) => line.includes('is ready'))!) as object;
    expect(isReady).toMatchObject({
      level: 'info',
      context: 'Process',
      message: 'Signet is ready.',
      address: `http://localhost:${new URL(first.baseUrl).port}`,
      database: `embedded PostgreSQL (PGlite) in ${DATA_DIR}`,
      platforms: expect.arrayContaining(['ethereum', 'solana']),
    });
    expect(await readChain(second, alice.key.compressed)).toHaveLength(1);
    // The HMAC key of payloads was kept too, so a payload that was issued before the restart is still good.
    const { uuid, created_at, sign_payload: text } = unfinished;
    const { status } = await second.post('/v1/proof', {
      action: 'create',
      platform: 'ethereum',
      identity: aWallet('second').address,
      public_key: alice.key.compressed,
      uuid,
      created_at,
      extra: { signature: alice.sign(text), wallet_signature: aWallet('second').sign(text) },
    });
    expect(status).toBe(201);
  });

  it('says that the data folder is in use, by whom, and ends with code 1', async () => {
    const DATA_DIR = path.join(own.path, 'data');
    const first = await startEmbeddedTestDatabase(DATA_DIR);
    own.cleanUps.push(() => first.close());

    const { code, output } = await runService({ DATA_DIR });

    expect(code).toBe(1);
    expect(output).toContain(`${DATA_DIR} is in use by another process (pid ${process.pid})`);
    expect(output).not.toMatch(STACK);
    const client = await connectTo(first.url);
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  });

  it('lists every setting that is wrong, without its value, and ends with code 1', async () => {
    const { code, output } = await runService({
      PORT: 'web',
      ENVIRONMENT: 'test',
      PAYLOAD_SECRET: 'hunter2',
      DATABASE_URL: 'mysql://user:hunter2@host/db',
      HOST: '999.1.1.1',
      OUTBOUND_CONTACT: 'nobody',
      WEBHOOKS: '[{]',
      PLATFORMS: 'githb',
      RATE_BUDGETS: 'gihtub=5/1,signet=5/1,arweave=5/1',
      SERVICE_NAME: 'solana',
      OBSERVERS: '/nowhere/observers.txt',
      ADMIN_TOKN: 'hunter2hunter2hunter2',
    });

    expect(code).toBe(1);
    expect(messagesIn(output)).toMatch(/The settings cannot be used:\n {2}- /);
    for (const name of [
      'PORT',
      'ENVIRONMENT',
      'PAYLOAD_SECRET',
      'DATABASE_URL',
      'HOST',
      'OUTBOUND_CONTACT',
      'WEBHOOKS',
      'PLATFORMS names githb, but there are only',
      'RATE_BUDGETS names gihtub, but there are only',
      'SERVICE_NAME may not be',
      'OBSERVERS: the file',
    ])
      expect(messagesIn(output)).toContain(`- ${name} `);
    expect(output).toContain('- ADMIN_TOKN is not a setting; did you mean ADMIN_TOKEN?');
    expect(output).not.toContain('hunter2');
    expect(output).not.toMatch(STACK);
  });

  it('reads the settings that name a file or hold a list before it looks for a database', async () => {
    const { code, output } = await runService({
      DATABASE_URL: 'postgres://127.0.0.1:1/signet',
      LOG_POLICY: '/nowhere/policy.txt',
      WITNESS: 'on',
      WITNESS_LOGS: 'log nonsense',
      WEBHOOKS: '[{"url":"https://receiver.example/"}]',
      ARCHIVE: 'arweave',
    });

    expect(code).toBe(1);
    for (const name of [
      'LOG_POLICY: the file',
      'WITNESS_LOGS: line 1',
      'WEBHOOKS, entry 1',
      'ARWEAVE_WALLET is missing',
    ])
      expect(messagesIn(output)).toContain(`- ${name}`);
    expect(output).not.toMatch(STACK);
  });

  it('says which settings contradict the platforms, and ends with code 1', async () => {
    const { url, drop } = await createTestDatabase();
    own.cleanUps.push(drop);

    const { code, output } = await runService({
      DATABASE_URL: url,
      PLATFORMS: 'ethereum,myspace',
      SERVICE_NAME: 'solana',
    });

    expect(code).toBe(1);
    expect(output).toContain('- PLATFORMS names myspace, but there are only ');
    expect(messagesIn(output)).toContain('- SERVICE_NAME may not be "solana"');
    expect(output).not.toMatch(STACK);
  });

  it('says that the database belongs to a deployment of another name, and ends with code 1', async () => {
    const { url, drop } = await createTestDatabase();
    own.cleanUps.push(drop);
    const acme = await startApp({ databaseUrl: url, env: { SERVICE_NAME: 'acme' } });
    await acme.close();

    const { code, output } = await runService({ DATABASE_URL: url });

    expect(code).toBe(1);
    expect(messagesIn(output)).toContain('service_name is "acme"');
    expect(output).not.toMatch(STACK);
  });

  it('says that its port is taken, and ends with code 1', async () => {
    const { url, drop } = await createTestDatabase();
    const squatter = await new Promise<Server>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
    });
    own.cleanUps.push(drop, () => new Promise((resolve) => squatter.close(resolve)));
    const { port } = squatter.address() as { port: number };

    const { code, output } = await runService({ DATABASE_URL: url, PORT: String(port) });

    expect(code).toBe(1);
    expect(messagesIn(output)).toBe(
      `Port ${port} of 127.0.0.1 is in use by another program. Stop that one, or set PORT to another port.`,
    );
  });
});
