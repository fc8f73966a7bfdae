/** Measures a lookup against its own statements in a bare `pg` loop. */
import { readItems } from '../limits.mjs';
import { CONNECTIONS, measure, POOL_SIZE } from '../measure.mjs';
import { httpText } from '../requests.mjs';
import { milliseconds } from '../report.mjs';
import { sequentialScan } from './plans.mjs';

/** @import { Load, Progress, ReadCase, RecordedRequest, Row, Stage, Target } from '../types.d.ts' */

const TARGET_LEVEL = 16;
const WARM_UP_MS = 4000;

/** @param {ReadCase} one @param {Stage} stage @param {Progress} progress */
export async function runRead(one, stage, progress) {
  const requests = one.requests(stage.settings.proofs);
  /** @type {RecordedRequest[]} */
  const records = await (await stage.recorder()).ask(requests);
  const items = readItems(records);
  const { port, pid } = await stage.service();
  const { url } = await stage.database();
  const load = await stage.load();
  const texts = requests.map(httpText);
  const rows = await measure(
    (connections, ms) => load.ask({ kind: 'http', port, requests: texts, connections, ms }),
    (connections, ms) => load.ask({ kind: 'pg', url, items, connections: Math.min(connections, POOL_SIZE), ms }),
    { ...stage.settings, pid, progress },
  );
  const bytes = Math.round(records.reduce((sum, record) => sum + record.bytes, 0) / records.length);
  const notes = [
    `An answer has ${bytes.toLocaleString('en-US')} bytes and needs ${items[0].statements.length} statement(s).`,
  ];
  if (one.term) notes.push(await scanNote(one.term, stage, rows));
  return { rows, notes, bytes, verdict: one.target && verdictOf(one.target, rows) };
}

/** @param {Target} target @param {Row[]} rows */
export function verdictOf({ text, ratio = 1, ratios = { [TARGET_LEVEL]: ratio } }, rows) {
  const met = rows
    .filter(({ connections }, index) => connections in ratios || (rows.length === 1 && index === 0))
    .every((row) => (row.ratio ?? 0) >= (ratios[row.connections] ?? Math.min(...Object.values(ratios))));
  const all = rows.map((row) => `${Math.round((row.ratio ?? 0) * 100)} % at ${row.connections}`).join(', ');
  return { text, met, seen: all };
}

/** @param {string} term @param {Stage} stage @param {Row[]} rows */
async function scanNote(term, stage, rows) {
  const scan = await sequentialScan(stage, term);
  return `A sequential scan for "${term}" takes ${milliseconds(scan)} ms: ${Math.round(scan / rows[0].p50)} times the whole request at one connection.`;
}

/**
 * Measures a lookup by a service with other settings and by one with the usual settings, which is the limit here. Both
 * have just started: a service that has taken old links into its log has a larger heap, and is slower for it.
 * @param {ReadCase} one
 * @param {Record<string, string>} env
 * @param {string} note what the limit is
 * @param {Stage} stage
 * @param {Progress} progress
 */
export async function runBeside(one, env, note, stage, progress) {
  // The log takes in the remaining records.
  await stage.service();
  const services = [];
  try {
    for (const settings of [env, {}]) services.push(await stage.serviceWith(settings));
    const [other, usual] = services;
    const load = await stage.load();
    const requests = one.requests(stage.settings.proofs).map(httpText);
    /** @param {{ port: number }} to @returns {Load} */
    const ask = (to) => (connections, ms) => load.ask({ kind: 'http', port: to, requests, connections, ms });
    // A new process has not compiled its hot code yet.
    for (const { port } of services) await ask(port)(Math.max(...CONNECTIONS), WARM_UP_MS);
    const rows = await measure(ask(other.port), ask(usual.port), { ...stage.settings, pid: other.pid, progress });
    return { rows, notes: [note] };
  } finally {
    for (const service of services) await service.stop();
  }
}
