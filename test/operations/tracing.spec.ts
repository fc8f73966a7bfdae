import { loadEnvironment } from '../../src/config/environment.js';
import { isTracingWanted } from '../../src/operations/tracing/tracing.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { BUILT, runModule } from '../support/child.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { startService } from '../support/service-process.js';
import { jsonReply, type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';

const alice = anAvatar('alice');
const TRACE = 'a'.repeat(32);
const PARENT = 'b'.repeat(16);

/** A span as OTLP/JSON has it; attributes as a plain object. */
interface CollectedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number; message?: string };
  attributes: Record<string, unknown>;
}

function spansIn(collector: StandIn): CollectedSpan[] {
  return collector.requests.flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: object[] }[] }) =>
      resource.scopeSpans.flatMap(({ spans }) => spans.map(toSpan)),
    ),
  );
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON from the wire
function toSpan(span: any): CollectedSpan {
  const attributes = span.attributes.map(({ key, value }: { key: string; value: object }) => [
    key,
    Object.values(value)[0],
  ]);
  return { ...span, attributes: Object.fromEntries(attributes) };
}

describe('with the OTEL_ settings of a collector', () => {
  let database: TestDatabase;
  let collector: StandIn;
  let github: StandIn;
  let spans: CollectedSpan[];
  beforeAll(async () => {
    database = await createTestDatabase();
    collector = await startStandIn(() => jsonReply({}));
    github = await startStandIn(() => jsonReply({ message: 'Not Found' }, 404));
    const service = await startService({
      DATABASE_URL: database.url,
      GITHUB_API_BASE: github.baseUrl,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.baseUrl,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=acme',
      OTEL_SERVICE_NAME: 'signet-of-acme',
    });
    await linkWallet(service, alice, aWallet('alice'));
    await service.get(`/v1/proof?identity=${aWallet('alice').address}`, { traceparent: `00-${TRACE}-${PARENT}-01` });
    const link = { action: 'create', platform: 'github', identity: 'alice', public_key: alice.key.compressed };
    const { body } = await service.post('/v1/proof/payload', link);
    const { uuid, created_at } = body;
    await service.post('/v1/proof', { ...link, uuid, created_at, proof_location: 'aa5a315d61ae9438b18d' });
    await service.get('/livez');
    service.signal('SIGTERM');
    await service.ended;
    spans = spansIn(collector);
  });
  afterAll(async () => {
    await collector.close();
    await github.close();
    await database.drop();
  });

  const server = (name: string) => spans.filter((span) => span.name === name && span.kind === 2);
  const childrenOf = (parent: CollectedSpan) => spans.filter((span) => span.parentSpanId === parent.spanId);

  it('sends what is left before it stops, as the settings say', () => {
    expect(collector.requests.length).toBeGreaterThan(0);
    expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-tenant': 'acme' } });
    expect(collector.requests[0]!.body).toContain('signet-of-acme');
  });

  it('makes a span for each request, named after its route', () => {
    const [search] = server('GET /v1/proof');

    expect(search!.attributes).toMatchObject({ 'http.route': '/v1/proof', 'signet.request_id': expect.any(String) });
    expect(Number(search!.attributes['http.response.status_code'])).toBe(200);
    expect(server('POST /v1/proof')).toHaveLength(2);
    expect(server('GET /livez')).toEqual([]);
  });

  it('continues the trace of the caller', () => {
    expect(server('GET /v1/proof')[0]).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
  });

  it('shows the transaction of a submit and its statements', () => {
    const submit = server('POST /v1/proof').find(
      ({ attributes }) => Number(attributes['http.response.status_code']) === 201,
    )!;

    const children = childrenOf(submit);

    expect(children.map(({ name }) => name)).toEqual(expect.arrayContaining(['transaction', 'WITH']));
    const insert = children.find(({ attributes }) =>
      String(attributes['db.query.text']).includes('insert into chain_link'),
    );
    expect(insert!.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.query.text': expect.stringContaining('$1'),
    });
  });

  it('shows what a platform was asked, under the submit that asked', () => {
    const submit = server('POST /v1/proof').find(
      ({ attributes }) => Number(attributes['http.response.status_code']) === 400,
    )!;

    const asked = childrenOf(submit).filter(({ attributes }) => attributes['server.address'] === '127.0.0.1');

    expect(submit.attributes['error.type']).toEqual(expect.any(String));
    expect(asked.length).toBe(github.requests.length);
    expect(Number(asked[0]!.attributes['http.response.status_code'])).toBe(404);
    expect(github.requests.some(({ headers }) => 'traceparent' in headers)).toBe(false);
  });

  it('tells the collector no key, identity, signature or location', () => {
    const text = collector.requests.map(({ body }) => body).join('\n');
    const confidential = [alice.key.compressed.slice(2), aWallet('alice').address, 'aa5a315d61ae9438b18d'];

    expect(confidential.filter((word) => text.includes(word))).toEqual([]);
  });
});

describe('a collector that is away', () => {
  it('costs the spans and nothing else', async () => {
    const database = await createTestDatabase();
    const service = await startService({
      DATABASE_URL: database.url,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/v1/traces',
    });

    expect((await linkWallet(service, alice, aWallet('alice'))).status).toBe(201);
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
    await database.drop();
  });
});

describe('whether traces are wanted', () => {
  it.each([
    [{}, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, true],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
    [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, false],
    [{ OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, false],
    [{ OTEL_SERVICE_NAME: 'signet' }, false],
  ])('with %j: %s', (settings, isWanted) => {
    expect(isTracingWanted(loadEnvironment(settings))).toBe(isWanted);
  });

  it.each([
    { OTEL_TRACES_SAMPLER: 'sometimes' },
    { OTEL_TRACES_SAMPLER_ARG: '2' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' },
  ])('refuses %j', (settings) => {
    expect(() => loadEnvironment(settings)).toThrow('settings cannot be used');
  });

  it('loads no package of OpenTelemetry that sends, until then', async () => {
    const child = runModule(`
      import 'reflect-metadata';
      import { createRequire } from 'node:module';
      await import('${BUILT}app.module.js');
      const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => /opentelemetry.(sdk|exporter|otlp)/.test(file));
      console.log(JSON.stringify(loaded));
    `);

    try {
      expect(await child.line()).toBe('[]');
    } finally {
      // A worker of jest that still has a child half a second after its last test is ended by force.
      await child.kill9();
    }
  });
});
