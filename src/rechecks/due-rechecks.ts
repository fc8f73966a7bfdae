import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { TableColumns } from '../database/table-columns.js';
import { AvatarKey } from '../domain/avatar-key.js';
import type { DomainEvents } from '../domain/domain-events.js';
import type { ProofClaim } from '@signet/look';
import { RECHECK_SPREAD, type RecheckIntervals } from '@signet/look/internal';
import { MAX_COUNTED } from '../measures/measured.js';
import type { LookedUpBinding } from '../proof/look-up/looked-up.js';
import { Proof } from '../proof/proof.entity.js';
import { CHECKED, type CheckedState } from './recheck-state.js';

/** A proof that this server alone checks until `lease`. */
export interface ClaimedProof {
  id: number;
  /** The create link that it rested on when it was claimed; a re-created proof is another one. */
  linkId: number;
  platform: string;
  /** Also the `next_check_at` of the row, so that no server claims it before and any may after. */
  lease: Date;
  state: CheckedState;
  claim: ProofClaim;
}

/** Which proofs an operator wants checked now; what is given holds together. */
export interface DueSelection {
  /** Pairs of a platform and, if only one identity is meant, its canonical form there. */
  platforms: { platform: string; identity: string | null }[];
  avatar: AvatarKey | undefined;
  onlyInvalid: boolean;
}

/** The columns of a binding that a recheck reads. */
const CLAIMED = TableColumns.of(Proof).without('identityFolded', 'createdAt', 'chainId');

/** A row of `CLAIMED`, and what was signed in its link. */
interface ClaimedRow extends Omit<Proof, 'identityFolded' | 'createdAt' | 'chainId'> {
  uuid: string;
  createdAt: Date;
  signaturePayload: string;
  /** As in `extra` of the link. */
  rel: 'me' | null;
  /** Signature of the link before; null for the first. */
  previous: string | null;
}

/** Longest overdue first. Rows that another server is claiming are passed over. */
const DUE =
  'select id from proof where platform = $1 and next_check_at <= $2 order by next_check_at limit $3 for update skip locked';

/** Due rows that are looked at to share a batch among hosts. */
const LOOKED_AT = 10_000;
/** The host that a user chose with the identity. */
const HOST = "substring(identity from '[^@]*$')";

/** Due rows, shared equally among hosts while each has some. The hosts `$5` are left out. */
const DUE_BY_HOST = `
  select id from proof where next_check_at <= $2 and id in (
    select id from (
      select id, next_check_at, row_number() over (partition by host order by next_check_at) as number
      from (select id, next_check_at, ${HOST} as host from proof where platform = $1 and next_check_at <= $2 and ${HOST} <> all($5::text[])
        order by next_check_at limit ${LOOKED_AT}) as oldest) as numbered
    order by number, next_check_at limit $3)
  for update skip locked`;

/** Rows that were claimed a moment ago are no longer due. */
const claimSql = (due: string) => `
  with due as (
    ${due}
  ), claimed as (
    update proof set next_check_at = $4 from due where proof.id = due.id returning proof.*
  )
  select ${CLAIMED.selectedFrom('claimed')}, link.uuid, link.created_at as "createdAt",
    link.signature_payload as "signaturePayload", link.extra->>'rel' as rel, previous.signature as previous
  from claimed
  join chain_link link on link.id = claimed.link_id
  left join chain_link previous on previous.avatar = link.avatar and previous.position_in_chain = link.position_in_chain - 1
  order by claimed.link_id`;

const CLAIM = claimSql(DUE);
const CLAIM_BY_HOST = claimSql(DUE_BY_HOST);

/** Rows that an operator makes due in one transaction. */
const SWEEP_BATCH = 2_000;

/** Rows are locked in the order of their ids, so that two sweeps at once cannot wait for each other. */
const MAKE_DUE = `
  with mine as (
    select p.id from proof p join unnest($2::text[], $3::text[]) as wanted (platform, identity)
      on p.platform = wanted.platform and (wanted.identity is null or p.identity = wanted.identity)
    where p.id > $1 and ($4::text is null or p.avatar = $4) and (not $5::boolean or not p.is_valid)
    order by p.id limit ${SWEEP_BATCH} for update of p
  ), moved as (
    update proof set next_check_at = least(next_check_at, $6) from mine where proof.id = mine.id returning proof.id
  )
  select count(*) as count, max(id) as last from moved`;

/**
 * Not those that a server is checking now, whose time is the end of its lease, nor those whose next check is no steady
 * one: after a platform that did not answer, and may have asked to be left alone, and before a second look at a "gone".
 */
const BRING_FORWARD = `
  with mine as (
    select p.id, greatest($4::timestamptz, p.last_checked_at + $5 * interval '1 second') as due_at
    from proof p join unnest($1::text[], $2::text[], $3::text[]) as looked (avatar, platform, identity)
      on p.avatar = looked.avatar and p.platform = looked.platform and p.identity = looked.identity
    where p.next_check_at > greatest($6::timestamptz, p.last_checked_at + $7 * interval '1 second')
      and p.check_failures = 0 and not (p.is_valid and p.gone_since is not null)
    order by p.id for update of p
  )
  update proof set next_check_at = mine.due_at from mine where proof.id = mine.id`;

/** Rows of a platform that are pulled back at a time. */
const PULL_BATCH = 2_000;

/** `$1` to `$3`: a platform, now, and the latest time that a server sets for it. */
const PULL_BACK = `
  update proof set next_check_at = $2 where id in (
    select id from proof where platform = $1 and next_check_at > $3
    order by next_check_at desc limit ${PULL_BATCH} for update skip locked)`;

/** Which bindings are due for a recheck, and which of them this server has claimed. */
@Injectable()
export class DueRechecks {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Sets the first recheck of a binding, in the transaction of `manager`. Only of the link that the event is about, and
   * only where none is set, so that a late redelivery cannot reset a newer schedule.
   */
  async scheduleFirst(manager: EntityManager, event: DomainEvents['proof.bound'], delayMs: number): Promise<void> {
    await manager.query(
      `update proof set next_check_at = last_checked_at + $5 * interval '1 millisecond'
       where avatar = $1 and platform = $2 and identity = $3 and link_id = $4 and next_check_at is null`,
      [event.avatar, event.platform, event.identity, event.link_id, delayMs],
    );
  }

  /** Those of `platforms` that have a recheck to do. */
  async platformsWithWork(platforms: string[], now: Date): Promise<string[]> {
    const rows: { name: string }[] = await this.dataSource.query(
      `select name from unnest($1::text[]) as mine (name)
       where exists (select 1 from proof where platform = mine.name and next_check_at <= $2)`,
      [platforms, now],
    );
    return rows.map((row) => row.name);
  }

  /** Makes rechecks of a platform due that lie behind `latest`, which no server sets: the clock was put back since. */
  async pullBack(platform: string, now: Date, latest: Date): Promise<void> {
    await this.dataSource.query(PULL_BACK, [platform, now, latest]);
  }

  /** For each of the platforms how many rechecks are due, counted up to 10,000, and how late the longest overdue is. */
  async countDue(platforms: string[], now: Date): Promise<Map<string, { count: number; lateSeconds: number }>> {
    const sql = `
      select name as platform,
        (select count(*) from (select from proof where platform = name and next_check_at <= $2 limit ${MAX_COUNTED}) as p)::int as count,
        greatest(0, extract(epoch from $2::timestamptz - (select min(next_check_at) from proof where platform = name)))::float8 as "lateSeconds"
      from unnest($1::text[]) as name`;
    const rows: { platform: string; count: number; lateSeconds: number }[] = await this.dataSource.query(sql, [
      platforms,
      now,
    ]);
    return new Map(rows.map(({ platform, ...due }) => [platform, due]));
  }

  /**
   * Takes up to `limit` due proofs of `platform`, longest overdue first, and moves them to `lease`, by one short
   * statement.
   * @param served where each proof is checked at a host that a user chose: hosts whose proofs stay where they are. The
   *   batch is shared among the others, so that none of them fills it while others wait.
   */
  async claimDue(now: Date, platform: string, limit: number, lease: Date, served?: string[]): Promise<ClaimedProof[]> {
    const values = [platform, now, limit, lease, ...(served ? [served] : [])];
    const rows: ClaimedRow[] = await this.dataSource.query(served ? CLAIM_BY_HOST : CLAIM, values);
    return rows.map((row) => toClaimed(row, lease));
  }

  /**
   * Makes bindings that were looked up due as soon as if their interval had never grown. Those that are due by then, or
   * are being checked, stay as they are.
   * @param lease how long a server has a proof that it checks
   */
  async bringForward(
    bindings: LookedUpBinding[],
    { steadySeconds }: RecheckIntervals,
    now: Date,
    leaseMs: number,
  ): Promise<void> {
    await this.dataSource.query(BRING_FORWARD, [
      bindings.map(({ avatar }) => avatar),
      bindings.map(({ platform }) => platform),
      bindings.map(({ identity }) => identity),
      now,
      steadySeconds,
      new Date(now.getTime() + leaseMs),
      steadySeconds * (1 + RECHECK_SPREAD),
    ]);
  }

  /** Gives claimed proofs back unchecked, to be claimed again from `dueAt` on. All are of one lease. */
  async putBack(claimed: ClaimedProof[], dueAt: Date): Promise<void> {
    await this.dataSource.query(
      `update proof set next_check_at = $1 from unnest($2::bigint[], $3::bigint[]) as mine (id, link_id)
       where proof.id = mine.id and proof.link_id = mine.link_id and proof.next_check_at = $4`,
      [dueAt, claimed.map(({ id }) => id), claimed.map(({ linkId }) => linkId), claimed[0]?.lease],
    );
  }

  /**
   * Makes the selected proofs due at `now`, batch by batch; those that are overdue stay so. @returns how many are due
   * because of it or before.
   */
  async makeDue({ platforms, avatar, onlyInvalid }: DueSelection, now: Date): Promise<number> {
    let total = 0;
    for (let last: number | null = 0; last !== null;) {
      const rows: { count: number; last: number | null }[] = await this.dataSource.query(MAKE_DUE, [
        last,
        platforms.map(({ platform }) => platform),
        platforms.map(({ identity }) => identity),
        avatar?.compressed ?? null,
        onlyInvalid,
        now,
      ]);
      total += rows[0]!.count;
      last = rows[0]!.last;
    }
    return total;
  }
}

function toClaimed(row: ClaimedRow, lease: Date): ClaimedProof {
  const { id, linkId, avatar, platform, identity, proofLocation, accountId } = row;
  const { uuid, createdAt, signaturePayload: signPayload, previous, rel } = row;
  return {
    id,
    linkId,
    platform,
    lease,
    state: { ...CHECKED.read(row), nextCheckAt: lease },
    claim: {
      avatar: AvatarKey.parse(avatar),
      identity,
      signPayload,
      uuid,
      createdAt,
      previous,
      proofLocation,
      accountId: accountId ?? undefined,
      rel: rel ?? undefined,
      isRecheck: true,
    },
  };
}
