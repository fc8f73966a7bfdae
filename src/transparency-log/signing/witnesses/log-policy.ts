import { hasDisjointQuorums } from '@signet/verify/internal/log';
import { type Policy, PolicyError, type PolicyWitness, readPolicy, writeVerifierKey } from '@signet/verify/log';
import { Injectable, Logger } from '@nestjs/common';
import { Environment, InvalidEnvironmentError, readTextSetting } from '../../../config/environment.js';

/** A witness that this log asks. */
export interface LogWitness extends PolicyWitness {
  /** The witness's key in the text form of a verifier key. */
  verifierKey: string;
  /** The prefix of `add-checkpoint`, without a slash at the end. */
  url: string;
}

const WEAK_QUORUM =
  'two sets of witnesses without a common member meet the quorum of LOG_POLICY, so its readers could be shown two ' +
  'histories, each fully cosigned. Ask for more than half of the witnesses. See docs/witnesses.md.';

/** The policy of this log: whom it asks for cosignatures, and which are enough. */
@Injectable()
export class LogPolicy {
  /** Null where LOG_POLICY is not set. */
  readonly policy: Policy | null;
  readonly witnesses: LogWitness[];

  /** Whether a tree head needs cosignatures to meet the policy. */
  get asksForCosignatures(): boolean {
    return this.policy !== null && this.policy.quorum !== null;
  }

  /** @throws InvalidEnvironmentError if LOG_POLICY cannot be read, or names a witness without a URL */
  constructor({ LOG_POLICY, LOG }: Environment) {
    this.policy =
      LOG && LOG_POLICY !== undefined ? readTextSetting('LOG_POLICY', LOG_POLICY, PolicyError, readPolicy) : null;
    this.witnesses = (this.policy?.witnesses ?? []).map(({ name, key, url }) => {
      if (url === null || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
        throw new InvalidEnvironmentError([`LOG_POLICY: the witness ${name} has no URL behind its key`]);
      }
      return { name, key, verifierKey: writeVerifierKey(key), url: url.replace(/\/+$/, '') };
    });
    if (this.policy && hasDisjointQuorums(this.policy)) new Logger('LogPolicy').warn(WEAK_QUORUM);
  }
}
