import type { OpenAPIObject } from '@nestjs/swagger';
import { DOMAIN_EVENT_NAMES } from '../domain/domain-events.js';
import { EVENT_DESCRIPTIONS, streamEventSchema, webhookSchema } from '../domain/domain-event-schemas.js';
import { ERROR_CODES } from './error-codes.js';

/* What is the same in many places of the API description stands here once and is added to what the decorators say. */

type Json = Record<string, unknown>;
type Operation = Json & { responses: Record<string, Json>; security?: unknown };

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

const RETRY_AFTER = { $ref: '#/components/headers/Retry-After' };

/** Errors that any operation can answer with; an operation's own description of a status stays. */
const SHARED_ERRORS: Record<string, { name: string; description: string; headers?: Json }> = {
  '400': {
    name: 'BadRequest',
    description:
      'The request is not right, or does not prove what it claims; `code` says which. `platform_unavailable` may carry ' +
      '`Retry-After`.',
  },
  '413': { name: 'BodyTooLarge', description: 'The body is larger than 1 MiB (`body_too_large`).' },
  '429': {
    name: 'TooManyRequests',
    description: 'A rate limit of this address is used up (`too_many_requests`).',
    headers: { 'Retry-After': RETRY_AFTER, 'RateLimit-Policy': ref('RateLimit-Policy'), RateLimit: ref('RateLimit') },
  },
  '431': { name: 'HeadersTooLarge', description: 'Request line and headers are too large (`headers_too_large`).' },
  '500': {
    name: 'InternalError',
    description: 'A bug of the service (`internal_error`); the request id is in its log.',
    headers: { 'X-Request-Id': ref('X-Request-Id') },
  },
  '503': {
    name: 'Unavailable',
    description: 'The server is overloaded or its database cannot serve now; try again.',
    headers: { 'Retry-After': RETRY_AFTER },
  },
};

const HEADERS: Json = {
  'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer', example: 5 } },
  'RateLimit-Policy': {
    description: 'The limits that count this request (draft-ietf-httpapi-ratelimit-headers-10).',
    schema: { type: 'string', example: '"reads";q=1200;w=60' },
  },
  RateLimit: {
    description: 'What is left of them.',
    schema: { type: 'string', example: '"reads";r=1199;t=60' },
  },
  ETag: { description: 'Send it back in `If-None-Match`.', schema: { type: 'string' } },
  'X-Request-Id': { description: 'Id of this request in the log of the server.', schema: { type: 'string' } },
};

function ref(header: string): Json {
  return { $ref: `#/components/headers/${header}` };
}

/**
 * Adds to the description what no decorator should repeat: errors that every operation shares, with their headers; 304;
 * error codes as an enumeration; events and webhooks. Names of schemas lose their `Dto`, and numbers become 64-bit
 * integers: every number of this API is a whole one.
 */
export function addSharedParts(document: OpenAPIObject): OpenAPIObject {
  const described = JSON.parse(
    JSON.stringify(document).replaceAll(/("#\/components\/schemas\/|")([A-Z]\w+)Dto"/g, '$1$2"'),
  ) as OpenAPIObject;
  const components = (described.components ??= {}) as Record<string, Json>;
  const schemas = (components['schemas'] ??= {});
  for (const operation of operationsOf(described)) addSharedAnswers(operation);
  components['responses'] = { ...components['responses'], ...sharedResponses() };
  components['headers'] = HEADERS;
  listErrorCodes(schemas['ErrorBody'] as { properties: Record<string, Json> });
  for (const name of DOMAIN_EVENT_NAMES) schemas[schemaNameOf(name)] = { ...streamEventSchema(name) };
  for (const operation of operationsOf(described)) nameStreamEvents(operation);
  described.webhooks = webhooks();
  makeNumbersIntegers(described);
  return described;
}

function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths).flatMap((path) =>
    Object.entries(path as Json)
      .filter(([member]) => METHODS.includes(member))
      .map(([, operation]) => operation as Operation),
  );
}

function addSharedAnswers(operation: Operation): void {
  operation.security ??= [];
  const isRead = operation['requestBody'] === undefined;
  for (const [status, { name }] of Object.entries(SHARED_ERRORS)) {
    if (status === '413' && isRead) continue;
    const own = operation.responses[status];
    const isBare = own === undefined || own['description'] === '';
    if (isBare) operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
  const success = operation.responses['200'];
  const content = success?.['content'] as Json | undefined;
  if (isRead && success && content?.['application/json']) {
    success['headers'] = { ...(success['headers'] as Json | undefined), ETag: ref('ETag') };
    operation.responses['304'] ??= { $ref: '#/components/responses/NotModified' };
  }
}

function sharedResponses(): Json {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } };
  const errors = Object.values(SHARED_ERRORS).map(({ name, description, headers }) => [
    name,
    { description, content, ...(headers && { headers }) },
  ]);
  const notModified = {
    description: 'The answer is the one that `If-None-Match` names.',
    headers: { ETag: ref('ETag') },
  };
  return { ...(Object.fromEntries(errors) as Json), NotModified: notModified };
}

function listErrorCodes(errorBody: { properties: Record<string, Json> }): void {
  const codes = Object.values(ERROR_CODES).flatMap((group) => group.map(({ code }) => code));
  Object.assign(errorBody.properties['code']!, { enum: [...new Set(codes)].sort() });
}

/** A stream is text; its schema says what the JSON in the `data` of each event holds (JSON Schema, contentSchema). */
function nameStreamEvents({ responses }: Operation): void {
  const content = responses['200']?.['content'] as Record<string, { schema: Json }> | undefined;
  const stream = content?.['text/event-stream'];
  if (!stream) return;
  const oneOf = DOMAIN_EVENT_NAMES.map((name) => ({ $ref: `#/components/schemas/${schemaNameOf(name)}` }));
  Object.assign(stream.schema, { contentMediaType: 'application/json', contentSchema: { oneOf } });
}

/** `ProofBoundEvent` of `proof.bound`. */
function schemaNameOf(name: string): string {
  const words = name.split('.').map((word) => word[0]!.toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

function webhooks(): NonNullable<OpenAPIObject['webhooks']> {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  const parameters = [
    header('webhook-id', 'The same in every attempt, for deduplication.'),
    header('webhook-timestamp', 'Time of this attempt, UNIX seconds.'),
    header('webhook-signature', '`v1,` and the Base64 HMAC-SHA-256 of `<id>.<timestamp>.<body>`; one for each secret.'),
  ];
  const entries = DOMAIN_EVENT_NAMES.map((name) => [
    name,
    {
      post: {
        operationId: `receive${schemaNameOf(name)}`,
        summary: EVENT_DESCRIPTIONS[name].summary,
        description: 'A delivery to a webhook subscription, after the Standard Webhooks specification.',
        tags: ['Events'],
        security: [],
        parameters,
        requestBody: { required: true, content: { 'application/json': { schema: webhookSchema(name) } } },
        responses: {
          '2XX': { description: 'Received. Whatever else is answered, the delivery is tried again.' },
          '410': { description: 'The subscription is switched off.' },
        },
      },
    },
  ]);
  return Object.fromEntries(entries) as NonNullable<OpenAPIObject['webhooks']>;
}

function makeNumbersIntegers(node: unknown): void {
  if (Array.isArray(node)) {
    node.forEach(makeNumbersIntegers);
  } else if (typeof node === 'object' && node !== null) {
    const schema = node as Json;
    if (schema['type'] === 'number') Object.assign(schema, { type: 'integer', format: 'int64' });
    Object.values(schema).forEach(makeNumbersIntegers);
  }
}
