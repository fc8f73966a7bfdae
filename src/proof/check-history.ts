import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { withinShare } from '../database/connections/connection-shares.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { ProofCheck } from './proof-check.entity.js';

/**
 * The checks of each binding, the newest RECHECK_HISTORY of them. A foreign key deletes them with the binding.
 */
@Injectable()
export class CheckHistory {
  constructor(@InjectRepository(ProofCheck) private readonly checks: Repository<ProofCheck>) {}

  /** Newest first. */
  async page(proofId: number, page: number): Promise<Page<ProofCheck>> {
    const [items, total] = await withinShare(this.checks.manager.dataSource, 'reads', 'proof_check', () =>
      this.checks.findAndCount({ where: { proofId }, order: { id: 'DESC' }, skip: offsetOf(page), take: PER_PAGE }),
    );
    return { items, total, current: page };
  }
}
