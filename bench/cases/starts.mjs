/** Cold starts and memory at rest. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '../build.mjs';
import { median } from '../measure.mjs';
import { milliseconds, number } from '../report.mjs';
import { startService, usage } from '../servers.mjs';
import { BESIDE, otherDatabase, verdictBeside } from './run-beside.mjs';

/** @import { Progress, Stage } from '../types.d.ts' */

/** After this long without requests, memory is at rest. */
const REST_MS = 5000;
const MOST_MIB = { postgres: 135, embedded: 350 };

/**
 * Milliseconds of a Node process that runs `source` in the checkout.
 * @param {string} source
 * @param {...string} words
 */
function timeOf(source, ...words) {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source, ...words], {
    cwd: ROOT,
  });
  if (status !== 0) throw new Error(String(stderr));
  return performance.now() - started;
}

const LOAD_MODULES =
  "await import('./dist/service/service.js'); await import('./dist/service/application.js'); process.exit(0)";
/** Opening alone: the printed time starts after the module is loaded. */
const OPEN_DATABASE = `
  const { openEmbeddedDatabase } = await import('./dist/src/database/embedded/embedded-database.js');
  const started = performance.now();
  const { close } = await openEmbeddedDatabase(process.argv[1], { onCrash: (error) => { throw error; } });
  console.log(performance.now() - started);
  await close();
  process.exit(0);`;

/** @param {string} folder */
function openingOf(folder) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', OPEN_DATABASE, folder], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/** @param {Record<string, string | undefined>} env @param {string} [root] */
async function startAndStop(env, root = ROOT) {
  const service = await startService(env, [], root);
  await service.stop();
  return service.startMs;
}

/** @param {Stage} stage @param {Progress} progress */
async function runEmbedded({ settings }, progress) {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'signet-bench-'));
  const DATA_DIR = path.join(parent, 'data');
  try {
    progress('first start');
    const first = await startAndStop({ DATA_DIR });
    /** @type {{ modules: number, opening: number, second: number }[]} */
    const rounds = [];
    for (let round = 0; round < settings.rounds; round++) {
      progress(`second start, round ${round + 1}`);
      const modules = timeOf(LOAD_MODULES);
      const opening = openingOf(DATA_DIR);
      rounds.push({ modules, opening, second: await startAndStop({ DATA_DIR }) });
    }
    /** @param {(round: typeof rounds[number]) => number} pick */
    const of = (pick) => median(rounds.map(pick));
    const ratio = of(({ second, modules, opening }) => second / (modules + opening));
    const notes = [
      `First start, which makes the database: ${number(first)} ms. Second start: ${number(of((r) => r.second))} ms, to the first answer over HTTP.`,
      `Node loads the modules in ${number(of((r) => r.modules))} ms, the database opens in ${number(of((r) => r.opening))} ms.`,
    ];
    return {
      notes,
      verdict: {
        text: 'second start within 2 times of modules plus opening',
        met: ratio <= 2,
        seen: `${ratio.toFixed(2)} times`,
      },
    };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** @param {Stage} stage @param {string} beside the other checkout */
async function startBeside(stage, beside) {
  const [env, { url }] = [await stage.env(), await otherDatabase(stage)];
  /** @type {{ own: number, other: number }[]} */
  const rounds = [];
  for (let round = 0; round < stage.settings.rounds; round++) {
    rounds.push({ own: await startAndStop(env), other: await startAndStop({ ...env, DATABASE_URL: url }, beside) });
  }
  const own = median(rounds.map((round) => round.own));
  const other = median(rounds.map((round) => round.other));
  const share = median(rounds.map((round) => round.other / round.own));
  return {
    notes: [`From spawn to the first answer over HTTP: ${number(own)} ms, of the other version ${number(other)} ms.`],
    verdict: verdictBeside([share]),
  };
}

/** @param {Stage} stage */
async function runPostgres(stage) {
  if (BESIDE) return startBeside(stage, BESIDE);
  /** @type {number[]} */
  const starts = [];
  for (let round = 0; round < stage.settings.rounds; round++) starts.push(await startAndStop(await stage.env()));
  return {
    notes: [
      `From spawn to the first answer over HTTP: ${number(median(starts))} ms; loading the modules alone ${number(timeOf(LOAD_MODULES))} ms.`,
    ],
  };
}

/** @param {Stage} stage @param {Progress} progress @param {string} beside the other checkout */
async function memoryBeside(stage, progress, beside) {
  const [env, { url }] = [await stage.env(), await otherDatabase(stage)];
  /** @param {Record<string, string | undefined>} settings @param {string} root */
  const atRest = async (settings, root) => {
    const service = await startService(settings, [], root);
    await delay(REST_MS);
    const { mib } = usage(service.pid);
    await service.stop();
    return mib;
  };
  progress('this version');
  const own = await atRest(env, ROOT);
  progress('the other version');
  const other = await atRest({ ...env, DATABASE_URL: url }, beside);
  return {
    notes: [`At rest with PostgreSQL: ${number(own)} MiB, the other version ${number(other)} MiB.`],
    verdict: verdictBeside([other / own]),
  };
}

/** @param {Stage} stage @param {Progress} progress */
async function runMemory(stage, progress) {
  if (BESIDE) return memoryBeside(stage, progress, BESIDE);
  const parent = mkdtempSync(path.join(os.tmpdir(), 'signet-bench-'));
  /** @type {Record<string, number>} */
  const seen = {};
  const settings = { postgres: await stage.env(), embedded: { DATA_DIR: path.join(parent, 'data') } };
  for (const [kind, env] of Object.entries(settings)) {
    progress(kind);
    const service = await startService(env);
    await delay(REST_MS);
    seen[kind] = usage(service.pid).mib;
    await service.stop();
  }
  rmSync(parent, { recursive: true, force: true });
  const met = seen.postgres < MOST_MIB.postgres && seen.embedded < MOST_MIB.embedded;
  const text = `${milliseconds(seen.postgres)} MiB with PostgreSQL, ${milliseconds(seen.embedded)} MiB with the embedded database`;
  return {
    notes: [],
    memory: seen,
    verdict: { text: 'under 135 MiB, and under 350 MiB with the embedded database', met, seen: text },
  };
}

export const STARTS = [
  { name: 'start-embedded', title: 'start with the embedded database', run: runEmbedded },
  { name: 'start-postgres', title: 'start with PostgreSQL', run: runPostgres },
  { name: 'memory', title: 'memory at rest', run: runMemory },
];
