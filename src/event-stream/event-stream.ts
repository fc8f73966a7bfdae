import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Environment } from '../config/environment.js';
import type { EventFormat } from '../events/cloud-event.js';
import type { EventFilter } from '../events/event-log.js';
import { type FramedEvent, positionFrame } from './framed-event.js';
import type { EventStreamTail, FramedStretch } from './event-stream-tail.js';
import type { ReplayBudget } from './replay-budget.js';

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

export interface StreamRequest {
  response: ServerResponse;
  /**
   * Takes the response over from the framework and returns its headers so far. Called once the stream cannot be
   * refused any more.
   */
  takeOver: () => OutgoingHttpHeaders;
  client: string;
  filter: EventFilter;
  format: EventFormat;
  /** Position to resume behind; 0 is the beginning of what is kept, absent is now. */
  after: number | undefined;
  /** HEAD: the same answer without the stream. */
  isHeadOnly: boolean;
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
    private readonly request: StreamRequest,
    private position: number,
    private readonly tail: EventStreamTail,
    private readonly replays: ReplayBudget,
    private readonly environment: Environment,
  ) {
    this.response.once('close', () => this.gone.abort());
  }

  private get response(): ServerResponse {
    return this.request.response;
  }

  /** Sends the head, and where the stream starts, so that a client can resume even before its first event. */
  start(): void {
    this.response.writeHead(200, { ...this.request.takeOver(), ...HEADERS });
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
    const { client, filter } = this.request;
    await this.replays.takePage(client, this.gone.signal);
    return this.tail.readBack(this.position, PAGE, filter, isWanted);
  }

  /**
   * Sends as many events as fill the buffer, and waits while the reader does not take them. Returns the index of the
   * next event.
   */
  private async sendFrom(events: FramedEvent[], index: number): Promise<number> {
    const { filter, format } = this.request;
    const { EVENT_STREAM_BUFFER_BYTES: bufferBytes } = this.environment;
    let text = '';
    for (; index < events.length && text.length < bufferBytes; index += 1) {
      const event = events[index]!;
      if (event.passes(filter)) text += event.frame(format);
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
    const stallMs = this.environment.EVENT_STREAM_STALL_SECONDS * 1000;
    const timer = setTimeout(() => this.response.destroy(), stallMs);
    // Rejects when the stream ends, or its connection.
    await once(this.response, 'drain', { signal: this.gone.signal }).catch(() => {});
    clearTimeout(timer);
    this.isWaiting = false;
  }
}
