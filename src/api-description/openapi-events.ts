import type { OpenAPIObject } from '@nestjs/swagger';
import { DOMAIN_EVENT_NAMES, type DomainEventName } from '../domain/domain-events.js';
import {
  EVENT_DESCRIPTIONS,
  streamEventSchema,
  webhookDataSchema,
  webhookSchema,
} from '../domain/domain-event-schemas.js';

/* What the API description says of events: on the stream, and as webhooks. */

type Json = Record<string, unknown>;

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
    [webhookSchemaName(name), webhookSchema(name, schemaRef(dataSchemaName(name)))],
    [dataSchemaName(name), webhookDataSchema(name)],
  ]);
  // Copies: what is shared between them must not be changed twice.
  return JSON.parse(JSON.stringify(Object.fromEntries(entries))) as Json;
}

/** The schema of any event of the stream. */
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
    summary: EVENT_DESCRIPTIONS[name].summary,
    description: 'A delivery to a webhook subscription, after the Standard Webhooks specification.',
    security: [],
    parameters: [
      header('webhook-id', 'The same in every attempt, for deduplication.', '7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11'),
      header('webhook-timestamp', 'Time of this attempt, UNIX seconds.', '1763699990'),
      header(
        'webhook-signature',
        '`v1,` and the Base64 HMAC-SHA-256 of `<id>.<timestamp>.<body>`; one for each secret, separated by spaces.',
        'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      ),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: schemaRef(webhookSchemaName(name)) } } },
    responses: {
      '2XX': { description: 'Received. Whatever else is answered, the delivery is tried again.' },
      '410': { description: 'The subscription is switched off.' },
    },
  };
}

function header(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}
