import { readNote } from '@signet/verify/internal/log';
import { isSignedBy, writeVerifierKey } from '@signet/verify/log';
import { cosigner } from '@signet/verify/log-sign';
import { anAvatar } from './support/people.js';
import { jsonReply, textReply } from './support/stand-in.js';
import {
  type ClientOptions,
  createClient,
  LogForkError,
  MemoryHeadStore,
  NoLogError,
  NotFoundError,
  VerificationError,
} from '../src/index.js';
import { LogChecker, Transport } from '../src/log.js';
import { aHistory, type History, type LogServer, startLogServer } from './support/log-server.js';

const alice = anAvatar('alice');
const KEY = alice.key.compressed;

describe('a client with verify: log', () => {
  let server: LogServer;
  let history: History;
  beforeEach(async () => {
    history = aHistory();
    server = await startLogServer(history);
  });
  afterEach(() => server.close());

  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({
      baseUrl: server.baseUrl,
      demand: { log: true },
      retries: 0,
      ...options,
      log: { logWaitMs: 0, ...options.log },
    });
  const chainOf = (one: ReturnType<typeof client>) => one.chain(KEY).toArray();
  const asked = (path: string) => server.requests.filter((request) => request.path.startsWith(path)).length;

  it('asks for the proof of every link and patch that it returns', async () => {
    const one = client();

    expect(await chainOf(one)).toHaveLength(5);
    expect(await one.kv.chain(KEY).toArray()).toHaveLength(2);
    expect(asked('/v1/log/proof')).toBe(7);
    expect(asked('/v1/log')).toBeGreaterThan(7); // the key, once
  });

  it.each([false, true])('checks the signatures of a page by itself (demand.log: %s)', async (log) => {
    const one = client({ demand: { log } });
    expect((await one.kv.chain(KEY).page(1)).items).toHaveLength(2);

    history.patches[1]!.patch = { color: 'red' };
    history.links[2]!.identity = 'mallory';

    await expect(one.kv.chain(KEY).page(1)).rejects.toThrow(/^The patch .* does not verify/);
    await expect(one.chain(KEY).page(1)).rejects.toThrow(/^The link .* does not verify/);
  });

  it('says that a server keeps no log, which is not the same as a binding that is not there', async () => {
    server.intercept(({ path }) =>
      /^\/(v1\/)?log\b/.test(path) ? jsonReply({ message: `Cannot GET ${path}`, code: 'not_found' }, 404) : undefined,
    );

    const error = await chainOf(client()).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(NoLogError);
    expect(error).not.toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ code: 'no_log', message: `${server.baseUrl} keeps no transparency log.` });
  });

  it('remembers the head, and demands that the log continues it', async () => {
    const heads = new MemoryHeadStore();
    const one = client({ log: { heads } });
    await chainOf(one);
    expect(asked('/log/tile/')).toBe(0);

    history.addLink(alice, 'alice-5');
    expect(await chainOf(one)).toHaveLength(6);

    expect(asked('/log/tile/')).toBeGreaterThan(0);
    expect(heads.get(server.baseUrl)!.note).toBe(history.checkpoint());
  });

  it('throws with both notes when it is shown another history', async () => {
    const forked = history.fork();
    history.addLink(alice, 'alice-5');
    forked.addLink(alice, 'mallory');
    forked.addLink(alice, 'mallory-2');
    const one = client();
    await chainOf(one);

    server.show(forked);
    const error = await chainOf(one).catch((thrown: unknown) => thrown as LogForkError);

    expect(error).toBeInstanceOf(LogForkError);
    const { remembered, shown, message } = error as LogForkError;
    expect(remembered).toBe(history.checkpoint());
    expect(shown).toBe(forked.checkpoint());
    expect(message).toContain(remembered);
    expect(message).toContain(shown);
    for (const note of [remembered, shown]) expect(isSignedBy(readNote(note)!, history.signer.key)).toBe(true);
  });

  it('throws for another tree of the same size', async () => {
    const forked = history.fork();
    history.addLink(alice, 'alice-5');
    forked.addLink(alice, 'mallory');
    const one = client();
    await chainOf(one);

    server.show(forked);

    await expect(chainOf(one)).rejects.toThrow(LogForkError);
  });

  it('throws where two of its processes, which share a store, are shown two histories', async () => {
    const heads = new MemoryHeadStore();
    const forked = history.fork();
    forked.addLink(alice, 'mallory');
    history.addLink(alice, 'alice-5');
    history.addLink(alice, 'alice-6');
    const other = await startLogServer(forked);
    try {
      await chainOf(client({ log: { heads } }));
      const behindProxy = client({
        log: { heads },
        // This client reaches another server at the same base URL, as if in another network.
        fetch: (input, init) => fetch(String(input).replace(server.baseUrl, other.baseUrl), init),
      });

      await expect(chainOf(behindProxy)).rejects.toThrow(LogForkError);
    } finally {
      await other.close();
    }
  });

  it('takes an older head of the same history, and keeps the newer one', async () => {
    const older = history.fork();
    history.addLink(alice, 'alice-5');
    const heads = new MemoryHeadStore();
    const one = client({ log: { heads } });
    await chainOf(one);

    server.show(older);
    // What is needed to compare is served by whoever has the newer one.
    server.intercept(({ path }) =>
      path.startsWith('/log/tile/') ? (response) => void serveFrom(history, path, response) : undefined,
    );

    expect(await chainOf(one)).toHaveLength(5);
    expect(heads.get(server.baseUrl)!.note).toBe(history.checkpoint());
  });

  it('does not believe a log that lost entries and cannot show that it had them', async () => {
    const older = history.fork();
    history.addLink(alice, 'alice-5');
    const one = client();
    await chainOf(one);

    server.show(older);

    await expect(chainOf(one)).rejects.toThrow(/had 13 entries, and shows 12 now/);
  });

  it('does not return a link that was changed behind the log, though it is signed', async () => {
    const changed = history.links[8]!;
    Object.assign(changed, { proof_location: 'elsewhere' });

    await expect(chainOf(client())).rejects.toThrow(VerificationError);
  });

  it('does not return a link that is in no log', async () => {
    history.links.push(history.makeLink(alice, 'unlogged'));

    await expect(chainOf(client())).rejects.toThrow(NotFoundError);
  });

  it('waits for a record that is not in the log yet', async () => {
    const link = history.makeLink(alice, 'alice-5');
    history.links.push(link);
    let looks = 0;
    server.intercept(({ path, query }) => {
      if (path !== '/v1/log/proof' || query.get('uuid') !== link.uuid || ++looks > 1) return undefined;
      const { links } = history;
      links.pop();
      history.addLink(alice, 'alice-5');
      return jsonReply({ message: 'It waits.', code: 'not_yet_logged' }, 404);
    });

    expect(await chainOf(client({ log: { logWaitMs: 30_000 } }))).toHaveLength(6);
    expect(looks).toBe(2);
  });

  it('does not believe another key than the first one', async () => {
    const one = client();
    await chainOf(one);
    const { signer } = aHistoryWithOtherKey();
    history.signer = signer;

    await expect(chainOf(one)).rejects.toThrow(VerificationError);
    await expect(chainOf(client({ log: { logKey: history.verifierKey } }))).resolves.toHaveLength(5);
  });

  it('demands the witnesses of its policy', async () => {
    const witness = cosigner('witness.example/w', new Uint8Array(32).fill(9));
    const policy = `log ${history.verifierKey}\nwitness w ${writeVerifierKey(witness.key)}\nquorum w\n`;
    await expect(chainOf(client({ log: { policy } }))).rejects.toThrow(/Too few witnesses/);

    const body = history.checkpoint().split('\n\n')[0]! + '\n';
    const line = witness.cosign(body, Math.floor(Date.now() / 1000));
    const withLine = await Promise.all(
      history.links.map(async ({ uuid }) => [uuid, (await history.proofFor(uuid))! + line]),
    );
    const proofs = Object.fromEntries(withLine) as Record<string, string>;
    server.intercept(({ path, query }) =>
      path === '/v1/log/proof' ? textReply(proofs[query.get('uuid')!]!) : undefined,
    );

    expect(await chainOf(client({ log: { policy } }))).toHaveLength(5);
  });

  it('waits until the witnesses of its policy have signed', async () => {
    const { policy, cosigned } = withWitness();
    let looks = 0;
    server.intercept(({ path, query }) => {
      if (path !== '/v1/log/proof' || ++looks <= 2) return undefined;
      return (response) => void history.proofFor(query.get('uuid')!).then((proof) => response.end(cosigned(proof!)));
    });

    expect(await chainOf(client({ log: { policy, logWaitMs: 30_000 } }))).toHaveLength(5);
  });

  it('reads the checkpoint that meets the policy, where the newest does not yet', async () => {
    const { policy, cosigned } = withWitness();
    const seen = cosigned(history.checkpoint());
    history.addLink(alice, 'alice-5');
    const transport = new Transport({ baseUrl: server.baseUrl, retries: 0 });
    const checkpoint = () => new LogChecker(transport, { policy, logWaitMs: 0 }).checkpoint();
    await expect(checkpoint()).rejects.toThrow(/Too few witnesses/);

    server.intercept(({ path }) => (path === '/log/cosigned/checkpoint' ? textReply(seen) : undefined));

    expect(await checkpoint()).toMatchObject({ size: 12, cosignedAt: NOW });
  });

  it('refuses a state of the log that its witnesses signed longer ago than is allowed: a day, or what is asked for', async () => {
    const { policy, cosigned } = withWitness(NOW - 90_000);
    const seen = cosigned(history.checkpoint());
    server.intercept(({ path, query }) => {
      if (path === '/log/cosigned/checkpoint') return textReply(seen);
      if (path !== '/v1/log/proof') return undefined;
      return (response) => void history.proofFor(query.get('uuid')!).then((proof) => response.end(cosigned(proof!)));
    });
    const transport = new Transport({ baseUrl: server.baseUrl, retries: 0 });
    const checkpoint = (witnessSeconds?: number) => new LogChecker(transport, { policy, witnessSeconds }).checkpoint();

    await expect(checkpoint()).rejects.toThrow(/For 1500 minutes no checkpoint was signed by enough witnesses/);
    await expect(chainOf(client({ log: { policy } }))).rejects.toThrow(/For 1500 minutes/);
    expect(await checkpoint(Infinity)).toMatchObject({ cosignedAt: NOW - 90_000 });
    expect(await chainOf(client({ log: { policy, witnessSeconds: 100_000 } }))).toHaveLength(5);
  });

  const NOW = Math.floor(Date.now() / 1000);

  function withWitness(time = NOW) {
    const witness = cosigner('witness.example/w', new Uint8Array(32).fill(9));
    const policy = `log ${history.verifierKey}\nwitness w ${writeVerifierKey(witness.key)}\nquorum w\n`;
    const line = witness.cosign(`${history.checkpoint().split('\n\n')[0]!}\n`, time);
    return { policy, cosigned: (text: string) => text + line };
  }
});

function aHistoryWithOtherKey(): History {
  const other = aHistory();
  return Object.assign(other, { signer: new (other.constructor as typeof History)(other.origin, 4).signer });
}

async function serveFrom(history: History, path: string, response: import('node:http').ServerResponse): Promise<void> {
  const file = await history.file(path.slice('/log/'.length));
  response.writeHead(file ? 200 : 404, { 'content-type': 'application/octet-stream' });
  response.end(file ? Buffer.from(file) : '{}');
}
