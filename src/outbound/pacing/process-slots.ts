import { OUTBOUND_SLOTS } from '../../bounds/bounds.js';
import type { RefusalCounter } from '../../bounds/refusal-counter.js';
import { type Release, Slots } from '../../concurrency/slots.js';
import type { HostGate } from './host-gate.js';
import { busy } from '@signet/look/internal';

/** The platform value for receivers of webhooks in the web client. */
export const WEBHOOK_PLATFORM = 'webhook';
/** The platform value for push services, which strangers choose. */
export const PUSH_PLATFORM = 'push';

/**
 * The slots of the whole process, in four kinds that never wait for each other: hosts that users choose, which may hang
 * on purpose; receivers of webhooks; push services, which users choose too; and servers that the operator chooses, for
 * platforms and the archive. Within a kind hosts are served in rotation.
 */
export class ProcessSlots {
  private readonly slots: Record<keyof typeof OUTBOUND_SLOTS, Slots>;

  constructor(refusals: RefusalCounter) {
    const slotsFor = (kind: keyof typeof OUTBOUND_SLOTS): Slots =>
      new Slots(OUTBOUND_SLOTS[kind], (detail) => {
        refusals.count(`outbound_${kind}`);
        return busy(detail);
      });
    this.slots = {
      users: slotsFor('users'),
      webhooks: slotsFor('webhooks'),
      push: slotsFor('push'),
      operator: slotsFor('operator'),
    };
  }

  /**
   * Waits for a slot, at most `waitMs` milliseconds.
   * @throws WebFailure `busy` if that takes too long or too many wait already
   */
  async acquire(
    { platform, host, trust }: Pick<HostGate, 'platform' | 'host' | 'trust'>,
    waitMs: number,
  ): Promise<Release> {
    if (platform === WEBHOOK_PLATFORM) return this.slots.webhooks.acquire(waitMs, host);
    if (platform === PUSH_PLATFORM) return this.slots.push.acquire(waitMs, domainOf(host));
    if (trust === 'operator') return this.slots.operator.acquire(waitMs, host);
    return this.slots.users.acquire(waitMs, domainOf(host));
  }
}

/** `social.example.com` -> `example.com`. Of `example.co.uk` it is `co.uk`, which costs some speed at most. */
export function domainOf(host: string): string {
  return host.split('.').slice(-2).join('.');
}
