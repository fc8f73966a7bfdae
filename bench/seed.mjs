/**
 * Fills a migrated database with proofs, the links they rest on, and key-value content. Every link and patch is really
 * signed and part of a chain. Rows are made and copied block by block, so memory does not grow with the
 * number of proofs.
 *
 * Each Avatar holds three proofs (an Ethereum wallet, a GitHub name, an X name). Every HUB_EVERY-th has a long chain
 * besides, of names that were bound and revoked; every KV_EVERY-th has key-value content. Left out: domain events,
 * evidence and webhook rows, which no case reads.
 */
import { canonicalJson } from '@signet/verify';
import { copyIn } from './copy-in.mjs';
import { handles, person, sign, smallContent, uncompressed, uuid, wallet } from './people.mjs';

/** @import { Client } from 'pg' */

const PROOFS_EACH = 3;
const BLOCK = 1000;
export const HUB_EVERY = 1000;
const HUB_LINKS = 60;
export const KV_EVERY = 10;
/** So many of those have content of about 100 KiB, written by two patches. */
export const LARGE_CONTENTS = 20;
const START = Date.UTC(2025, 0, 1);

const LINK =
  'id avatar position_in_chain action platform identity created_at uuid signature signature_payload extra'.split(' ');
const PROOF =
  'avatar platform identity identity_folded proof_location link_id created_at last_checked_at is_valid next_check_at'.split(
    ' ',
  );
const PATCH = 'avatar position_in_chain platform identity patch created_at uuid signature signature_payload'.split(' ');
const ENTRY = 'avatar platform identity content'.split(' ');

/**
 * @typedef {(string | number | boolean | null)[]} Cells
 * @typedef {{ links: Cells[], proofs: Cells[], patches: Cells[], entries: Cells[] }} Rows by table
 * @typedef {{ action: string, platform: string, identity?: string, wallet?: ReturnType<typeof wallet>, isGone?: boolean
 *   }} Step what a link of a chain does
 * @typedef {{ index: number, owner: ReturnType<typeof person>, steps: Step[], previous: string | null }} Chain with the
 *   signature of its newest link
 * @typedef {(done: number, total: number) => void} SeedProgress
 */

/**
 * How many Avatars `proofs` proofs belong to.
 * @param {number} proofs
 */
export function avatarsOf(proofs) {
  return Math.ceil(proofs / PROOFS_EACH);
}

/**
 * @param {import('pg').Client} client connected as a superuser to a migrated, empty database
 * @param {number} proofs @param {(done: number, total: number) => void} progress called with the number of proofs that
 *   are in
 */
export async function seed(client, proofs, progress) {
  const avatars = avatarsOf(proofs);
  // The rows are consistent by construction, and checking a million references one by one takes longer than writing
  // them.
  await client.query('set session_replication_role = replica');
  const indexes = await dropSearchIndexes(client);
  let nextId = 1;
  for (let first = 0; first < avatars; first += BLOCK) {
    const block = blockOf(first, Math.min(first + BLOCK, avatars), nextId);
    nextId += block.links.length;
    await copyIn(client, 'chain_link', LINK, block.links);
    await copyIn(client, 'proof', PROOF, block.proofs);
    await copyIn(client, 'kv_patch', PATCH, block.patches);
    await copyIn(client, 'kv_entry', ENTRY, block.entries);
    progress(Math.min(first + BLOCK, avatars) * PROOFS_EACH, avatars * PROOFS_EACH);
  }
  await client.query(
    "insert into proof_check (proof_id, checked_at, outcome) select id, last_checked_at, 'valid' from proof",
  );
  await client.query("set maintenance_work_mem = '256MB'");
  await client.query(
    `insert into proof_search (proof_id, link_id, avatar, platform, identity_folded)
     select id, link_id, avatar, platform, identity_folded from proof order by link_id`,
  );
  for (const definition of indexes) await client.query(definition);
  await client.query('set session_replication_role = default');
  await client.query('vacuum (analyze)');
}

/**
 * Indexes that no constraint needs are faster to build at the end. Answers the statements that do.
 * @param {Client} client
 * @returns {Promise<string[]>}
 */
async function dropSearchIndexes(client) {
  const { rows } = await client.query(
    `select indexname, indexdef from pg_indexes where tablename in ('proof', 'proof_search')
     and indexname not in (select conname from pg_constraint)`,
  );
  for (const { indexname } of rows) await client.query(`drop index ${indexname}`);
  return rows.map((row) => row.indexdef);
}

/**
 * The rows of the Avatars from `first` up to `end`: the first links of all, then the second links of all, and so on.
 * @param {number} first
 * @param {number} end
 * @param {number} nextId
 */
function blockOf(first, end, nextId) {
  /** @type {Rows} */
  const rows = { links: [], proofs: [], patches: [], entries: [] };
  const chains = Array.from({ length: end - first }, (_, place) => chainOf(first + place));
  for (let position = 1; position <= HUB_LINKS; position++) {
    for (const chain of chains) {
      const step = chain.steps[position - 1];
      if (step) addLink(rows, chain, position, step, nextId++);
    }
  }
  for (const chain of chains) if (chain.index % KV_EVERY === 0) addContent(rows, chain);
  return rows;
}

/** @param {number} index @returns {Chain} */
function chainOf(index) {
  const { github, twitter } = handles(index);
  /** @type {Step[]} */
  const steps = [
    { action: 'create', platform: 'ethereum', wallet: wallet(index) },
    { action: 'create', platform: 'github', identity: github },
    { action: 'create', platform: 'twitter', identity: twitter },
  ];
  while (index % HUB_EVERY === 0 && steps.length < HUB_LINKS) {
    const action = steps.length % 2 === 1 ? 'create' : 'delete';
    steps.push({ action, platform: 'github', identity: `former-name${steps.length >> 1}-${index}`, isGone: true });
  }
  return { index, owner: person(index), steps, previous: null };
}

/** @param {Rows} rows @param {Chain} chain @param {number} position @param {Step} step @param {number} id */
function addLink(rows, chain, position, step, id) {
  const { owner, index } = chain;
  const { action, platform, isGone } = step;
  const identity = step.wallet?.address ?? step.identity ?? '';
  const time = START + id * 1000;
  const created = new Date(time).toISOString();
  const id4 = uuid(`link ${index} ${position}`);
  const fields = {
    action,
    avatar: owner.avatar,
    created_at: String(time / 1000),
    identity,
    platform,
    prev: chain.previous,
    uuid: id4,
  };
  const text = canonicalJson(fields);
  const signature = sign(owner, text);
  const extra = step.wallet ? JSON.stringify({ wallet_signature: sign(step.wallet, text) }) : '{}';
  rows.links.push([id, owner.avatar, position, action, platform, identity, created, id4, signature, text, extra]);
  chain.previous = signature;
  if (isGone) return;
  // Wallets are not rechecked; the others are not due while a benchmark runs.
  const nextCheck = step.wallet ? null : '2099-01-01T00:00:00Z';
  const location = step.wallet ? '' : `post${id}`;
  rows.proofs.push([
    owner.avatar,
    platform,
    identity,
    identity.toLowerCase(),
    location,
    id,
    created,
    created,
    true,
    nextCheck,
  ]);
}

/** @param {Rows} rows @param {Chain} chain */
function addContent(rows, { index, owner }) {
  const identity = uncompressed(owner);
  const isLarge = index / KV_EVERY < LARGE_CONTENTS;
  const patches = isLarge ? [largePatch('first'), largePatch('second')] : [smallContent(index)];
  /** @type {string | null} */
  let previous = null;
  patches.forEach((patch, place) => {
    const id4 = uuid(`patch ${index} ${place}`);
    const time = START + index * 1000;
    const fields = {
      action: 'kv',
      avatar: owner.avatar,
      created_at: time / 1000,
      identity,
      patch,
      platform: 'self',
      prev: previous,
      uuid: id4,
    };
    const text = canonicalJson(fields);
    previous = sign(owner, text);
    rows.patches.push([
      owner.avatar,
      place + 1,
      'self',
      identity,
      canonicalJson(patch),
      new Date(time).toISOString(),
      id4,
      previous,
      text,
    ]);
  });
  rows.entries.push([owner.avatar, 'self', identity, canonicalJson(Object.assign({}, ...patches))]);
}

/**
 * About 50 KiB.
 * @param {string} name
 */
function largePatch(name) {
  return { [name]: Array.from({ length: 500 }, (_, place) => ({ id: place, text: `${name} note `.repeat(7) })) };
}
