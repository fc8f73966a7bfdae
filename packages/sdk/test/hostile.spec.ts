import { type StandIn, startStandIn } from './support/stand-in.js';
import { until } from './support/until.js';
import { createClient, SignetError, UnreachableError } from '../src/index.js';
import { LogReader, Transport } from '../src/log.js';
import { type Endless, type HostileServer, startHostileServer } from './support/hostile-server.js';

const AVATAR = '0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d';

let server: HostileServer;
const serve = async (kindOf: Endless | ((path: string) => Endless), status?: number): Promise<HostileServer> =>
  (server = await startHostileServer(typeof kindOf === 'string' ? () => kindOf : kindOf, status));
afterEach(async () => {
  await server?.close();
  server = undefined as never;
});

/** Answers every page of a chain with these links, and says which is the next; each is as long as `blanks` makes it. */
const startPages = (next: (page: number) => number, blanks = '', links: object[] = [{}]): Promise<StandIn> =>
  startStandIn(({ query }) => {
    const page = Number(query.get('page'));
    const pagination = { total: 1e9, per: 1, current: page, next: next(page) };
    return {
      text: JSON.stringify({ pagination, proof_chain: links }) + blanks,
      headers: { 'content-type': 'application/json' },
    };
  });

/** What a promise is refused with. */
const failure = (promise: Promise<unknown>): Promise<SignetError> =>
  promise.then(
    () => {
      throw new Error('It was not refused.');
    },
    (error: SignetError) => error,
  );

describe('an answer that never ends', () => {
  it.each<Endless>(['plain', 'chunked', 'gzip'])('is cut, with an error that says so: %s', async (kind) => {
    const { baseUrl } = await serve(kind);

    const error = await failure(createClient({ baseUrl }).health());

    expect(error).toBeInstanceOf(SignetError);
    expect(error).toMatchObject({ code: 'answer_too_large', status: 200, retryable: false });
    expect(error.message).toBe(`The answer of ${baseUrl} is longer than 8 MiB, and was not read on.`);
    expect(server.requests).toBe(1);
    await until(() => server.open === 0);
  });

  it('is cut where the caller wants it', async () => {
    const { baseUrl } = await serve('chunked');

    const error = await failure(createClient({ baseUrl, maxAnswerBytes: 100 * 1024 }).platforms());

    expect(error.message).toContain('is longer than 100 KiB');
  });

  it.each([
    ['a checkpoint', (reader: LogReader) => reader.checkpoint(), '64 KiB'],
    ['a proof', (reader: LogReader) => reader.proof({ kind: 'link', id: 1 }), '256 KiB'],
    ['a tile', (reader: LogReader) => reader.readTiles([{ level: 0, number: 0, width: 256 }]), '8 KiB'],
    ['a bundle', (reader: LogReader) => reader.entries(0, 256), '1 MiB'],
  ])('is cut earlier where less is due: %s', async (_what, read, limit) => {
    const { baseUrl } = await serve('chunked');

    const error = await failure(read(new LogReader(new Transport({ baseUrl }))));

    expect(error).toMatchObject({ code: 'answer_too_large', message: expect.stringContaining(`longer than ${limit}`) });
  });

  it('is no reason for an error of the server, which stands by its status', async () => {
    const { baseUrl } = await serve('chunked', 400);

    expect(await failure(createClient({ baseUrl }).health())).toMatchObject({ status: 400, code: 'invalid_answer' });
    await until(() => server.open === 0);
  });

  it('is cut after its time where it drips', async () => {
    const { baseUrl } = await serve('drip');

    const error = await failure(createClient({ baseUrl, timeoutMs: 300, retries: 0 }).health());

    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.code).toBe('timeout');
    await until(() => server.open === 0);
  });

  it('is tried again no longer than a call with all its tries may take', async () => {
    const { baseUrl } = await serve('drip');

    const error = await failure(createClient({ baseUrl, timeoutMs: 400, totalTimeoutMs: 900, retries: 1000 }).health());

    expect(error.code).toBe('timeout');
    expect(server.requests).toBeLessThan(5);
  });

  it('is not known to be recorded or not where it is that of a submit', async () => {
    const { baseUrl } = await serve('chunked');
    const state = { version: 1, action: 'create', platform: 'github', identity: 'alice', avatar: AVATAR } as const;
    const rest = { uuid: 'u', created_at: '1', post_content: { default: '' }, extra: { signature: 's' } };
    const draft = createClient({ baseUrl, retries: 0 }).resume({ ...state, ...rest });

    expect((await failure(draft.submit())).code).toBe('outcome_unknown');
  });
});

describe('a list whose pages never end', () => {
  it('is not read on after 128 MiB', async () => {
    const endless = await startPages((page) => page + 1, ' '.repeat(7 << 20));

    const client = createClient({ baseUrl: endless.baseUrl, trustServer: true });
    const error = await failure(client.chain(AVATAR).toArray());
    await endless.close();

    expect(error.message).toBe(`The list of ${endless.baseUrl} is longer than 128 MiB, and was not read on.`);
    expect(error.code).toBe('answer_too_large');
    expect(endless.requests).toHaveLength(Math.floor(128 / 7) + 1);
  });

  it('ends with a page that has nothing, whatever it says of the next one', async () => {
    const empty = await startPages((page) => page + 1, '', []);

    const links = await createClient({ baseUrl: empty.baseUrl }).chain(AVATAR).toArray();
    await empty.close();

    expect(links).toEqual([]);
    expect(empty.requests).toHaveLength(1);
  });

  it.each(['[[]]', '{}', '{"pagination":{"total":1},"proof_chain":[]}', '{"pagination":null}'])(
    'is refused with a sentence where a page is none: %s',
    async (text) => {
      const other = await startStandIn(() => ({ text, headers: { 'content-type': 'application/json' } }));

      const error = await failure(createClient({ baseUrl: other.baseUrl }).chain(AVATAR).toArray());
      await other.close();

      expect(error).toBeInstanceOf(SignetError);
      expect(error).toMatchObject({ code: 'invalid_answer', message: expect.stringContaining('is no page of a list') });
    },
  );

  it('is refused where a page leads back to itself or to an earlier one', async () => {
    const circle = await startPages(() => 1);

    const error = await failure(createClient({ baseUrl: circle.baseUrl }).chain(AVATAR).toArray());
    await circle.close();

    expect(error).toMatchObject({ code: 'invalid_answer', message: expect.stringContaining('goes in circles') });
  });
});

describe('an event stream that never ends', () => {
  it.each([
    ['in one line', 'line'],
    ['in one event of many lines', 'event'],
  ] as const)('%s is closed, with an error that says so, and not opened again', async (_where, kind) => {
    const { baseUrl } = await serve(kind);
    const stream = createClient({ baseUrl }).events({ after: 0 });

    const error = await failure(stream.next());

    expect(error).toMatchObject({ code: 'answer_too_large', message: expect.stringContaining('longer than 1 MiB') });
    expect(server.requests).toBe(1);
    await until(() => server.open === 0);
  });

  it('says nothing of its position for longer than an answer may take, and is given up', async () => {
    const { baseUrl } = await serve('drip');

    const error = await failure(createClient({ baseUrl, timeoutMs: 300 }).position());

    expect(error.code).toBe('timeout');
    await until(() => server.open === 0);
  });
});
