/**
 * Limits (a) and (c): the statements of the service, run by `pg` alone on as many connections. The statements are
 * recorded from the service, and prepared where the service prepares them. A submit has one signature check before its
 * transaction.
 */
import { recoverPersonalSigner } from '@signet/verify';
import pg from 'pg';
import { built } from '../scripts/built.mjs';

/** @import { LoadItem } from './types.d.ts' */

const { serviceCurves } = await built('crypto/ecdsa.js');

/**
 * @param {{ url: string, items: LoadItem[], connections: number, ms: number, once?: boolean, first?: number }} options
 *   items: one for each request; once: each item is used at most once; first: index of the first item
 */
export async function loadPg({ url, items, connections, ms, once = false, first = 0 }) {
  const clients = await Promise.all(Array.from({ length: connections }, () => connect(url)));
  const queue = { next: first };
  const take = () => (once ? items[queue.next++] : items[queue.next++ % items.length]);
  /** @type {number[]} */
  const latencies = [];
  const started = performance.now();
  const deadline = started + ms;
  /** @param {pg.Client} client */
  const work = async (client) => {
    for (let item; performance.now() < deadline && (item = take());) {
      const begun = performance.now();
      await perform(client, item);
      latencies.push(performance.now() - begun);
    }
  };
  await Promise.all(clients.map(work));
  const seconds = (performance.now() - started) / 1000;
  await Promise.all(clients.map((client) => client.end()));
  return { count: latencies.length, errors: 0, seconds, latencies, used: queue.next, bytes: 0 };
}

/** @param {string} url */
async function connect(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** @param {pg.Client} client @param {LoadItem} item */
async function perform(client, { statements, check }) {
  if (check) recoverPersonalSigner(check.text, Buffer.from(check.signature, 'base64'), { curves: serviceCurves });
  // Ids that the database gives, for the statements that follow.
  const given = new Map();
  for (const { name, text, values, gives } of statements) {
    const filled = values.map((value) => fill(value, given));
    const { rows } = await client.query({ name, text, values: filled });
    // A link gets the id behind the newest one, which is read under the lock.
    if (gives) given.set(gives, Number(rows[0].id ?? Number(rows[0].newestId) + 1));
  }
}

/**
 * `{ given: 'link' }` stands for the id, and `{ date }` for a time; text may hold `<<link>>` inside.
 * @param {any} value
 * @param {Map<string, number>} given
 */
function fill(value, given) {
  if (typeof value === 'string')
    return value.includes('<<') ? value.replaceAll(/"?<<(\w+)>>"?/g, (_, name) => String(given.get(name))) : value;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return value.given ? given.get(value.given) : new Date(value.date);
}
