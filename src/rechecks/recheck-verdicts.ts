import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Environment } from '../config/environment.js';
import { unixSecondsText } from '../domain/unix-time.js';
import { EventStore } from '../events/event-store.js';
import { PlatformService } from '../platform/platform.service.js';
import { addChecksSql, EVIDENCE, evidenceOf, keepGoneProof, renewEvidenceSql } from '../proof/checked-bindings.js';
import type { CheckOutcome } from '../proof/check-outcome.js';
import type { ClaimedProof } from './due-rechecks.js';
import type { RecheckOutcome } from '@signet/look/internal';
import { intervalsOf } from '../platform/recheck-intervals.js';
import { CHECKED, stateAfter } from './recheck-state.js';

/** A check of a binding, beside the state that follows from it. */
interface Check {
  id: number;
  /** The link and the lease of the row as it was claimed. */
  linkId: number;
  lease: Date;
  /** Found by the check; null where the platform has none. */
  accountId: string | null;
  checkedAt: Date;
  outcome: CheckOutcome;
  reason: string;
}

const CHECKS = CHECKED.and<Check>({
  id: 'bigint',
  linkId: 'bigint',
  lease: 'timestamptz',
  accountId: 'text',
  checkedAt: 'timestamptz',
  outcome: 'text',
  reason: 'text',
});

/**
 * Writes state, history and evidence in one statement, because a sweep runs it a hundred thousand times. Nothing is
 * written if the row is no longer the claimed one. Parameters: the check, RECHECK_HISTORY, the evidence.
 */
const RECORD = `
  with item as (select * from ${CHECKS.rowsOf('$1')}),
  saved as (
    update proof set ${CHECKED.assignedFrom('item')}, account_id = coalesce(proof.account_id, item.account_id)
    from item where proof.id = item.id and proof.link_id = item.link_id and proof.next_check_at = item.lease
    returning proof.id, item.checked_at, item.outcome, item.reason
  ),
  ${addChecksSql('saved', '$2')},
  evidence as (select * from ${EVIDENCE.rowsOf('$3')} where exists (select from saved)),
  seen as (${renewEvidenceSql('evidence')})
  select id from saved`;

/** Writes what rechecks have found. */
@Injectable()
export class RecheckVerdicts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: EventStore,
    private readonly environment: Environment,
    private readonly platforms: PlatformService,
  ) {}

  /**
   * Writes the outcome of a check: state, history, evidence, and an event if the validity changed, in one transaction.
   * @returns false if the proof is not the one that was claimed any more: deleted, created again, or claimed by another
   *   server after the lease.
   */
  async record(proof: ClaimedProof, outcome: RecheckOutcome, now: Date): Promise<boolean> {
    const { id, linkId, lease, platform, claim } = proof;
    const intervals = intervalsOf(this.platforms.get(platform), this.environment);
    const after = stateAfter(proof.state, outcome, now, intervals);
    const verdict = outcome.kind === 'valid' ? outcome.verdict : null;
    const reason = outcome.kind === 'valid' ? '' : outcome.reason;
    const accountId = verdict?.accountId ?? null;
    const check = { ...after, id, linkId, lease, accountId, checkedAt: now, outcome: outcome.kind, reason };
    const evidence = EVIDENCE.json(evidenceOf({ ...claim, platform }, verdict, now));
    const values = [CHECKS.json([check]), this.environment.RECHECK_HISTORY, evidence];
    const write = async (manager: EntityManager) => (await manager.query<unknown[]>(RECORD, values)).length === 1;
    // Most checks change nothing that is announced: they need no transaction of several statements, and no reader has
    // to be woken.
    if (after.isValid === proof.state.isValid) return write(this.dataSource.manager);
    return this.events.transaction(async (manager) => {
      if (!(await write(manager))) return false;
      const { avatar, identity } = claim;
      const fact = { avatar: avatar.compressed, platform, identity, checked_at: unixSecondsText(after.lastCheckedAt) };
      if (after.isValid) await this.events.record(manager, 'proof.restored', fact);
      else await this.events.record(manager, 'proof.invalidated', { ...fact, reason: after.invalidReason });
      if (outcome.kind === 'gone' && outcome.proof) await keepGoneProof(manager, { ...claim, platform }, outcome.proof);
      return true;
    });
  }
}
