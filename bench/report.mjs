/** Tables for people (Markdown, so that they can be pasted) and progress on the last line of a terminal. */

/** @import { BenchRun, CaseResult, Progress, Row, Verdict } from './types.d.ts' */

const HEAD = [
  'connections',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'server CPU %',
  'MiB',
  'limit/s',
  'limit p50',
  'limit p99',
  'of limit',
];

/**
 * One case as a table with its title, notes and verdict.
 * @param {CaseResult} result
 */
export function tableOf({ title, name, rows, notes = [], verdict }) {
  const lines = [`### ${title} (\`${name}\`)`, ''];
  if (rows?.length) {
    const cells = rows.map((row) => [
      row.connections,
      number(row.rate),
      milliseconds(row.p50),
      milliseconds(row.p99),
      number(row.cpu),
      number(row.mib),
      ...(row.limit === undefined
        ? ['', '', '', '']
        : [number(row.limit), milliseconds(row.limitP50), milliseconds(row.limitP99), percent(row.ratio)]),
    ]);
    lines.push(...markdown(HEAD, cells), '');
  }
  lines.push(...notes.map((note) => `- ${note}`));
  if (verdict) lines.push(`- Target: ${verdict.text}. ${verdict.met ? 'Met' : 'NOT met'}: ${verdict.seen}.`);
  return `${lines.join('\n')}\n`;
}

/**
 * All cases of a run as one table: requests a second at each number of connections, in brackets the share of the limit,
 * and what is promised of it. Cases that do not measure requests have what was seen alone.
 * @param {CaseResult[]} cases
 */
export function summaryOf(cases) {
  const counts = [...new Set(cases.flatMap(({ rows = [] }) => rows.map(({ connections }) => connections)))].sort(
    (one, other) => one - other,
  );
  /** @param {Row | undefined} row */
  const cellOf = (row) =>
    row ? `${number(row.rate)}${row.ratio === undefined ? '' : ` (${percent(row.ratio)})`}` : '';
  const rows = cases.map(({ name, rows = [], verdict, notes = [] }) => [
    name,
    ...counts.map((count) => cellOf(rows.find(({ connections }) => connections === count))),
    targetOf(verdict, rows, notes),
  ]);
  const [head, rule, ...lines] = markdown(
    ['case', ...counts.map((count) => `${count} conn.`), 'target, and what was seen'],
    rows,
  );
  return [head, rule.replace(/^\| ---: /, '| --- ').replace(/ ---: \|$/, ' --- |'), ...lines].join('\n');
}

/** Where docs/benchmarks.md has the results of one run. */
const RESULTS = /(<!-- results -->\n)[^]*(\n<!-- end of results -->)/;

/**
 * A page with the results of a run in place of those that it has.
 * @param {string} page
 * @param {BenchRun} run
 */
export function withResults(page, { commit, at, machine, proofs, seconds, rounds, cases }) {
  const day = new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
  const measured = `${rounds} measurements of ${seconds} s each`;
  const said = `Commit ${commit.slice(0, 8)}, ${day}, ${machine}, ${number(proofs)} proofs, ${measured}:`;
  return page.replace(RESULTS, (_, begin, end) => `${begin}\n${said}\n\n${summaryOf(cases)}\n${end}`);
}

/** @param {Verdict | undefined} verdict @param {Row[]} rows @param {string[]} notes */
function targetOf(verdict, rows, notes) {
  if (!verdict) return rows.length > 0 ? '' : (notes[0] ?? '');
  const seen = rows.length > 0 ? '' : ` (${verdict.seen})`;
  return `${verdict.text}: ${verdict.met ? 'met' : '**not met**'}${seen}`;
}

/** @param {string[]} head @param {(string | number)[][]} rows */
export function markdown(head, rows) {
  /** @param {(string | number)[]} cells */
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---:')), ...rows.map(line)];
}

/** @param {number} share */
export const percent = (share) => `${Math.round(share * 100)} %`;
/** @param {number} value */
export const milliseconds = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0));
/** @param {number} value */
export const number = (value) => Math.round(value).toLocaleString('en-US');

/**
 * Shows progress: on one line of a terminal that is written again and again, as lines elsewhere.
 * @param {NodeJS.WriteStream} stream
 * @returns {Progress}
 */
export function progressTo(stream) {
  let last = '';
  return (text) => {
    if (stream.isTTY) stream.write(`\r\x1b[K${text}`);
    else if (text !== last) stream.write(`${text}\n`);
    last = text;
  };
}
