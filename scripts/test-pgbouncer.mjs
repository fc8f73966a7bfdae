/**
 * `npm run test:pgbouncer [file ...]`: the tests of the interface, or those of the files, with PgBouncer in transaction
 * mode between the service and PostgreSQL. Uses the program if this machine has it; otherwise prints how to get it and
 * exits with 2.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '../test/support/postgres.mjs';
import { freePort } from '../test/support/free-port.mjs';

const files = process.argv.slice(2);
const config = files.length > 0 ? 'jest.config.mjs' : 'jest.pgbouncer.config.mjs';

if (spawnSync('pgbouncer', ['--version']).error) {
  console.error(
    'PgBouncer is not on this machine. Install it (Debian and Ubuntu: apt-get install pgbouncer; macOS: brew install pgbouncer), then try again.',
  );
  process.exit(2);
}

const folder = await mkdtemp(path.join(tmpdir(), 'signet-pgbouncer-'));
const postgres = await startPostgres();
const { hostname, port: postgresPort } = new URL(postgres.url);
const port = await freePort();
await writeFile(path.join(folder, 'users.txt'), '"postgres" ""\n');
await writeFile(
  path.join(folder, 'pgbouncer.ini'),
  `[databases]
* = host=${hostname} port=${postgresPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${path.join(folder, 'users.txt')}
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 20
`,
);

// PgBouncer refuses to run as root, which containers and build machines often are.
const asUser = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : [];
const [program, ...words] = [...asUser, 'pgbouncer', '--quiet', path.join(folder, 'pgbouncer.ini')];
const pooler = spawn(program, words, { stdio: ['ignore', 'inherit', 'inherit'] });

const tests = spawn(
  process.execPath,
  ['node_modules/jest/bin/jest.js', '--config', `test/config/${config}`, ...files],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_OPTIONS: '--experimental-vm-modules',
      TEST_DATABASE_URL: postgres.url,
      TEST_POOLER: `127.0.0.1:${port}`,
    },
  },
);
const [code] = await once(tests, 'exit');
pooler.kill();
await postgres.stop();
await rm(folder, { recursive: true });
process.exit(code ?? 1);
