import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { AvatarKey } from '../domain/avatar-key.js';
import type { ValidVerdict } from '../platform/platform-verifier.js';
import { ProofEvidence } from './proof-evidence.entity.js';

/** One binding, as the rows of this room name it. */
export interface BindingName {
  avatar: AvatarKey;
  platform: string;
  /** Canonical identity. */
  identity: string;
}

/** Keeps and erases what was seen at checks. */
@Injectable()
export class EvidenceStore {
  constructor(@InjectRepository(ProofEvidence) private readonly evidence: Repository<ProofEvidence>) {}

  async find({ avatar, platform, identity }: BindingName): Promise<ProofEvidence | null> {
    return this.evidence.findOneBy({ avatar: avatar.compressed, platform, identity });
  }

  /** Replaces what was seen before; a wallet's signature leaves no evidence but the link itself. */
  async keep(
    manager: EntityManager,
    { avatar, platform, identity }: BindingName,
    verdict: ValidVerdict,
    seenAt: Date,
  ): Promise<void> {
    if (!verdict.evidence) return;
    const { url, sha256, matchedText } = verdict.evidence;
    const row = {
      avatar: avatar.compressed,
      platform,
      identity,
      url,
      seenAt,
      sha256,
      accountId: verdict.accountId ?? '',
      matchedText,
    };
    await manager.upsert(ProofEvidence, row, ['avatar', 'platform', 'identity']);
  }

  /** The person took the binding back, so their words go; the hash still proves what was seen. */
  async eraseText(manager: EntityManager, { avatar, platform, identity }: BindingName): Promise<void> {
    await manager.update(ProofEvidence, { avatar: avatar.compressed, platform, identity }, { matchedText: '' });
  }
}
