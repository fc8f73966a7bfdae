/**
 * Load over HTTP/1.1 keep-alive connections, one request at a time on each. Requests are bytes that were made before,
 * and of an answer only status and length are read: server, database and generator share one machine, so the CPU time
 * of the generator is missing in the measurement. General load generators use more of it.
 */
import net from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * @param {object} options port, or several among which the connections are shared out; requests: texts of whole
 *   requests; connections; ms; once: each request is sent at most once; expect: the status that counts as success, null
 *   for any below 300; first: index of the first request
 * @returns {Promise<{ count: number, errors: number, seconds: number, latencies: number[], used: number, bytes: number,
 *   firstError?: string }>}
 */
export async function loadHttp({ port, requests, connections, ms, once = false, expect = 200, first = 0 }) {
  const queue = { buffers: requests.map((text) => Buffer.from(text)), next: first, once };
  const started = performance.now();
  const run = { deadline: started + ms, latencies: [], errors: 0, bytes: 0, expect };
  const ports = [port].flat();
  await Promise.all(Array.from({ length: connections }, (_, index) => drive(ports[index % ports.length], queue, run)));
  const seconds = (performance.now() - started) / 1000;
  const { latencies, errors, bytes, firstError } = run;
  return { count: latencies.length, errors, seconds, latencies, used: queue.next, bytes, firstError };
}

function take(queue) {
  if (queue.once) return queue.buffers[queue.next++];
  return queue.buffers[queue.next++ % queue.buffers.length];
}

/** One connection until the time is over or no request is left. */
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
    const send = (now) => {
      const request = now < run.deadline ? take(queue) : undefined;
      if (!request) return socket.end();
      sentAt = now;
      socket.write(request);
    };
    socket.on('connect', () => send(performance.now()));
    socket.on('data', reader);
    socket.on('error', reject);
    socket.on('close', resolve);
  });
}

/** Finds the end of each answer. Every answer of the service and of Fastify has a Content-Length, or no body. */
function responseReader(done) {
  let head = null;
  let status = 0;
  let missing = -1;
  let length = 0;
  return (chunk) => {
    if (missing < 0) {
      head = head ? Buffer.concat([head, chunk]) : chunk;
      const end = head.indexOf(END_OF_HEAD);
      if (end < 0) return;
      const text = head.latin1Slice(0, end);
      status = Number(text.slice(9, 12));
      length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      missing = length - (head.length - end - END_OF_HEAD.length);
    } else {
      missing -= chunk.length;
    }
    if (missing > 0) return;
    const whole = head;
    head = null;
    missing = -1;
    done(status, length, () => whole.toString('utf8').split('\r\n\r\n')[1]);
  };
}
