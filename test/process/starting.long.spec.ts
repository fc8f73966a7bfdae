import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { aWallet, anAvatar } from '../support/avatar.js';
import { readChain } from '../support/chain-checks.js';
import { createEmptyDatabase, createTestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { launchService, messagesIn, runService } from '../support/service-process.js';
import { until } from '../support/until.js';
import { OwnFolder } from './own-folder.js';

const STACK = /^ {4}at |\\n {4}at |"stack"/m;

const own = new OwnFolder();

describe('a service that may have too few files open', () => {
  it.each([24, 40])('says so in one sentence: %i', async (openFiles) => {
    const { code, output } = await launchService({ DATA_DIR: path.join(own.path, 'data') }, openFiles).ended;

    expect(code).toBe(1);
    expect(output).toContain(
      `This process may have only ${openFiles} files open, which is too few to start. Raise the limit`,
    );
    expect(output).not.toMatch(STACK);
  });
});

describe('a service whose role may create nothing', () => {
  it('says which grants it needs, and starts once they are run', async () => {
    const { url, drop } = await createEmptyDatabase();
    const role = `signet_role_${randomBytes(4).toString('hex')}`;
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    await owner.query(`create role ${role} login`);
    await owner.query(`revoke create on schema public from public`);
    own.cleanUps.push(
      drop,
      () => owner.end(),
      () => owner.query(`drop owned by ${role} cascade; drop role ${role}`),
    );
    const limited = new URL(url);
    limited.username = role;

    const { code, output } = await runService({ DATABASE_URL: limited.href });

    expect(code).toBe(1);
    expect(output).toContain(`The role ${role} may not create what it needs in the schema public`);
    expect(output).not.toMatch(STACK);
    for (const grant of messagesIn(output).match(/GRANT [^;]+;/g)!) await owner.query(grant);
    const service = await own.start({ DATABASE_URL: limited.href });
    expect((await service.get('/readyz')).status).toBe(200);
    await service.kill9();
  });
});

describe('npm start', () => {
  it('passes the signal that ends it on to the service, and ends with it', async () => {
    const { url, drop } = await createTestDatabase();
    own.cleanUps.push(drop);
    const npm = spawn('npm', ['start'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: {
        PATH: process.env.PATH,
        TMPDIR: own.path,
        HOME: own.path,
        PORT: '0',
        HOST: '127.0.0.1',
        DATABASE_URL: url,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    own.cleanUps.push(async () => npm.kill('SIGKILL'));
    let text = '';
    npm.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
    // Not before the service has let go of its output.
    const ended = once(npm, 'close');
    await until(() => text.includes('Signet is ready'));

    npm.kill('SIGTERM');
    await ended;

    expect(text).toContain('SIGTERM: finishing running requests, then stopping.');
  });
});

describe('a service that starts on a fresh PostgreSQL', () => {
  it('does so beside another one, and both serve one chain', async () => {
    const { url, drop } = await createEmptyDatabase();
    own.cleanUps.push(drop);

    const [first, second] = await Promise.all([own.start({ DATABASE_URL: url }), own.start({ DATABASE_URL: url })]);

    const bob = anAvatar('bob');
    const statuses = [
      (await linkWallet(first, bob, aWallet('first'))).status,
      (await linkWallet(second, bob, aWallet('second'))).status,
    ];
    // Issued by one, accepted by the other: they share the HMAC key of payloads.
    const { body: payload } = await first.post('/v1/proof/payload', {
      action: 'delete',
      platform: 'ethereum',
      identity: aWallet('first').address,
      public_key: bob.key.compressed,
    });
    const { status } = await second.post('/v1/proof', {
      action: 'delete',
      platform: 'ethereum',
      identity: aWallet('first').address,
      public_key: bob.key.compressed,
      uuid: payload.uuid,
      created_at: payload.created_at,
      extra: { signature: bob.sign(payload.sign_payload) },
    });
    expect([...statuses, status]).toEqual([201, 201, 201]);
    expect(await readChain(first, bob.key.compressed)).toHaveLength(3);
  });
});
