/** A server of ours in all but the items of its lists: each call says what is wrong with the answer. */
import { type Client, createClient, fromPrivateKey, SignetError } from '../src/index.js';
import { type StandIn, startStandIn } from './support/stand-in.js';

const { avatar } = fromPrivateKey(new Uint8Array(32).fill(7));
const binding = { platform: 'github', identity: 'alice-demo', avatar } as const;
const record = { ...binding, created_at: '1', last_checked_at: '1', is_valid: true, invalid_reason: '' };
const entry = { platform: 'github', identity: 'alice-demo', content: {} };
let server: StandIn | undefined;
afterEach(() => server?.close());

/** A client of a server whose answers have these members. */
async function clientOf(members: object): Promise<Client> {
  const json = { avatar, service_name: 'self', platforms: [], pagination: { total: 1, next: 0 }, ...members };
  server = await startStandIn(({ path }) => (path === '/v1/resolve' ? { status: 404, json: {} } : { json }));
  return createClient({ baseUrl: server.baseUrl, retries: 0 });
}

async function refusal(call: Promise<unknown>): Promise<SignetError> {
  const error: unknown = await call.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SignetError);
  return error as SignetError;
}

const NO_ITEMS: [string, unknown][] = [
  ['null', null],
  ['a number', 5],
  ['a text', 'a'],
  ['a list', []],
];

const LISTS: [string, string, (client: Client) => Promise<unknown>][] = [
  ['chain', 'proof_chain', (client) => client.chain(avatar).toArray()],
  ['one page of chain', 'proof_chain', (client) => client.chain(avatar).page(1)],
  ['changes', 'links', (client) => client.changes().next()],
  ['proofs.exists', 'proof_chain', async (client) => client.proofs.exists(binding)],
  ['proofs.find', 'ids', (client) => client.proofs.find({ identity: 'alice-demo' }).toArray()],
  ['proofs.of', 'ids', (client) => client.proofs.of(avatar)],
  ['proofs.history', 'checks', (client) => client.proofs.history(binding).toArray()],
  ['kv.chain', 'kv_chain', (client) => client.kv.chain(avatar).toArray()],
  ['kv.get', 'proofs', (client) => client.kv.get(avatar)],
  ['keys.chain', 'keys', (client) => client.keys.chain(avatar).toArray()],
  ['keys.state', 'keys', (client) => client.keys.state(avatar)],
  ['platforms', 'platforms', (client) => client.platforms()],
  ['resolve', 'ids', (client) => client.resolve(avatar)],
];

describe.each(LISTS)('%s, whose %s hold', (_name, member, call) => {
  it.each(NO_ITEMS)('%s, is refused', async (_what, item) => {
    const client = await clientOf({ ...record, kv_chain: [], [member]: [item] });

    expect(await refusal(call(client))).toMatchObject({ code: 'invalid_answer', status: 200, retryable: false });
  });
});

it.each([
  ['nothing', undefined, 'The key of the log does not verify. The server names none.'],
  ['a text that is none', 'abc', 'The key of the log does not verify. "abc" is not a verifier key of a log.'],
  ['another value', 5, 'The key of the log does not verify. 5 is not a verifier key of a log.'],
])('a log whose key is %s, is refused', async (_what, verifier_key, message) => {
  const { baseUrl } = await clientOf({ verifier_key });
  const client = createClient({ baseUrl, retries: 0, demand: { complete: true } });

  expect(await refusal(client.proofs.of(avatar))).toMatchObject({ message });
});

it.each<[string, string, (client: Client) => Promise<unknown>]>([
  ['link', 'proof_chain', (client) => client.chain(avatar).toArray()],
  ['patch', 'kv_chain', (client) => client.kv.chain(avatar).toArray()],
  ['key event', 'keys', (client) => client.keys.chain(avatar).toArray()],
])('a %s without a uuid is refused in a sentence without one', async (what, member, call) => {
  for (const item of [{}, { uuid: {} }]) {
    const client = await clientOf({ [member]: [item] });

    const { code, message } = await refusal(call(client));

    expect(code).toBe('verification_failed');
    expect(message).toMatch(new RegExp(`^A ${what} does not verify\\. `));
    await server!.close();
  }
});

const NO_RECORDS: unknown[] = [
  ...[undefined, null, 5, 'a', {}, [null], [5], [{}]],
  ...Object.keys(record).flatMap((name) => (name === 'avatar' ? [] : [[{ ...record, [name]: { of: 1 } }]])),
  ...['true', 1, null].map((is_valid) => [{ ...record, is_valid }]),
];

it.each(NO_RECORDS)('proofs of a group that are %j are refused', async (proofs) => {
  const client = await clientOf({ ids: [{ avatar, last_archive_id: '', proofs }] });

  const { code, message } = await refusal(client.proofs.find({ identity: 'alice-demo' }).toArray());

  expect(code).toBe('invalid_answer');
  expect(message).toMatch(/^The answer of http:\S+ is no page of a list: /);
});

it.each([undefined, null, 5, {}])('a group whose avatar is %j is refused', async (key) => {
  const client = await clientOf({ ids: [{ avatar: key, last_archive_id: '', proofs: [record] }] });

  expect((await refusal(client.proofs.find({ identity: 'alice-demo' }).toArray())).code).toBe('invalid_answer');
});

it.each(['true', 1, null, {}])('a state of a binding whose is_valid is %j is refused', async (is_valid) => {
  const client = await clientOf({ ...record, is_valid, proof_chain: [] });

  expect((await refusal(client.proofs.exists(binding))).code).toBe('invalid_answer');
});

it.each([[{}], [{ ...entry, platform: 5 }], [{ ...entry, identity: null }], [{ ...entry, content: undefined }]])(
  'content whose entry is %j is refused',
  async (one) => {
    const client = await clientOf({ proofs: [one], kv_chain: [] });

    expect((await refusal(client.kv.get(avatar))).code).toBe('invalid_answer');
  },
);

it('a feed that goes in circles is refused', async () => {
  const client = await clientOf({ links: [{ id: 1 }, { id: 2 }] });
  const feed = createClient({ baseUrl: client.baseUrl, trustServer: true }).changes();
  const ids: number[] = [];
  const read = async () => {
    for await (const { id } of feed) ids.push(id);
  };

  const { code, message } = await refusal(read());

  expect(ids).toEqual([1, 2]);
  expect(code).toBe('invalid_answer');
  expect(message).toContain('goes in circles: link 2 is followed by 1.');
});
