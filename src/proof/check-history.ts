import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { Environment } from '../config/environment.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { type CheckOutcome, ProofCheck } from './proof-check.entity.js';

/** One check as it is written down. */
export interface NewCheck {
  checkedAt: Date;
  outcome: CheckOutcome;
  reason: string;
}

/** The statement sees the table as it was before, so all but the newest `$5 - 1` go. */
const ADD = `
  with surplus as (
    delete from proof_check where proof_id = $1 and id <= (
      select id from proof_check where proof_id = $1 order by id desc offset $5::integer - 1 limit 1
    )
  )
  insert into proof_check (proof_id, checked_at, outcome, reason) values ($1, $2, $3, $4)`;

/** The checks of each binding, the newest RECHECK_HISTORY of them. They are deleted with the binding (a foreign key sees to it). */
@Injectable()
export class CheckHistory {
  constructor(
    @InjectRepository(ProofCheck) private readonly checks: Repository<ProofCheck>,
    private readonly environment: Environment,
  ) {}

  /** Adds a check in the transaction of `manager`, which holds the row of the proof. */
  async add(manager: EntityManager, proofId: string, { checkedAt, outcome, reason }: NewCheck): Promise<void> {
    await manager.query(ADD, [proofId, checkedAt, outcome, reason, this.environment.RECHECK_HISTORY]);
  }

  /** Newest first. */
  async page(proofId: string, page: number): Promise<Page<ProofCheck>> {
    const [items, total] = await this.checks.findAndCount({
      where: { proofId: Number(proofId) },
      order: { id: 'DESC' },
      skip: offsetOf(page),
      take: PER_PAGE,
    });
    return { items, total, current: page };
  }
}
