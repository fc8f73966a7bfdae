import type { SeededRandom } from '../crypto/seeded-random.js';
import type { TestAvatar, TestWallet } from '../support/avatar.js';
import { hostileText, hostileValue, withOneChange } from './hostile-values.js';

/** The parts of an OpenAPI description that requests are made from. */
export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  parameters?: { name: string; in: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

interface Schema {
  $ref?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
}

export interface FuzzRequest {
  method: string;
  /** Path pattern of the description. */
  pattern: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** The person whose real values take the place of examples now and then, so that requests get past the first checks. */
export interface Living {
  avatar: TestAvatar;
  wallet: TestWallet;
}

const MAX_MUTATIONS = 3;
/** Of a body; a few bytes more are refused unread. */
const BODY_LIMIT = 1024 * 1024;
/** What a body is filled with up to its limit: JSON values, each again and again in a list, and one long text. */
const FILLINGS = ['0', '""', '{}', '[]', '{"a":1}', '1e300', '"\\u0000"', '"\\ud800"', 'null', '[[[]]]'];
const CONTENT_TYPES = ['application/json', 'text/plain', 'application/xml; charset=\u00ff', 'x'];

/** Makes requests from a description: true examples, with up to three members removed, changed or replaced. */
export class RequestMaker {
  private readonly operations: { method: string; pattern: string; operation: Operation }[];

  constructor(
    private readonly api: ApiDescription,
    private readonly random: SeededRandom,
    private readonly living: Living,
    private readonly headers: Record<string, string> = {},
  ) {
    this.operations = Object.entries(api.paths).flatMap(([pattern, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), pattern, operation })),
    );
  }

  next(): FuzzRequest {
    const { method, pattern, operation } = this.random.pick(this.operations);
    const query = this.mutated(this.examples(operation, 'query'), hostileText);
    const inPath = this.mutated(this.examples(operation, 'path'), hostileText);
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encode(segment(inPath[name])));
    const search = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(String(value))}`);
    const body = this.bodyOf(operation);
    return {
      method,
      pattern,
      path: search.length > 0 ? `${path}?${search.join('&')}` : path,
      headers: { ...this.headers, ...(body === undefined ? {} : { 'Content-Type': this.contentType() }) },
      ...(body !== undefined && { body }),
    };
  }

  /** Schema of the answer, if the description has one for this status. */
  answerSchema(request: FuzzRequest, status: number): object | undefined {
    const operation = this.api.paths[request.pattern]?.[request.method.toLowerCase()];
    return operation?.responses[String(status)]?.content?.['application/json']?.schema;
  }

  private contentType(): string {
    return this.random.below(5) === 0 ? CONTENT_TYPES[this.random.below(2)]! : 'application/json';
  }

  private bodyOf(operation: Operation): string | undefined {
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (!schema) return undefined;
    if (this.random.below(25) === 0) return hostileText(this.random);
    const members = this.mutated(this.exampleOf(schema) as Record<string, unknown>, hostileValue);
    if (this.random.below(50) === 0) return this.nearLimit(members);
    const text = JSON.stringify(members);
    return this.random.below(25) === 0 ? withOneChange(text, this.random) : text;
  }

  /** The body with one member, known or not, that makes it as long as may be, give or take some bytes. */
  private nearLimit(members: Record<string, unknown>): string {
    const name = this.random.pick([...Object.keys(members), 'unknown_member']);
    const start = `${JSON.stringify({ ...members, [name]: undefined }).slice(0, -1)},`.replace('{,', '{');
    const room =
      BODY_LIMIT - Buffer.byteLength(start) - name.length - 10 - this.random.below(20) + this.random.below(20);
    const filling = this.random.pick(FILLINGS);
    const list = () => `[${`${filling},`.repeat(Math.floor(room / (filling.length + 1)) - 1)}${filling}]`;
    const value = this.random.below(3) === 0 ? `"${'x'.repeat(room)}"` : list();
    return `${start}${JSON.stringify(name)}:${value}}`;
  }

  private examples(operation: Operation, place: string): Record<string, unknown> {
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === place);
    return Object.fromEntries(parameters.map(({ name, schema }) => [name, this.lively(name, schema?.example ?? 1)]));
  }

  private exampleOf(schema: Schema): unknown {
    const target = schema.$ref ? this.api.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
    if (target.example !== undefined) return structuredClone(target.example);
    if (target.allOf) return this.exampleOf(target.allOf[0]!);
    const properties = Object.entries(target.properties ?? {});
    return Object.fromEntries(
      properties.map(([name, property]) => [name, this.lively(name, this.exampleOf(property))]),
    );
  }

  /** Half of the time the value of somebody who is known to the service. */
  private lively(name: string, example: unknown): unknown {
    if (this.random.below(2) === 0) return example;
    if (name === 'public_key' || name === 'avatar') return this.living.avatar.key.compressed;
    if (name === 'identity') return this.living.wallet.address;
    if (name === 'platform') return 'ethereum';
    return example;
  }

  private mutated(
    members: Record<string, unknown>,
    hostile: (random: SeededRandom) => unknown,
  ): Record<string, unknown> {
    const result = { ...members };
    for (let count = this.random.below(MAX_MUTATIONS + 1); count > 0; count -= 1) {
      const name = this.random.pick([...Object.keys(result), 'unknown_member']);
      const kind = this.random.below(3);
      if (kind === 0) delete result[name];
      else if (kind === 1) result[name] = hostile(this.random);
      else result[name] = withOneChange(textOf(result[name]), this.random);
    }
    return result;
  }
}

/** A hostile value may be an object that has members in the place of its conversions to text. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A path segment that leads to the same route: not empty, and no way up. */
function segment(value: unknown): string {
  const text = textOf(value ?? '');
  return /^\.*$/.test(text) ? 'x' : text;
}

/** Percent-encoding that also takes lone surrogates, as broken UTF-8. */
function encode(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
