import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet, signedSubmit, walletPayload } from '../support/scenario.js';

/*
 * What the description of the API allows is not refused for its form, and what it does not allow is refused: for each
 * member of each body and each parameter of each query, one value after the other.
 */

const ADMIN_TOKEN = 'the-token-of-this-test-is-long-enough';
const alice = anAvatar('alice');
const wallet = aWallet('alice');

/** Codes of refusals that say nothing but that a value has the wrong form. */
const FORM_CODES = ['invalid_request', 'unknown_event_type', 'malformed_json'];
/** Codes that say so with some messages only. */
const FORM_MESSAGES: Record<string, RegExp> = {
  invalid_public_key: /expected 0x/,
  invalid_signature: /must be/,
  invalid_identity: /characters|empty/,
  invalid_proof_location: /too long/,
};

/** Where description and service differ, and why that is right. */
const EXCEPTIONS: Record<string, string> = {
  'recheckNow platform=""': 'An empty text selects nothing, as if it were absent; something has to be selected.',
  'recheckNow identity=""': 'The same.',
  'recheckNow avatar=""': 'The same.',
  'findProofs exact=""': 'A parameter without a value counts as false; OpenAPI has no way to say so.',
  'page=""': 'A parameter without a value is page 1; an existing client sends it so.',
  'getLogMap avatar=undefined': 'The Avatar, or platform and identity are required, which parameters cannot say.',
  'getLogMap platform=': 'Only with an identity, which parameters cannot say.',
  'getLogMap identity=': 'Only with a platform, which parameters cannot say.',
  'resolve public_key=undefined': 'The Avatar, or platform and identity are required, which parameters cannot say.',
  'resolve platform=': 'Only with an identity, which parameters cannot say.',
  'resolve identity=': 'Only with a platform, which parameters cannot say.',
  'submitProof extra.wallet_signature=': 'The form depends on the platform: Base58 is allowed for Solana alone.',
  'submitProof extra.wallet_message=': 'Ignored by platforms that do not use it, such as this wallet.',
  'submitKvPatch signature=': 'The form depends on the signer: keys of apps have signatures of other forms.',
  'submitProof proof_location=<3000 characters>': 'Ignored by platforms that need no location, such as this wallet.',
};

/** The parameter without which a query says nothing, where the description cannot say so. */
const NEEDED: Record<string, string> = { getLogMap: 'avatar', resolve: 'public_key' };

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: AnySchema & { type?: string };
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: { $ref: string } } } };
}

let app: RunningApp;
let operations: { method: string; path: string; operation: Operation }[];
let ajv: Ajv2020;
let subscription: string;

beforeAll(async () => {
  app = await startApp({ env: { ADMIN_TOKEN, WEBHOOK_ALLOW_PRIVATE: 'on' } });
  const { body: document } = await app.get('/openapi.json');
  operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  // Keywords of OpenAPI beside those of JSON Schema, and formats, which are not what is tested here.
  ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', components: document.components as object });
  await linkWallet(app, alice, wallet);
  const url = 'https://hooks.example.org/signet';
  subscription = (await app.post('/admin/v1/subscriptions', { url }, HEADERS)).body.id;
});
afterAll(() => app.close());

const LONG = 'a'.repeat(3000);
const VALUES: unknown[] = [undefined, '', ' ', 'x', LONG, 5, -1, 1.5, 1e15, true, ['x'], {}];

const named = (value: unknown): string => (value === LONG ? '<3000 characters>' : String(JSON.stringify(value)));

function isAllowed(schema: AnySchema, value: unknown): boolean {
  const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as AnySchema;
  return ajv.validate(local, value) === true;
}

function examplesIn(schema: unknown): unknown[] {
  const { example } = schema as { example?: unknown };
  return example === undefined ? [] : [example];
}

interface Refusal {
  status: number;
  body: { code?: string; message?: string };
}

const isForForm = ({ status, body }: Refusal): boolean =>
  status === 400 && (FORM_CODES.includes(body.code!) || FORM_MESSAGES[body.code!]?.test(body.message!) === true);

/** The exceptions that were needed. */
const occurred = new Set<string>();

/** Where description and service differ, in words. */
function difference(name: string, allowed: boolean, answer: Refusal): string[] {
  const isDifferent = allowed ? isForForm(answer) : answer.status !== 400;
  if (!isDifferent) return [];
  const exception = Object.keys(EXCEPTIONS).find((part) => name.includes(part));
  if (exception !== undefined) {
    occurred.add(exception);
    return [];
  }
  const said = `${answer.status} ${JSON.stringify(answer.body).slice(0, 160)}`;
  return [allowed ? `${name} is allowed, and answered ${said}` : `${name} is not allowed, and answered ${said}`];
}

async function ask(url: string, init: RequestInit): Promise<Refusal> {
  const stop = new AbortController();
  const response = await fetch(url, { ...init, signal: stop.signal });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const body = isJson ? ((await response.json()) as Refusal['body']) : {};
  // Streams have no end.
  stop.abort();
  return { status: response.status, body };
}

interface Member {
  /** The names on the way to it. */
  at: string[];
  rules: AnySchema;
}

/** The members of a body, and those of the objects in it. */
function membersOf(properties: Record<string, AnySchema>): Member[] {
  return Object.entries(properties).flatMap(([name, rules]) => {
    const ref = /"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(rules))?.[1];
    const inner = ref === undefined ? undefined : ajv.getSchema(`api#/components/schemas/${ref}`)?.schema;
    const members = (inner as { properties?: Record<string, AnySchema> } | undefined)?.properties ?? {};
    const nested = membersOf(members).map(({ at, rules: own }) => ({ at: [name, ...at], rules: own }));
    return [{ at: [name], rules }, ...nested];
  });
}

function withMember(body: object, [name, ...rest]: string[], value: unknown): object {
  const within = (body as Record<string, object>)[name!] ?? {};
  return { ...body, [name!]: rest.length === 0 ? value : withMember(within, rest, value) };
}

const HEADERS = { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' };

/** A body that is right but for what is changed; the two steps need a payload of this moment. */
const FRESH_BODIES: Record<string, () => Promise<object>> = {
  submitProof: async () => {
    const { body: payload } = await walletPayload(app, alice, wallet);
    return signedSubmit(payload, alice, wallet);
  },
  submitKvPatch: async () => {
    const key = alice.key.compressed;
    const patch = { avatar: key, platform: 'self', identity: key, patch: { name: 'Alice' } };
    const { body: payload } = await app.post('/v1/kv/payload', patch);
    const { uuid, created_at } = payload;
    return { ...patch, uuid, created_at, signature: alice.sign(payload.sign_payload) };
  },
};

describe('the description of the API', () => {
  it('allows what is not refused for its form, and nothing else, in each member of each body', async () => {
    const differences: string[] = [];
    for (const { method, path, operation } of operations) {
      const content = operation.requestBody?.content['application/json'];
      if (!content) continue;
      const name = content.schema.$ref.split('/').at(-1)!;
      const schema = { $ref: `#/components/schemas/${name}` };
      const { properties, required = [] } = ajv.getSchema(`api#/components/schemas/${name}`)!.schema as {
        properties: Record<string, AnySchema>;
        required?: string[];
      };
      const example = Object.fromEntries(
        required.map((member) => [member, (properties[member] as { example: unknown }).example]),
      );
      for (const { at, rules } of membersOf(properties)) {
        for (const value of [...VALUES, ...examplesIn(rules)]) {
          const fresh = (await FRESH_BODIES[operation.operationId]?.()) ?? example;
          const body = withMember(fresh, at, value);
          const url = `${app.baseUrl}${path.replace('{id}', subscription)}`;
          const answer = await ask(url, { method: method.toUpperCase(), headers: HEADERS, body: JSON.stringify(body) });
          const allowed = isAllowed(schema, JSON.parse(JSON.stringify(body)));
          differences.push(...difference(`${operation.operationId} ${at.join('.')}=${named(value)}`, allowed, answer));
        }
      }
    }

    expect(differences).toEqual([]);
  });

  it('allows what is not refused for its form, and nothing else, in each parameter of each query', async () => {
    const differences: string[] = [];
    for (const { method, path, operation } of operations) {
      const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
      for (const parameter of parameters) {
        for (const value of [
          '',
          'x',
          LONG,
          '5',
          '-1',
          '0',
          '1.5',
          '1e3',
          '99999999999999999999',
          'true',
          '0x',
          'a,,b',
          undefined,
          ...examplesIn(parameter.schema),
        ]) {
          const query = new URLSearchParams();
          for (const { name, required, schema } of parameters) {
            const [example] = examplesIn(schema);
            const isNeeded = required || name === NEEDED[operation.operationId];
            if (isNeeded && name !== parameter.name) query.set(name, String(example));
          }
          if (value !== undefined) query.set(parameter.name, String(value));
          const url = `${app.baseUrl}${path.replace(/\{\w+\}/g, '5')}?${query.toString()}`;
          const answer = await ask(url, { method: method.toUpperCase(), headers: HEADERS });
          const name = `${operation.operationId} ${parameter.name}=${named(value)}`;
          differences.push(...difference(name, isQueryAllowed(parameter, value), answer));
        }
      }
    }

    expect(differences).toEqual([]);
  });

  it('differs from what is refused only where an exception says why', () => {
    expect([...occurred].sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  });
});

/** A query holds texts, which are read by the type of their parameter. */
function isQueryAllowed({ schema, required }: Parameter, value: unknown): boolean {
  if (value === undefined) return !required;
  const text = String(value);
  const { type } = schema;
  if (type === 'integer') return /^-?\d+$/.test(text) && isAllowed(schema, Number(text));
  if (type === 'boolean') return text === 'true' || text === 'false';
  return isAllowed(schema, type === 'array' ? text.split(',').filter((part) => part !== '') : text);
}
