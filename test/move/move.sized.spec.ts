import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readCheckpoint } from '@signet/verify/log';
import pg from 'pg';
import { migrate } from '../../src/database/schema/migrator.js';
import { readMove } from '../../src/database/schema/moved.js';
import { hasTable } from '../../src/database/sql-source.js';
import { moveCommand } from '../../src/move/move-command.js';
import { commit, say, stateOf } from '../keys/key-scenario.js';
import { writeKv } from '../kv/kv-scenario.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import {
  copyMigratedCluster,
  createEmptyDatabase,
  startEmbeddedTestDatabase,
  type TestDatabase,
} from '../support/database.js';
import type { Engine } from '../support/engines.js';
import { linkWallet } from '../support/scenario.js';
import { runService } from '../support/service-process.js';
import { isLongRun, QUICK_START, sized } from '../support/tier.js';
import { until } from '../support/until.js';
import { getRaw, headOfRecords } from '../transparency-log/log-client.js';

/** Of all legs together. */
const KILLS = sized('MOVE_KILLS', { short: 0, long: 50 });
const KILLS_OF_A_LEG = 5;
const BACK: [Engine, Engine] = ['postgres', 'embedded'];
const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
const TIMEOUT_MS = 900_000 + KILLS * 60_000;
const SCRIPT = fileURLToPath(new URL('../../scripts/move.mjs', import.meta.url));
const alice = anAvatar('alice');

/** A place that holds, or gets, a database. */
interface Place {
  engine: Engine;
  /** URL or folder, as the command takes it. */
  name: string;
  settings: Record<string, string>;
}

const databases: TestDatabase[] = [];
afterAll(() => Promise.all(databases.map((database) => database.drop())));

/** The folder of the head files, which moves with an embedded database, and stays beside a server. */
const aFolder = () => mkdtemp(path.join(tmpdir(), 'signet-test-'));

async function anEmptyPlace(engine: Engine): Promise<Place> {
  const folder = path.join(await aFolder(), 'data');
  if (engine === 'embedded') return { engine, name: folder, settings: { DATA_DIR: folder } };
  const made = await createEmptyDatabase();
  databases.push(made);
  return { engine, name: made.url, settings: { DATABASE_URL: made.url, DATA_DIR: folder } };
}

async function start({ engine, name, settings }: Place): Promise<RunningApp> {
  if (engine === 'postgres') return startApp({ databaseUrl: name, env: { DATA_DIR: settings.DATA_DIR! } });
  return startApp({ database: await startEmbeddedTestDatabase(name, { copy: false }), env: { DATA_DIR: name } });
}

function launch(...words: string[]): { child: ChildProcess; lines: string[]; ended: Promise<number | null> } {
  const child = spawn(process.execPath, [...QUICK_START, SCRIPT, ...words], {
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, DATA_DIR: '/nowhere' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let rest = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      const parts = (rest + text.toString()).split('\n');
      rest = parts.pop()!;
      lines.push(...parts);
    });
  }
  return { child, lines, ended: once(child, 'close').then(([code]) => code as number | null) };
}

/** `npm run move -- <words>` between servers; here, since the engine of an embedded database needs built modules. */
async function runHere(...words: string[]): Promise<{ code: number | null; said: string }> {
  const lines: string[] = [];
  const code = await moveCommand({ DATA_DIR: '/nowhere' }, words, (line) => lines.push(line));
  return { code, said: lines.join('\n') };
}

async function move(from: Place, to: Place): Promise<{ code: number | null; said: string }> {
  const words = ['--from', from.name, '--to', to.name];
  if (from.engine === 'postgres' && to.engine === 'postgres') return runHere(...words);
  const { lines, ended } = launch(...words);
  const code = await ended;
  return { code, said: lines.join('\n') };
}

/** Whether a server that starts on this place would sign the log of the deployment. */
async function canSign({ engine, name }: Place): Promise<boolean> {
  if (engine === 'embedded' && !existsSync(path.join(name, 'pglite', 'PG_VERSION'))) return false;
  const database = engine === 'embedded' ? await startEmbeddedTestDatabase(name, { copy: false }) : null;
  const client = new pg.Client({ connectionString: database?.url ?? name });
  await client.connect();
  try {
    const source = {
      query: async <Result>(sql: string, values?: unknown[]) => (await client.query(sql, values)).rows as Result,
    };
    if (!(await hasTable(source, 'log_state'))) return false;
    const states = await source.query<object[]>(`select from log_state where refusal = ''`);
    return states.length > 0 && (await readMove(source)) === null;
  } finally {
    await client.end();
    await database?.close();
  }
}

/** Root of each tree head that was ever shown, by its size. */
type Roots = Map<number, string>;

/** Writes a link and a patch, and notes the tree heads that are shown. Returns the feed of links and the log's name. */
async function grow(place: Place, roots: Roots, links: number, patches: number) {
  const server = await start(place);
  try {
    const note = async () => {
      const { origin, size, root } = readCheckpoint((await getRaw(server, '/log/checkpoint')).text)!;
      expect(roots.get(size) ?? Buffer.from(root).toString('hex')).toBe(Buffer.from(root).toString('hex'));
      roots.set(size, Buffer.from(root).toString('hex'));
      return { origin, size };
    };
    if (roots.size > 0) {
      await headOfRecords(server, links + patches - 2);
      const { size } = await note();
      expect(size).toBe(Math.max(...roots.keys()));
    }
    // Until a server has looked at its log, it promises nothing.
    await until(async () => (await server.get('/healthz')).body.log.state === 'ok');
    const link = await linkWallet(server, alice, aWallet(`wallet ${links}`));
    expect({ status: link.status, receipt: typeof link.body.receipt }).toEqual({ status: 201, receipt: 'string' });
    await writeKv(server, alice, { [`key ${patches}`]: 'ü'.repeat(50) });
    await headOfRecords(server, links + patches);
    const { origin, size } = await note();
    const { body } = await server.get('/v1/proofchain/changes?last_id=0');
    return { origin, size, links: body.links as { id: number }[] };
  } finally {
    await server.close();
  }
}

/** An empty place on which a server has made all tables, with a log of one link and one patch. */
async function aGrownPlace(engine: Engine, roots: Roots): Promise<Place> {
  const place = await anEmptyPlace(engine);
  if (engine === 'postgres') await migrate(place.name);
  else await copyMigratedCluster(place.name);
  await grow(place, roots, 1, 1);
  return place;
}

describe.each<[Engine, Engine]>([['embedded', 'postgres'], ...(isLongRun ? [BACK] : [])])(
  'a move from %s to %s',
  (fromEngine, toEngine) => {
    it(
      'takes all along, after which the log goes on there under its name, and nobody can write where it was',
      async () => {
        const roots: Roots = new Map();
        const from = await aGrownPlace(fromEngine, roots);
        const to = await anEmptyPlace(toEngine);

        const { code, said } = await move(from, to);

        expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('The move is over') });
        expect(said).toMatch(/chain_link: 1 rows, as they were[^]*kv_patch: 1 rows, as they were/);
        expect(said).toMatch(/All verify[^]*All verify[^]*All is as it was signed/);
        expect([await canSign(from), await canSign(to)]).toEqual([false, true]);
        const { links } = await grow(to, roots, 2, 2);
        expect(links.map(({ id }) => id)).toEqual([1, 2]);
        const old = await runService(from.settings);
        expect({ code: old.code, output: old.output }).toEqual({
          code: 1,
          output: expect.stringMatching(
            /This database was moved to .* on \d{4}-\d\d-\d\d, and nothing is written here/,
          ),
        });
        // Again: what is over stays over, and a place that is in use takes nothing in.
        expect(await move(from, to)).toMatchObject({ code: 0, said: expect.stringContaining('was moved to') });
        expect(await move(from, await anEmptyPlace('postgres'))).toMatchObject({ code: 2 });
        const other = await aGrownPlace('postgres', new Map());
        expect(await move(other, to)).toEqual({
          code: 2,
          said: expect.stringMatching(/The target, .*, is not empty\./),
        });
        expect(await canSign(other)).toBe(true);
      },
      TIMEOUT_MS,
    );
  },
);

it(
  'takes key events along, with what they stop and what they will do',
  async () => {
    const [carol, paper] = [anAvatar('carol'), anAvatar('words on paper')];
    const from = await aGrownPlace('postgres', new Map());
    const before = await start(from);
    await commit(before, carol, [paper]);
    await linkWallet(before, carol, aWallet('carol'));
    await writeKv(before, carol, { name: 'Carol' });
    await say(before, carol, { action: 'key.freeze' });
    await headOfRecords(before, 6);
    const state = await stateOf(before, carol);
    await before.close();
    const to = await anEmptyPlace('postgres');

    expect(await move(from, to)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/key_event: 2 rows, as they were/),
    });
    const behind = await start(to);
    const patch = await writeKv(behind, carol, { name: 'Eve' });
    const moved = await stateOf(behind, carol);
    const thawed = await say(behind, carol, { action: 'key.thaw' }, { by: paper });
    await behind.close();

    expect(patch.body.code).toBe('avatar_frozen');
    expect(moved).toEqual({ ...state, now: expect.any(Number) });
    expect(thawed.status).toBe(201);
  },
  TIMEOUT_MS,
);

it('a source that is marked refuses each write of a server that still runs, and may be given back before the end', async () => {
  const roots: Roots = new Map();
  const from = await aGrownPlace('postgres', roots);
  const to = await anEmptyPlace('postgres');
  const client = new pg.Client({ connectionString: from.name, application_name: 'signet' });
  await client.connect();
  // A step of 0.2.0 that was not done, and that servers of this version do not know, is no reason to wait.
  await client.query(`insert into upgrade_step (id, place) values ('proof_identity_pieces', 70)`);

  const busy = await move(from, to);
  await client.end();
  const { child, lines, ended } = launch('--from', from.name, '--to', to.name);
  child.stdout!.once('data', () => child.kill('SIGKILL'));
  await ended;
  const marked = new pg.Client({ connectionString: from.name });
  await marked.connect();
  const refused = await marked.query('delete from kv_patch').catch((error: { code: string }) => error.code);
  await marked.end();

  expect(busy).toEqual({ code: 2, said: expect.stringMatching(/Servers have 1 connections .*: stop them first\./) });
  expect(lines[0]).toMatch(/^Nothing is written to PostgreSQL .* any more\. It moves to PostgreSQL/);
  expect({ refused, canSign: await canSign(from) }).toEqual({ refused: '25006', canSign: false });
  expect(await runHere('--from', from.name, '--cancel')).toEqual({
    code: 0,
    said: expect.stringContaining('is given up'),
  });
  await grow(from, roots, 2, 2);
  expect(await canSign(to)).toBe(false);
  expect(await runHere('--from', from.name)).toMatchObject({ code: 2, said: expect.stringContaining('Usage') });
});

if (KILLS > 0) {
  it(
    'moves both ways that are killed anywhere leave at most one place that can sign, and in the end the new one',
    async () => {
      const random = generator(SEED);
      const roots: Roots = new Map();
      let from = await aGrownPlace('embedded', roots);
      let [killed, legs, worst] = [0, 0, 0];
      while (killed < KILLS) {
        const to = await anEmptyPlace(from.engine === 'embedded' ? 'postgres' : 'embedded');
        for (let left = Math.min(KILLS_OF_A_LEG, KILLS - killed); left > 0; left--) {
          const wasOver = await canSign(to);
          const before = [await canSign(from), wasOver];
          await killSomewhere(from, to, random);
          killed += 1;
          const after = [await canSign(from), await canSign(to)];
          worst = Math.max(worst, after.filter(Boolean).length);
          // Once a place has stopped to sign for a move, it never does again.
          if (!before[0]) expect(after[0]).toBe(false);
          if (wasOver) expect(after[1]).toBe(true);
        }
        const { code, said } = await move(from, to);
        expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(/The move is over|was moved to/) });
        expect([await canSign(from), await canSign(to)]).toEqual([false, true]);
        legs += 1;
        await grow(to, roots, legs + 1, legs + 1);
        from = to;
      }

      expect(worst).toBeLessThanOrEqual(1);
      process.stdout.write(
        `move: ${legs} moves, ${killed} killed with -9, ${roots.size} tree heads of one history, at most ${worst} place that can sign, 0 problems (seed ${SEED})\n`,
      );
    },
    TIMEOUT_MS,
  );
}

/** Kills a run at one of the lines that it prints, or some moment before or behind it. */
async function killSomewhere(from: Place, to: Place, random: () => number): Promise<void> {
  const { child, lines, ended } = launch('--from', from.name, '--to', to.name);
  let isOver = false;
  void ended.then(() => (isOver = true));
  const line = Math.floor(random() * 40) - 1;
  const ms = random() * 400;
  while (!isOver && lines.length <= line) await delay(1);
  await delay(line < 0 ? 10 * ms : random() < 0.5 ? 0 : ms);
  child.kill('SIGKILL');
  await ended;
}

/** Numbers from 0 to 1 (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
