/** A whole iteration of the feed against a cursor over the same rows. */
import { median } from '../measure.mjs';
import { number, percent } from '../report.mjs';
import { usage } from '../servers.mjs';

/** @import { LoadResult, Progress, Stage } from '../types.d.ts' */

/** @typedef {LoadResult & { rows: number }} FeedResult */

const LONGEST_MS = 60_000;
const TARGET = 0.5;

const ROWS = 'select * from chain_link order by id';

/** @param {Stage} stage @param {Progress} progress */
async function run(stage, progress) {
  const [{ port, pid }, { url }, load] = [await stage.service(), await stage.database(), await stage.load()];
  await load.ask({ kind: 'feed', port, ms: stage.settings.seconds * 500 });
  await load.ask({ kind: 'cursor', url, text: ROWS, ms: stage.settings.seconds * 500 });
  /** @type {{ feed: FeedResult, cursor: FeedResult, cpu: number, mib: number }[]} */
  const samples = [];
  for (let round = 0; round < stage.settings.rounds; round++) {
    progress(`round ${round + 1} of ${stage.settings.rounds}`);
    const cursor = await load.ask({ kind: 'cursor', url, text: ROWS, ms: LONGEST_MS });
    const before = usage(pid);
    const feed = await load.ask({ kind: 'feed', port, ms: LONGEST_MS });
    const after = usage(pid);
    if (feed.rows !== cursor.rows) throw new Error(`The feed has ${feed.rows} links and the cursor ${cursor.rows}`);
    samples.push({ feed, cursor, cpu: (100 * (after.cpu - before.cpu)) / feed.seconds, mib: after.mib });
  }
  /** @param {(sample: typeof samples[number]) => number} pick */
  const of = (pick) => median(samples.map(pick));
  const rate = of(({ feed }) => feed.rows / feed.seconds);
  const limit = of(({ cursor }) => cursor.rows / cursor.seconds);
  const ratio = of(({ feed, cursor }) => feed.rows / feed.seconds / (cursor.rows / cursor.seconds));
  const row = {
    connections: 1,
    rate: of(({ feed }) => feed.count / feed.seconds),
    p50: of(({ feed }) => feed.p50),
    p99: of(({ feed }) => feed.p99),
    cpu: of((sample) => sample.cpu),
    mib: of((sample) => sample.mib),
    limit: of(({ cursor }) => cursor.count / cursor.seconds),
    limitP50: of(({ cursor }) => cursor.p50),
    limitP99: of(({ cursor }) => cursor.p99),
    ratio,
  };
  const notes = [
    `${number(samples[0].feed.rows)} links in pages of 100: ${number(rate)} links/s, by a cursor ${number(limit)} rows/s.`,
  ];
  return {
    rows: [row],
    notes,
    verdict: { text: 'at least 50 % of a cursor', met: ratio >= TARGET, seen: percent(ratio) },
  };
}

export const FEED = { name: 'feed', title: 'whole iteration of the feed', run };
