/** Clients that write while a database is upgraded, and the pauses that they see. */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freshBinding, freshPatch } from './cases/writes.mjs';

/** Clients of each kind; each writes, waits, and writes again, so that the machine is busy and not full. */
const CLIENTS = 3;
const WAIT_MS = 50;
/** The lock under which links get their numbers; see src/database/advisory-locks.ts. */
const APPEND_LOCK = 7_367_101;

const LINK = `
  with link as (
    insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload, extra)
    select coalesce(max(id), 0) + 1, $1::text, 1, 'create', 'ethereum', $2::text, now(), $3::uuid, $4, $5, $6::jsonb from chain_link
    returning id
  )
  insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
  select $1, 'ethereum', $2, $2, id, now(), now(), true from link`;
const EVENT = `insert into domain_event (name, payload) values ('benchmark.written', '{}')`;
const PATCH = `
  insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload)
  values ($1, 1, 'self', $2, $3, now(), $4, $5, $6)`;
const ENTRY = `insert into kv_entry (avatar, platform, identity, content) values ($1, 'self', $2, $3)`;

/** Latencies of writes, and the longest time in which no write was acknowledged. */
export class PauseMeter {
  longestPauseMs = 0;
  firstError = '';
  /** @type {number[]} */
  #latencies = [];
  #errors = 0;
  /** @type {number | undefined} */
  #lastAtMs;

  begin() {
    this.#lastAtMs = performance.now();
  }

  /** @param {number} ms */
  wrote(ms) {
    this.#latencies.push(ms);
    this.#pause();
  }

  /** @param {unknown} error */
  failed(error) {
    this.#errors++;
    this.firstError ||= String(error);
  }

  end() {
    this.#pause();
    this.#lastAtMs = undefined;
  }

  result() {
    const sorted = Float64Array.from(this.#latencies).sort();
    /** @param {number} share */
    const of = (share) => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
    return {
      count: sorted.length,
      errors: this.#errors,
      p50: of(0.5),
      p99: of(0.99),
      slowest: of(1),
      longestPauseMs: this.longestPauseMs,
    };
  }

  #pause() {
    const now = performance.now();
    if (this.#lastAtMs !== undefined) this.longestPauseMs = Math.max(this.longestPauseMs, now - this.#lastAtMs);
    this.#lastAtMs = now;
  }
}

/**
 * Writes the rows that servers of 0.1.0 write for a submit: link, binding and event in one transaction under the lock
 * of links, and patches in another. Rows are really signed, so that the log and `npm run verify` accept them.
 * @param {() => PauseMeter} meter the one of the present phase
 * @param {string} url
 * @returns {Promise<() => Promise<void>>} ends it
 */
export async function writeAsBefore(url, meter) {
  const clients = Array.from({ length: CLIENTS }, () => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  const end = inLoops(
    clients.map((client) => () => writeOnce(client)),
    meter,
  );
  return async () => {
    await end();
    await Promise.all(clients.map((client) => client.end()));
  };
}

/** @param {pg.Client} client */
async function writeOnce(client) {
  const { avatar, address, uuid, text, signature, wallet_signature } = freshBinding().words;
  const patch = freshPatch().words;
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [APPEND_LOCK]);
    await client.query(LINK, [avatar, address, uuid, signature, text, JSON.stringify({ wallet_signature })]);
    await client.query(EVENT);
    await client.query('commit');
    await client.query('begin');
    await client.query(PATCH, [patch.avatar, patch.identity, patch.patch, patch.uuid, patch.signature, patch.text]);
    await client.query(ENTRY, [patch.avatar, patch.identity, patch.patch]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * Submits bindings and patches to the service at `port`.
 * @param {number} port
 * @param {() => PauseMeter} meter the one of the present phase
 * @returns ends it
 */
export async function writeByHttp(port, meter) {
  const submit = async () => {
    for (const { path, body } of [freshBinding(), freshPatch()]) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      if (answer.status !== 201) throw new Error(`${answer.status} ${text}`);
    }
  };
  return inLoops(
    Array.from({ length: CLIENTS }, () => submit),
    meter,
  );
}

/** @param {(() => Promise<void>)[]} works @param {() => PauseMeter} meter */
function inLoops(works, meter) {
  let isEnded = false;
  meter().begin();
  /** @param {() => Promise<void>} work */
  const loop = async (work) => {
    while (!isEnded) {
      const startedAtMs = performance.now();
      try {
        await work();
        meter().wrote(performance.now() - startedAtMs);
      } catch (error) {
        meter().failed(error);
      }
      await delay(WAIT_MS);
    }
  };
  const loops = works.map(loop);
  return async () => {
    isEnded = true;
    await Promise.all(loops);
  };
}
