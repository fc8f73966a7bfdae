/** The plans of every list query, and the time of a sequential scan. */
import pg from 'pg';
import { median } from '../measure.mjs';
import { READS } from './reads.mjs';

/** @import { RecordedRequest, Stage } from '../types.d.ts' */

/** @typedef {{ 'Node Type': string, 'Relation Name': string, Plans?: Plan[] }} Plan */

const BIG_TABLES = ['proof', 'chain_link', 'kv_entry', 'kv_patch', 'proof_check', 'domain_event'];

/**
 * Milliseconds of counting the matches of `term` by reading the whole table in one process: the median of three.
 * @param {Stage} stage
 * @param {string} term
 */
export async function sequentialScan(stage, term) {
  const { url } = await stage.database();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      'set enable_indexscan = off; set enable_indexonlyscan = off; set enable_bitmapscan = off; set max_parallel_workers_per_gather = 0',
    );
    const times = [];
    for (let round = 0; round < 3; round++) {
      const started = performance.now();
      await client.query('select count(distinct avatar) from proof where identity_folded like $1', [`%${term}%`]);
      times.push(performance.now() - started);
    }
    return median(times);
  } finally {
    await client.end();
  }
}

/** @param {Stage} stage */
async function run(stage) {
  const recorder = await stage.recorder();
  const client = new pg.Client({ connectionString: (await stage.database()).url });
  await client.connect();
  /** @type {string[]} */
  const bad = [];
  let checked = 0;
  try {
    for (const { name, requests } of READS) {
      /** @type {RecordedRequest[]} */
      const [{ statements }] = await recorder.ask(requests(stage.settings.proofs).slice(0, 1));
      // Those that begin, end or time a transaction have no plan.
      for (const { text, values } of statements.filter(({ text }) => HAS_PLAN.test(text))) {
        // A prepared statement may be planned for these values or for all.
        const plans = [
          await planOf(client, `explain (format json) ${text}`, values.map(decode)),
          await planOf(client, `explain (generic_plan, format json) ${text}`, []),
        ];
        checked += plans.length;
        for (const table of plans.flatMap(scansOf)) bad.push(`${name} scans ${table}`);
      }
    }
  } finally {
    await client.end();
  }
  return {
    notes: bad,
    verdict: {
      text: 'no list query scans a big table',
      met: bad.length === 0,
      seen: `${checked} plans, ${bad.length} with a scan`,
    },
  };
}

const HAS_PLAN = /^\s*(select|with|insert|update|delete)\b/i;

/** @param {pg.Client} client @param {string} text @param {unknown[]} values @returns {Promise<Plan>} */
async function planOf(client, text, values) {
  const { rows } = await client.query(text, values);
  return rows[0]['QUERY PLAN'][0].Plan;
}

/** @param {any} value */
const decode = (value) => (value?.date ? new Date(value.date) : value);

/**
 * The big tables that the plan reads from end to end.
 * @param {Plan} plan
 * @returns {string[]}
 */
function scansOf(plan) {
  const own =
    plan['Node Type'].endsWith('Seq Scan') && BIG_TABLES.includes(plan['Relation Name']) ? [plan['Relation Name']] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}

export const PLANS = { name: 'plans', title: 'plans of the list queries', run };
