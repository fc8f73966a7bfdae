import type { Page } from '../../domain/page.js';
import type { CountedRow, ListRow } from './proof-lists.js';
import type { Proof } from '../proof.entity.js';

/** One Avatar with its proofs (contract, Identity group). */
export interface IdentityGroup {
  avatar: string;
  lastArchiveId: string;
  /** UNIX seconds of its newest link. */
  activatedAt: number;
  /** How many proofs it holds; in a list of several Avatars not all are shown. */
  proofsTotal: number;
  proofs: Pick<
    Proof,
    'platform' | 'identity' | 'createdAt' | 'lastCheckedAt' | 'isValid' | 'invalidReason' | 'chainId' | 'accountId'
  >[];
}

/** The groups of a page. Rows of one Avatar stand together. */
export function groupByAvatar(rows: ListRow[]): IdentityGroup[] {
  const groups: IdentityGroup[] = [];
  for (const row of rows) {
    if (row.avatar === null) continue;
    if (groups.at(-1)?.avatar !== row.avatar) {
      const { avatar, last_archive_id: archiveId, activated_at: activatedAt, proofs_total: proofsTotal } = row;
      groups.push({ avatar, lastArchiveId: archiveId ?? '', activatedAt, proofsTotal, proofs: [] });
    }
    groups.at(-1)!.proofs.push({
      platform: row.platform,
      identity: row.identity,
      createdAt: row.created_at,
      lastCheckedAt: row.last_checked_at,
      isValid: row.is_valid,
      invalidReason: row.invalid_reason,
      chainId: row.chain_id,
      accountId: row.account_id,
    });
  }
  return groups;
}

/** The page that the rows of a counting statement are; there is always one row. */
export function toPage(rows: CountedRow[], page: number): Page<IdentityGroup> {
  return { items: groupByAvatar(rows), total: rows[0]!.total, current: page };
}
