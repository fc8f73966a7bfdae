import type { RefusalCounter } from '../../bounds/refusal-counter.js';
import { HostGate } from './host-gate.js';
import type { WebRequest } from '@signet/look';

/**
 * Most hosts chosen by users that are remembered, as users can name any number. Beyond this, idle hosts are forgotten
 * first, then the least recently used.
 */
const MAX_USER_GATES = 2_000;

/** All gates, by key. Those of user-chosen hosts are bounded in number; those of the operator are few by nature. */
export class HostGates {
  private readonly operator = new Map<string, HostGate>();
  private readonly user = new Map<string, HostGate>();

  constructor(private readonly refusals: RefusalCounter) {}

  /** The gate of a host, made at first use. */
  of(platform: string, { host }: URL, trust: WebRequest['trust']): HostGate {
    const gates = this[trust];
    const gate = gates.get(`${platform}@${host}`) ?? new HostGate(platform, host, trust, this.refusals);
    if (trust === 'user') {
      gates.delete(gate.key); // set again below: a Map remembers the order of insertion, which so becomes the order of use
      if (gates.size >= MAX_USER_GATES) this.forgetOne();
    }
    gates.set(gate.key, gate);
    return gate;
  }

  /** The gates with this key: one, unless the operator and a user chose the same host. */
  withKey(key: string): HostGate[] {
    return [this.operator.get(key), this.user.get(key)].filter((gate) => gate !== undefined);
  }

  ofOperator(): HostGate[] {
    return [...this.operator.values()];
  }

  all(): HostGate[] {
    return [...this.operator.values(), ...this.user.values()];
  }

  /**
   * Searches the oldest few for an idle host, so that a flood of new names costs little and rarely drops a pause.
   */
  private forgetOne(): void {
    let oldest: string | undefined;
    let looked = 0;
    for (const [key, gate] of this.user) {
      oldest ??= key;
      if (gate.isForgettable) {
        this.user.delete(key);
        return;
      }
      if (++looked === 50) break;
    }
    if (oldest !== undefined) this.user.delete(oldest);
  }
}
