import { Injectable } from '@nestjs/common';
import { encodeBase64 } from '../crypto/encoding.js';
import { unixSeconds } from '../domain/unix-time.js';
import { LogIdentities } from './log-identity.js';
import { LogStatus } from './log-status.js';
import { LogStore } from './log-store.js';
import type { LogDto } from './log.dto.js';
import { PublishedCheckpoint } from './published-checkpoint.js';

/** What `GET /v1/log` tells. */
@Injectable()
export class LogReport {
  constructor(
    private readonly identities: LogIdentities,
    private readonly published: PublishedCheckpoint,
    private readonly store: LogStore,
    private readonly status: LogStatus,
  ) {}

  async read(): Promise<LogDto> {
    const { origin, verifierKey } = await this.identities.current();
    const head = await this.published.current();
    const { waiting } = await this.store.outlook();
    return {
      origin,
      verifier_key: verifierKey,
      // What another server has signed a moment ago this one may not have looked at.
      state: this.status.condition === 'catching_up' && head ? 'ok' : this.status.condition,
      problem: this.status.problem,
      size: head?.size ?? 0,
      root: head ? encodeBase64(head.root) : '',
      signed_at: head ? unixSeconds(head.signedAt) : 0,
      waiting,
      policy_met: null,
      witnesses: [],
    };
  }
}
