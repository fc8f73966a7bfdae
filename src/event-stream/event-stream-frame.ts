import type { DomainEventName } from '../domain/domain-events.js';
import type { EventFilter, StreamEvent } from '../events/event-log.js';
import { toEventData } from './event-stream.dto.js';

/** An event with its text on the wire, which is made once for all readers. */
export interface FramedEvent {
  position: number;
  name: DomainEventName;
  avatar: string;
  platform: string;
  /** One block of `text/event-stream` with the empty line at its end (WHATWG HTML, "Server-sent events"). */
  frame: string;
}

export function toFramed(event: StreamEvent): FramedEvent {
  const { position, name, payload } = event;
  const frame = block(position, name, JSON.stringify(toEventData(event)));
  return { position, name, avatar: payload.avatar, platform: payload.platform, frame };
}

export function passes(event: FramedEvent, { avatar, platform, types }: EventFilter): boolean {
  return (
    (avatar === undefined || event.avatar === avatar) &&
    (platform === undefined || event.platform === platform) &&
    (types === undefined || types.includes(event.name))
  );
}

/**
 * Says how far the reader is, events that its filter left out included, so that a resume does not go over them again.
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
