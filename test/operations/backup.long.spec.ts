import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { anAvatar, aWallet } from '../support/avatar.js';
import { readChain } from '../support/chain-checks.js';
import { copyMigratedCluster } from '../support/database.js';
import { startPostgres, type TestPostgres } from '../support/postgres.mjs';
import { linkWallet, signedSubmit, walletPayload } from '../support/scenario.js';
import { startService } from '../support/service-process.js';
import { until } from '../support/until.js';
import { fillWithChains } from '../audit/chains.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RESTORED = /^This database was restored from a copy, or moved/;
/** The folder of the server may know a newer tree head than the dump, and says that first. */
const OLDER = /^A tree head of \d+ entries was signed, and the newest in the database has \d+/;
const alice = anAvatar('alice');

/** The command in docs/operations.md that starts with this word, as an operator would paste it. */
function documented(word: string): string {
  const command = readFileSync(`${ROOT}docs/operations.md`, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`${word} `));
  if (!command) throw new Error(`docs/operations.md has no command ${word}.`);
  return command;
}

/** Runs a documented command; `npm run` as the script that it starts. */
function run(command: string, cwd: string, env: Record<string, string>): { code: number | null; text: string } {
  const line = command.replace(/^npm run (\w+)( --)?/, `"${process.execPath}" "${ROOT}scripts/$1.mjs"`);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  return { code: status, text: stdout + stderr };
}

/** Folder of the server programs that belong to the pg_dump of this machine, or why there is no test with it. */
function serverOfPgDump(): { bin: string } | { reason: string } {
  if (spawnSync('pg_dump', ['--version']).error) return { reason: 'there is no pg_dump on this machine' };
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  const bin = stdout?.trim() ?? '';
  if (existsSync(path.join(bin, 'postgres'))) return { bin };
  return { reason: 'there is no server that fits the pg_dump of this machine' };
}

const found = serverOfPgDump();
if ('reason' in found) console.warn(`Dump and restore are not tested: ${found.reason}.`);

('bin' in found ? describe : describe.skip)(
  'a PostgreSQL that is dumped and restored as docs/operations.md says',
  () => {
    let postgres: TestPostgres;
    let folder: string;
    beforeAll(async () => {
      postgres = await startPostgres('bin' in found ? { bin: found.bin } : {});
      folder = await mkdtemp(path.join(tmpdir(), 'signet-backup-'));
    });
    afterAll(async () => {
      await postgres.stop();
      await rm(folder, { recursive: true });
    });

    async function emptyDatabase(name: string): Promise<string> {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      await client.query(`create database ${name}`).finally(() => client.end());
      const url = new URL(postgres.url);
      url.pathname = `/${name}`;
      return url.href;
    }

    it('has the same chains, verifies, and goes on where it was', async () => {
      const before = await startService({ DATABASE_URL: await emptyDatabase('before') });
      await fillWithChains(before);
      const chain = await readChain(before, alice.key.compressed);
      const content = await before.get(`/v1/kv?avatar=${alice.key.compressed}`);
      const issued = await walletPayload(before, alice, aWallet('later'));

      const url = (database: string) => ({ DATABASE_URL: postgres.url.replace(/postgres$/, database) });
      const dump = run(documented('pg_dump'), folder, url('before'));
      await before.kill9();
      await emptyDatabase('after');
      const restore = run(documented('pg_restore'), folder, url('after'));
      const verify = run('npm run verify', folder, url('after'));

      expect({ dump, restore }).toEqual({ dump: { code: 0, text: '' }, restore: { code: 0, text: '' } });
      expect(verify.text).toContain('4 links in 2 chains, 2 bindings. All verify');
      expect(verify.code).toBe(0);
      const after = await startService(url('after'));
      expect(await readChain(after, alice.key.compressed)).toEqual(chain);
      expect((await after.get(`/v1/kv?avatar=${alice.key.compressed}`)).body).toEqual(content.body);
      const submit = signedSubmit(issued.body, alice, aWallet('later'));
      expect((await after.post('/v1/proof', submit)).status).toBe(201);
      expect((await after.get('/readyz')).status).toBe(200);
      // The end of the documented steps: it signs nothing before the operator has decided.
      expect(verify.text.trim().split('\n').at(-1)).toMatch(RESTORED);
      const log = async () => (await after.get('/v1/log')).body;
      await until(async () => (await log()).state === 'refused');
      expect((await log()).problem).toMatch(new RegExp(`${RESTORED.source}|${OLDER.source}`));
      const ended = run(documented('npm run log -- new-origin'), folder, url('after'));
      expect(ended).toEqual({ code: 0, text: expect.stringContaining('has ended') });
      await until(async () => (await log()).state === 'ok');
      await after.kill9();
    });

    it('refuses a restore over what is there', async () => {
      const dump = run(documented('pg_restore'), folder, { DATABASE_URL: postgres.url.replace(/postgres$/, 'after') });

      expect(dump.code).not.toBe(0);
      expect(dump.text).toContain('already exists');
    });
  },
);

describe('an embedded database that is copied cold as docs/operations.md says', () => {
  it('has the same chains, verifies, and goes on where it was', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'signet-backup-'));
    const [data, backup] = [path.join(folder, 'data'), path.join(folder, 'data-backup')];
    await copyMigratedCluster(data);
    const before = await startService({ DATA_DIR: data });
    await fillWithChains(before);
    const chain = await readChain(before, alice.key.compressed);
    before.signal('SIGTERM');
    await before.ended;

    execFileSync('sh', ['-c', documented('cp -a')], { cwd: folder });
    await rm(data, { recursive: true });
    const verify = run('npm run verify', folder, { DATA_DIR: backup });

    expect(verify.text).toContain('4 links in 2 chains, 2 bindings. All verify');
    expect(verify.code).toBe(0);
    const after = await startService({ DATA_DIR: backup });
    expect(await readChain(after, alice.key.compressed)).toEqual(chain);
    expect((await linkWallet(after, alice, aWallet('later'))).status).toBe(201);
    expect(verify.text.trim().split('\n').at(-1)).toMatch(RESTORED);
    await until(async () => (await after.get('/v1/log')).body.state === 'refused');
    await after.kill9();
    await rm(folder, { recursive: true });
  });
});
