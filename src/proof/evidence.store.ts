import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { withinShare } from '../database/connection-shares.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import type { ValidVerdict } from '../platform/platform-verifier.js';
import { ProofEvidence } from './proof-evidence.entity.js';

/** One binding, as the rows of this module name it. */
export interface BindingName {
  avatar: AvatarKey;
  platform: string;
  /** Canonical identity. */
  identity: string;
}

const COLUMNS = 'avatar, platform, identity, url, seen_at, sha256, account_id, matched_text';
const OR_REPLACE = `on conflict (avatar, platform, identity) do update set url = excluded.url, seen_at = excluded.seen_at,
  sha256 = excluded.sha256, account_id = excluded.account_id, matched_text = excluded.matched_text`;

/**
 * One more part of a `with`, which keeps evidence if the part `source` has a row and there is any. Parameters from
 * `$first` on: those of `evidenceParameters`.
 */
export function keepEvidenceSql(source: string, first: number): string {
  const [avatar, platform, identity, url, seenAt, sha256, accountId, text] = Array.from(
    { length: 8 },
    (_, index) => `$${first + index}`,
  );
  return `seen as (
    insert into proof_evidence (${COLUMNS})
    select ${avatar}, ${platform}, ${identity}, ${url}, ${seenAt}::timestamptz, ${sha256}, ${accountId}, ${text} from ${source}
    where ${url}::text is not null ${OR_REPLACE}
  )`;
}

/**
 * Keeps the evidence of many creates, for a part of a `with`: the part `source` has the columns that stand here, and a
 * null in `url` where there is none. It replaces what was seen before; a wallet's signature leaves no evidence but the
 * link itself.
 */
export function keepEvidencesSql(source: string): string {
  return `
    insert into proof_evidence (${COLUMNS})
    select avatar, platform, identity, url, checked_at, sha256, coalesce(account_id, ''), matched_text from ${source}
    where url is not null ${OR_REPLACE}`;
}

/** Erases the words of people who took a binding back; the hash still proves what was seen. */
export function eraseEvidenceSql(source: string): string {
  return `
    update proof_evidence as evidence set matched_text = '' from ${source}
    where evidence.avatar = ${source}.avatar and evidence.platform = ${source}.platform
      and evidence.identity = ${source}.identity`;
}

/** Null for the url and all behind it where there is no evidence. */
export function evidenceParameters(
  { avatar, platform, identity }: BindingName,
  verdict: ValidVerdict | null,
  seenAt: Date,
): unknown[] {
  const names = [avatar.compressed, platform, identity];
  if (!verdict?.evidence) return [...names, null, null, null, null, null];
  const { url, sha256, matchedText } = verdict.evidence;
  return [...names, url, seenAt, sha256, verdict.accountId ?? '', matchedText];
}

/** Reads what was seen at checks. */
@Injectable()
export class EvidenceStore {
  constructor(@InjectRepository(ProofEvidence) private readonly evidence: Repository<ProofEvidence>) {}

  async find({ avatar, platform, identity }: BindingName): Promise<ProofEvidence | null> {
    return withinShare(this.evidence.manager.dataSource, 'reads', () =>
      this.evidence.findOneBy({ avatar: avatar.compressed, platform, identity }),
    );
  }
}
