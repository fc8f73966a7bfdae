import { logOnlyPolicy, readCheckpoint, readPolicy, writeVerifierKey } from '@signet/verify/log';
import { cosigner } from '@signet/verify/log-sign';
import { anAvatar } from './support/people.js';
import { textReply } from './support/stand-in.js';
import { UnreachableError } from '../src/index.js';
import { judgeHead, LogReader, policyOfKey, readCosignedHead, relate, Transport } from '../src/log.js';
import { problemOfAge } from '../src/log/one-history.js';
import { aHistory, History, type LogServer, startLogServer } from './support/log-server.js';

const alice = anAvatar('alice');
const NOW = 1_700_000_000;

let history: History;
let server: LogServer;
let reader: LogReader;
beforeEach(async () => {
  history = aHistory();
  server = await startLogServer(history);
  reader = new LogReader(new Transport({ baseUrl: server.baseUrl, retries: 0 }), undefined, 0);
});
afterEach(() => server.close());

const headOf = (one: History, size?: number) => readCheckpoint(one.checkpoint(size))!;

describe('whether two checkpoints are of one history', () => {
  it('is so for one tree, and no server is asked then', async () => {
    expect(await relate(headOf(history), headOf(history), reader)).toBe('one_history');
    expect(server.requests).toEqual([]);
  });

  it('is so where the larger continues the smaller, in whichever order they are given', async () => {
    const smaller = headOf(history, 5);

    expect(await relate(smaller, headOf(history), reader)).toBe('one_history');
    expect(await relate(headOf(history), smaller, reader)).toBe('one_history');
  });

  it('is not so for another tree of one size', async () => {
    const forked = history.fork();
    history.addLink(alice, 'alice-5');
    forked.addLink(alice, 'mallory');

    expect(await relate(headOf(history), headOf(forked), reader)).toBe('fork');
  });

  it('is not so for a forked head that is larger, or smaller, than the one that is known', async () => {
    const forked = history.fork();
    history.addLink(alice, 'alice-5');
    forked.addLink(alice, 'mallory');
    forked.addLink(alice, 'mallory-2');
    server.show(forked);

    expect(await relate(headOf(history), headOf(forked), reader)).toBe('fork');
    expect(await relate(headOf(forked), headOf(history), reader)).toBe('fork');
  });

  it('is not so where the consistency proof fails, or is not served', async () => {
    server.intercept(({ path }) => (path.startsWith('/log/tile/') ? { bytes: new Uint8Array(12 * 32) } : undefined));
    expect(await relate(headOf(history, 5), headOf(history), reader)).toBe('fork');

    server.intercept(({ path }) => (path.startsWith('/log/tile/') ? textReply('gone', 404) : undefined));
    expect(await relate(headOf(history, 5), headOf(history), reader)).toBe('fork');
  });

  it('is another log where the origins differ, whatever the trees are', async () => {
    const other = new History('other.example/log');

    expect(await relate(headOf(history), { ...headOf(history), origin: other.origin }, reader)).toBe('other_log');
    expect(server.requests).toEqual([]);
  });

  it('stays open where the log cannot be reached: that is no fork', async () => {
    await server.close();

    await expect(relate(headOf(history, 5), headOf(history), reader)).rejects.toThrow(UnreachableError);
  });
});

describe('what a policy says of a checkpoint', () => {
  const witness = cosigner('witness.example/w1', new Uint8Array(32).fill(9));
  const asks = () => readPolicy(`log ${history.verifierKey}\nwitness w1 ${writeVerifierKey(witness.key)}\nquorum w1\n`);
  const cosigned = (time: number, size?: number) => {
    const note = history.checkpoint(size);
    return note + witness.cosign(`${note.split('\n\n')[0]!}\n`, time);
  };

  it('accepts one that the log signed, where no witness is asked for', () => {
    const note = history.checkpoint();
    const judged = judgeHead(note, policyOfKey(history.verifierKey), NOW);

    expect(judged).toEqual({ state: 'accepted', note, checkpoint: headOf(history), cosignedAt: null });
    expect(judged).toEqual(judgeHead(note, logOnlyPolicy(history.signer.key), NOW));
  });

  it('accepts one with a quorum, and lacks witnesses without', () => {
    expect(judgeHead(cosigned(NOW - 5), asks(), NOW)).toMatchObject({ state: 'accepted', cosignedAt: NOW - 5 });
    expect(judgeHead(history.checkpoint(), asks(), NOW)).toMatchObject({ state: 'lacks_witnesses', cosignedAt: null });
  });

  it('takes the time since which the quorum has signed, which one witness that signs again cannot renew', () => {
    const others = [10, 11].map((seed) => cosigner(`witness.example/w${seed}`, new Uint8Array(32).fill(seed)));
    const keys = [witness, ...others].map(({ key }, index) => `witness w${index + 1} ${writeVerifierKey(key)}\n`);
    const policy = readPolicy(`log ${history.verifierKey}\n${keys.join('')}group most 2 w1 w2 w3\nquorum most\n`);
    const text = `${history.checkpoint().split('\n\n')[0]!}\n`;
    const lines = others.map((one, index) => one.cosign(text, NOW - 4000 - index));

    expect(judgeHead(cosigned(NOW) + lines.join(''), policy, NOW)).toMatchObject({ cosignedAt: NOW - 4000 });
    expect(judgeHead(cosigned(NOW), policy, NOW)).toMatchObject({ state: 'lacks_witnesses', cosignedAt: null });
  });

  it.each([
    [NOW - 60, 60, null],
    [NOW - 61, 60, 'For 61 seconds no checkpoint was signed by enough witnesses of the policy.'],
    [NOW - 7200, 3600, 'For 120 minutes no checkpoint was signed by enough witnesses of the policy.'],
    [NOW - 7200, Infinity, null],
    [null, 0, null],
  ])('is too old, or not: signed at %p, %p seconds allowed', (cosignedAt, limit, problem) => {
    expect(problemOfAge(cosignedAt, limit, NOW)).toBe(problem);
  });

  it('does not count a witness that signed in the future', () => {
    expect(judgeHead(cosigned(NOW + 3600), asks(), NOW).state).toBe('lacks_witnesses');
  });

  it('takes no key but that of the log, and no text that is no key', () => {
    const stranger = new History(history.origin, 4);

    expect(judgeHead(stranger.checkpoint(), asks(), NOW).state).toBe('unsigned');
    expect(judgeHead(history.checkpoint(), policyOfKey('no key'), NOW).state).toBe('unsigned');
  });

  it('takes no text that is no checkpoint', () => {
    expect(judgeHead('<html>', asks(), NOW)).toEqual({ state: 'malformed', note: '<html>' });
  });

  describe('of the newest one that the server shows as cosigned', () => {
    const show = (note: string) =>
      server.intercept(({ path }) => (path === '/log/cosigned/checkpoint' ? textReply(note) : undefined));

    it('is none where there is no such checkpoint', async () => {
      expect(await readCosignedHead(reader, asks(), NOW)).toBeNull();
    });

    it('is judged as any other: the word of the server does not count', async () => {
      show(cosigned(NOW));
      expect(await readCosignedHead(reader, asks(), NOW)).toMatchObject({ state: 'accepted', cosignedAt: NOW });

      show(history.checkpoint());
      expect(await readCosignedHead(reader, asks(), NOW)).toMatchObject({ state: 'lacks_witnesses' });
    });

    it('is unknown where the log cannot be reached', async () => {
      await server.close();

      await expect(readCosignedHead(reader, asks(), NOW)).rejects.toThrow(UnreachableError);
    });
  });
});
