import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { withinShare } from '../database/connection-shares.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { type CheckOutcome, ProofCheck } from './proof-check.entity.js';

/** One check as it is written down. */
export interface NewCheck {
  checkedAt: Date;
  outcome: CheckOutcome;
  reason: string;
}

/**
 * Two more parts of a `with`, which add a check to the history of the proof whose `id` the part `source` has, and drop
 * the oldest ones. Nothing happens where `source` is empty. Parameters from `$first` on: those of `checkParameters`.
 */
export function addCheckSql(source: string, first: number): string {
  // The statement sees the table as it was before, so all but the newest of them less one go.
  return `
    surplus as (
      delete from proof_check using ${source} where proof_id = ${source}.id and proof_check.id <= (
        select id from proof_check mine where mine.proof_id = ${source}.id order by id desc offset $${first + 3}::integer - 1 limit 1
      )
    ), added as (
      insert into proof_check (proof_id, checked_at, outcome, reason)
      select id, $${first}::timestamptz, $${first + 1}, $${first + 2} from ${source}
    )`;
}

/**
 * The same for many creates: the part `source` has `id` and `last_checked_at`, and `limit` is the parameter that holds
 * RECHECK_HISTORY.
 */
export function addChecksSql(source: string, limit: string): string {
  return `
    surplus as (
      delete from proof_check using ${source} where proof_id = ${source}.id and proof_check.id <= (
        select id from proof_check mine where mine.proof_id = ${source}.id order by id desc offset ${limit}::integer - 1 limit 1
      )
    ), added as (
      insert into proof_check (proof_id, checked_at, outcome, reason)
      select id, last_checked_at, 'valid', '' from ${source}
    )`;
}

/** @param limit RECHECK_HISTORY */
export function checkParameters({ checkedAt, outcome, reason }: NewCheck, limit: number): unknown[] {
  return [checkedAt, outcome, reason, limit];
}

/**
 * The checks of each binding, the newest RECHECK_HISTORY of them. They are deleted with the binding (a foreign key sees
 * to it).
 */
@Injectable()
export class CheckHistory {
  constructor(@InjectRepository(ProofCheck) private readonly checks: Repository<ProofCheck>) {}

  /** Newest first. */
  async page(proofId: number, page: number): Promise<Page<ProofCheck>> {
    const [items, total] = await withinShare(this.checks.manager.dataSource, 'reads', () =>
      this.checks.findAndCount({ where: { proofId }, order: { id: 'DESC' }, skip: offsetOf(page), take: PER_PAGE }),
    );
    return { items, total, current: page };
  }
}
