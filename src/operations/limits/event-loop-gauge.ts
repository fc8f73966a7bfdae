import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
const SAMPLE_MS = 500;
const NANOSECONDS = 1e6; // in a millisecond

/**
 * Measures how late the event loop is. Late means late on average over two samples in a row: a single long callback, or
 * a machine that woke up, is over when it is noticed, and refusing requests then would be pointless.
 *
 * Choice: not `@fastify/under-pressure`, which reads the memory of the process in the same timer. If file descriptors
 * have run out, that throws inside a timer and ends the process.
 */
export class EventLoopGauge {
  private readonly histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private readonly timer: NodeJS.Timeout;
  private previousMs = 0;
  private latestMs = 0;

  constructor() {
    this.histogram.enable();
    this.timer = setInterval(() => this.sample(), SAMPLE_MS).unref();
  }

  /** Milliseconds by which the loop was late in the better one of the last two samples. */
  get delayMs(): number {
    return Math.min(this.previousMs, this.latestMs);
  }

  stop(): void {
    clearInterval(this.timer);
    this.histogram.disable();
  }

  private sample(): void {
    // There is no mean where one iteration took up the whole time.
    const mean = this.histogram.count === 0 ? Infinity : this.histogram.mean / NANOSECONDS - RESOLUTION_MS;
    this.previousMs = this.latestMs;
    this.latestMs = Math.max(0, mean);
    this.histogram.reset();
  }
}
