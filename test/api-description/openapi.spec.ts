import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { addressOfKey, decodeBase64, recoverPersonalSigner } from '@signet/verify';
import { DOMAIN_EVENT_NAMES } from '../../src/domain/domain-events.js';
import LINK_EXAMPLE from '../../src/proof-chain/chain-link.example.json' with { type: 'json' };
import { type RunningApp, startApp } from '../support/app.js';

let app: RunningApp;
const OBSERVERS =
  'observer mirror mirror.example/seen+41c1ad28+/3NpZ25ldC1zZWVuL3YxAIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c http://127.0.0.1:9';
beforeAll(async () => {
  app = await startApp({ env: { ADMIN_TOKEN: 'the-token-of-this-test-is-long-enough', WITNESS: 'on', OBSERVERS } });
});
afterAll(() => app.close());

interface Operation {
  operationId: string;
  tags: string[];
  parameters?: (Part & { name: string; in?: string; schema?: { type?: string; $ref?: string; pattern?: string } })[];
  requestBody?: { content: Content };
  responses: Record<string, Part>;
  security: unknown;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the answer of the server, whose form is what is tested
function operationsOf({ paths }: any): Operation[] {
  return Object.values(paths as Record<string, Record<string, Operation>>).flatMap((path) => Object.values(path));
}

/** What the parser of AsyncAPI finds wrong with each of the documents. */
function asyncApiProblems(documents: unknown[]): string[][] {
  const script = fileURLToPath(new URL('./schemathesis/validate-asyncapi.mjs', import.meta.url));
  const input = JSON.stringify(documents);
  return JSON.parse(execFileSync(process.execPath, [script], { input, encoding: 'utf8' })) as string[][];
}

type Content = Record<string, { example?: unknown; schema?: Schema }>;
interface Schema {
  $ref?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
}

interface Part {
  type?: unknown;
  description?: string;
  content?: Content;
  links?: Record<string, { operationId: string; parameters: Record<string, string> }>;
  $ref?: string;
}

/** All parts that a reader may want to have described: members, parameters and answers. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
function describedParts({ paths, components }: any): { name: string; part: Part }[] {
  const members = Object.entries<{ properties?: Record<string, Part> }>(components.schemas).flatMap(
    ([schema, { properties = {} }]) =>
      Object.entries(properties).map(([name, part]) => ({ name: `${schema}.${name}`, part })),
  );
  const ofOperations = Object.values<Record<string, Operation>>(paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId, parameters = [], responses }) => [
      ...parameters.map((part) => ({ name: `${operationId} ${part.name}`, part })),
      ...Object.entries(responses).map(([status, part]) => ({ name: `${operationId} ${status}`, part })),
    ]),
  );
  return [...members, ...ofOperations];
}

/** Whether the place that a runtime expression of a link names is one of the request or of the answer. */
function hasPlace(
  { components }: { components: { schemas: Record<string, Schema> } },
  { parameters = [], requestBody }: Operation,
  { content }: Part,
  place: string,
): boolean {
  const [, query] = /^\$request\.query\.(\w+)$/.exec(place) ?? [];
  if (query !== undefined) return parameters.some(({ name }) => name === query);
  const [, where, pointer] = /^\$(request|response)\.body#\/(.+)$/.exec(place) ?? [];
  const body = where === 'request' ? requestBody?.content : content;
  const resolve = (schema?: Schema) => (schema?.$ref ? components.schemas[schema.$ref.split('/').at(-1)!] : schema);
  const step = (schema: Schema | undefined, name: string) =>
    resolve(/^\d+$/.test(name) ? schema?.items : schema?.properties?.[name]);
  return pointer?.split('/').reduce(step, resolve(body?.['application/json']?.schema)) !== undefined;
}

describe('the API page', () => {
  it('describes every endpoint of the contract in OpenAPI 3.1', async () => {
    const { body } = await app.get('/openapi.json');

    expect(body.openapi).toBe('3.1.0');
    const endpoints = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(endpoints).toEqual(
      expect.arrayContaining([
        'GET /healthz',
        'POST /v1/proof/payload',
        'POST /v1/proof',
        'GET /v1/proof',
        'GET /v1/proof/exists',
        'GET /v1/proofchain',
        'GET /v1/proofchain/changes',
      ]),
    );
  });

  it('gives every operation a summary, a tag and a described success', async () => {
    const { body } = await app.get('/openapi.json');

    for (const [path, methods] of Object.entries(
      body.paths as Record<string, Record<string, Record<string, unknown>>>,
    )) {
      for (const [method, operation] of Object.entries(methods)) {
        const name = `${method} ${path}`;
        expect({ name, summary: operation['summary'] }).toEqual({ name, summary: expect.stringMatching(/\w+/) });
        expect({ name, tags: operation['tags'] }).toEqual({ name, tags: [expect.any(String)] });
        expect({ name, statuses: Object.keys(operation['responses'] as object) }).toEqual({
          name,
          statuses: expect.arrayContaining([expect.stringMatching(/^20/)]),
        });
      }
    }
  });

  it('is what the linter of the field calls right', async () => {
    const source = await (await fetch(`${app.baseUrl}/openapi.json`)).text();
    // The schemas of webhooks are for generators that make models of all components.
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-unused-components': 'off' } });

    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });

    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual(
      [],
    );
  });

  it('names operations and schemas for people, and says of every number that it is a whole one or a fraction', async () => {
    const { body } = await app.get('/openapi.json');

    const operations = operationsOf(body);
    expect(operations.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['createPayload', 'submitProof', 'findProofs', 'getKv', 'streamEvents']),
    );
    for (const { operationId } of operations) expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(Object.keys(body.components.schemas).filter((name) => /Dto$/.test(name))).toEqual([]);
    const fractions = describedParts(body).filter(({ part }) => part.type === 'number');
    expect(fractions.map(({ name }) => name)).toEqual([
      'LogHealth.progress',
      'LogHealth.map_progress',
      'UpgradeStep.progress',
    ]);
    expect(JSON.stringify(body).match(/"type":"number"/g)).toHaveLength(fractions.length);
    for (const { part } of fractions) expect(part).toMatchObject({ format: 'double', minimum: 0, maximum: 1 });
    expect(body.components.schemas.FeedLink.properties.id).toMatchObject({ type: 'integer', format: 'int64' });
  });

  it('says in words what every member, parameter and answer is', async () => {
    const { body } = await app.get('/openapi.json');

    const silent = describedParts(body)
      .filter(({ part }) => part.$ref === undefined && !/\w/.test(part.description ?? ''))
      .map(({ name }) => name);
    expect(silent).toEqual([]);
  });

  it('names every object and every enumeration, so that generators invent no names', async () => {
    const { body } = await app.get('/openapi.json');

    const nameless: string[] = [];
    const walk = (node: unknown, path: string[]): void => {
      if (typeof node !== 'object' || node === null) return;
      const isNamed = path.length === 3 && path[0] === 'components' && path[1] === 'schemas';
      if (!isNamed && !path.includes('example') && ('properties' in node || 'enum' in node))
        nameless.push(path.join('/'));
      // A member of an object may itself be called properties or enum.
      const inner = path.at(-1) === 'properties' ? { ...node, properties: undefined, enum: undefined } : node;
      for (const [name, value] of Object.entries(inner)) walk(value, [...path, name]);
    };
    walk(body, []);
    expect(nameless).toEqual([]);
  });

  it('describes the errors that any operation may answer, with their codes and headers', async () => {
    const { body } = await app.get('/openapi.json');

    for (const { operationId, responses, security } of operationsOf(body)) {
      expect({ operationId, statuses: Object.keys(responses) }).toEqual({
        operationId,
        statuses: expect.arrayContaining(['400', '405', '408', '429', '431', '500', '503']),
      });
      expect(security).toBeDefined();
    }
    expect(body.components.schemas.ErrorCode.enum).toEqual(
      expect.arrayContaining(['invalid_signature', 'stale_chain', 'overloaded']),
    );
    expect(body.components.responses.TooManyRequests.headers).toHaveProperty(['Retry-After']);
  });

  it('groups webhooks under a tag of their own, because generators write one file for each tag', async () => {
    const { body } = await app.get('/openapi.json');

    const tagsOf = (paths: unknown) => operationsOf({ paths }).flatMap(({ tags }) => tags);
    const tags = new Set(tagsOf(body.paths));
    expect(tagsOf(body.webhooks).filter((tag) => tags.has(tag))).toEqual([]);
  });

  it('says of every error that it is JSON, whatever the operation answers otherwise', async () => {
    const { body } = await app.get('/openapi.json');

    const others = operationsOf(body).flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status, { content }]) => status >= '400' && content && !('application/json' in content))
        .map(([status]) => `${operationId} ${status}`),
    );
    // The size that a witness knows (C2SP tlog-witness).
    expect(others).toEqual(['addCheckpoint 409']);
  });

  it('says of every parameter which type it has', async () => {
    const { body } = await app.get('/openapi.json');

    const untyped = operationsOf(body).flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ schema }) => schema?.type === undefined && schema?.$ref === undefined)
        .map(({ name }) => `${operationId} ${name}`),
    );
    expect(untyped).toEqual([]);
  });

  it('requires parameters that are demanded, and does not describe the other names that they have', async () => {
    const { body } = await app.get('/openapi.json');

    const demanded = {
      getProofChain: 'public_key',
      listChanges: 'last_id',
      listKvChanges: 'last_id',
      getLogProof: 'uuid',
    };
    for (const [operationId, name] of Object.entries(demanded)) {
      const { parameters = [] } = operationsOf(body).find((one) => one.operationId === operationId)!;
      expect(parameters.find((one) => one.name === name)).toMatchObject({ required: true });
      expect(parameters.filter((one) => ['id', 'avatar'].includes(one.name))).toEqual([]);
    }
  });

  it('says of every Avatar key that is sent with which byte it begins', async () => {
    const { body } = await app.get('/openapi.json');

    const keys = operationsOf(body)
      .flatMap(({ parameters = [] }) => parameters)
      .filter(({ name }) => ['public_key', 'avatar'].includes(name));
    expect(keys.length).toBeGreaterThan(5);
    for (const { schema } of keys) {
      expect(schema!.pattern).toContain('0[23]');
      expect(new RegExp(schema!.pattern!).test(`0x05${'0'.repeat(64)}`)).toBe(false);
    }
  });

  it('bounds the text of every body', async () => {
    const { body } = await app.get('/openapi.json');

    const { content } = body.paths['/witness/add-checkpoint'].post.requestBody;
    expect(content['text/plain; charset=utf-8'].schema).toEqual({ type: 'string', maxLength: 16_384 });
  });

  it('gives schemas no name that a generator for Go makes of an operation or another schema, and leads from a path to those of webhooks', async () => {
    const { body } = await app.get('/openapi.json');

    const made = operationsOf(body).flatMap(({ operationId }) => {
      const name = operationId[0]!.toUpperCase() + operationId.slice(1);
      return ['Response', 'Params', 'Request', 'JSONBody', 'JSONRequestBody'].map((ending) => `${name}${ending}`);
    });
    const names = Object.keys(body.components.schemas);
    const constructors = names.flatMap((name) => [`New${name}`, `New${name}WithDefaults`, `Nullable${name}`]);
    expect(names.filter((name) => [...made, ...constructors].includes(name))).toEqual([]);
    const { callbacks } = body.paths['/admin/v1/subscriptions'].post;
    for (const name of DOMAIN_EVENT_NAMES) {
      expect(body.webhooks[name].post).toMatchObject(callbacks[name]['{$request.body#/url}'].post);
    }
  });

  it('describes webhooks only where one can subscribe, because generators cannot resolve them otherwise', async () => {
    const closed = await startApp();
    try {
      const { body } = await closed.get('/openapi.json');
      expect(body.paths).not.toHaveProperty('/admin/v1/subscriptions');
      expect(body.webhooks).toBeUndefined();
    } finally {
      await closed.close();
    }
  });

  it('links operations by parameters that there are, to places that answers and requests have', async () => {
    const { body } = await app.get('/openapi.json');
    const operations = operationsOf(body);

    const followed = new Set<string>();
    for (const operation of operations) {
      for (const answer of Object.values(operation.responses)) {
        for (const { operationId, parameters } of Object.values(answer.links ?? {})) {
          const next = operations.find((one) => one.operationId === operationId)!;
          expect(next.parameters!.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(parameters)));
          for (const place of Object.values(parameters)) {
            expect({ place, isThere: hasPlace(body, operation, answer, place) }).toEqual({ place, isThere: true });
          }
          followed.add(operationId);
        }
      }
    }
    expect([...followed]).toEqual(expect.arrayContaining(['getBinding', 'getProofChain', 'getKv', 'replayDelivery']));
  });

  it('bounds every text in a path, because the router reads only so much', async () => {
    const { body } = await app.get('/openapi.json');

    const unbounded = operationsOf(body).flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter((parameter) => parameter.in === 'path' && parameter.schema?.type === 'string')
        .filter(({ schema }) => !['pattern', 'format', 'enum', 'maxLength'].some((bound) => bound in schema!))
        .map(({ name }) => `${operationId} ${name}`),
    );
    expect(unbounded).toEqual([]);
  });

  it('says in the words of OpenAPI 3.1 what may be null', async () => {
    const { body } = await app.get('/openapi.json');

    expect(JSON.stringify(body)).not.toContain('"nullable"');
    expect(body.components.schemas.Log.properties.policy_met.type).toEqual(['boolean', 'null']);
    expect(body.components.schemas.KvValue.properties.content.type).toEqual(['object', 'null']);
  });

  it('describes every event, in the stream and as a webhook', async () => {
    const { body } = await app.get('/openapi.json');

    for (const name of DOMAIN_EVENT_NAMES) {
      const { schema } = body.webhooks[name].post.requestBody.content['application/json'];
      const { properties } = body.components.schemas[schema.$ref.split('/').pop()];
      expect(properties.type.const).toBe(name);
      expect(body.components.schemas[properties.data.$ref.split('/').pop()].type).toBe('object');
    }
    expect(body.components.schemas.KvPatchedEvent.required).toEqual(expect.arrayContaining(['position', 'patch_id']));
  });

  it('describes the event stream in AsyncAPI 3, with which the parser of that specification finds no fault', async () => {
    const { body } = await app.get('/asyncapi.json');

    const spoilt = { ...body, operations: { sendEvents: { action: 'shout' } } };
    const [problems, problemsOfSpoilt] = asyncApiProblems([body, spoilt]);
    expect(problems).toEqual([]);
    expect(problemsOfSpoilt).not.toEqual([]);
    expect(Object.keys(body.components.messages)).toEqual(DOMAIN_EVENT_NAMES);
  });

  it('shows for each error, and for each answer of the contract, one that the service once gave', async () => {
    const { body } = await app.get('/openapi.json');

    const shown = (part: Part) => part.content?.['application/json']?.example !== undefined;
    const contract = /^\/(healthz|v1\/(proof|proof\/(payload|exists)|proofchain|proofchain\/changes|kv|kv\/payload))$/;
    const bare = Object.entries<Record<string, Operation>>(body.paths)
      .filter(([path]) => contract.test(path))
      .flatMap(([path, methods]) =>
        Object.values(methods).flatMap(({ responses }) =>
          Object.entries(responses)
            .filter(([, part]) => part.$ref === undefined && !shown(part))
            .map(([status]) => `${path} ${status}`),
        ),
      );
    expect(bare).toEqual([]);
    const { NotModified, ...errors } = body.components.responses;
    expect(NotModified).toBeDefined();
    expect(Object.keys(errors).filter((name) => !shown(errors[name]))).toEqual([]);
  });

  it('shows an error that it does answer', async () => {
    const { components } = (await app.get('/openapi.json')).body;
    const { message, code } = components.schemas.ErrorBody.properties;

    const { body } = await app.get('/v1/proof?identity=');
    expect(body).toEqual({ message: message.example, code: code.example });
  });

  it('shows an example that verifies', () => {
    const { signature_payload: text, signature, avatar, extra, identity } = LINK_EXAMPLE;

    expect(recoverPersonalSigner(text, decodeBase64(signature)!)).toBe(avatar);
    expect(addressOfKey(recoverPersonalSigner(text, decodeBase64(extra.wallet_signature)!)!)).toBe(identity);
    expect(JSON.parse(text)).toMatchObject({
      identity,
      avatar,
      uuid: LINK_EXAMPLE.uuid,
      created_at: LINK_EXAMPLE.created_at,
    });
  });

  it('serves its assets itself', async () => {
    const page = await (await fetch(`${app.baseUrl}/docs`)).text();
    const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);

    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) {
      expect(asset).not.toMatch(/^(https?:)?\/\//);
      const answer = await fetch(new URL(asset, `${app.baseUrl}/docs`));
      expect({ asset, status: answer.status }).toEqual({ asset, status: 200 });
      await answer.arrayBuffer();
    }
  });
});
