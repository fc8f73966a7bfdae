import type { OpenAPIObject } from '@nestjs/swagger';
import { DOMAIN_EVENT_NAMES, type DomainEventName } from '../domain/domain-events.js';
import described from './events.json' with { type: 'json' };

/* What the descriptions of the API say of events: on the stream, and as webhooks. */

type Json = Record<string, unknown>;
/** Schemas of JSON Schema (2020-12) by the names of the members that they describe. */
type Members = Record<string, Json>;

/** The meaning of each type of event, and its members besides those of what it is about; see `DomainEvents`. */
export const EVENTS: Record<DomainEventName, { summary: string; details: Members }> = described.events;

/** `ProofBound` of `proof.bound`. */
function wordOf(name: string): string {
  return name
    .split('.')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
}

const streamSchemaName = (name: string): string => `${wordOf(name)}Event`;
const webhookSchemaName = (name: string): string => `${wordOf(name)}Webhook`;
const dataSchemaName = (name: string): string => `${wordOf(name)}Data`;
const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** The schemas of all events, by name: as the stream has them, as a webhook has them, and what is the same in both. */
export function eventSchemas(): Json {
  const entries = DOMAIN_EVENT_NAMES.flatMap((name) => [
    [streamSchemaName(name), streamEventSchema(name)],
    [webhookSchemaName(name), webhookSchema(name)],
    [dataSchemaName(name), webhookDataSchema(name)],
  ]);
  // Copies: what is shared between them must not be changed twice.
  return JSON.parse(JSON.stringify(Object.fromEntries(entries))) as Json;
}

/** `data` of an event of this type in `GET /v1/events`. */
export function streamEventSchema(name: DomainEventName) {
  const subject = isOfKeys(name) ? { ...subjectOf(name), ...described.noBinding } : subjectOf(name);
  return objectOf({ ...typed(described.stream, name), ...subject, ...EVENTS[name].details });
}

/** `data` of a webhook for an event of this type. */
function webhookDataSchema(name: DomainEventName) {
  return objectOf({ ...subjectOf(name), ...EVENTS[name].details, ...described.webhookData });
}

/** Body of a webhook for an event of this type (Standard Webhooks, "Payload structure"). */
function webhookSchema(name: DomainEventName) {
  return objectOf({ ...typed(described.webhook, name), data: schemaRef(dataSchemaName(name)) });
}

/** What an event is about: a binding, or one of the keys of an Avatar. */
function subjectOf(name: DomainEventName): Members {
  const { avatar } = described.binding;
  return isOfKeys(name) ? { avatar, ...described.keyEvent } : described.binding;
}

function isOfKeys(name: DomainEventName): boolean {
  return name.startsWith('key.');
}

/** Members of which `type` is the name of the event. */
function typed(members: Members, name: DomainEventName): Members {
  return { ...members, type: { ...members['type'], example: name, const: name } };
}

function objectOf(properties: Members) {
  return { type: 'object', properties, required: Object.keys(properties) };
}

export function anyStreamEvent(): Json {
  return { oneOf: DOMAIN_EVENT_NAMES.map((name) => schemaRef(streamSchemaName(name))) };
}

/** The requests that subscribers receive. */
export function webhooks(): NonNullable<OpenAPIObject['webhooks']> {
  const entries = DOMAIN_EVENT_NAMES.map((name) => [
    name,
    { post: { operationId: `receive${streamSchemaName(name)}`, tags: ['Webhooks'], ...delivery(name) } },
  ]);
  return Object.fromEntries(entries) as NonNullable<OpenAPIObject['webhooks']>;
}

/**
 * What subscribers receive, beside the operation that subscribes to it: generators that read paths alone (oapi-codegen)
 * drop the schemas to which only `webhooks` refers, and then cannot resolve them.
 */
export function deliveriesOfSubscription(): Json {
  const entries = DOMAIN_EVENT_NAMES.map((name) => [name, { '{$request.body#/url}': { post: delivery(name) } }]);
  return Object.fromEntries(entries) as Json;
}

/** A delivery of one event, to a subscriber of its type. */
function delivery(name: DomainEventName): Json {
  return {
    summary: EVENTS[name].summary,
    ...described.delivery,
    requestBody: { required: true, content: { 'application/json': { schema: schemaRef(webhookSchemaName(name)) } } },
  };
}
