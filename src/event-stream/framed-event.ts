import type { Environment } from '../config/environment.js';
import type { EventSubject } from '../domain/domain-events.js';
import { cloudEventOf, type EventFormat } from '../events/cloud-event.js';
import type { EventFilter, StreamEvent } from '../events/event-log.js';
import { toEventData } from './event-stream.dto.js';

/** An event with its text on the wire, which is made once in each form for all readers. */
export class FramedEvent {
  private readonly frames: Partial<Record<EventFormat, string>> = {};

  constructor(
    private readonly event: StreamEvent,
    private readonly environment: Environment,
  ) {}

  get position(): number {
    return this.event.position;
  }

  /** One block of `text/event-stream` with the empty line at its end (WHATWG HTML, "Server-sent events"). */
  frame(format: EventFormat): string {
    return (this.frames[format] ??= block(this.position, this.event.name, JSON.stringify(this.dataIn(format))));
  }

  passes({ avatar, platform, types }: EventFilter): boolean {
    const { name } = this.event;
    const payload: EventSubject = this.event.payload;
    return (
      (avatar === undefined || payload.avatar === avatar) &&
      (platform === undefined || payload.platform === platform) &&
      (types === undefined || types.includes(name))
    );
  }

  private dataIn(format: EventFormat): object {
    return format === 'cloudevents' ? cloudEventOf(this.event, this.environment) : toEventData(this.event);
  }
}

/**
 * Reports the reader's position, past events that its filter left out, so that a resume does not read them again.
 * Choice: a named event with data. A block of an `id:` alone moves the last event id of a browser too, but common
 * clients outside browsers drop it, and a page cannot see comments.
 */
export function positionFrame(type: 'ready' | 'heartbeat', position: number): string {
  return block(position, type, JSON.stringify({ position }));
}

/** JSON text has no line break of its own, so `data` is always one line. */
function block(id: number, type: string, data: string): string {
  return `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`;
}
