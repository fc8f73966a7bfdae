/**
 * Proofs on GitHub whose recheck is due. A number always gives the same proof, so that a stand-in can answer for it
 * without any state.
 */
import { copyIn } from './copy-in.mjs';
import { person, sign, uuid } from './people.mjs';

const BOUND_AT = '2026-01-01T00:00:00Z';
const LINK =
  'id avatar position_in_chain action platform identity proof_location created_at uuid signature signature_payload';
const PROOF =
  'avatar platform identity identity_folded proof_location link_id created_at last_checked_at is_valid next_check_at';

/**
 * Proof `number`, of an Avatar that has no other.
 * @param {number} number
 */
export function dueProof(number) {
  const { avatar, ...key } = person(`due ${number}`);
  const identity = `due-${number}`;
  const payload = JSON.stringify({ action: 'create', identity, platform: 'github', uuid: uuid(identity) });
  return { identity, avatar, payload, signature: sign(key, payload), gist: number.toString(16).padStart(32, '0') };
}

/**
 * Writes proofs 1 to `count` with their links, all due since they were bound.
 * @param {import('pg').Client} client connected as a superuser to a migrated, empty database
 * @param {number} count
 */
export async function seedDueProofs(client, count) {
  await client.query('set session_replication_role = replica');
  await copyIn(client, 'chain_link', LINK.split(' '), links(count));
  await client.query(
    `insert into proof (${PROOF.replaceAll(' ', ', ')})
     select avatar, platform, identity, identity, proof_location, id, created_at, created_at, true, created_at from chain_link`,
  );
  await client.query('set session_replication_role = default');
  await client.query('vacuum (analyze)');
}

/** @param {number} count */
function* links(count) {
  for (let number = 1; number <= count; number++) {
    const { identity, avatar, payload, signature, gist } = dueProof(number);
    yield [number, avatar, 1, 'create', 'github', identity, gist, BOUND_AT, uuid(identity), signature, payload];
  }
}
