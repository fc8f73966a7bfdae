import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { DataSource } from 'typeorm';
import { AvatarKey } from '../../src/domain/avatar-key.js';
import { EventLog } from '../../src/events/event-log.js';
import { EventStreamService } from '../../src/event-stream/event-stream.service.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { ENGINES_OF_TIER } from '../support/engines.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { openSse, type SseOptions, type SseReader } from '../support/sse-client.js';

const alice = anAvatar('alice');
const bob = anAvatar('bob');
const wallet = aWallet('alice');

const readers: SseReader[] = [];
afterEach(() => readers.splice(0).forEach((reader) => reader.close()));

/** A reader that is closed after the test. */
async function read(app: RunningApp, query = '', options: SseOptions = {}): Promise<SseReader> {
  const reader = await openSse(app.baseUrl, `/v1/events${query}`, options);
  readers.push(reader);
  return reader;
}

/** Waits until every event has its position, and gives the newest. */
async function numbered(app: RunningApp): Promise<number> {
  const dataSource = app.app.get(DataSource);
  await until(async () => (await dataSource.query('select 1 from domain_event where position is null')).length === 0);
  return (await app.app.get(EventLog).bounds()).last;
}

const bind = (app: RunningApp, avatar = alice, name = 'alice') => linkWallet(app, avatar, aWallet(name));
const revoke = (app: RunningApp) => linkWallet(app, alice, wallet, { action: 'delete' });
const hasEvents = (count: number) => (reader: SseReader) => reader.events.length >= count;
const isReady = (reader: SseReader) => reader.messages.length > 0;

describe.each(ENGINES_OF_TIER)('the event stream on the %s database', (engine) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ engine, env: { EVENT_HEARTBEAT_SECONDS: '1' } });
  });
  afterAll(() => app.close());

  it('goes on behind the id that a polyfill of EventSource sends as a parameter, which is newer than `after`', async () => {
    await bind(app, bob, 'resumed');
    await linkWallet(app, bob, aWallet('resumed'), { action: 'delete' });
    const newest = await numbered(app);

    for (const name of ['lastEventId', 'Last-Event-ID']) {
      const reader = await read(app, `?after=0&${name}=${newest - 1}`);
      await reader.until(hasEvents(1));
      expect(reader.events[0]!.data.position).toBe(newest);
    }
    const byHeader = await read(app, '?lastEventId=0', { lastEventId: String(newest - 1) });
    await byHeader.until(hasEvents(1));
    expect(byHeader.events[0]!.data.position).toBe(newest);
  });

  it('answers in the form of Server-Sent Events, to callers from any origin', async () => {
    const reader = await read(app, '', { headers: { Origin: 'https://app.example' } });
    await reader.until(isReady);

    expect(reader.status).toBe(200);
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    });
    expect(reader.text).toMatch(/^retry: 2000\n\nid: \d+\nevent: ready\n/);
  });

  it('tells who follows an Avatar that a wallet was bound and revoked', async () => {
    const reader = await read(app, `?avatar=${alice.key.compressed}`);
    await reader.until(isReady);

    expect((await bind(app)).status).toBe(201);
    await reader.until(hasEvents(1));
    expect((await revoke(app)).status).toBe(201);
    await reader.until(hasEvents(2));

    const [bound, revoked] = reader.events;
    const binding = { avatar: alice.key.compressed, platform: 'ethereum', identity: wallet.address };
    expect(bound).toEqual({
      id: String(bound!.data.position),
      event: 'proof.bound',
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'proof.bound',
        position: expect.any(Number),
        recorded_at: expect.stringMatching(/^\d{10}$/),
        ...binding,
        proof_location: '',
        link_id: expect.any(Number),
        uuid: expect.any(String),
        created_at: expect.stringMatching(/^\d{10}$/),
      },
    });
    expect(revoked).toMatchObject({ event: 'proof.revoked', data: binding });
    expect(revoked!.data.position).toBeGreaterThan(bound!.data.position);
  });

  it('tells in the form of CloudEvents who asks for it, in the same order and with the same ids', async () => {
    const after = await numbered(app);
    const ours = await read(app, `?after=${after}`);
    const theirs = await read(app, `?after=${after}&format=cloudevents`);

    expect((await bind(app)).status).toBe(201);
    await Promise.all([ours.until(hasEvents(1)), theirs.until(hasEvents(1))]);

    const [event, cloudEvent] = [ours.events[0]!, theirs.events[0]!];
    expect(cloudEvent).toMatchObject({ id: event.id, event: event.event });
    expect(cloudEvent.data).toEqual({
      specversion: '1.0',
      id: event.data.id,
      source: 'urn:signet:self',
      type: 'signet.proof.bound',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      subject: alice.key.compressed,
      datacontenttype: 'application/json',
      sequence: event.id.padStart(20, '0'),
      partitionkey: alice.key.compressed,
      data: expect.objectContaining({ identity: wallet.address, position: event.data.position }),
    });
    expect((await app.get('/v1/events?format=xml')).body.code).toBe('invalid_request');
  });

  it('goes on behind the last id after a break, with nothing missed and nothing twice', async () => {
    const first = await read(app, '?after=0');
    await bind(app);
    await first.until(hasEvents(1));
    first.close();
    await first.ended;
    await revoke(app);
    await bind(app);
    const newest = await numbered(app);

    const second = await read(app, '?after=0', { lastEventId: first.lastEventId });
    await second.until((reader) => reader.positions.at(-1) === newest);

    expect([...first.positions, ...second.positions]).toEqual(Array.from({ length: newest }, (_, index) => index + 1));
    expect(second.messages[0]).toMatchObject({ event: 'ready', id: first.lastEventId });
  });

  it('starts now when no id is given', async () => {
    await bind(app);
    const newest = await numbered(app);

    const reader = await read(app);
    await reader.until(isReady);
    await bind(app);
    await reader.until(hasEvents(1));

    expect(reader.messages[0]).toEqual({ id: String(newest), event: 'ready', data: { position: newest } });
    expect(reader.positions).toEqual([newest + 1]);
  });

  it('lets only through what the filters name', async () => {
    const after = await numbered(app);
    const start = await read(app, `?after=${after}`);

    await bind(app, bob, 'bob');
    await bind(app);
    await revoke(app);
    await start.until(hasEvents(3));

    const seen = async (query: string, count: number) => {
      const reader = await read(app, `?after=${after}&${query}`);
      await reader.until((one) => Number(one.lastEventId) >= Number(start.lastEventId));
      expect(reader.events).toHaveLength(count);
      return reader.events.map(({ event, data }) => `${event} ${data.avatar === bob.key.compressed ? 'bob' : 'alice'}`);
    };
    expect(await seen(`avatar=${bob.key.uncompressed}`, 1)).toEqual(['proof.bound bob']);
    expect(await seen(`avatar=${alice.key.compressed.toUpperCase().replace('0X', '0x')}`, 2)).toEqual([
      'proof.bound alice',
      'proof.revoked alice',
    ]);
    expect(await seen('types=proof.revoked,%20kv.patched', 1)).toEqual(['proof.revoked alice']);
    expect(await seen('platform=ethereum', 3)).toHaveLength(3);
    expect(await seen('platform=github', 0)).toEqual([]);
    expect(await seen('platform=self', 0)).toEqual([]);
    expect(await seen(`platform=ethereum&types=proof.bound&avatar=${alice.key.compressed}`, 1)).toEqual([
      'proof.bound alice',
    ]);
  });

  it('moves the id of a reader past events that its filter leaves out', async () => {
    const start = await numbered(app);
    const reader = await read(app, `?platform=github&after=${start}`);
    await reader.until(isReady);

    await bind(app);
    await reader.until(({ lastEventId }) => Number(lastEventId) > start);

    expect(reader.events).toEqual([]);
    expect(reader.messages.at(-1)).toEqual({
      id: String(start + 1),
      event: 'heartbeat',
      data: { position: start + 1 },
    });
  });

  it('gives the slots of readers back that went away', async () => {
    const streams = app.app.get(EventStreamService);
    const ten = await Promise.all(Array.from({ length: 10 }, () => read(app)));
    await Promise.all(ten.map((reader) => reader.until(isReady)));
    expect(streams.openStreams).toBeGreaterThanOrEqual(10);

    ten.forEach((reader) => reader.close());
    await until(() => streams.openStreams === 0);

    expect(streams.openStreams).toBe(0);
  });
});

describe('the event stream', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({
      env: { RATE_LIMIT: 'on', MAX_EVENT_STREAMS: '4', MAX_EVENT_STREAMS_PER_CLIENT: '3' },
    });
  });
  afterAll(() => app.close());

  it.each([
    ['an Avatar that is not a key', 'avatar=0x1234', 'invalid_public_key', /Not an Avatar public key/],
    ['an Avatar without 0x', `avatar=${alice.key.compressed.slice(2)}`, 'invalid_public_key', /expected 0x/],
    ['two Avatars', `avatar=${alice.key.compressed}&avatar=x`, 'invalid_request', /avatar must be one key/],
    ['an unknown platform', 'platform=myspace', 'unknown_platform', /no platform "myspace".*ethereum/],
    ['an empty platform', 'platform=', 'unknown_platform', /no platform ""/],
    [
      'an unknown type',
      'types=proof.bound,proof.eaten',
      'unknown_event_type',
      /no event type "proof\.eaten".*kv\.patched/,
    ],
    ['an empty list of types', 'types=', 'unknown_event_type', /no event type ""/],
    ['types given twice', 'types=proof.bound&types=proof.revoked', 'invalid_request', /types must be one text/],
    ['text as position', 'after=yesterday', 'invalid_request', /after must be the id of an event/],
    ['an empty position', 'after=', 'invalid_request', /after must be the id of an event/],
    ['a negative position', 'after=-1', 'invalid_request', /after must be the id of an event/],
    ['a fraction', 'after=1.5', 'invalid_request', /after must be the id of an event/],
    ['an id that never existed', 'after=999', 'event_unknown', /never an event 999; the newest is 0/],
    ['an id beyond all numbers', 'after=99999999999999999999', 'event_unknown', /never an event/],
  ])('refuses %s', async (_, query, code, message) => {
    const { status, headers, body } = await app.get(`/v1/events?${query}`);

    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 400,
      code,
      message: expect.stringMatching(message),
    });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it.each([
    ['text', 'abc', 'invalid_request'],
    ['a negative number', '-5', 'invalid_request'],
    ['an id that never existed', '12345', 'event_unknown'],
  ])('refuses %s as Last-Event-ID, although `after` is good', async (_, id, code) => {
    const { status, body } = await app.get('/v1/events?after=0', { 'Last-Event-ID': id });

    expect({ status, code: body.code }).toEqual({ status: 400, code });
  });

  it.each(['lastEventId', 'Last-Event-ID'])(
    'refuses what is no id as the parameter %s, and takes it for one',
    async (name) => {
      const wrong = await app.get(`/v1/events?after=0&${name}=abc`);
      const unknown = await app.get(`/v1/events?after=0&${name}=999`);

      expect(wrong).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', message: expect.stringContaining(name) },
      });
      expect(unknown).toMatchObject({ status: 400, body: { code: 'event_unknown' } });
    },
  );

  it('answers HEAD without a stream', async () => {
    const answer = await fetch(`${app.baseUrl}/v1/events`, { method: 'HEAD' });

    expect({ status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }).toEqual({
      status: 200,
      type: 'text/event-stream; charset=utf-8',
      text: '',
    });
    await until(() => app.app.get(EventStreamService).openStreams === 0);
  });

  it('refuses more streams than one address may have, until one is closed', async () => {
    await until(() => app.app.get(EventStreamService).openStreams === 0);
    const three = await Promise.all([read(app), read(app), read(app)]);

    const refused = await app.get('/v1/events');
    three[0].close();
    await until(() => app.app.get(EventStreamService).openStreams === 2);
    const allowed = await read(app);

    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(refused.body.message).toBe('This address has 3 event streams open, its limit.');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(allowed.status).toBe(200);
  });

  it('takes no slot for a request that it refuses', async () => {
    await until(() => app.app.get(EventStreamService).openStreams === 0);
    for (let times = 0; times < 5; times += 1) await app.get('/v1/events?after=999');
    await until(() => app.app.get(EventStreamService).openStreams === 0);

    const reader = await read(app);

    expect(reader.status).toBe(200);
  });
});

describe('a server with few slots', () => {
  it('refuses more streams than it may have open, however they come', async () => {
    const app = await startApp({ env: { MAX_EVENT_STREAMS: '5' } });
    try {
      const answers = await Promise.all(Array.from({ length: 12 }, () => read(app)));

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
      const refused = answers.find(({ status }) => status === 429)!;
      expect(refused.headers['retry-after']).toMatch(/^\d+$/);
      await refused.ended;
      expect(JSON.parse(refused.text)).toEqual({
        message: 'This server has 5 event streams open, its limit.',
        code: 'too_many_requests',
      });
    } finally {
      await app.close();
    }
  });
});

describe('a server that stops', () => {
  it('ends its streams at once, behind a whole message', async () => {
    const app = await startApp();
    const reader = await read(app);
    await bind(app);
    await reader.until(hasEvents(1));

    // The server would wait for its clients otherwise.
    await Promise.all([app.close(), reader.ended]);

    expect(reader.text.endsWith('\n\n')).toBe(true);
  });

  it('lets a browser in and sends it on, because after a refusal it would never try again', async () => {
    const app = await startApp();
    app.app.get(EventStreamService).beforeApplicationShutdown();

    const reader = await read(app);
    await Promise.all([reader.ended, app.close()]);

    expect(reader.status).toBe(200);
    expect(reader.messages.map(({ event }) => event)).toEqual(['ready']);
  });
});

describe('readers that are not ours', () => {
  it('parse the stream and get an id with every message', async () => {
    const app = await startApp({ env: { EVENT_HEARTBEAT_SECONDS: '1' } });
    try {
      const reader = await read(app, '?types=proof.bound');
      await bind(app);
      await revoke(app);
      await reader.until(({ messages }) => messages.at(-1)?.event === 'heartbeat' && messages.at(-1)?.id === '2');

      const events: EventSourceMessage[] = [];
      const problems: unknown[] = [];
      const retries: number[] = [];
      const parser = createParser({
        onEvent: (event) => events.push(event),
        onError: (problem) => problems.push(problem),
        onRetry: (milliseconds) => retries.push(milliseconds),
      });
      // In pieces of one byte each: no message is tied to a packet.
      for (const letter of reader.text) parser.feed(letter);

      expect(problems).toEqual([]);
      expect(retries).toEqual([2000]);
      expect(events.map(({ id, event, data }) => ({ id, event, data: JSON.parse(data) as unknown }))).toEqual(
        reader.messages,
      );
      expect(events.at(-1)!.id).toBe('2');
    } finally {
      await app.close();
    }
  });
});

describe('the description of the stream', () => {
  it('shows an example that has the members of a real event', async () => {
    const app = await startApp({ env: { EVENT_HEARTBEAT_SECONDS: '1' } });
    try {
      const { body } = await app.get('/openapi.json');
      const answer = body.paths['/v1/events'].get.responses['200'].content['text/event-stream'];
      const reader = await read(app);
      await bind(app);
      await reader.until(({ messages }) => messages.at(-1)?.event === 'heartbeat' && messages.length >= 3);

      const shown: EventSourceMessage[] = [];
      createParser({ onEvent: (event) => shown.push(event) }).feed(answer.example as string);

      expect(shown.map(({ event }) => event)).toEqual(['ready', 'proof.bound', 'heartbeat']);
      const bound = JSON.parse(shown[1]!.data) as Record<string, unknown>;
      expect(Object.keys(bound)).toEqual(Object.keys(reader.events[0]!.data as object));
      expect(Object.values(bound).map((value) => typeof value)).toEqual(
        Object.values(reader.events[0]!.data as object).map((value) => typeof value),
      );
      expect(AvatarKey.parse(bound['avatar'] as string).compressed).toBe(bound['avatar']);
    } finally {
      await app.close();
    }
  });
});
