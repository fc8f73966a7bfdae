/** Readers of the event stream, and a steady writer that makes the events. */
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** @typedef {{ uuid: string, at: number }} Arrival */

/**
 * Opens `readers` streams, sends `requests` (bodies of POST /v1/proof) at `rate` a second, and measures for each event
 * and reader the time from the 201, which is sent after the commit, to the arrival.
 * @param {{ port: number, readers: number, requests: { uuid: string }[], rate: number }} options
 * @returns latencies in ms; expected and received deliveries
 */
export async function loadStream({ port, readers, requests, rate }) {
  /** @type {Map<string, number>} */
  const committed = new Map();
  /** @type {Arrival[]} */
  const arrivals = [];
  const uuids = new Set(requests.map(({ uuid }) => uuid));
  const streams = await Promise.all(Array.from({ length: readers }, () => openStream(port, arrivals, uuids)));
  const started = performance.now();
  await Promise.all(
    requests.map(async (body, place) => {
      await delay((place * 1000) / rate);
      await post(port, body);
      committed.set(body.uuid, performance.now());
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const expected = requests.length * readers;
  for (let waited = 0; arrivals.length < expected && waited < 5000; waited += 50) await delay(50);
  streams.forEach((stream) => stream.destroy());
  const latencies = arrivals.flatMap(({ uuid, at }) =>
    committed.has(uuid) ? [Math.max(0, at - (committed.get(uuid) ?? at))] : [],
  );
  return { count: arrivals.length, expected, errors: expected - arrivals.length, seconds, latencies };
}

/**
 * @param {number} port
 * @param {Arrival[]} arrivals
 * @param {Set<string>} uuids
 * @returns {Promise<http.ClientRequest>}
 */
function openStream(port, arrivals, uuids) {
  return new Promise((resolve, reject) => {
    const request = http.get(
      { port, host: '127.0.0.1', path: '/v1/events?types=proof.bound', agent: false },
      (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`The event stream answered ${answer.statusCode}`));
        let rest = '';
        answer.setEncoding('utf8');
        answer.on('error', () => {});
        answer.on('data', (text) => {
          const at = performance.now();
          const frames = (rest + text).split('\n\n');
          rest = frames.pop() ?? '';
          for (const frame of frames) {
            const uuid = /"uuid":"([^"]+)"/.exec(frame)?.[1] ?? '';
            if (uuids.has(uuid)) arrivals.push({ uuid, at });
          }
        });
        resolve(request);
      },
    );
    request.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      error.code === 'ECONNRESET' ? undefined : reject(error),
    );
  });
}

/** @param {number} port @param {object} body */
async function post(port, body) {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/proof`, { method: 'POST', body: JSON.stringify(body) });
  if (answer.status !== 201) throw new Error(`A submit was answered with ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
