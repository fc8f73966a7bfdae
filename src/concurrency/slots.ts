/** No slot is free, and waiting for one takes too long, or too many wait already. */
export class BusyError extends Error {}

/** Gives back a slot; further calls do nothing. */
export type Release = () => void;

export interface SlotLimits {
  /** Requests that run at the same time. */
  running: number;
  /** Requests that wait for a slot. */
  waiting: number;
  /** Requests of one key that run at the same time; absent: as many as there are slots. */
  runningPerKey?: number;
}

type Waiter = (outcome: Release | Error) => void;

/**
 * Bounds how much runs at the same time, fairly by key. Waiting keys are served in rotation, and the waiters of one key
 * in the order of their arrival. In a full queue the key with the most waiters gives up a place to a key with few.
 *
 * Own code, because the bulkhead of cockatiel (3.2.1, the library of the circuit breakers) has one queue for all keys,
 * and checks its abort signal only when a slot is free, so that a wait could not be bounded.
 */
export class Slots {
  private running = 0;
  private waiting = 0;
  private readonly runningOf = new Map<string, number>();
  /** In the order of the rotation: a key that was served goes to the end. No queue in it is empty. */
  private readonly queues = new Map<string, Waiter[]>();

  /** @param refusal makes the error for a caller that gets no slot, from a few words for the log */
  constructor(
    private readonly limits: SlotLimits,
    private readonly refusal: (detail: string) => Error = (detail) => new BusyError(detail),
  ) {}

  get isIdle(): boolean {
    return this.running === 0;
  }

  /**
   * Waits for a slot, at most `waitMs` milliseconds.
   * @throws what `refusal` makes, if the queue is full or the wait too long
   */
  async acquire(waitMs: number, key = ''): Promise<Release> {
    if (this.running < this.limits.running && this.mayRun(key)) return this.start(key);
    if (this.waiting >= this.limits.waiting && !this.makeRoom(key)) throw this.refusal('the queue is full');
    return new Promise<Release>((done, fail) => {
      const waiter: Waiter = (outcome) => {
        clearTimeout(timer);
        if (outcome instanceof Error) fail(outcome);
        else done(outcome);
      };
      const timer = setTimeout(() => {
        this.removeWaiter(key, waiter);
        waiter(this.refusal('waited too long for a slot'));
      }, waitMs);
      this.queues.set(key, [...(this.queues.get(key) ?? []), waiter]);
      this.waiting += 1;
    });
  }

  private mayRun(key: string): boolean {
    return (this.runningOf.get(key) ?? 0) < (this.limits.runningPerKey ?? this.limits.running);
  }

  private start(key: string): Release {
    this.running += 1;
    this.runningOf.set(key, (this.runningOf.get(key) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.running -= 1;
      const left = this.runningOf.get(key)! - 1;
      if (left === 0) this.runningOf.delete(key);
      else this.runningOf.set(key, left);
      this.serveNext();
    };
  }

  /** Gives the free slot to the first key of the rotation that may run. */
  private serveNext(): void {
    for (const [key, queue] of this.queues) {
      if (!this.mayRun(key)) continue;
      const [waiter] = queue;
      this.removeWaiter(key, waiter!);
      const rest = this.queues.get(key);
      if (rest) {
        this.queues.delete(key);
        this.queues.set(key, rest);
      }
      waiter!(this.start(key));
      return;
    }
  }

  /** Refuses the last waiter of the longest queue, if that queue is clearly longer than the one of `key`. */
  private makeRoom(key: string): boolean {
    let longest = key;
    const lengthOf = (one: string) => this.queues.get(one)?.length ?? 0;
    for (const other of this.queues.keys()) if (lengthOf(other) > lengthOf(longest)) longest = other;
    if (lengthOf(longest) <= lengthOf(key) + 1) return false;
    const waiter = this.queues.get(longest)!.at(-1)!;
    this.removeWaiter(longest, waiter);
    waiter(this.refusal('others with this key wait already'));
    return true;
  }

  private removeWaiter(key: string, waiter: Waiter): void {
    const queue = this.queues.get(key) ?? [];
    const rest = queue.filter((other) => other !== waiter);
    this.waiting -= queue.length - rest.length;
    if (rest.length === 0) this.queues.delete(key);
    else this.queues.set(key, rest);
  }
}
