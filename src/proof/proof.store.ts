import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Environment } from '../config/environment.js';
import { GatheredRead } from '../database/gathered-read.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { hasSignedLink } from '../proof-chain/link-rows.js';
import type { NewLink } from '../proof-chain/proof-chain.service.js';
import { addCheckSql, checkParameters } from './check-history.js';
import { Proof } from './proof.entity.js';

/** What a create leaves behind: the present state of the binding. */
export interface NewBinding {
  link: NewLink;
  linkId: number;
  accountId: string | null;
  checkedAt: Date;
}

/** What callers are told of one binding. */
export type Binding = Pick<Proof, 'id' | 'createdAt' | 'lastCheckedAt' | 'isValid' | 'invalidReason' | 'chainId'>;

/** The answer to a look-up of one binding. */
export interface FoundBinding {
  binding: Binding | null;
  /** Whether the Avatar ever signed a link. */
  isAvatarKnown: boolean;
}

type BindingRow = { isAvatarKnown: boolean } & (Binding | { id: null });

/** Always answers one row. */
const BINDING = {
  key: { avatar: 'text', platform: 'text', identity: 'text' },
  sql: `
    select proof.id, proof.created_at as "createdAt", proof.last_checked_at as "lastCheckedAt", proof.is_valid as "isValid",
      proof.invalid_reason as "invalidReason", proof.chain_id::float8 as "chainId",
      case when proof.id is null then ${hasSignedLink('key.avatar')} else true end as "isAvatarKnown"
    from (select 1) as always
    left join proof on proof.avatar = key.avatar and proof.platform = key.platform and proof.identity = key.identity`,
};

/**
 * A create on an identity that the Avatar already holds refreshes everything: another link, another post, another
 * check.
 */
const SAVE_BINDING = `
  with bound as (
  insert into proof (avatar, platform, identity, identity_folded, proof_location, link_id, created_at, last_checked_at, is_valid, account_id, chain_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, true, $9, $10)
  on conflict on constraint proof_binding do update set
    proof_location = excluded.proof_location,
    link_id = excluded.link_id,
    created_at = excluded.created_at,
    last_checked_at = excluded.last_checked_at,
    is_valid = true,
    invalid_reason = '',
    account_id = excluded.account_id,
    chain_id = excluded.chain_id,
    gone_since = null,
    next_check_at = null,
    checks_done = 0,
    check_failures = 0
  returning id
  ), ${addCheckSql('bound', 11)}
  select id from bound`;

/** The rows of the table `proof` that a submit touches. Reading lists is the business of `ProofQueries`. */
@Injectable()
export class ProofStore {
  private readonly bindings: GatheredRead<BindingRow>;

  constructor(
    dataSource: DataSource,
    private readonly environment: Environment,
  ) {
    this.bindings = new GatheredRead(dataSource, BINDING);
  }

  /** One binding as it is now. */
  async find(avatar: AvatarKey, platform: string, identity: string): Promise<FoundBinding> {
    const [row] = await this.bindings.rows(avatar.compressed, platform, identity);
    return { binding: row!.id === null ? null : row!, isAvatarKnown: row!.isAvatarKnown };
  }

  /**
   * Whether the Avatar holds a valid proof of this identity; if so, it stays valid until the end of the transaction.
   */
  async lockValid(manager: EntityManager, avatar: AvatarKey, platform: string, identity: string): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      'select id from proof where avatar = $1 and platform = $2 and identity = $3 and is_valid for share',
      [avatar.compressed, platform, identity],
    );
    return rows.length > 0;
  }

  /**
   * Locks the row of the binding, if there is one, and answers whether one more fits: always where it is held already.
   * Called before the append lock is taken (see there).
   */
  async hasRoom(
    manager: EntityManager,
    avatar: AvatarKey,
    platform: string,
    identity: string,
    limit: number,
  ): Promise<boolean> {
    const held: unknown[] = await manager.query(
      'select id from proof where avatar = $1 and platform = $2 and identity = $3 for update',
      [avatar.compressed, platform, identity],
    );
    if (held.length > 0) return true;
    const rows: { count: string }[] = await manager.query('select count(*) as count from proof where avatar = $1', [
      avatar.compressed,
    ]);
    return Number(rows[0]!.count) < limit;
  }

  /** Writes the state that a create leaves, and the create itself as a check into the history. */
  async saveBinding(manager: EntityManager, { link, linkId, accountId, checkedAt }: NewBinding): Promise<void> {
    await manager.query(SAVE_BINDING, [
      link.avatar.compressed,
      link.platform,
      link.identity,
      link.identity.toLowerCase(),
      link.proofLocation,
      linkId,
      link.createdAt,
      checkedAt,
      accountId,
      link.extra['chain_id'] ?? null,
      ...checkParameters({ checkedAt, outcome: 'valid', reason: '' }, this.environment.RECHECK_HISTORY),
    ]);
  }

  /** Removes the binding; false if there is none. */
  async remove(manager: EntityManager, avatar: AvatarKey, platform: string, identity: string): Promise<boolean> {
    const result = await manager.delete(Proof, { avatar: avatar.compressed, platform, identity });
    return result.affected === 1;
  }
}
