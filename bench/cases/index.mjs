/**
 * All cases in the order of the report. Each has a name, a title and `run(stage, progress)`, which answers rows, notes
 * and a verdict.
 */
import { FEED } from './feed.mjs';
import { READS } from './reads.mjs';
import { BESIDE, runRequestsBeside, runSubmitsBeside } from './run-beside.mjs';
import { runBeside, runRead, verdictOf } from './run-read.mjs';
import { runPayload, runServers, runSubmit } from './run-write.mjs';
import { freshBinding, WRITES } from './writes.mjs';
import { CRYPTO } from './crypto.mjs';
import { EMBEDDED_WRITES } from './embedded-writes.mjs';
import { VERIFY_CHAIN } from './verify-chain.mjs';
import { EVENTS } from './events.mjs';
import { STARTS } from './starts.mjs';
import { LOG } from './log.mjs';
import { PLANS } from './plans.mjs';
import { RECHECKS } from './rechecks.mjs';

/** @import { Case, PayloadCase, Progress, ReadCase, Stage, SubmitCase } from '../types.d.ts' */

// Another version answers requests too, but for a mixture of them.
/** @param {ReadCase} one @param {Stage} stage @param {Progress} progress */
const runReads = (one, stage, progress) => (BESIDE ? runRequestsBeside : runRead)(one, stage, progress);

/** @param {PayloadCase | SubmitCase} one @param {Stage} stage @param {Progress} progress */
const runWrite = (one, stage, progress) =>
  one.limit === 'fastify'
    ? (BESIDE ? runRequestsBeside : runPayload)(one, stage, progress)
    : (BESIDE && !one.reads ? runSubmitsBeside : runSubmit)(one, stage, progress);

/**
 * @template One
 * @param {(one: One, stage: Stage, progress: Progress) => ReturnType<Case['run']>} run
 * @param {One} one
 * @returns {Case['run']}
 */
const withCase = (run, one) => (stage, progress) => run(one, stage, progress);

/** @type {Case[]} */
export const CASES = [
  ...READS.map((one) => ({ ...one, run: withCase(runReads, one) })),
  {
    name: 'rate-limits',
    title: 'exact lookup by one identity, rate limits on',
    // No client of the benchmark comes near the limit.
    run: (stage, progress) =>
      runBeside(
        READS[0],
        { RATE_LIMIT: 'on', RATE_LIMIT_READS: '100000000' },
        'Here the limit is the same service with RATE_LIMIT=off.',
        ...[stage, progress],
      ),
  },
  {
    name: 'dialect',
    title: 'exact lookup by one identity, in the dialect of NextID',
    run: async (stage, progress) => {
      const note = 'Here the limit is the same service with DIALECT=none.';
      const result = await runBeside(READS[0], { DIALECT: 'nextid' }, note, stage, progress);
      return { ...result, verdict: verdictOf({ ratio: 0.95, text: 'at least 95 % of DIALECT=none' }, result.rows) };
    },
  },
  FEED,
  ...WRITES.map((one) => ({ ...one, run: withCase(runWrite, one) })),
  {
    name: 'servers',
    title: 'wallet binding submit, three servers on one database',
    run: (stage, progress) => runServers({ fresh: freshBinding, expect: 201 }, stage, progress),
  },
  ...EMBEDDED_WRITES,
  EVENTS,
  RECHECKS,
  ...LOG,
  ...STARTS,
  CRYPTO,
  VERIFY_CHAIN,
  PLANS,
];
