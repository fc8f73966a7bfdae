import type { ServerResponse } from 'node:http';

/** What is smaller fits the buffers of the kernel, more or less, and is gone at once. */
const LARGE_BYTES = 64 * 1024;
/** Whoever reads more slowly than this is cut off. */
const SLOWEST_BYTES_PER_MS = 32;
const GRACE_MS = 10_000;

/**
 * The large answers that clients have not read yet. Each stays in memory until it is read, so a client that asks for
 * much and reads nothing is cut off after a while, and all together may hold only so much.
 */
export class UnsentAnswers {
  private bytes = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly graceMs = GRACE_MS,
    private readonly slowestBytesPerMs = SLOWEST_BYTES_PER_MS,
  ) {}

  /**
   * Whether `payload` may be sent as the body of `response`; what is neither text nor bytes is not counted. One alone
   * may always.
   */
  accept(response: ServerResponse, payload: unknown): boolean {
    const isCounted = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isCounted || payload.length < LARGE_BYTES) return true;
    const size = Buffer.byteLength(payload);
    if (this.bytes > 0 && this.bytes + size > this.maxBytes) return false;
    this.bytes += size;
    const patience = this.graceMs + size / this.slowestBytesPerMs;
    const timer = setTimeout(() => response.destroy(), patience).unref();
    response.once('close', () => {
      clearTimeout(timer);
      this.bytes -= size;
    });
    return true;
  }
}
