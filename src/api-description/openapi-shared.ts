import type { OpenAPIObject } from '@nestjs/swagger';
import adminAnswers from './admin-answer-examples.json' with { type: 'json' };
import publicAnswers from './answer-examples.json' with { type: 'json' };
import errorGroups from './error-codes.json' with { type: 'json' };
import { FRACTION } from '../http/validation/fields.js';
import { anyStreamEvent, deliveriesOfSubscription, eventSchemas, webhooks } from './openapi-events.js';
import links from './openapi-links.json' with { type: 'json' };
import shared from './openapi-shared.json' with { type: 'json' };

/* What is the same in many places of the API description stands here once and is added to what the decorators say. */

type Json = Record<string, unknown>;
type Operation = Json & {
  operationId: string;
  summary?: string;
  responses: Record<string, Json>;
  parameters?: (Json & { schema?: Json })[];
  security?: unknown;
};

/**
 * Recorded answers by operation and status; `shared`: of any operation. See
 * test/api-description/answer-examples.spec.ts.
 */
const ANSWERS: Record<string, Record<string, unknown>> = { ...adminAnswers, ...publicAnswers };

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

const ERROR_BODY = '#/components/schemas/ErrorBody';
/** Headers of answers, and errors that any operation can answer with; its own description of a status stays. */
const HEADERS: Json = shared.headers;
const SHARED_ERRORS: Record<string, { name: string; description: string; headers?: Json }> = shared.errors;

/**
 * By operation and status of its answer: the operations that can follow, with the places of their parameters (links of
 * OpenAPI), so that tools which make sequences of requests find records that exist.
 */
const LINKS: Record<string, Record<string, Record<string, object>>> = links;

function ref(header: string): Json {
  return { $ref: `#/components/headers/${header}` };
}

/**
 * Adds to the description what no decorator should repeat: errors that every operation shares, with their headers; 304;
 * error codes as an enumeration; events and webhooks; how lists in queries are written. Names of schemas lose their
 * `Dto`, and numbers become 64-bit integers, because those of this API are whole ones unless they are described as a
 * `FRACTION`.
 */
export function addSharedParts(document: OpenAPIObject): OpenAPIObject {
  const described = JSON.parse(
    JSON.stringify(document).replaceAll(/("#\/components\/schemas\/|")([A-Z]\w+)Dto"/g, '$1$2"'),
  ) as OpenAPIObject;
  const components = (described.components ??= {}) as Record<string, Json>;
  const schemas = (components['schemas'] ??= {});
  for (const [name, keywords] of Object.entries(shared.schemas)) Object.assign(schemas[name] ?? {}, keywords);
  components['responses'] = { ...components['responses'], ...sharedResponses() };
  components['headers'] = HEADERS;
  Object.assign(schemas, eventSchemas(), { ErrorCode: errorCodes() });
  const { properties } = schemas['ErrorBody'] as { properties: Record<string, Json> };
  properties['code'] = { $ref: '#/components/schemas/ErrorCode', example: 'invalid_request' };
  for (const { method, operation } of operationsOf(described)) {
    addSharedAnswers(operation, method);
    answerErrorsInJson(operation.responses);
    showAnswers(operation.responses, operation.operationId);
    nameStreamEvents(operation);
    describeLists(operation);
    addLinks(operation);
    // Where nobody can subscribe there are no webhooks either, and no path leads to their schemas.
    if (operation.operationId !== 'createSubscription') continue;
    operation['callbacks'] = deliveriesOfSubscription();
    described.webhooks = webhooks();
  }
  restateNumbers(described);
  return described;
}

function operationsOf({ paths }: OpenAPIObject): { method: string; operation: Operation }[] {
  return Object.values(paths).flatMap((path) =>
    Object.entries(path as Json)
      .filter(([member]) => METHODS.includes(member))
      .map(([method, operation]) => ({ method, operation: operation as Operation })),
  );
}

function addSharedAnswers(operation: Operation, method: string): void {
  operation.security ??= [];
  const hasBody = operation['requestBody'] !== undefined;
  const hasPathParameter = operation.parameters?.some((parameter) => parameter['in'] === 'path') ?? false;
  for (const [status, { name }] of Object.entries(SHARED_ERRORS)) {
    if (status === '413' && !hasBody) continue;
    if (status === '414' && !hasPathParameter) continue;
    const own = operation.responses[status];
    const isBare = own === undefined || own['description'] === '';
    if (isBare) operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
  const success = operation.responses['200'];
  // What is read is what the summary names.
  if (success?.['description'] === '') success['description'] = `${operation.summary}.`;
  const content = success?.['content'] as Json | undefined;
  if (method === 'get' && success && content?.['application/json']) {
    success['headers'] = { ...(success['headers'] as Json | undefined), ETag: ref('ETag') };
    operation.responses['304'] ??= { $ref: '#/components/responses/NotModified' };
  }
}

function sharedResponses(): Json {
  const content = { 'application/json': { schema: { $ref: ERROR_BODY } } };
  const errors = Object.entries(SHARED_ERRORS).map(([status, { name, description, headers }]) => [
    name,
    { description, content: withExample(content, 'shared', status), ...(headers && { headers }) },
  ]);
  const notModified = {
    description: 'The answer is the one that `If-None-Match` names.',
    headers: { ETag: ref('ETag') },
  };
  return { ...(Object.fromEntries(errors) as Json), NotModified: notModified };
}

/** Declares errors as JSON in every operation: `ApiProduces` only names the type of the success. */
function answerErrorsInJson(responses: Record<string, Json>): void {
  for (const response of Object.values(responses)) {
    const contents = Object.values((response['content'] ?? {}) as Record<string, { schema?: Json }>);
    const error = contents.find(({ schema }) => schema?.['$ref'] === ERROR_BODY);
    if (error) response['content'] = { 'application/json': error };
  }
}

/** Adds recorded answers of the service as examples to the described answers. */
function showAnswers(responses: Record<string, Json>, operationId: string): void {
  for (const [status, response] of Object.entries(responses)) {
    const content = response['content'] as Json | undefined;
    if (content) response['content'] = withExample(content, operationId, status);
  }
}

function withExample(content: Json, operationId: string, status: string): Json {
  const answers = ANSWERS[operationId];
  const value = answers?.[status] ?? ANSWERS['shared']?.[status];
  const json = content['application/json'] as Json | undefined;
  return json && value !== undefined ? { ...content, 'application/json': { ...json, example: value } } : content;
}

function errorCodes(): Json {
  const codes = Object.values(errorGroups).flatMap((group) => group.map(({ code }) => code));
  return { type: 'string', description: 'A stable word for programs.', enum: [...new Set(codes)].sort() };
}

function addLinks({ operationId, responses }: Operation): void {
  for (const [status, following] of Object.entries(LINKS[operationId] ?? {})) {
    const entries = Object.entries(following).map(([next, parameters]) => [next, { operationId: next, parameters }]);
    if (responses[status]) responses[status]['links'] = Object.fromEntries(entries);
  }
}

/** Parameters of which each value is sent by itself, because it may hold commas. */
const REPEATED = ['item'];

/** Describes lists in queries as one text with commas, or as repeated; the limits of their DTO apply to each part. */
function describeLists({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    const { schema } = parameter;
    if (parameter['in'] !== 'query' || schema?.['type'] !== 'array') continue;
    Object.assign(parameter, { style: 'form', explode: REPEATED.includes(String(parameter['name'])) });
    schema['minItems'] = 1;
    for (const keyword of ['minLength', 'maxLength', 'pattern']) {
      if (schema[keyword] !== undefined) (schema['items'] as Json)[keyword] = schema[keyword];
      delete schema[keyword];
    }
  }
}

/** Describes a stream as text whose schema describes the JSON in the `data` of each event (contentSchema). */
function nameStreamEvents({ responses }: Operation): void {
  const content = responses['200']?.['content'] as Record<string, { schema: Json }> | undefined;
  const stream = content?.['text/event-stream'];
  if (!stream) return;
  Object.assign(stream.schema, { contentMediaType: 'application/json', contentSchema: anyStreamEvent() });
}

/** Describes numbers as whole ones of 64 bits, wherever they are, unless they are a `FRACTION`. */
function restateNumbers(node: unknown): void {
  if (Array.isArray(node)) {
    node.forEach(restateNumbers);
  } else if (typeof node === 'object' && node !== null) {
    const schema = node as Json;
    const isNumber = schema['type'] === 'number' || schema['type'] === 'integer';
    if (isNumber && schema['format'] !== FRACTION.format) Object.assign(schema, { type: 'integer', format: 'int64' });
    Object.values(schema).forEach(restateNumbers);
  }
}
