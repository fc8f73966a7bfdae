import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { withinShare } from '../database/connections/connection-shares.js';
import { ProofEvidence } from './proof-evidence.entity.js';
import type { BindingName } from './proof.store.js';

/** Reads the evidence of checks. */
@Injectable()
export class EvidenceStore {
  constructor(@InjectRepository(ProofEvidence) private readonly evidence: Repository<ProofEvidence>) {}

  async find({ avatar, platform, identity }: BindingName): Promise<ProofEvidence | null> {
    return withinShare(this.evidence.manager.dataSource, 'reads', 'proof_evidence', () =>
      this.evidence.findOneBy({ avatar: avatar.compressed, platform, identity }),
    );
  }
}
