/**
 * All cases in the order of the report. Each has a name, a title and `run(stage, progress)`, which answers rows, notes
 * and a verdict.
 */
import { FEED } from './feed.mjs';
import { READS } from './reads.mjs';
import { runLimited, runRead } from './run-read.mjs';
import { runPayload, runSubmit } from './run-write.mjs';
import { WRITES } from './writes.mjs';
import { CRYPTO } from './crypto.mjs';
import { VERIFY_CHAIN } from './verify-chain.mjs';
import { EVENTS } from './events.mjs';
import { STARTS } from './starts.mjs';
import { PLANS } from './plans.mjs';
import { RECHECKS } from './rechecks.mjs';

const RUNNERS = { pg: runRead, fastify: runPayload, submit: runSubmit };

export const CASES = [
  ...READS.map((one) => ({ ...one, run: (stage, progress) => runRead(one, stage, progress) })),
  {
    name: 'rate-limits',
    title: 'exact lookup by one identity, rate limits on',
    run: (stage, progress) => runLimited(READS[0], stage, progress),
  },
  FEED,
  ...WRITES.map((one) => ({ ...one, run: (stage, progress) => RUNNERS[one.limit](one, stage, progress) })),
  EVENTS,
  RECHECKS,
  ...STARTS,
  CRYPTO,
  VERIFY_CHAIN,
  PLANS,
];
