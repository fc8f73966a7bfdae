/** A whole iteration of the feed, and the same rows read by a cursor. */
import net from 'node:net';
import pg from 'pg';

const PAGE = 100;

/**
 * Follows GET /v1/proofchain/changes over one connection from `from` until a page is not full, or until the time is
 * over.
 * @param {{ port: number, from?: number, ms: number }} options
 */
export async function followFeed({ port, from = 0, ms }) {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  const started = performance.now();
  /** @type {number[]} */
  const latencies = [];
  let lastId = from;
  let rows = 0;
  let bytes = 0;
  while (performance.now() - started < ms) {
    const begun = performance.now();
    const body = await get(socket, `/v1/proofchain/changes?last_id=${lastId}&count=${PAGE}`);
    latencies.push(performance.now() - begun);
    bytes += body.length;
    // Parsing the page is a reader's work and not the service's: the ids of a full page are gapless.
    const found = body.length < 1000 ? 0 : countOf(body);
    rows += found;
    lastId += found;
    if (found < PAGE) break;
  }
  socket.end();
  return { count: latencies.length, rows, bytes, errors: 0, seconds: (performance.now() - started) / 1000, latencies };
}

const MARK = Buffer.from('"signature_payload":');

/** @param {Buffer} body */
function countOf(body) {
  let count = 0;
  for (let place = body.indexOf(MARK); place >= 0; place = body.indexOf(MARK, place + MARK.length)) count++;
  return count;
}

/** @param {net.Socket} socket @param {string} path @returns {Promise<Buffer>} */
function get(socket, path) {
  return new Promise((resolve, reject) => {
    /** @type {Buffer[]} */
    const chunks = [];
    let missing = Infinity;
    let headLength = 0;
    /** @param {Buffer} chunk */
    const read = (chunk) => {
      chunks.push(chunk);
      if (missing === Infinity) {
        const head = /^HTTP\/1\.1 200[^]*?content-length: (\d+)[^]*?\r\n\r\n/i.exec(chunk.toString('latin1', 0, 2000));
        if (!head) return reject(new Error(`The feed answered ${chunk.toString('latin1', 0, 500)}`));
        headLength = head[0].length;
        missing = headLength + Number(head[1]);
      }
      missing -= chunk.length;
      if (missing > 0) return;
      socket.off('data', read);
      socket.off('error', reject);
      resolve(Buffer.concat(chunks).subarray(headLength));
    };
    socket.on('data', read);
    socket.once('error', reject);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`);
  });
}

/**
 * The limit: rows by a cursor, as many at a time as a page of the feed has.
 * @param {{ url: string, text: string, ms: number }} options
 */
export async function followCursor({ url, text, ms }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query(`declare feed no scroll cursor for ${text}`);
  const started = performance.now();
  /** @type {number[]} */
  const latencies = [];
  let rows = 0;
  while (performance.now() - started < ms) {
    const begun = performance.now();
    const result = await client.query({ name: 'fetch', text: `fetch ${PAGE} from feed` });
    latencies.push(performance.now() - begun);
    rows += result.rows.length;
    if (result.rows.length < PAGE) break;
  }
  const seconds = (performance.now() - started) / 1000;
  await client.end();
  return { count: latencies.length, rows, errors: 0, seconds, latencies };
}
