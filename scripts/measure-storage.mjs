/**
 * Prints the bytes of a row of each table with its indexes on a real PostgreSQL: the figures of
 * docs/scaling.md. The rows are those of the benchmark (really signed links and patches), with one event for each link,
 * evidence for each binding that is checked, and an archived document for each link, in which random bytes stand for
 * the signature and the key of the archive; and what the log and its map make of the links and patches.
 *
 * STORAGE_PROOFS=300000 node scripts/measure-storage.mjs
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onDatabase, openBenchDatabase } from '../bench/database.mjs';
import { startService } from '../bench/servers.mjs';

const PROOFS = Number(process.env.STORAGE_PROOFS || 150_000);

/** Adds the rows that submits would have written besides those of the benchmark. */
const FILL = [
  `insert into domain_event (position, name, payload)
   select id, case action when 'create' then 'proof.bound' else 'proof.revoked' end,
     jsonb_build_object('avatar', avatar, 'platform', platform, 'identity', identity, 'link_id', id, 'uuid', uuid,
       'created_at', extract(epoch from created_at)::bigint::text, 'proof_location', proof_location)
   from chain_link`,
  `insert into proof_evidence (avatar, platform, identity, url, seen_at, sha256, account_id, matched_text)
   select avatar, platform, identity, 'https://' || platform || '.example/' || proof_location, last_checked_at,
     encode(sha256(identity::bytea), 'hex'), id::text, repeat('Prove me. ', 12) || avatar
   from proof where platform <> 'ethereum'`,
  `insert into archive_batch (created_at, sent_at) select recorded_at, recorded_at from chain_link where id % 100 = 1 order by id`,
  `create temporary table archived as
   select id, left(translate(encode(sha256(uuid::text::bytea), 'base64'), '+/', '-_'), 43) as archive_id from chain_link`,
  `insert into archive_item (link_id, avatar, position_in_chain, uuid, archive_id, previous_archive_id, signed_bytes, state, batch_id, times_sent,
     signed_at, confirmed_at)
   select link.id, link.avatar, link.position_in_chain, link.uuid, mine.archive_id, before.archive_id,
     (select string_agg(sha256((link.uuid || piece::text)::bytea), '') from generate_series(1, 32) as piece) || convert_to(
       'Content-Type application/json App-Name signet App-Version 1 Avatar ' || link.avatar || ' Platform ' || link.platform || ' Action create UUID '
         || link.uuid || jsonb_build_object('action', link.action, 'avatar', link.avatar, 'created_at', link.created_at, 'extra', link.extra, 'identity',
         link.identity, 'platform', link.platform, 'previous_archive_id', before.archive_id, 'previous_uuid', previous.uuid, 'proof_location',
         link.proof_location, 'signature', link.signature, 'signature_payload', link.signature_payload, 'uuid', link.uuid)::text, 'UTF8'),
     'confirmed', (link.id - 1) / 100 + 1, 1, link.recorded_at, link.recorded_at
   from chain_link as link join archived as mine using (id)
   left join chain_link as previous on previous.avatar = link.avatar and previous.position_in_chain = link.previous_position
   left join archived as before on before.id = previous.id
   order by link.id`,
];

const SIZES = `
  select c.relname as name, greatest(c.reltuples, 0)::bigint as rows, pg_table_size(c.oid) as table_bytes, pg_indexes_size(c.oid) as index_bytes
  from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.reltuples >= 1000
  order by c.relname`;
const INDEXES = `
  select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as of, pg_relation_size(i.indexrelid) as bytes, c.reltuples as rows
  from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relnamespace = 'public'::regnamespace and c.reltuples >= 1000 order by 2, 1`;

const database = await openBenchDatabase(PROOFS, (done, total) => {
  if (done === total) console.error(`${total} proofs are in`);
});
try {
  await onDatabase(database.url, FILL.join(';'));
  await fillLog(database.url);
  await onDatabase(database.url, 'vacuum (analyze)');
  const sizes = await onDatabase(database.url, SIZES);
  const indexes = await onDatabase(database.url, INDEXES);
  /** @param {string | number} bytes @param {string | number} rows */
  const perRow = (bytes, rows) => Math.round(Number(bytes) / Number(rows));
  console.table(
    sizes.map(({ name, rows, table_bytes: table, index_bytes: index }) => ({
      table: name,
      rows: Number(rows),
      'row bytes': perRow(table, rows),
      'index bytes': perRow(index, rows),
      together: perRow(Number(table) + Number(index), rows),
    })),
  );
  console.table(indexes.map(({ name, of, bytes, rows }) => ({ index: name, of, 'bytes a row': perRow(bytes, rows) })));
} finally {
  await database.stop();
}

/**
 * Runs the service until its log has taken in all that is there.
 * @param {string} url
 */
async function fillLog(url) {
  const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'signet-storage-'));
  const service = await startService({ DATABASE_URL: url, DATA_DIR });
  try {
    while (!(await isReady(service.port))) await delay(1000);
  } finally {
    await service.stop();
  }
}

/** @param {number} port */
async function isReady(port) {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/log`);
  const log = /** @type {{ state: string, waiting: number }} */ (await answer.json());
  return log.state === 'ok' && log.waiting === 0;
}
