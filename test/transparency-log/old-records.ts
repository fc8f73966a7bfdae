/* Statements that leave records as a server without a log has left them, quickly and without valid signatures. */

const WITHOUT_TRIGGERS = 'set session_replication_role = replica';

/** Links with the numbers from 1 to `count`, each in a chain of its own. */
export function oldLinks(count: number): string[] {
  return [
    WITHOUT_TRIGGERS,
    `insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload)
     select n, '0x02' || encode(sha256(n::text::bytea), 'hex'), 1, 'create', 'github', 'somebody-' || n, timestamptz '2025-01-01',
       gen_random_uuid(), 'c2lnbmF0dXJl', '{"n":' || n || '}'
     from generate_series(1, ${count}) as n`,
  ];
}

/** Patches that have no number in their feed. */
export function oldPatches(count: number): string[] {
  return [
    WITHOUT_TRIGGERS,
    `insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload)
     select '0x02' || encode(sha256(n::text::bytea), 'hex'), 1, 'github', 'somebody-' || n, '{"n":' || n || '}', timestamptz '2025-01-01',
       gen_random_uuid(), 'c2lnbmF0dXJl', '{"n":' || n || '}'
     from generate_series(1, ${count}) as n`,
  ];
}
