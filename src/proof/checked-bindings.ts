import { TableColumns } from '../database/table-columns.js';
import type { PlatformProof, ValidVerdict } from '@signet/look';
import type { EntityManager } from 'typeorm';
import { ProofEvidence } from './proof-evidence.entity.js';
import type { BindingName } from './proof.store.js';

/*
 * The traces of a check of bindings, besides the state of the binding: a row of its history, and its evidence.
 * Creates and rechecks write it by these parts of their statements.
 */

/** Evidence, as rows of `keepEvidenceSql`. */
export const EVIDENCE = TableColumns.of(ProofEvidence);
const SEEN = EVIDENCE.without('avatar', 'platform', 'identity');

/**
 * Two parts of a `with`: they add checks to the history of bindings and remove the oldest ones. These are named by
 * their places in the table, which nothing changes: for a join PostgreSQL would read the whole table while it is small.
 * @param source the part with a row for each check: `id` of the binding, `checked_at`, `outcome`, `reason`
 * @param limit the parameter that holds RECHECK_HISTORY
 */
export function addChecksSql(source: string, limit: string): string {
  // The statement sees the table as it was before, so one less than the limit stays.
  return `
    surplus as (
      delete from proof_check where ctid = any(array(
        select old.place from ${source} cross join lateral (
          select ctid as place from proof_check mine where mine.proof_id = ${source}.id
          order by mine.id desc offset ${limit}::integer - 1
        ) as old
      ))
    ), added as (
      insert into proof_check (proof_id, checked_at, outcome, reason)
      select id, checked_at, outcome, reason from ${source}
    )`;
}

/** Stores the rows of `EVIDENCE` of the part `source` of a `with`, in place of what was seen of an older link. */
export function keepEvidenceSql(source: string): string {
  return evidenceSql(source, SEEN.assignedFrom('excluded'));
}

/**
 * As `keepEvidenceSql`, of a later look at the same link: one that brings nothing which the platform has signed leaves
 * what it had signed before, as zones of the DNS, which are asked for that at a create alone.
 */
export function renewEvidenceSql(source: string): string {
  const proof = `proof = coalesce(nullif(excluded.proof, ''), proof_evidence.proof)`;
  return evidenceSql(source, `${SEEN.without('proof').assignedFrom('excluded')}, ${proof}`);
}

function evidenceSql(source: string, assigned: string): string {
  return `
    insert into proof_evidence (${EVIDENCE.names}) select ${EVIDENCE.names} from ${source}
    on conflict (avatar, platform, identity) do update set ${assigned}`;
}

/** The evidence of a check, as one row or none; a wallet has no evidence but its link. */
export function evidenceOf(
  { avatar, platform, identity }: BindingName,
  verdict: ValidVerdict | null,
  seenAt: Date,
): ProofEvidence[] {
  if (!verdict?.evidence) return [];
  const { url, sha256, matchedText } = verdict.evidence;
  const { accountId = '', profileUrl = '' } = verdict;
  const seen = { url, seenAt, sha256, accountId, matchedText, profileUrl };
  const signed = { proof: proofText(verdict.evidence.proof), goneProof: '' };
  return [{ avatar: avatar.compressed, platform, identity, ...seen, ...signed }];
}

/** Keeps what a platform has signed of the end of a binding, in the transaction of `manager`. */
export async function keepGoneProof(
  manager: EntityManager,
  { avatar, platform, identity }: BindingName,
  proof: PlatformProof,
): Promise<void> {
  const sql = 'update proof_evidence set gone_proof = $4 where avatar = $1 and platform = $2 and identity = $3';
  await manager.query(sql, [avatar.compressed, platform, identity, proofText(proof)]);
}

function proofText(proof: PlatformProof | undefined): string {
  return proof ? JSON.stringify(proof) : '';
}
