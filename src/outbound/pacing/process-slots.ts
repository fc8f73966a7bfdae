import { type Release, Slots } from '../../concurrency/slots.js';
import type { HostGate } from './host-gate.js';
import { busy } from '@signet/look';

/** The platform value for receivers of webhooks in the web client. */
export const WEBHOOK_PLATFORM = 'webhook';

/** Requests at the same time, and waiting ones, of each of the three kinds in the whole process. */
const RUNNING = 32;
const WAITING = 256;
/** Requests at the same time to hosts chosen by users under one domain: names below a domain cost nothing. */
const RUNNING_PER_DOMAIN = 8;

/**
 * The slots of the whole process, in three kinds that never wait for each other: hosts chosen by users, which may hang
 * on purpose; the receivers of webhooks; and servers chosen by the operator, which are those of the platforms and of
 * the archive. Within a kind hosts are served in rotation.
 */
export class ProcessSlots {
  private readonly strangers = new Slots(
    { running: RUNNING, waiting: WAITING, runningPerKey: RUNNING_PER_DOMAIN },
    busy,
  );
  private readonly webhooks = new Slots({ running: RUNNING, waiting: WAITING }, busy);
  private readonly platforms = new Slots({ running: RUNNING, waiting: WAITING }, busy);

  /**
   * Waits for a slot, at most `waitMs` milliseconds.
   * @throws WebFailure `busy` if that takes too long or too many wait already
   */
  async acquire(
    { platform, host, trust }: Pick<HostGate, 'platform' | 'host' | 'trust'>,
    waitMs: number,
  ): Promise<Release> {
    if (platform === WEBHOOK_PLATFORM) return this.webhooks.acquire(waitMs, host);
    if (trust === 'operator') return this.platforms.acquire(waitMs, host);
    return this.strangers.acquire(waitMs, domainOf(host));
  }
}

/** `social.example.com` -> `example.com`. Of `example.co.uk` it is `co.uk`, which costs some speed at most. */
function domainOf(host: string): string {
  return host.split('.').slice(-2).join('.');
}
