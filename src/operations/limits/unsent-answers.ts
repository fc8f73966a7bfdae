import type { ServerResponse } from 'node:http';
import { UNSENT } from '../../bounds/bounds.js';

/**
 * Counts the large answers that clients have not read yet. Each stays in memory until it is read, so a client that asks
 * for much and reads nothing is disconnected after a while. All together are bounded, those of one class by half of
 * that.
 */
export class UnsentAnswers {
  private readonly bytesOf = new Map<string, number>();

  constructor(
    private readonly maxBytes: number,
    private readonly graceMs = UNSENT.graceMs,
    private readonly slowestBytesPerMs = UNSENT.slowestBytesPerMs,
  ) {}

  /**
   * Whether `payload` may be sent as the body of `response`, an answer of the class `name`. A payload that is neither
   * text nor bytes is not counted. The only answer of a class is always accepted.
   * @param name null for bytes that lie in memory once, however many read them: they are neither counted nor refused
   */
  accept(response: ServerResponse, payload: unknown, name: string | null): boolean {
    const isCounted = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isCounted || payload.length < UNSENT.largeBytes) return true;
    const size = Buffer.byteLength(payload);
    const ofClass = name === null ? 0 : (this.bytesOf.get(name) ?? 0);
    if (ofClass > 0 && this.isTooMuch(ofClass + size, size)) return false;
    if (name !== null) this.add(name, size);
    const patience = this.graceMs + size / this.slowestBytesPerMs;
    const timer = setTimeout(() => response.destroy(), patience).unref();
    response.once('close', () => {
      clearTimeout(timer);
      if (name !== null) this.add(name, -size);
    });
    return true;
  }

  private isTooMuch(ofClass: number, size: number): boolean {
    const ofAll = [...this.bytesOf.values()].reduce((sum, bytes) => sum + bytes, size);
    return ofClass > this.maxBytes * UNSENT.partOfOneClass || ofAll > this.maxBytes;
  }

  private add(name: string, bytes: number): void {
    this.bytesOf.set(name, (this.bytesOf.get(name) ?? 0) + bytes);
  }
}
