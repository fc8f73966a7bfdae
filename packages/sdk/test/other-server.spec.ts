/** An address at which another server answers, with what is JSON and nothing of ours: each call says so. */
import { type Client, createClient, fromPrivateKey } from '../src/index.js';
import { type StandIn, startStandIn } from './support/stand-in.js';

const signer = fromPrivateKey(new Uint8Array(32).fill(7));
const { avatar, address } = signer;
const wallet = { platform: 'ethereum', identity: address, signer };
let server: StandIn | undefined;
afterEach(() => server?.close());

const clientOf = async (text: string, type = 'application/json'): Promise<Client> => {
  server = await startStandIn(() => ({ text, headers: { 'content-type': type } }));
  return createClient({ baseUrl: server.baseUrl, retries: 0 });
};

const CALLS: [string, (client: Client) => Promise<unknown>][] = [
  ['platforms', (client) => client.platforms()],
  ['health', (client) => client.health()],
  ['serviceName', (client) => client.serviceName()],
  ['resolve', (client) => client.resolve('github:alice-demo')],
  ['proofs.find', (client) => client.proofs.find({ identity: 'alice-demo' }).toArray()],
  ['proofs.of', (client) => client.proofs.of(avatar)],
  ['chain', (client) => client.chain(avatar).toArray()],
  ['changes', (client) => client.changes().next()],
  ['kv.get', (client) => client.kv.get(avatar)],
  ['events', (client) => client.events().next()],
  ['proofs.evidence', (client) => client.proofs.evidence({ platform: 'dns', identity: 'a.example', avatar })],
  ['bind', (client) => client.bind(wallet)],
  ['unbind', (client) => client.unbind(wallet)],
  ['kv.patch', (client) => client.kv.patch({ ...wallet, patch: {} })],
];

describe.each(['{"hello":"world"}', '[]', '{"platforms":1,"links":2,"ids":3,"pagination":4,"sign_payload":5,"url":6}'])(
  'answers %s',
  (text) => {
    it.each(CALLS)('and %s is refused', async (_name, call) => {
      const client = await clientOf(text);

      await expect(call(client)).rejects.toMatchObject({ code: 'invalid_answer', status: 200, retryable: false });
    });
  },
);

it('events say what is wrong with the address', async () => {
  const client = await clientOf('<!doctype html>', 'text/html');

  await expect(client.events().next()).rejects.toThrow(
    `The answer of ${server!.baseUrl} is no stream of events: this is not the address of a Signet server`,
  );
});

it.each(['not JSON', 'null', '5', '[]', '{}', '{"type":5}', '{"type":"proof.bound"'])(
  'a stream whose event is %s ends with an error, and passes nothing over',
  async (data) => {
    const text = `event: ready\nid: 5\ndata:\n\nid: 6\ndata: ${data}\n\nid: 7\ndata: {"type":"proof.revoked","position":7}\n\n`;
    const client = await clientOf(text, 'text/event-stream');

    await expect(client.events({ after: 5 }).next()).rejects.toMatchObject({
      code: 'invalid_answer',
      message: expect.stringContaining('is a stream with an event that is none') as string,
    });
  },
);

it('a stream that was open waits for its server while a page of a proxy stands there', async () => {
  const answers = [
    ['event: ready\nid: 5\ndata:\n\n', 'text/event-stream'],
    ['<!doctype html>', 'text/html'],
    ['id: 6\ndata: {"type":"proof.bound","position":6}\n\n', 'text/event-stream'],
  ];
  server = await startStandIn(() => {
    const [text, type] = answers.shift()!;
    return { text: text!, headers: { 'content-type': type! } };
  });
  const positions: number[] = [];
  const events = createClient({ baseUrl: server.baseUrl }).events({ onPosition: (one) => positions.push(one) });

  expect((await events.next()).value).toMatchObject({ position: 6 });
  expect([positions, answers]).toEqual([[5], []]);
  await events.return();
});

describe.each([301, 302, 303, 307, 308])('an address that redirects by %i to another', (status) => {
  let signet: StandIn;
  let client: Client;
  beforeEach(async () => {
    signet = await startStandIn(() => ({ json: { platforms: [], sign_payload: '{}' } }));
    const headers = { location: `${signet.baseUrl}/below/v1/proof/payload` };
    server = await startStandIn(({ method }) => ({
      status,
      headers: method === 'GET' ? { location: signet.baseUrl } : headers,
    }));
    client = createClient({ baseUrl: server.baseUrl });
  });
  afterEach(() => signet.close());

  it('is read from', async () => {
    expect(await client.health()).toMatchObject({ platforms: [] });
  });

  it('is written to by no call: the error names the address to use, and nothing is sent there', async () => {
    await expect(client.bind(wallet)).rejects.toMatchObject({
      code: 'wrong_usage',
      message: `baseUrl has to be the address that it redirects writes to, ${signet.baseUrl}/below, not "${server!.baseUrl}".`,
    });
    expect([server!.requests.length, signet.requests]).toEqual([1, []]);
  });
});

it('a redirect to nowhere says that it is one', async () => {
  server = await startStandIn(() => ({ status: 301 }));

  await expect(createClient({ baseUrl: server.baseUrl }).kv.patch({ ...wallet, patch: {} })).rejects.toThrow(
    `baseUrl has to be the address that it redirects writes to, not "${server.baseUrl}".`,
  );
});

it('a draft is not sent on by a redirect, whose answer leaves nothing open', async () => {
  server = await startStandIn(() => ({ status: 308, headers: { location: 'https://signet.example/v1/proof' } }));
  const state = {
    version: 1,
    action: 'delete',
    ...wallet,
    avatar,
    uuid: 'u',
    created_at: '1',
    post_content: {},
    extra: { signature: 's' },
  };
  const draft = createClient({ baseUrl: server.baseUrl }).resume(JSON.parse(JSON.stringify(state)) as never);

  await expect(draft.submit()).rejects.toThrow('the address that it redirects writes to, https://signet.example, not ');
  expect(server.requests).toHaveLength(1);
});
