import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LogPolicy } from './log-policy.js';
import { LogRefusedError } from '../log-errors.js';
import { WitnessStore } from './witness-store.js';

/**
 * Stops the log while a witness of the policy says that it has signed more entries than the log has, and shows no
 * checkpoint that proves it: the database may be older than what was shown. The claim ends when the witness signs
 * again, or is taken out of LOG_POLICY.
 */
@Injectable()
export class WitnessClaims {
  constructor(
    private readonly policy: LogPolicy,
    private readonly witnessStore: WitnessStore,
  ) {}

  /** @throws LogRefusedError that is not final */
  async assertNone(origin: string, manager?: EntityManager): Promise<void> {
    const { witnesses } = this.policy;
    if (witnesses.length === 0) return;
    for (const { verifierKey, claimedSize } of await this.witnessStore.states(origin, manager)) {
      const witness = witnesses.find((one) => one.verifierKey === verifierKey);
      if (!witness || claimedSize === null) continue;
      throw new LogRefusedError(
        `The witness ${witness.name} says that it has signed ${claimedSize} entries of this log, which has fewer, and shows no checkpoint of them. ` +
          'If this database was restored from a copy, begin a new log: npm run log -- new-origin "<reason>". ' +
          'If the witness is wrong, take it out of LOG_POLICY; signing goes on by itself too when it signs again.',
        false,
      );
    }
  }
}
