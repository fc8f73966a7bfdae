/**
 * Measures payloads against a bare Fastify, and submits against a bare loop of one signature check and the same
 * transaction.
 */
import { submitTemplate } from '../limits.mjs';
import { CONNECTIONS, measure, POOL_SIZE } from '../measure.mjs';
import { httpText } from '../requests.mjs';
import { verdictOf } from './run-read.mjs';

/** @import { Load, LoadItem, PayloadCase, Progress, RecordedRequest, Stage, SubmitCase } from '../types.d.ts' */

/** Submits that are prepared for one second; a faster server runs out of them and the round ends early. */
const SUBMITS_A_SECOND = 3000;

/** @param {PayloadCase} one @param {Stage} stage @param {Progress} progress */
export async function runPayload(one, stage, progress) {
  const requests = one.requests();
  const [{ bytes }] = await (await stage.recorder()).ask(requests.slice(0, 1));
  const [{ port, pid }, bare, load] = [await stage.service(), await stage.bareFastify(), await stage.load()];
  const texts = requests.map(httpText);
  const bareTexts = requests.map((request) => httpText({ ...request, path: `/?bytes=${bytes}` }));
  const rows = await measure(
    (connections, ms) => load.ask({ kind: 'http', port, requests: texts, connections, ms }),
    (connections, ms) => load.ask({ kind: 'http', port: bare.port, requests: bareTexts, connections, ms }),
    { ...stage.settings, pid, progress },
  );
  return { rows, notes: [`An answer has ${bytes} bytes.`], bytes, verdict: one.target && verdictOf(one.target, rows) };
}

/** @param {SubmitCase} one @param {Stage} stage @param {Progress} progress */
export async function runSubmit(one, stage, progress) {
  const [server, { url }, load] = [await stage.service(), await stage.database(), await stage.load()];
  const { port, pid } = server;
  const template = await recordSubmit(one, stage);
  const reads = one.reads ? await recordReads(one, stage) : null;
  /** @type {Load} */
  const service = async (connections, ms) => {
    progress(`${connections} connections, signing`);
    await stage.atRest(server);
    const requests = mix(fresh(one, amount(one, ms)).map(httpText), reads?.texts, one.readsEach);
    return load.ask({
      kind: 'http',
      port,
      requests,
      connections,
      ms,
      once: true,
      expect: reads ? null : one.expect,
    });
  };
  /** @type {Load} */
  const limit = async (connections, ms) => {
    progress(`${connections} connections, signing`);
    await stage.atRest(server);
    /** @type {LoadItem[]} */
    const submits = fresh(one, amount(one, ms)).map(template);
    const items = mix(submits, reads?.items, one.readsEach);
    return load.ask({ kind: 'pg', url, items, connections: Math.min(connections, POOL_SIZE), ms, once: true });
  };
  const rows = await measure(service, limit, { ...stage.settings, pid, progress });
  const { statements } = template(one.fresh());
  const notes = [`The transaction has ${statements.length} statements, BEGIN and COMMIT included.`];
  return { rows, notes, verdict: one.target && verdictOf(one.target, rows) };
}

/**
 * Three servers on one database together, beside one of them.
 * @param {Pick<SubmitCase, 'fresh' | 'expect'>} one
 * @param {Stage} stage
 * @param {Progress} progress
 */
export async function runServers(one, stage, progress) {
  const others = [await stage.serviceWith({}), await stage.serviceWith({})];
  try {
    const [server, load] = [await stage.service(), await stage.load()];
    const { port, pid } = server;
    /** @param {number[]} ports @returns {Load} */
    const submitTo = (ports) => async (connections, ms) => {
      progress(`${connections} connections, signing`);
      await stage.atRest(server);
      const requests = fresh(one, amount({}, ms)).map(httpText);
      return load.ask({ kind: 'http', port: ports, requests, connections, ms, once: true, expect: one.expect });
    };
    const all = [port, ...others.map((server) => server.port)];
    const levels = CONNECTIONS.filter((connections) => connections >= all.length);
    const rows = await measure(submitTo(all), submitTo([port]), { ...stage.settings, pid, progress, levels });
    const verdict = verdictOf({ ratio: 1, text: 'three servers together at least as many as one' }, rows);
    return { rows, notes: ['Here the limit is one of the three servers by itself.'], verdict };
  } finally {
    for (const other of others) await other.stop();
  }
}

/**
 * New submits of a case.
 * @param {Pick<SubmitCase, 'fresh'>} one
 * @param {number} count
 */
export const fresh = (one, count) => Array.from({ length: count }, () => one.fresh());

/**
 * How many submits of a case a measurement needs at most.
 * @param {{ readsEach?: number | undefined }} one
 * @param {number} ms
 */
export const amount = ({ readsEach = 0 }, ms) => Math.ceil(((ms / 1000) * SUBMITS_A_SECOND) / (1 + readsEach / 3));

/**
 * `each` reads before every write.
 * @template Item
 * @param {Item[]} writes
 * @param {Item[] | undefined} reads
 * @param {number} [each]
 */
function mix(writes, reads, each = 0) {
  if (!reads) return writes;
  return writes.flatMap((write, place) => [
    ...Array.from({ length: each }, (_, step) => reads[(place * each + step) % reads.length]),
    write,
  ]);
}

/** @param {SubmitCase} one @param {Stage} stage */
async function recordSubmit(one, stage) {
  const request = one.fresh();
  const [record] = await (await stage.recorder()).ask([request]);
  const { uuid } = request.words;
  const [recorded] = await stage.sql('select id from chain_link where uuid = $1', [uuid]);
  return submitTemplate(record, request.words, recorded ? { link: recorded.id } : {});
}

/** @param {SubmitCase} one @param {Stage} stage */
async function recordReads(one, stage) {
  const requests = one.reads?.(stage.settings.proofs) ?? [];
  /** @type {RecordedRequest[]} */
  const records = await (await stage.recorder()).ask(requests);
  return { texts: requests.map(httpText), items: records.map(({ statements }) => ({ statements })) };
}
