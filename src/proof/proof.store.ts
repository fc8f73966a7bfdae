import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { GatheredRead } from '../database/connections/gathered-read.js';
import { hiddenParameter, readRows } from '../database/connections/prepared.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import type { BindingEvent } from '../domain/domain-events.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { unixSecondsSql } from '../database/time-sql.js';
import type { IdentityItem } from '../ledger/signed-chain.js';
import { HOLDS_TABLE } from '../holds/avatar-holds.js';
import { hasSignedLink } from '../proof-chain/link-rows.js';
import type { CheckDto, EvidenceDto } from './proof-checks.dto.js';
import type { Proof } from './proof.entity.js';
import { countsSql, invalidReasonSql } from './valid-proof.js';

/** The state of one binding as callers see it. */
export type Binding = Pick<Proof, 'id' | 'createdAt' | 'lastCheckedAt' | 'isValid' | 'invalidReason' | 'chainId'>;

type BindingRow = { isAvatarKnown: boolean } & (Binding | { id: null });

/** Always answers one row. */
const BINDING = {
  key: { avatar: 'text', platform: 'text', identity: 'text' },
  tables: ['proof', 'chain_link', HOLDS_TABLE],
  sql: `
    select proof.id, proof.created_at as "createdAt", proof.last_checked_at as "lastCheckedAt", ${countsSql('proof')} as "isValid",
      ${invalidReasonSql('proof')} as "invalidReason", proof.chain_id as "chainId",
      case when proof.id is null then ${hasSignedLink('key.avatar')} else true end as "isAvatarKnown"
    from (select 1) as always
    left join proof on proof.avatar = key.avatar and proof.platform = key.platform and proof.identity = key.identity`,
};

/** Parameters: Avatars, platforms and identities, in the same order. */
const LOCK_VALID = `
  select item.number
  from unnest(${hiddenParameter(1, 'text[]')}, ${hiddenParameter(2, 'text[]')}, ${hiddenParameter(3, 'text[]')})
    with ordinality as item(avatar, platform, identity, number)
  join proof on proof.avatar = item.avatar and proof.platform = item.platform and proof.identity = item.identity
  where proof.is_valid order by proof.id for share of proof`;

export type BindingName = Pick<IdentityItem, 'avatar' | 'platform' | 'identity'>;

type EvidenceRow = Omit<EvidenceDto, 'proof' | 'gone_proof'> & { proof: string; gone_proof: string };

/** Bindings, one by one, with their evidence and their checks. For lists see `ProofQueries`. */
@Injectable()
export class ProofStore {
  private readonly bindings: Record<'reads' | 'writes', GatheredRead<BindingRow>>;

  constructor(private readonly dataSource: DataSource) {
    this.bindings = {
      reads: new GatheredRead(dataSource, BINDING, 'reads'),
      writes: new GatheredRead(dataSource, BINDING, 'writes'),
    };
  }

  /**
   * Reads the current state of one binding, null if there is none, and whether the Avatar ever signed a link.
   * @param share `reads`, or `writes` for a lookup before a change
   */
  async find(
    avatar: AvatarKey,
    platform: string,
    identity: string,
    share: 'reads' | 'writes' = 'reads',
  ): Promise<{ binding: Binding | null; isAvatarKnown: boolean }> {
    const [row] = await this.bindings[share].rows(avatar.compressed, platform, identity);
    return { binding: row!.id === null ? null : row!, isAvatarKnown: row!.isAvatarKnown };
  }

  /** Reads what was seen at the last successful check of a binding; null if there never was one. */
  async findEvidence({ avatar, platform, identity }: BindingName): Promise<EvidenceDto | null> {
    const sql = `select url, ${unixSecondsSql('seen_at')} as seen_at, sha256, account_id, matched_text, proof, gone_proof
      from proof_evidence where avatar = $1 and platform = $2 and identity = $3`;
    const values = [avatar.compressed, platform, identity];
    const [row] = await readRows<EvidenceRow>(this.dataSource, ['proof_evidence'], sql, values);
    if (!row) return null;
    const { proof, gone_proof, ...evidence } = row;
    const signed = Object.entries({ proof, gone_proof }).filter(([, text]) => text !== '');
    return { ...evidence, ...Object.fromEntries(signed.map(([name, text]) => [name, JSON.parse(text) as object])) };
  }

  /** One page of the checks of a binding, newest first; the newest RECHECK_HISTORY of them are kept. */
  async checks(proofId: number, page: number): Promise<Page<CheckDto>> {
    const items = await readRows<CheckDto>(
      this.dataSource,
      ['proof_check'],
      `select ${unixSecondsSql('checked_at')} as checked_at, outcome, reason from proof_check where proof_id = $1
       order by id desc limit $2 offset $3`,
      [proofId, PER_PAGE, offsetOf(page)],
    );
    const count = 'select count(*) as total from proof_check where proof_id = $1';
    const [counted] = await readRows<{ total: number }>(this.dataSource, ['proof_check'], count, [proofId]);
    return { items, total: counted!.total, current: page };
  }

  /**
   * For each binding whether the Avatar holds a valid proof of it; if so, it stays valid until the end of the
   * transaction. The rows are locked in the order of their ids.
   */
  async lockValid(manager: EntityManager, bindings: BindingName[]): Promise<boolean[]> {
    const rows: { number: number }[] = await manager.query(LOCK_VALID, [
      bindings.map(({ avatar }) => avatar.compressed),
      bindings.map(({ platform }) => platform),
      bindings.map(({ identity }) => identity),
    ]);
    const valid = new Set(rows.map(({ number }) => number));
    return bindings.map((_, index) => valid.has(index + 1));
  }
}

/** Whether a binding rests on this link, in the transaction of `manager`. */
export async function isBoundBy(manager: EntityManager, linkId: number): Promise<boolean> {
  return ((await manager.query('select id from proof where link_id = $1', [linkId])) as unknown[]).length > 0;
}

/** Takes out the binding that rests on this link, with its checks, in the transaction of `manager`. */
export async function eraseBinding(manager: EntityManager, linkId: number): Promise<void> {
  await manager.query('delete from proof where link_id = $1', [linkId]);
}

/** Erases what was seen of a binding that is gone, in the transaction of `manager`. */
export async function eraseEvidence(
  manager: EntityManager,
  { avatar, platform, identity }: BindingEvent,
): Promise<void> {
  const sql = 'delete from proof_evidence where avatar = $1 and platform = $2 and identity = $3';
  await manager.query(sql, [avatar, platform, identity]);
}
