import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { EventFormat } from '../events/cloud-event.js';
import type { EventFilter } from '../events/event-log.js';
import { type FramedEvent, positionFrame } from './event-stream-frame.js';
import type { EventStreamTail, FramedStretch } from './event-stream-tail.js';

/** Milliseconds after which a client that lost the stream connects again. */
const RECONNECT_MS = 2000;
/**
 * Events that are fetched at once. Besides its buffer, a slow reader occupies at most one such page in memory.
 */
const PAGE = 100;
/** Milliseconds that the rest of an ended stream gets to reach its reader. */
const END_GRACE_MS = 1000;

const HEADERS: OutgoingHttpHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  // nginx passes events on at once.
  'X-Accel-Buffering': 'no',
  // A stream ends with its connection, so that a server that stops need not wait for an idle one.
  Connection: 'close',
};

export interface EventStreamLimits {
  /** Bytes that may wait for the reader before nothing more is fetched for it. */
  bufferBytes: number;
  /** Milliseconds in which the reader has to take what waits for it. */
  stallMs: number;
  /** Resolves when this reader may have one page more from the database, or when `end` is aborted. */
  takePage: (end: AbortSignal) => Promise<void>;
}

/**
 * One open stream: a cursor in the sequence of all events and the response it writes to. Nothing is queued for a reader
 * that does not keep up: the cursor waits until its buffer is empty and goes on from there, from memory or from the
 * database, without a gap and without a repeat.
 */
export class EventStream {
  private isSending = false;
  private isWaiting = false;
  private isEnded = false;
  private readonly gone = new AbortController();

  constructor(
    private readonly response: ServerResponse,
    private readonly filter: EventFilter,
    private readonly format: EventFormat,
    private position: number,
    private readonly tail: EventStreamTail,
    private readonly limits: EventStreamLimits,
  ) {
    response.once('close', () => this.gone.abort());
  }

  /** Sends the head, and where the stream starts, so that a client can resume even before its first event. */
  start(headers: OutgoingHttpHeaders): void {
    this.response.writeHead(200, { ...headers, ...HEADERS });
    this.response.write(`retry: ${RECONNECT_MS}\n\n${positionFrame('ready', this.position)}`);
  }

  /**
   * Sends all events that the reader takes; does nothing while a call is under way. @throws Error of the database
   */
  async send(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    try {
      while (await this.sendPage());
    } finally {
      this.isSending = false;
    }
  }

  heartbeat(): void {
    if (this.isEnded || this.isWaiting) return;
    this.response.write(positionFrame('heartbeat', this.position));
  }

  /** Ends the response; what was written is still sent, if the reader takes it in time. */
  end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.gone.abort();
    const timer = setTimeout(() => this.response.destroy(), END_GRACE_MS).unref();
    this.response.once('close', () => clearTimeout(timer));
    this.response.end();
  }

  /**
   * Sends one page. Returns whether there may be more. Runs without a pause while the reader keeps up, so that a new
   * event goes to all readers at once.
   */
  private async sendPage(): Promise<boolean> {
    const isOpen = () => !this.isEnded && !this.response.destroyed;
    if (!isOpen()) return false;
    const { events, first, last } = this.tail.after(this.position, PAGE) ?? (await this.readBack(isOpen));
    if (first === null || last === null || !isOpen()) return false;
    if (first !== this.position + 1) {
      // Pruned while the reader was on its way there; its next request is refused with that reason.
      this.end();
      return false;
    }
    for (let index = 0; index < events.length && isOpen();) index = await this.sendFrom(events, index);
    // Behind the last event there may be others that the filter left out.
    if (isOpen()) this.position = last;
    return true;
  }

  private async readBack(isWanted: () => boolean): Promise<FramedStretch> {
    await this.limits.takePage(this.gone.signal);
    return this.tail.readBack(this.position, PAGE, this.filter, isWanted);
  }

  /**
   * Sends as many events as fill the buffer, and waits while the reader does not take them. Returns the index of the
   * next event.
   */
  private async sendFrom(events: FramedEvent[], index: number): Promise<number> {
    const { bufferBytes } = this.limits;
    let text = '';
    for (; index < events.length && text.length < bufferBytes; index += 1) {
      const event = events[index]!;
      if (event.passes(this.filter)) text += event.frame(this.format);
      this.position = event.position;
    }
    if (text !== '' && !this.response.write(text) && this.response.writableLength > bufferBytes) {
      await this.untilTaken();
    }
    return index;
  }

  /** Waits until the buffer is empty; disconnects the reader if it does not read in time. */
  private async untilTaken(): Promise<void> {
    this.isWaiting = true;
    const timer = setTimeout(() => this.response.destroy(), this.limits.stallMs);
    await new Promise<void>((resolve) => {
      const done = () => {
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.on('drain', done).on('close', done);
    });
    clearTimeout(timer);
    this.isWaiting = false;
  }
}
