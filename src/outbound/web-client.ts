import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { WebFailure, type WebReply, type WebRequest } from '@signet/look';
import { pauseSeconds } from '@signet/look/internal';
import { Subject } from 'rxjs';
import { type CheckedRequest, GuardedFetcher, type Watchdog, type WebTransport } from '@signet/look/node';
import { HOST_SLOTS } from '../bounds/bounds.js';
import { RefusalCounter } from '../bounds/refusal-counter.js';
import type { Release } from '../concurrency/slots.js';
import { Environment } from '../config/environment.js';
import { SERVICE_VERSION } from '../config/version.js';
import type { CircuitDto } from './pacing/circuit.dto.js';
import type { HostGate } from './pacing/host-gate.js';
import { HostGates } from './pacing/host-gates.js';
import { ProcessSlots } from './pacing/process-slots.js';
import { RateBudgets } from './pacing/rate-budgets.js';

/** Injection token of a `WebTransport`; only tests and demos provide one. */
export const WEB_TRANSPORT = Symbol('WEB_TRANSPORT');

export interface SentRequest {
  platform: string;
  /** Posts for which the operator pays. */
  paidReads: number;
}

/**
 * The client for all outbound requests of the service: guard and limits of `GuardedFetcher`, and also every limit of
 * rate; it sends no requests to servers that fail or ask for a pause.
 */
@Injectable()
export class WebClient extends GuardedFetcher implements OnApplicationShutdown {
  /** Each request that was sent, when it is over. Observers must not throw. */
  readonly requests = new Subject<SentRequest>();
  private readonly slots: ProcessSlots;
  private readonly gates: HostGates;
  readonly rates: RateBudgets;

  constructor(
    environment: Environment,
    @Optional() @Inject(WEB_TRANSPORT) transport: WebTransport = {},
    private readonly refusals: RefusalCounter = new RefusalCounter(),
  ) {
    super({
      version: SERVICE_VERSION,
      contact: environment.OUTBOUND_CONTACT,
      maxBytes: environment.OUTBOUND_MAX_BYTES,
      timeoutMs: environment.OUTBOUND_TIMEOUT_MS,
      connections: { user: HOST_SLOTS.user.running, operator: HOST_SLOTS.operator.running },
      transport,
    });
    this.slots = new ProcessSlots(refusals);
    this.gates = new HostGates(refusals);
    this.rates = new RateBudgets(environment);
  }

  /** The circuits of all hosts that were asked since the start and are still remembered. */
  circuits(): CircuitDto[] {
    return this.gates.all().map((gate) => gate.describe());
  }

  /** Closes a circuit and forgets the host's failures and pauses; false if there is no circuit with this key. */
  resetCircuit(key: string): boolean {
    const gates = this.gates.withKey(key);
    for (const gate of gates) gate.reset();
    return gates.length > 0;
  }

  /**
   * False while the circuits of all servers of a platform that were asked so far are open. Hosts chosen by users do not
   * count.
   */
  isPlatformAvailable(platform: string): boolean {
    const gates = this.gates.ofOperator().filter((gate) => gate.platform === platform);
    return gates.length === 0 || gates.some((gate) => gate.state !== 'open');
  }

  /** After the server has closed, so that requests still being served can ask to the end. */
  async onApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  protected override async perform(request: WebRequest, checked: CheckedRequest): Promise<WebReply> {
    const gate = this.gates.of(request.platform, checked.url, request.trust);
    gate.check();
    const watchdog = this.watch(request);
    const held: Release[] = [];
    try {
      await this.waitForSlot(gate, checked, watchdog, held);
      const reply = await gate.run(() => this.counted(request, () => this.exchange(request, checked, watchdog)));
      const seconds = pauseSeconds(reply, Date.now());
      if (seconds) gate.pause(seconds);
      return reply;
    } finally {
      watchdog.stop();
      for (const release of held) release();
    }
  }

  private async counted({ platform, paidReads = 0 }: WebRequest, send: () => Promise<WebReply>): Promise<WebReply> {
    let isPaid = false;
    try {
      const reply = await send();
      isPaid = reply.status === 200;
      return reply;
    } finally {
      this.requests.next({ platform, paidReads: isPaid ? paidReads : 0 });
    }
  }

  /**
   * Waits for a slot of the host, then for one of the process, then for the end of a short pause and for the rate
   * budget. Slots go into `held` as they are taken.
   * @throws WebFailure `busy` or `limited` if that would take too long, or what `HostGate.check` throws
   */
  private async waitForSlot(
    gate: HostGate,
    checked: CheckedRequest,
    watchdog: Watchdog,
    held: Release[],
  ): Promise<void> {
    const maxWaitMs = () => Math.min(this.limits.waitMs, watchdog.remainingMs);
    const waitOrGiveUp = async (ms: number) => {
      if (ms > maxWaitMs()) {
        throw new WebFailure('limited', 'the rate is used up', { retryAfterSeconds: Math.ceil(ms / 1000) });
      }
      await wait(ms);
    };
    if (gate.pauseMs > 0) await waitOrGiveUp(gate.pauseMs);
    held.push(await gate.slots.acquire(maxWaitMs()));
    held.push(await this.slots.acquire(gate, maxWaitMs()));
    if (gate.pauseMs > 0) await waitOrGiveUp(gate.pauseMs);
    const hasToken = checked.headers['authorization'] !== undefined;
    for (;;) {
      const ms = await this.rates.consume(gate.platform, gate.host, hasToken);
      if (ms === 0) break;
      if (ms > maxWaitMs()) this.refusals.count('outbound_rate');
      await waitOrGiveUp(ms);
    }
    gate.check();
  }
}
