/**
 * Load over HTTP/1.1 keep-alive connections, one request at a time on each. Requests are bytes that were made before,
 * and of an answer only status and length are read: server, database and generator share one machine, so the CPU time
 * of the generator is missing in the measurement. General load generators use more of it.
 */
import net from 'node:net';

/**
 * @typedef {{ buffers: Buffer[], next: number, once: boolean }} Queue of requests
 * @typedef {{ deadline: number, latencies: number[], errors: number, bytes: number, expect: number | null, firstError?:
 *   string }} Run what is measured
 */

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);

/**
 * @typedef {object} HttpLoad
 * @property {number | number[]} port one, or several among which the connections are shared out
 * @property {string[]} requests texts of whole requests
 * @property {number} connections
 * @property {number} ms
 * @property {boolean} [once] each request is sent at most once
 * @property {number | null} [expect] the status that counts as success; null: any below 300
 * @property {number} [first] index of the first request
 */

/**
 * @param {HttpLoad} options
 * @returns {Promise<{ count: number, errors: number, seconds: number, latencies: number[], used: number, bytes: number,
 *   firstError?: string }>}
 */
export async function loadHttp({ port, requests, connections, ms, once = false, expect = 200, first = 0 }) {
  const queue = { buffers: requests.map((text) => Buffer.from(text)), next: first, once };
  const started = performance.now();
  /** @type {Run} */
  const run = { deadline: started + ms, latencies: [], errors: 0, bytes: 0, expect };
  const ports = [port].flat();
  await Promise.all(Array.from({ length: connections }, (_, index) => drive(ports[index % ports.length], queue, run)));
  const seconds = (performance.now() - started) / 1000;
  const { latencies, errors, bytes, firstError } = run;
  return { count: latencies.length, errors, seconds, latencies, used: queue.next, bytes, firstError };
}

/** @param {Queue} queue */
function take(queue) {
  if (queue.once) return queue.buffers[queue.next++];
  return queue.buffers[queue.next++ % queue.buffers.length];
}

/**
 * One connection until the time is over or no request is left.
 * @param {number} port
 * @param {Queue} queue
 * @param {Run} run
 */
function drive(port, queue, run) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    const reader = responseReader((status, bytes, body) => {
      const now = performance.now();
      run.bytes += bytes;
      if (run.expect === null ? status < 300 : status === run.expect) run.latencies.push(now - sentAt);
      else {
        run.errors++;
        run.firstError ??= `${status} ${body()}`;
      }
      send(now);
    });
    /** @param {number} now */
    const send = (now) => {
      const request = now < run.deadline ? take(queue) : undefined;
      if (!request) return void socket.end();
      sentAt = now;
      socket.write(request);
    };
    socket.on('connect', () => send(performance.now()));
    socket.on('data', reader);
    socket.on('error', reject);
    socket.on('close', resolve);
  });
}

/**
 * Finds the end of each answer. Every answer of the service and of Fastify has a Content-Length, or no body.
 * @param {(status: number, bytes: number, body: () => string) => void} done
 */
function responseReader(done) {
  let head = NOTHING;
  let status = 0;
  let missing = -1;
  let length = 0;
  return (/** @type {Buffer} */ chunk) => {
    if (missing < 0) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf(END_OF_HEAD);
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      missing = length - (head.length - end - END_OF_HEAD.length);
    } else {
      missing -= chunk.length;
    }
    if (missing > 0) return;
    const whole = head;
    head = NOTHING;
    missing = -1;
    done(status, length, () => whole.toString('utf8').split('\r\n\r\n')[1]);
  };
}
