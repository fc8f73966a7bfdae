import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InvalidRequestError } from '@signet/look';
import { RefusalCounter } from '../bounds/refusal-counter.js';
import { Environment } from '../config/environment.js';
import { EventStreamTail } from './event-stream-tail.js';
import { EventStream, type StreamRequest } from './event-stream.js';
import { ReplayBudget } from './replay-budget.js';

/** All open event streams of this process. */
@Injectable()
export class EventStreamService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('EventStreamService');
  private readonly streams = new Set<EventStream>();
  private readonly perClient = new Map<string, number>();
  private slots = 0;
  private heart: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    private readonly environment: Environment,
    private readonly tail: EventStreamTail,
    private readonly replays: ReplayBudget,
    private readonly refusals: RefusalCounter,
  ) {}

  onApplicationBootstrap(): void {
    this.tail.looked.subscribe(() => this.streams.forEach((stream) => this.send(stream)));
    this.heart = setInterval(
      () => this.streams.forEach((stream) => stream.heartbeat()),
      this.environment.EVENT_HEARTBEAT_SECONDS * 1000,
    );
  }

  /**
   * Before the server waits for its connections; clients connect again, to another server or to the next start of this
   * one.
   */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    clearInterval(this.heart);
    this.streams.forEach((stream) => stream.end());
  }

  get openStreams(): number {
    return this.slots;
  }

  /** Returns a sentence that explains why `client` may not open one more stream, or null if it may. Counts refusals. */
  refusalOf(client: string): string | null {
    const { MAX_EVENT_STREAMS, MAX_EVENT_STREAMS_PER_CLIENT, RATE_LIMIT } = this.environment;
    if (this.slots >= MAX_EVENT_STREAMS) {
      this.refusals.count('streams');
      return `This server has ${MAX_EVENT_STREAMS} event streams open, its limit.`;
    }
    if (RATE_LIMIT && (this.perClient.get(client) ?? 0) >= MAX_EVENT_STREAMS_PER_CLIENT) {
      this.refusals.count('streams_of_client');
      return `This address has ${MAX_EVENT_STREAMS_PER_CLIENT} event streams open, its limit.`;
    }
    return null;
  }

  /**
   * Answers with a stream. The stream takes a slot before the database is asked, and frees it when the response ends,
   * for any reason.
   * @throws InvalidRequestError (`event_unknown`, `event_pruned`) if it cannot resume there
   */
  async open(request: StreamRequest): Promise<void> {
    const { response } = request;
    if (response.destroyed) return;
    this.takeSlot(request);
    await this.tail.follow();
    const position = await this.startOf(request.after);
    if (response.destroyed) return;
    const stream = new EventStream(request, position, this.tail, this.replays, this.environment);
    stream.start();
    // Choice: while the server stops a reader is let in and sent on, because browsers try again only after a stream
    // that did start.
    if (request.isHeadOnly || this.isStopping) return stream.end();
    this.streams.add(stream);
    response.once('close', () => this.streams.delete(stream));
    this.send(stream);
  }

  private takeSlot({ response, client }: StreamRequest): void {
    this.slots += 1;
    this.perClient.set(client, (this.perClient.get(client) ?? 0) + 1);
    response.once('close', () => {
      this.slots -= 1;
      const left = this.perClient.get(client)! - 1;
      if (left > 0) this.perClient.set(client, left);
      else this.perClient.delete(client);
      if (this.slots === 0) this.tail.stopFollowing();
    });
  }

  private async startOf(after: number | undefined): Promise<number> {
    if (after === undefined) return this.tail.position;
    const isInMemory = after <= this.tail.position && this.tail.after(after, 1) !== null;
    if (after > 0 && isInMemory) return after;
    const { first, last } = await this.tail.bounds();
    if (after > last) {
      throw new InvalidRequestError(`There was never an event ${after}; the newest is ${last}.`, 'event_unknown');
    }
    if (after === 0) return Math.max(0, first - 1);
    if (after < first - 1) {
      throw new InvalidRequestError(
        `Events behind ${after} are no longer kept; the oldest is ${first}. Read the current state, then start again without an id.`,
        'event_pruned',
      );
    }
    return after;
  }

  /** Sends new events to a reader; after a failure it is tried again after the next read of the stream. */
  private send(stream: EventStream): void {
    stream.send().catch((error: unknown) => this.logger.warn(`An event stream waits: ${(error as Error).message}`));
  }
}
