import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState as BreakerState,
  ConsecutiveBreaker,
  handleAll,
} from 'cockatiel';
import { HOST_SLOTS } from '../../bounds/bounds.js';
import type { RefusalCounter } from '../../bounds/refusal-counter.js';
import { Slots } from '../../concurrency/slots.js';
import { unixSecondsText } from '../../domain/unix-time.js';
import type { CircuitDto } from './circuit.dto.js';
import { WebFailure, type WebReply, type WebRequest } from '@signet/look';
import { busy } from '@signet/look/internal';

const FAILURES_TO_OPEN = 10;
const OPEN_MS = 30_000;

/** The longest pause that a server can ask for (packages/look/src/web/rate-hints.ts). */
const LONGEST_PAUSE_MS = 3_600_000;

/** A user-chosen host that could not even be connected to is not tried again for this long. */
const UNREACHABLE_MS = 60_000;

/**
 * The state of one host for one platform: its slots, its failures, and until when it asked not to get requests.
 */
export class HostGate {
  readonly key: string;
  readonly slots: Slots;
  private breaker!: ConsecutiveBreaker;
  private circuit!: CircuitBreakerPolicy;
  private openUntilMs!: number;
  /** Milliseconds since 1970. */
  private pausedUntilMs!: number;
  private unreachableUntilMs!: number;

  constructor(
    readonly platform: string,
    readonly host: string,
    readonly trust: WebRequest['trust'],
    refusals: RefusalCounter,
  ) {
    this.key = `${platform}@${host}`;
    this.slots = new Slots(HOST_SLOTS[trust], (detail) => {
      refusals.count('outbound_host');
      return busy(detail);
    });
    this.reset();
  }

  /** Forgets all failures and pauses. */
  reset(): void {
    this.openUntilMs = 0;
    this.pausedUntilMs = 0;
    this.unreachableUntilMs = 0;
    this.breaker = new ConsecutiveBreaker(FAILURES_TO_OPEN);
    this.circuit = circuitBreaker(
      handleAll.orWhenResult((outcome) => !(outcome instanceof WebFailure) && (outcome as WebReply).status >= 500),
      { halfOpenAfter: OPEN_MS, breaker: this.breaker },
    );
    this.circuit.onBreak(() => {
      this.openUntilMs = Date.now() + OPEN_MS;
    });
  }

  get state(): CircuitDto['state'] {
    this.forgetWhatLiesTooFarAhead();
    if (this.circuit.state === BreakerState.Closed) return 'closed';
    const isOnTrial = this.circuit.state === BreakerState.HalfOpen;
    return isOnTrial || Date.now() >= this.openUntilMs ? 'half_open' : 'open';
  }

  describe(): CircuitDto {
    const { key, state, openUntilMs } = this;
    const openUntil = state === 'open' ? unixSecondsText(new Date(openUntilMs)) : '';
    return { key, state, failures: this.breaker.state, open_until: openUntil };
  }

  /** Milliseconds for which the server asked not to get requests; 0 or less: none. */
  get pauseMs(): number {
    this.forgetWhatLiesTooFarAhead();
    return this.pausedUntilMs - Date.now();
  }

  /** Extends the pause, and never shortens it: replies may overtake each other. */
  pause(seconds: number): void {
    this.pausedUntilMs = Math.max(this.pausedUntilMs, Date.now() + seconds * 1000);
  }

  /** A clock that was put back leaves times that lie further ahead than any that is set; the circuit has one, too. */
  private forgetWhatLiesTooFarAhead(): void {
    const aheadMs = (untilMs: number) => untilMs - Date.now();
    const isTooFar =
      aheadMs(this.openUntilMs) > OPEN_MS ||
      aheadMs(this.unreachableUntilMs) > UNREACHABLE_MS ||
      aheadMs(this.pausedUntilMs) > LONGEST_PAUSE_MS;
    if (isTooFar) this.reset();
  }

  /** True if nothing would be lost by forgetting this host. */
  get isForgettable(): boolean {
    const now = Date.now();
    const isQuiet = this.slots.isIdle && this.pausedUntilMs <= now && this.unreachableUntilMs <= now;
    return isQuiet && this.circuit.state === BreakerState.Closed;
  }

  /**
   * @throws WebFailure `paused` while the circuit is open or on trial, `unreachable` while a failed connection is
   *   remembered
   */
  check(): void {
    this.forgetWhatLiesTooFarAhead();
    if (Date.now() < this.unreachableUntilMs) throw new WebFailure('unreachable', 'could not be reached a moment ago');
    const isOpen = this.state === 'open';
    if (isOpen || this.circuit.state === BreakerState.HalfOpen) {
      const seconds = isOpen ? Math.ceil((this.openUntilMs - Date.now()) / 1000) : undefined;
      throw new WebFailure('paused', 'the circuit is open', { retryAfterSeconds: seconds });
    }
  }

  /**
   * Runs one request through the circuit. Every error and every 5xx counts as a failure, except a body that is too
   * large: its size may be the choice of a user, which must not stop requests to a platform that works.
   * @throws WebFailure what `exchange` throws, or `paused` if the circuit opened meanwhile
   */
  async run(exchange: () => Promise<WebReply>): Promise<WebReply> {
    try {
      const outcome = await this.circuit.execute(() => exchange().catch(returnIfTooLarge));
      if (outcome instanceof WebFailure) throw outcome;
      return outcome;
    } catch (error) {
      if (error instanceof BrokenCircuitError) throw new WebFailure('paused', 'the circuit is open', { cause: error });
      if (this.trust === 'user' && error instanceof WebFailure && error.kind === 'unreachable') {
        this.unreachableUntilMs = Date.now() + UNREACHABLE_MS;
      }
      throw error;
    }
  }
}

function returnIfTooLarge(error: unknown): WebFailure {
  if (error instanceof WebFailure && error.kind === 'too_large') return error;
  throw error;
}
