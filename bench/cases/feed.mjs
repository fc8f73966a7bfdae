/** A whole iteration of the feed against a cursor over the same rows. */
import { median } from '../measure.mjs';
import { number, percent } from '../report.mjs';
import { usage } from '../servers.mjs';

/** @import { LoadResult, Progress, Stage } from '../types.d.ts' */

/** @typedef {LoadResult & { rows: number }} FeedResult */

const LONGEST_MS = 60_000;
const TARGET = 0.5;

/** @param {Stage} stage @param {Progress} progress */
async function run(stage, progress) {
  const [{ port, pid }, { url }, load] = [await stage.service(), await stage.database(), await stage.load()];
  const text = await cursorText(stage);
  await load.ask({ kind: 'feed', port, ms: stage.settings.seconds * 500 });
  await load.ask({ kind: 'cursor', url, text, ms: stage.settings.seconds * 500 });
  /** @type {{ feed: FeedResult, cursor: FeedResult, cpu: number, mib: number }[]} */
  const samples = [];
  for (let round = 0; round < stage.settings.rounds; round++) {
    progress(`round ${round + 1} of ${stage.settings.rounds}`);
    const cursor = await load.ask({ kind: 'cursor', url, text, ms: LONGEST_MS });
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

/**
 * The service's own query, from the first link on and without its bounds on links and bytes.
 * @param {Stage} stage
 */
async function cursorText(stage) {
  const [{ statements }] = await (
    await stage.recorder()
  ).ask([{ method: 'GET', path: '/v1/proofchain/changes?last_id=0&count=100' }]);
  const parameters = ['0', 'null', String(Number.MAX_SAFE_INTEGER)];
  return parameters.reduce((text, value, index) => text.replaceAll(`$${index + 1}`, value), statements[0].text);
}

export const FEED = { name: 'feed', title: 'whole iteration of the feed', run };
