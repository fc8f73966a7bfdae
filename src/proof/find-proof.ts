import type { DataSource } from 'typeorm';
import { parseBigint } from '../database/bigint-column.js';
import { readRows } from '../database/prepared.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { Proof } from './proof.entity.js';

const FIND = `
  select id, avatar, platform, identity, identity_folded as "identityFolded", proof_location as "proofLocation", link_id as "linkId",
    created_at as "createdAt", last_checked_at as "lastCheckedAt", is_valid as "isValid", invalid_reason as "invalidReason",
    account_id as "accountId", gone_since as "goneSince", next_check_at as "nextCheckAt", checks_done as "checksDone",
    check_failures as "checkFailures"
  from proof where avatar = $1 and platform = $2 and identity = $3`;

/** One binding as it is now, without the detour over a query builder: `exists` is asked more often than anything else. */
export async function findProof(
  source: DataSource,
  avatar: AvatarKey,
  platform: string,
  identity: string,
): Promise<Proof | null> {
  type Row = Omit<Proof, 'linkId'> & { linkId: string };
  const [row] = await readRows<Row>(source, FIND, [avatar.compressed, platform, identity]);
  return row ? Object.assign(new Proof(), row, { linkId: parseBigint(row.linkId) }) : null;
}
