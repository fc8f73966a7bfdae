/**
 * Fills a migrated database with links for the log to take in. Their texts have the length of real ones, and their
 * signatures are not valid: the log holds hashes of records, and checks no signature.
 */

const BLOCK = 50_000;

/** Parameters: first id, last id, the identity of all of them; null: each has its own. */
const LINKS = `
  insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature,
    signature_payload, extra)
  select n, avatar, 1, 'create', 'ethereum', address, at, id, signature,
    format('{"action":"create","avatar":"%s","created_at":"%s","identity":"%s","platform":"ethereum","prev":null,"uuid":"%s"}',
      avatar, extract(epoch from at)::bigint, address, id),
    jsonb_build_object('wallet_signature', signature)
  from (
    select n, '0x02' || encode(sha256(('avatar' || n)::bytea), 'hex') as avatar,
      coalesce($3, '0x' || left(encode(sha256(('wallet' || n)::bytea), 'hex'), 40)) as address,
      overlay(overlay(md5('uuid' || n) placing '4' from 13) placing '8' from 17)::uuid as id,
      encode(sha256(('r' || n)::bytea) || sha256(('s' || n)::bytea) || '\\x1b', 'base64') as signature,
      timestamptz '2025-01-01' + n * interval '1 second' as at
    from generate_series($1::bigint, $2::bigint) as n
  ) as made`;

/**
 * The statement that makes the links `first` to `last`; for batches too.
 * @param {number} first
 * @param {number} last
 * @param {string | null} [identity]
 * @returns {[sql: string, values: unknown[]]}
 */
export const insertLinks = (first, last, identity = null) => [LINKS, [first, last, identity]];

/**
 * @param {import('pg').Client} client connected as a superuser to a migrated, empty database
 * @param {number} entries @param {(done: number, total: number) => void} progress
 */
export async function seedLinks(client, entries, progress) {
  for (let first = 1; first <= entries; first += BLOCK) {
    const last = Math.min(entries, first + BLOCK - 1);
    await client.query(...insertLinks(first, last));
    progress(last, entries);
  }
  await client.query('vacuum (analyze) chain_link');
}
