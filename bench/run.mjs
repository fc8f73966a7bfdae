/**
 * The benchmark: `npm run bench [-- --only NAME,NAME] [--json FILE] [--docs] [--profile] [--list] [--strict]`.
 * With `--docs` it writes the table of docs/benchmarks.md; with `--strict` it fails where a target is not met.
 *
 * BENCH_PROOFS (100000) proofs in a real PostgreSQL; BENCH_SECONDS (2) for each measurement and BENCH_ROUNDS (3) of
 * them, of which the median counts; BENCH_CONNECTIONS (1,16,64); BENCH_FSYNC (on); BENCH_COMMIT_MS (0);
 * BENCH_LOG_ENTRIES (50000) links in the cases of the log; BENCH_BESIDE, a built checkout of another version.
 * TEST_DATABASE_URL names a server to use, on which the seeded database is kept. See docs/benchmarks.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { ensureBuilt, ROOT } from './build.mjs';
import { gitRevision } from '../scripts/git-revision.mjs';
import { wrapMarkdown } from '../scripts/reference/wrap-markdown.mjs';
import { progressTo, summaryOf, tableOf, withResults } from './report.mjs';

/** @import { BenchRun, CaseResult } from './types.d.ts' */

const PAGE = `${ROOT}docs/benchmarks.md`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    json: { type: 'string' },
    docs: { type: 'boolean' },
    profile: { type: 'boolean' },
    list: { type: 'boolean' },
    strict: { type: 'boolean' },
  },
});
ensureBuilt();
// Only now: these load parts of the build.
const { CASES } = await import('./cases/index.mjs');
const { openStage } = await import('./stage.mjs');

const settings = {
  proofs: Number(process.env.BENCH_PROOFS || 100_000),
  seconds: Number(process.env.BENCH_SECONDS || 2),
  rounds: Number(process.env.BENCH_ROUNDS || 3),
};
const names = options.only?.split(',') ?? CASES.map((one) => one.name);
const chosen = CASES.filter((one) => names.includes(one.name));
if (options.list) {
  for (const { name, title } of CASES) console.log(`${name.padEnd(20)}${title}`);
} else if (chosen.length < names.length) {
  console.error(`There is no such case; there are: ${CASES.map((one) => one.name).join(', ')}`);
  process.exitCode = 1;
} else {
  await main();
}

async function main() {
  const progress = progressTo(process.stderr);
  const machine = `${os.cpus().length} x ${os.cpus()[0].model.trim()}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.release()}, Node ${process.version}`;
  /** @type {CaseResult[]} */
  const cases = [];
  /** @type {BenchRun} */
  const run = { machine, commit: gitRevision(), at: new Date().toISOString(), ...settings, cases };
  console.log(
    `# Benchmark of ${run.commit.slice(0, 12)}\n\n${machine}; ${settings.proofs.toLocaleString('en-US')} proofs.\n`,
  );
  const stage = await openStage(settings, {
    profile: options.profile ? `${ROOT}.cache/bench-profiles` : null,
    progress,
  });
  try {
    for (const one of chosen) {
      progress(one.name);
      const result = {
        name: one.name,
        title: one.title,
        ...(await one.run(stage, (text) => progress(`${one.name}: ${text}`))),
      };
      run.cases.push(result);
      // After each case, so that an interrupted run leaves its results.
      if (options.json) writeFileSync(options.json, `${JSON.stringify(run, null, 2)}\n`);
      progress('');
      console.log(tableOf(result));
    }
  } finally {
    await stage.close();
  }
  console.log(`## All cases\n\n${summaryOf(run.cases)}\n`);
  if (options.docs) writeFileSync(PAGE, wrapMarkdown(withResults(readFileSync(PAGE, 'utf8'), run)));
  const missed = run.cases.filter(({ verdict }) => verdict && !verdict.met);
  if (missed.length === 0) return;
  console.log(`Targets not met: ${missed.map(({ name }) => name).join(', ')}`);
  if (options.strict) process.exitCode = 1;
}
