import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment.js';
import { GatheredRead } from '../../database/connections/gathered-read.js';
import type { AvatarKey } from '../../domain/avatar-key.js';
import type { PlatformVerifier } from '@signet/look';
import { isWallet } from '@signet/look/internal';
import { PlatformService } from '../../platform/platform.service.js';
import { growsRarer } from '../../platform/recheck-intervals.js';
import { type Hold, holdIn, holdSql, HOLDS_TABLE, isSucceeded } from '../../holds/avatar-holds.js';
import type { Proof } from '../proof.entity.js';
import { LookedUp } from './looked-up.js';
import { countsSql, MOST_HOLDERS } from '../valid-proof.js';

/** What is shown of a binding to a caller that asks for its name alone. */
export interface ShownBinding extends Pick<Proof, 'avatar' | 'identity' | 'createdAt' | 'lastCheckedAt'> {
  /**
   * `unchecked`: valid the last time, which is longer ago than three intervals of rechecks. Where rechecks become
   * rarer, the next one has to be late too, or to have failed.
   */
  state: 'valid' | 'unchecked' | 'gone';
  /** What stops the writes of the Avatar. */
  hold: Hold | null;
}

type Row = Pick<Proof, 'avatar' | 'createdAt' | 'lastCheckedAt' | 'isValid' | 'nextCheckAt' | 'checkFailures'> &
  Pick<ShownBinding, 'hold'>;

/** Rechecks that a proof may miss until it no longer counts as checked. */
const MISSED_CHECKS = 3;

/** The binding of one Avatar, or of all the newest valid one, else the newest. */
const NEWEST = {
  key: { platform: 'text', identity: 'text', avatar: 'text' },
  tables: ['proof', HOLDS_TABLE],
  sql: `
    select avatar, created_at as "createdAt", last_checked_at as "lastCheckedAt", ${countsSql('newest')} as "isValid",
      next_check_at as "nextCheckAt", check_failures as "checkFailures", ${holdSql('newest.avatar')} as hold
    from (
      select * from proof where proof.avatar = key.avatar and proof.platform = key.platform and proof.identity = key.identity
      union all
      (
        select * from proof where key.avatar = '' and proof.platform = key.platform and proof.identity = key.identity
        order by link_id desc limit ${MOST_HOLDERS}
      )
    ) as newest
    order by ${countsSql('newest')} desc, link_id desc limit 1`,
};

/** Bindings of an Avatar that its page names to programs. */
const MOST_NAMED = 50;

/**
 * What stops an Avatar, its newest valid bindings, and how many there are; an Avatar has at most
 * MAX_BINDINGS_PER_AVATAR. One row at least, which is without a binding where there is none.
 */
const OF_AVATAR = {
  key: { avatar: 'text' },
  tables: ['proof', 'proof_evidence', HOLDS_TABLE],
  sql: `
    select newest.*, coalesce(seen.profile_url, '') as "profileUrl", ${holdIn('held')} as hold,
      case when ${isSucceeded('held')} then held.successor end as successor
    from (select) as once left join (
      select proof.avatar, proof.platform, proof.identity, count(*) over ()::int as total,
        row_number() over (order by proof.link_id desc)::int as position
      from proof where proof.avatar = key.avatar and ${countsSql('proof')}
      order by proof.link_id desc limit ${MOST_NAMED}
    ) as newest on true
    left join proof_evidence as seen
      on seen.avatar = newest.avatar and seen.platform = newest.platform and seen.identity = newest.identity
    left join ${HOLDS_TABLE} as held on held.avatar = key.avatar
    order by newest.position`,
};

type OfAvatarRow = Pick<BindingsOfKey, 'hold' | 'successor'> & (BindingRow | { platform: null });

interface BindingRow {
  platform: string;
  identity: string;
  /** As the server of the account wrote it, or `''`. */
  profileUrl: string;
  total: number;
}

/** A valid binding of an Avatar. */
export interface BindingOfKey {
  platform: string;
  identity: string;
  /** The page of the account, as its server writes it or else as the guide says; null if none is known. */
  profile: string | null;
}

/** The valid bindings of an Avatar, and what stops it. */
export interface BindingsOfKey {
  /** How many valid bindings there are. */
  total: number;
  /** The newest of them, at most fifty. */
  newest: BindingOfKey[];
  /** What stops the writes of the Avatar. */
  hold: Hold | null;
  /** The Avatar that has succeeded it, compressed. */
  successor: string | null;
}

/** Bindings for badges and heads of pages: one cheap lookup each. */
@Injectable()
export class ShownBindings {
  private readonly newest: GatheredRead<Row>;
  private readonly ofAvatar: GatheredRead<OfAvatarRow>;

  constructor(
    dataSource: DataSource,
    private readonly platforms: PlatformService,
    private readonly environment: Environment,
    private readonly lookedUp: LookedUp,
  ) {
    this.newest = new GatheredRead(dataSource, NEWEST);
    this.ofAvatar = new GatheredRead(dataSource, OF_AVATAR);
  }

  /**
   * The binding of an identity: the newest valid one, else the newest, where several Avatars hold it. The newest 1,000
   * are looked at.
   * @param avatar null for any
   * @returns null where there is none
   */
  async find(
    verifier: PlatformVerifier,
    identityText: string,
    avatar: AvatarKey | null,
    now: Date,
  ): Promise<ShownBinding | null> {
    const identity = this.platforms.findIdentity(verifier, identityText);
    if (identity === null) return null;
    const [row] = await this.newest.rows(verifier.platform, identity, avatar?.compressed ?? '');
    if (!row) return null;
    const { isValid, createdAt, lastCheckedAt, hold } = row;
    this.lookedUp.bindings.next({ avatar: row.avatar, platform: verifier.platform, identity, lastCheckedAt });
    const state = isValid ? this.ageOf(verifier, row, now) : 'gone';
    return { avatar: row.avatar, identity, createdAt, lastCheckedAt, state, hold };
  }

  /** What there is of an Avatar: its valid bindings, and what stops it. */
  async ofKey(avatar: AvatarKey): Promise<BindingsOfKey> {
    const rows = await this.ofAvatar.rows(avatar.compressed);
    const { hold = null, successor = null } = rows[0] ?? {};
    const bindings = rows.filter((row) => row.platform !== null);
    const newest = bindings.map((row) => ({
      platform: row.platform,
      identity: row.identity,
      profile: this.profileOf(row),
    }));
    return { total: bindings[0]?.total ?? 0, newest, hold, successor };
  }

  private profileOf({ platform, identity, profileUrl }: BindingRow): string | null {
    if (profileUrl !== '') return profileUrl;
    const template = this.platforms.all().find((one) => one.platform === platform)?.guide.profileUrls?.[0];
    return template?.replace('{identity}', encodeURIComponent(identity)) ?? null;
  }

  /** Signatures of wallets do not age, and are not rechecked. */
  private ageOf(verifier: PlatformVerifier, { lastCheckedAt, nextCheckAt, checkFailures }: Row, now: Date) {
    if (isWallet(verifier)) return 'valid';
    const intervalMs = 1000 * this.environment.RECHECK_SECONDS;
    const missedSince = (from: Date, checks: number) => now.getTime() > from.getTime() + checks * intervalMs;
    if (!missedSince(lastCheckedAt, MISSED_CHECKS)) return 'valid';
    const isRare = growsRarer(verifier, this.environment) && checkFailures === 0;
    return isRare && nextCheckAt !== null && !missedSince(nextCheckAt, MISSED_CHECKS - 1) ? 'valid' : 'unchecked';
  }
}
