import { AVATAR_KEY_FORM } from '../domain/avatar-key.js';
import { DOMAIN_EVENT_NAMES, type EventSubject } from '../domain/domain-events.js';
import { unixSecondsText } from '../domain/unix-time.js';
import { OptionalChoice, OptionalText } from '../http/validation/fields.js';
import { EVENT_FORMATS, type EventFormat } from '../events/cloud-event.js';
import type { StreamEvent } from '../events/event-log.js';

/** The id of an event: a position, in decimal. */
export const POSITION_PATTERN = /^\d{1,20}$/;

const AVATAR_EXAMPLE = '0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3';

/** GET /v1/events, query parameters. */
export class EventsQueryDto {
  @OptionalText('must be one key', {
    description: 'Only events of this Avatar: 0x and 66 or 130 hex digits.',
    pattern: AVATAR_KEY_FORM,
    example: AVATAR_EXAMPLE,
  })
  avatar?: string;

  @OptionalText('must be one platform', {
    description: 'Only events of this platform, or of the key itself (see SERVICE_NAME).',
    minLength: 1,
    example: 'ethereum',
  })
  platform?: string;

  @OptionalText('must be one text, with commas between the types', {
    description: 'Only these types, separated by commas.',
    enum: DOMAIN_EVENT_NAMES,
    enumName: 'EventType',
    isArray: true,
    minItems: 1,
    example: ['proof.bound', 'proof.revoked'],
  })
  types?: string;

  @OptionalText('must be one number', {
    description:
      'Resume behind the event with this id; 0 starts at the oldest event that is kept. The header `Last-Event-ID` goes before it. ' +
      'Without either the stream starts now.',
    pattern: POSITION_PATTERN.source,
    example: '0',
  })
  after?: string;

  @OptionalText('must be one number', {
    description:
      'The id of the last event that was received, as in the header `Last-Event-ID`, for clients that cannot set headers ' +
      'across origins (polyfills of EventSource). Goes before `after`, and behind the header.',
    pattern: POSITION_PATTERN.source,
    example: '42',
  })
  lastEventId?: string;

  @OptionalText('must be one number', {
    description: 'As `lastEventId`, by the name that other polyfills give it.',
    pattern: POSITION_PATTERN.source,
    example: '42',
  })
  'Last-Event-ID'?: string;

  @OptionalChoice(EVENT_FORMATS, {
    description: 'Form of `data`: our own, or an event of CloudEvents 1.0 in its JSON format.',
    enumName: 'EventFormat',
    default: 'standard',
  })
  format: EventFormat = 'standard';
}

/**
 * An event as `data` of the stream: what all have in common, then the members of its type. Those of keys are about no
 * identity; readers of 0.2.0 expect texts there.
 */
export function toEventData({ id, name, position, recordedAt, payload }: StreamEvent): object {
  const { avatar, platform = '', identity = '', ...details }: EventSubject = payload;
  return { id, type: name, position, recorded_at: unixSecondsText(recordedAt), avatar, platform, identity, ...details };
}

/** For the API page; a test holds it against what the service sends. */
export const STREAM_EXAMPLE = `retry: 2000

id: 41
event: ready
data: {"position":41}

id: 42
event: proof.bound
data: {"id":"7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11","type":"proof.bound","position":42,"recorded_at":"1763700000","avatar":"${AVATAR_EXAMPLE}","platform":"ethereum","identity":"0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f","uuid":"909353ef-a9bb-4b4b-be79-a1e4eb82bd57","link_id":17,"created_at":"1763699990","proof_location":""}

id: 42
event: heartbeat
data: {"position":42}

`;
