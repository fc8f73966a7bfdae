import { originHash } from '@signet/verify/internal/log';
import { writeVerifierKey } from '@signet/verify/log';
import { cosigner } from '@signet/verify/log-sign';
import { LogMonitor, type MonitorEvent, type MonitorOptions, type MonitorState } from '../src/log.js';
import { aHistory, History, type LogServer, startLogServer } from './support/log-server.js';
import { anAvatar } from './support/people.js';
import { type StandIn, type StandInReply, startStandIn, textReply } from './support/stand-in.js';

const alice = anAvatar('alice');
const SECOND = 1_000;
const now = () => Math.floor(Date.now() / SECOND);

/** A witness that shows what a test asks for. */
interface Shower {
  name: string;
  server: StandIn;
  answer: StandInReply;
  show(history: History, time?: number): void;
}

async function startShower(name: string, fill: number, hash: string): Promise<Shower & { line: string }> {
  const signer = cosigner(`${name}.example/witness`, new Uint8Array(32).fill(fill));
  const shower: Shower = {
    name,
    server: await startStandIn(({ path }) =>
      path === `/witness/${hash}/checkpoint` ? shower.answer : textReply('Where?', 500),
    ),
    answer: { status: 404 },
    show(history, time = now()) {
      const note = history.checkpoint();
      shower.answer = textReply(note + signer.cosign(`${note.split('\n\n')[0]!}\n`, time));
    },
  };
  return Object.assign(shower, {
    line: `witness ${name} ${writeVerifierKey(signer.key)} ${shower.server.baseUrl}/witness`,
  });
}

describe('a monitor that reads the checkpoints of witnesses', () => {
  let server: LogServer;
  let history: History;
  let one: Awaited<ReturnType<typeof startShower>>;
  let other: Awaited<ReturnType<typeof startShower>>;
  let policy: string;
  beforeEach(async () => {
    history = aHistory();
    server = await startLogServer(history);
    [one, other] = await Promise.all([
      startShower('one', 0x21, originHash(history.origin)),
      startShower('other', 0x22, originHash(history.origin)),
    ]);
    for (const witness of [one, other]) witness.show(history);
    policy = [`log ${history.verifierKey}`, one.line, other.line, 'quorum none'].join('\n');
  });
  afterEach(async () => {
    for (const { close } of [server, one.server, other.server]) await close();
  });

  const monitor = (options: Partial<MonitorOptions> = {}) =>
    new LogMonitor({ baseUrl: server.baseUrl, policy, once: true, retries: 0, patienceMs: 0, ...options });
  /** What a monitor tells, without how far it is, and where it stands then. */
  const look = async (options: Partial<MonitorOptions> = {}) => {
    const follows = monitor(options);
    const events: MonitorEvent[] = [];
    for await (const event of follows.follow()) if (event.type !== 'progress') events.push(event);
    const told = events.filter(({ type }) => type !== 'checkpoint');
    return { told, state: JSON.parse(JSON.stringify(follows.state)) as MonitorState };
  };
  const another = (count: number) => {
    const forked = history.fork();
    for (let n = 0; n < count; n++) forked.addLink(alice, `mine-${n}`);
    return forked;
  };

  it('has nothing to say where they are behind the log, or show what it shows', async () => {
    history.addLink(alice, 'alice-5');
    other.show(history);

    expect((await look()).told).toEqual([]);
  });

  it.each([
    ['of the same size', 1, 1],
    ['that is smaller', 1, 3],
  ])('alarms over a head %s, of another history', async (_what, atWitness, shown) => {
    const forked = another(atWitness);
    other.show(forked);
    for (let n = 0; n < shown; n++) history.addLink(alice, `theirs-${n}`);

    const { told } = await look();

    const sizes = `The log shows ${12 + shown} entries, and ${12 + atWitness} to the witness other, of another history.`;
    expect(told).toEqual([
      {
        ...{ type: 'alarm', code: 'fork', message: sizes, remembered: history.checkpoint() },
        shown: expect.stringContaining(forked.checkpoint()),
      },
    ]);
  });

  it('leaves it to the entries what tiles that are wrong do not show', async () => {
    history.addLink(alice, 'alice-5');
    server.intercept(({ path }) =>
      path.startsWith('/log/tile/0/') ? { bytes: new Uint8Array(13 * 32).fill(1) } : undefined,
    );

    expect((await look()).told).toMatchObject([{ type: 'alarm', code: 'tile' }]);
  });

  it('tells of a larger head, and alarms when the log reaches that size by another history', async () => {
    const forked = another(2);
    const kept = forked.checkpoint();
    other.show(forked);
    history.addLink(alice, 'theirs');
    const before = await look();
    // The witness goes on, always ahead of what this reader is shown.
    for (let n = 0; n < 5; n++) forked.addLink(alice, `more-${n}`);
    other.show(forked);
    history.addLink(alice, 'theirs too');

    const after = await look({ state: before.state });

    expect(before.told).toEqual([
      { type: 'witness', witness: 'other', message: 'It has signed 14 entries of the log, which shows 13.' },
    ]);
    expect(after.told).toMatchObject([
      { type: 'alarm', code: 'fork', remembered: history.checkpoint(), shown: expect.stringContaining(kept) },
    ]);
  });

  it('reads the log again where a witness has a larger head, since it may have grown meanwhile', async () => {
    const older = history.checkpoint();
    history.addLink(alice, 'alice-5');
    for (const witness of [one, other]) witness.show(history);
    let reads = 0;
    server.intercept(({ path }) => (path === '/log/checkpoint' && ++reads === 1 ? textReply(older) : undefined));

    const { told, state } = await look();

    expect({ told, reads, missed: state.missed }).toEqual({ told: [], reads: 2, missed: undefined });
  });

  it('alarms where that second reading shows a head that does not continue the first', async () => {
    const older = history.fork();
    older.addLink(alice, 'yours');
    const forked = another(2);
    for (const witness of [one, other]) witness.show(forked);
    let reads = 0;
    server.show(forked);
    server.intercept(({ path }) =>
      path === '/log/checkpoint' && ++reads === 1 ? textReply(older.checkpoint()) : undefined,
    );

    expect((await look()).told).toMatchObject([
      { type: 'alarm', code: 'fork', remembered: older.checkpoint(), shown: forked.checkpoint() },
    ]);
  });

  it('alarms when the log has not shown for five minutes what a witness signed, and goes on', async () => {
    const honest = another(2);
    other.show(honest, now() - 200);
    const early = await look();
    const state = { ...early.state, missed: { ...early.state.missed!, since: now() - 301 } };
    // The witness signs the same again, and newer heads.
    honest.addLink(alice, 'newest');
    other.show(honest);

    const late = await look({ state });
    server.show(honest);
    const better = await look({ state: late.state });

    expect(early.told).toMatchObject([{ type: 'witness', witness: 'other' }]);
    expect(late.told).toMatchObject([
      {
        ...{ type: 'alarm', code: 'withheld', shown: history.checkpoint() },
        message: 'The witness other signed 14 entries of the log 5 minutes ago, and the log still shows 12.',
      },
    ]);
    expect(late.state).toMatchObject({ size: 12, alarms: 1 });
    expect(better.told).toEqual([]);
    expect(better.state).not.toHaveProperty('missed');
  });

  it('alarms at the first look where the witness says that it signed longer ago', async () => {
    other.show(another(2), now() - 3_600);

    expect((await look()).told).toMatchObject([{ type: 'alarm', code: 'withheld' }]);
  });

  it('alarms over two trees of one size that two witnesses show, and the log none of them', async () => {
    const [mine, yours] = [another(2), history.fork()];
    yours.addLink(alice, 'yours-0');
    yours.addLink(alice, 'yours-1');
    one.show(mine);
    other.show(yours);

    expect((await look()).told[0]).toMatchObject({
      ...{
        type: 'alarm',
        code: 'fork',
        message: 'The log has signed two trees of 14 entries, which one and other show.',
      },
      remembered: expect.stringContaining(mine.checkpoint()),
      shown: expect.stringContaining(yours.checkpoint()),
    });
  });

  it.each<[string, (forger: History) => StandInReply, RegExp]>([
    ['cannot be asked', () => ({ status: 500 }), /^It cannot be asked: /],
    ['is cut off', () => (response) => response.destroy(), /^It cannot be asked: No answer came from /],
    ['answers without end', () => endless, /is longer than 64 KiB, and was not read on/],
    ['shows a web page', () => ({ text: '<p>', headers: { 'content-type': 'text/html' } }), /is a web page/],
    ['knows no such log', () => ({ status: 404 }), /^It shows no checkpoint of this log\.$/],
    ['shows something else', () => textReply('hello\n'), /^What it shows is not a checkpoint\.$/],
    [
      'shows another log',
      () => textReply(new History('other.example/log').checkpoint()),
      /^It shows a checkpoint of another log, other\.example\/log\.$/,
    ],
    [
      'shows what the log has not signed',
      (forger) => textReply(forger.checkpoint()),
      /^The log has not signed the checkpoint that it shows\.$/,
    ],
  ])('tells of a witness that %s, which is no alarm', async (_what, answer, message) => {
    const forger = another(1);
    forger.signer = new History(history.origin, 8).signer;
    other.answer = answer(forger);

    expect((await look()).told).toEqual([
      { type: 'witness', witness: 'other', message: expect.stringMatching(message) },
    ]);
  });

  it('gives up on a witness that does not answer in time', async () => {
    other.answer = () => undefined;

    expect((await look({ timeoutMs: 3_000 })).told).toMatchObject([
      { type: 'witness', witness: 'other', message: expect.stringContaining('in 3 seconds') },
    ]);
  });

  it('tells of one without a URL', async () => {
    policy = policy.replace(` ${other.server.baseUrl}/witness`, '');

    expect((await look()).told).toMatchObject([
      { type: 'witness', witness: 'other', message: expect.stringContaining('has no URL') },
    ]);
  });

  it('tells it once, until that changes, and asks no more often than it should', async () => {
    other.answer = { status: 404 };
    const stop = new AbortController();
    const told: string[] = [];
    let looks = 0;
    const run = (async () => {
      const follows = monitor({ once: false, intervalMs: 1, witnessIntervalMs: 0, signal: stop.signal });
      for await (const event of follows.follow()) {
        if (event.type === 'witness' || event.type === 'alarm') told.push(event.message);
        if (event.type !== 'checkpoint') continue;
        looks++;
        if (looks === 3) other.show(history);
        if (looks === 5) other.answer = { status: 404 };
        if (looks === 8) stop.abort(new Error('enough'));
      }
    })();
    await expect(run).rejects.toThrow('enough');
    const asked = other.server.requests.length;
    const rarely = new AbortController();
    const slow = (async () => {
      let count = 0;
      for await (const event of monitor({ once: false, intervalMs: 1, signal: rarely.signal }).follow()) {
        if (event.type === 'checkpoint' && ++count === 3) rarely.abort(new Error('enough'));
      }
    })();
    await expect(slow).rejects.toThrow('enough');

    expect(told).toEqual(Array(2).fill('It shows no checkpoint of this log.'));
    expect(asked).toBe(8);
    expect(other.server.requests.length).toBe(asked + 1);
  });
});

const endless: StandInReply = (response) => {
  response.writeHead(200, { 'content-type': 'text/plain' });
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};
