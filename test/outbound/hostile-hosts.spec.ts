import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { WebTransport } from '../../packages/look/src/node/web-transport.js';
import { createAuthority, testAuthority } from '../../packages/look/test/support/certificates.js';
import { connectorTo } from '../../packages/look/test/support/led-connector.mjs';
import { connectTo, jsonReply, type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { aClient, aRequest, expectUnavailable, HOST, MARK, SHORT_LIMITS, TIMEOUT_MS } from './hostile.js';

let standIn: StandIn;

beforeAll(async () => {
  standIn = await startStandIn(() => jsonReply(MARK), { tls: true });
});
afterAll(() => standIn.close());

/**
 * Every name resolves to `addresses`, and every address that passes the guard leads to the stand-in. Notes what was
 * asked.
 */
async function resolvingTo(...answers: string[][]) {
  const lookups: string[] = [];
  const connects: string[] = [];
  const transport: WebTransport = {
    certificateAuthority: (await testAuthority()).root,
    limits: SHORT_LIMITS,
    lookup: async (name) => {
      lookups.push(name);
      return answers[Math.min(lookups.length, answers.length) - 1] ?? [];
    },
    connector: connectorTo((address) => {
      connects.push(address);
      return { host: '127.0.0.1', port: standIn.port };
    }),
  };
  return { transport, lookups, connects };
}

describe('a URL that a user may not choose', () => {
  it.each([
    ['plain http', `http://${HOST}/`],
    ['another scheme', `ftp://${HOST}/`],
    ['a file', 'file:///etc/passwd'],
    ['another port', `https://${HOST}:8443/`],
    ['the port of http', `https://${HOST}:80/`],
    ['a user name', `https://alice@${HOST}/`],
    ['a user name that looks like a host', `https://${HOST}@127.0.0.1/`],
    ['a password', `https://alice:secret@${HOST}/`],
    ['an empty user name', `https://@${HOST}/`],
    ['loopback', 'https://127.0.0.1/'],
    ['a decimal address', 'https://2130706433/'],
    ['an octal address', 'https://0177.0.0.1/'],
    ['a hex address', 'https://0x7f000001/'],
    ['a dotted hex address', 'https://0x7f.0x0.0x0.0x1/'],
    ['a short address', 'https://127.1/'],
    ['zero', 'https://0/'],
    ['the metadata service', 'https://169.254.169.254/latest/meta-data/'],
    ['a public address', 'https://93.184.215.14/'],
    ['an IPv6 address', 'https://[::1]/'],
    ['a mapped address', 'https://[::ffff:127.0.0.1]/'],
    ['a mapped address in hex', 'https://[::ffff:7f00:1]/'],
    ['a public IPv6 address', 'https://[2606:4700::1111]/'],
    ['digits of another script', 'https://１２７.０.０.１/'],
    ['localhost', 'https://localhost/'],
    ['a name under localhost', 'https://app.localhost/'],
    ['a single label', 'https://intranet/'],
    ['a trailing dot', `https://${HOST}./`],
    ['capitals', `https://${HOST.toUpperCase()}/`],
    ['an ideographic full stop', 'https://social。fedi-one.org/'],
    ['a name that is not ASCII', 'https://bücher.ch/'],
    ['percent-encoding', 'https://social%2efedi-one.org/'],
    ['a tab inside', 'https://social.fedi\t-one.org/'],
    ['a backslash', `https:\\\\${HOST}\\`],
    ['one slash', `https:/${HOST}/`],
    ['a cloud-internal name', 'https://metadata.google.internal/'],
    ['a multicast DNS name', 'https://printer.local/'],
    ['an onion name', 'https://abcdefghij.onion/'],
    ['no host', 'https:///x'],
    ['no URL', 'not a url'],
  ])('is refused before anything is looked up: %s', async (_, url) => {
    const { transport, lookups, connects } = await resolvingTo(['93.184.215.14']);
    const web = aClient(transport);

    await expectUnavailable(web.send(aRequest({ url })), 0);

    expect([...lookups, ...connects]).toEqual([]);
    await web.stop();
  });
});

describe('a name that resolves to', () => {
  it.each([
    ['loopback', ['127.0.0.1']],
    ['this network', ['0.0.0.0']],
    ['a private address', ['10.1.2.3']],
    ['another private address', ['172.20.0.5']],
    ['a home network', ['192.168.1.1']],
    ['the metadata service', ['169.254.169.254']],
    ['a shared address', ['100.100.100.200']],
    ['IPv6 loopback', ['::1']],
    ['a mapped address', ['::ffff:169.254.169.254']],
    ['a NAT64 address of loopback', ['64:ff9b::7f00:1']],
    ['a 6to4 address', ['2002:7f00:1::1']],
    ['a Teredo address', ['2001:0:4136:e378:8000:63bf:3fff:fdd2']],
    ['a unique local address', ['fd00:ec2::254']],
    ['a link-local address', ['fe80::1']],
    ['a multicast address', ['224.0.0.251']],
    ['broadcast', ['255.255.255.255']],
    ['a public and a private address', ['93.184.215.14', '10.0.0.1']],
    ['a private IPv6 and a public IPv4 address', ['fd00::1', '93.184.215.14']],
    ['something that is not an address', ['localhost']],
    ['nothing', []],
  ])('%s is refused, and nothing is connected to', async (_, addresses) => {
    const { transport, connects } = await resolvingTo(addresses);
    const web = aClient(transport);

    const error = await expectUnavailable(web.send(aRequest()));

    expect(connects).toEqual([]);
    expect(error.message).toBe('The server for activitypub could not be reached; try again later.');
    await web.stop();
  });

  it('a public address first and a private one later is asked once, and connected to where it was checked', async () => {
    const { transport, lookups, connects } = await resolvingTo(['93.184.215.14'], ['127.0.0.1']);
    const web = aClient(transport);

    const { status } = await web.send(aRequest());

    expect(status).toBe(200);
    expect([lookups, connects]).toEqual([[HOST], ['93.184.215.14']]);
    await web.stop();
  });

  it('a private address at the next connection is refused then', async () => {
    const { transport, lookups, connects } = await resolvingTo(['93.184.215.14'], ['127.0.0.1']);
    const web = aClient(transport);
    standIn.handle(() => ({ json: 1, headers: { connection: 'close' } }));
    await web.send(aRequest());

    await expectUnavailable(web.send(aRequest()));

    expect([lookups.length, connects]).toEqual([2, ['93.184.215.14']]);
    standIn.handle(() => jsonReply(MARK));
    await web.stop();
  });

  // Sockets of their own: nothing listens at the first address.
  it.each([[['127.0.0.2', '127.0.0.1']], [['::1', '127.0.0.1', '127.0.0.3']], [['127.0.0.3', '::1', '127.0.0.1']]])(
    'several addresses, %j, is connected to at one that answers',
    async (addresses) => {
      const plain = await startStandIn(() => jsonReply(1));
      const web = aClient({ lookup: async () => addresses, limits: SHORT_LIMITS });
      const url = `http://${HOST}:${plain.port}/`;

      const { status } = await web.send(aRequest({ url, trust: 'operator' }));

      expect([status, plain.requests[0]?.headers['host']]).toEqual([200, `${HOST}:${plain.port}`]);
      await web.stop();
      await plain.close();
    },
  );

  it('more addresses than four is given up after four', async () => {
    const plain = await startStandIn(() => jsonReply(1));
    const dead = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
    const web = aClient({ lookup: async () => [...dead, '127.0.0.1'], limits: SHORT_LIMITS });

    const url = `http://${HOST}:${plain.port}/`;
    await expectUnavailable(web.send(aRequest({ url, trust: 'operator' })), SHORT_LIMITS.connectMs);

    expect(plain.requests).toEqual([]);
    await web.stop();
    await plain.close();
  });
});

describe('a resolver that', () => {
  it('never answers costs no more than the limit', async () => {
    const { transport } = await resolvingTo([]);
    const web = aClient({ ...transport, lookup: () => new Promise(() => undefined), limits: { connectMs: 200 } });

    await expectUnavailable(web.send(aRequest()), 200);
    await web.stop();
  });

  it('fails with the words of the inside tells nobody', async () => {
    const { transport } = await resolvingTo([]);
    const web = aClient({ ...transport, lookup: () => Promise.reject(new Error(`${MARK} 10.0.0.53 refused`)) });

    await expectUnavailable(web.send(aRequest()));
    await web.stop();
  });
});

describe('a server', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  it('whose certificate is for another name is not asked', async () => {
    const wrong = await startStandIn(() => jsonReply(MARK), {
      tls: await (await testAuthority()).issue(['fedi-two.net']),
    });
    await expectNotAsked(wrong);
  });

  it('whose certificate has expired is not asked', async () => {
    const expired = await (await testAuthority()).issue([HOST], new Date(Date.now() - 60_000));
    await expectNotAsked(await startStandIn(() => jsonReply(MARK), { tls: expired }));
  });

  it('whose certificate comes from an unknown authority is not asked', async () => {
    const unknown = await (await createAuthority()).issue([HOST]);
    await expectNotAsked(await startStandIn(() => jsonReply(MARK), { tls: unknown }));
  });

  it('that speaks plain http on the port of https is not asked', async () => {
    await expectNotAsked(await startStandIn(() => jsonReply(MARK)));
  });

  it('that never begins the TLS handshake costs no more than the limit', async () => {
    const { transport } = await resolvingTo(['93.184.215.14']);
    const port = await listen(servers, () => undefined);
    const web = aClient({
      ...transport,
      connector: connectorTo(() => ({ host: '127.0.0.1', port })),
      limits: { connectMs: 200 },
    });

    await expectUnavailable(web.send(aRequest()), 200);
    await web.stop();
  });

  it('that hangs up during the TLS handshake is unavailable', async () => {
    const { transport } = await resolvingTo(['93.184.215.14']);
    const port = await listen(servers, (socket) => socket.once('data', () => socket.destroy()));
    const web = aClient({ ...transport, connector: connectorTo(() => ({ host: '127.0.0.1', port })) });

    await expectUnavailable(web.send(aRequest()), SHORT_LIMITS.connectMs);
    await web.stop();
  });

  it('that is not there is unavailable at once', async () => {
    const { transport } = await resolvingTo(['93.184.215.14']);
    const port = await closedPort();
    const web = aClient({ ...transport, connector: connectorTo(() => ({ host: '127.0.0.1', port })) });

    await expectUnavailable(web.send(aRequest()), 0);
    await web.stop();
  });

  async function expectNotAsked(server: StandIn): Promise<void> {
    const transport = await connectTo(server, [HOST]);
    const web = aClient({ ...transport, limits: SHORT_LIMITS });

    await expectUnavailable(web.send(aRequest()), TIMEOUT_MS);

    expect(server.requests).toEqual([]);
    await web.stop();
    await server.close();
  }
});

async function listen(servers: Server[], onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A port on which nobody listens any more. */
async function closedPort(): Promise<number> {
  const servers: Server[] = [];
  const port = await listen(servers, () => undefined);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return port;
}
