import type { Environment } from '../config/environment.js';
import type { AvatarEvent } from '../domain/domain-events.js';
import type { StreamEvent } from './event-log.js';

/** Forms in which events are published: our own, or that of CloudEvents. */
export const EVENT_FORMATS = ['standard', 'cloudevents'] as const;
export type EventFormat = (typeof EVENT_FORMATS)[number];

/** Media type of one event in the JSON format of CloudEvents. */
export const CLOUD_EVENT_TYPE = 'application/cloudevents+json';

/** Digits that hold any position, so that the text of `sequence` sorts as the numbers do. */
const SEQUENCE_DIGITS = 20;

/** The fields of an event from which its CloudEvent is made. */
export type DescribedEvent = Omit<StreamEvent, 'name' | 'payload'> & { name: string; payload: AvatarEvent };

/**
 * One event in the form of CloudEvents 1.0 (https://github.com/cloudevents/spec), as an object of its JSON format, with
 * the extensions `sequence` (the position in the stream) and `partitionkey` (the Avatar). `source` and `id` together
 * are unique; a repeat carries the same. `data` has the members of our own form.
 */
export function cloudEventOf(
  { id, name, position, recordedAt, payload }: DescribedEvent,
  { CLOUDEVENTS_SOURCE, CLOUDEVENTS_TYPE_PREFIX, SERVICE_NAME }: Environment,
): object {
  return {
    specversion: '1.0',
    id,
    source: CLOUDEVENTS_SOURCE ?? `urn:signet:${SERVICE_NAME}`,
    type: `${CLOUDEVENTS_TYPE_PREFIX}.${name}`,
    time: recordedAt.toISOString(),
    subject: payload.avatar,
    datacontenttype: 'application/json',
    sequence: String(position).padStart(SEQUENCE_DIGITS, '0'),
    partitionkey: payload.avatar,
    data: { ...payload, position },
  };
}
