import { WebFailure } from './web-failure.js';

/** Gives back a slot; further calls do nothing. */
export type Release = () => void;

/**
 * Lets `limit` requests run at the same time; the next ones wait in a queue of bounded length, first come, first
 * served.
 */
export class Slots {
  private running = 0;
  private readonly queue: ((release: Release) => void)[] = [];

  constructor(
    private readonly limit: number,
    private readonly queueLimit: number,
  ) {}

  get isIdle(): boolean {
    return this.running === 0;
  }

  /**
   * Waits for a slot, at most `waitMs` milliseconds.
   * @throws WebFailure `busy` if the queue is full or the wait too long
   */
  async take(waitMs: number): Promise<Release> {
    if (this.running < this.limit) {
      this.running += 1;
      return this.releaseOnce();
    }
    if (this.queue.length >= this.queueLimit) throw new WebFailure('busy', 'the queue is full');
    return new Promise<Release>((done, fail) => {
      const enter = (release: Release) => {
        clearTimeout(timer);
        done(release);
      };
      const timer = setTimeout(() => {
        this.queue.splice(this.queue.indexOf(enter), 1);
        fail(new WebFailure('busy', 'waited too long for a slot'));
      }, waitMs);
      this.queue.push(enter);
    });
  }

  private releaseOnce(): Release {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.queue.shift();
      if (next) next(this.releaseOnce());
      else this.running -= 1;
    };
  }
}
