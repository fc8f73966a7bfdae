import { linkEntry } from '@signet/verify/internal/log';
import { encodeBase64, writeVerifierKey } from '@signet/verify/log';
import { cosigner } from '@signet/verify/log-sign';
import { signPersonal } from '@signet/verify/sign';
import { anAvatar } from './support/people.js';
import { jsonReply, textReply } from './support/stand-in.js';
import { until } from './support/until.js';
import { LogMonitor, type MonitorEvent, type MonitorOptions } from '../src/log.js';
import { aHistory, History, type LogServer, startLogServer } from './support/log-server.js';

const alice = anAvatar('alice');
const bob = anAvatar('bob');

describe('a monitor', () => {
  let server: LogServer;
  let history: History;
  beforeEach(async () => {
    history = aHistory();
    server = await startLogServer(history);
  });
  afterEach(() => server.close());

  const monitor = (options: Partial<MonitorOptions> = {}) =>
    new LogMonitor({ baseUrl: server.baseUrl, once: true, retries: 0, patienceMs: 0, ...options });
  const eventsOf = async (one: LogMonitor) => {
    const events: MonitorEvent[] = [];
    for await (const event of one.follow()) events.push(event);
    return events;
  };
  const alarmsOf = (events: MonitorEvent[]) => events.flatMap((event) => (event.type === 'alarm' ? [event.code] : []));
  /** What a monitor that has seen the honest history says to another one. */
  const afterwards = async (change: () => void | Promise<void>, options: Partial<MonitorOptions> = {}) => {
    const first = monitor(options);
    expect(alarmsOf(await eventsOf(first))).toEqual([]);
    await change();
    return eventsOf(monitor({ ...options, state: first.state }));
  };

  it('recomputes the whole log, and raises no alarm', async () => {
    const one = monitor();
    const events = await eventsOf(one);

    expect(events.map(({ type }) => type)).toEqual(['progress', 'checkpoint']);
    expect(one.state).toMatchObject({
      size: 12,
      lastLinkId: 10,
      lastPatchId: 2,
      alarms: 0,
      note: history.checkpoint(),
    });
    expect(Object.keys(one.state.chains)).toHaveLength(2);
  });

  it('goes on where it was, by what it kept as JSON', async () => {
    const first = monitor();
    await eventsOf(first);
    const before = server.requests.length;
    for (let n = 5; n < 9; n++) history.addLink(bob, `bob-${n}`);

    const second = monitor({ state: JSON.parse(JSON.stringify(first.state)) });

    expect(alarmsOf(await eventsOf(second))).toEqual([]);
    expect(second.state).toMatchObject({ size: 16, lastLinkId: 14 });
    const feeds = server.requests.slice(before).filter(({ path }) => path === '/v1/proofchain/changes');
    expect(feeds.map(({ query }) => query.get('last_id'))).toEqual(['10', '14']);
  });

  it('follows a log of more than one bundle', async () => {
    for (let n = 5; n < 260; n++) history.addLink(alice, `alice-${n}`);

    // Checking takes seconds on a busy machine, and the server closes connections that are idle for five.
    const one = monitor({ retries: 3 });
    expect(alarmsOf(await eventsOf(one))).toEqual([]);

    expect(one.state.size).toBe(267);
  });

  describe('on its way through a long log', () => {
    /** Steps of 5 entries in a log of 12. */
    const inSteps = (options: Partial<MonitorOptions> = {}) => monitor({ stepEntries: 5, ...options });
    /** What it told until its state could be stored for the first time, and that state. */
    const firstPlace = async (one: LogMonitor) => {
      const events: MonitorEvent[] = [];
      for await (const event of one.follow()) {
        events.push(event);
        if (event.type === 'progress' && event.canStore) break;
      }
      return { events, state: JSON.parse(JSON.stringify(one.state)) as LogMonitor['state'] };
    };
    const feedsAfter = (before: number) =>
      server.requests.slice(before).flatMap(({ path, query }) => {
        return path === '/v1/proofchain/changes' ? [query.get('last_id')] : [];
      });

    it('says after each step that its place may be kept, and goes on from there', async () => {
      const places = (await eventsOf(inSteps())).filter((event) => event.type === 'progress');
      const { state } = await firstPlace(inSteps());
      const before = server.requests.length;

      const second = inSteps({ state });
      const events = await eventsOf(second);

      expect(places).toMatchObject([
        { done: 5, size: 12, canStore: true },
        { done: 10, size: 12, canStore: true },
        { done: 12, size: 12, canStore: false },
      ]);
      expect(state).toMatchObject({ size: 5, note: history.checkpoint() });
      expect(alarmsOf(events)).toEqual([]);
      expect(events.filter(({ type }) => type === 'progress')).toMatchObject([{ done: 10 }, { done: 12 }]);
      expect(second.state).toMatchObject({ size: 12, lastLinkId: 10, lastPatchId: 2 });
      expect(feedsAfter(before)[0]).toBe(String(state.lastLinkId));
    });

    it('tells at the end of a step what it found in it, and counts it in what is kept', async () => {
      Object.assign(history.links[1]!, { identity: 'mallory' });

      const { events, state } = await firstPlace(inSteps());
      const rest = await eventsOf(inSteps({ state }));

      expect(alarmsOf(events)).toEqual(['content_changed', 'signature']);
      expect(state.alarms).toBe(2);
      expect(alarmsOf(rest)).toEqual([]);
      expect(rest.at(-1)).toMatchObject({ type: 'checkpoint', alarms: 2 });
    });

    it('tells nothing of entries that are not those of the checkpoint, and keeps no place in them', async () => {
      const changed = history.fork();
      changed.entries[2] = linkEntry({ ...history.links[2]!, identity: 'mallory' }, 1);
      server.intercept(({ path }) => {
        if (!path.startsWith('/log/tile/entries')) return undefined;
        return (response) => {
          void changed.file(path.slice('/log/'.length)).then((file) => response.end(Buffer.from(file!)));
        };
      });

      const one = inSteps();
      const events = await eventsOf(one);

      const told = events.filter((event) => event.type !== 'progress' || event.canStore);
      expect(told).toMatchObject([{ type: 'alarm', code: 'history_rewritten', shown: history.checkpoint() }]);
      expect(one.state).toMatchObject({ size: 0, note: '' });
    });

    it('notices that the log is smaller than when it began', async () => {
      const { state } = await firstPlace(inSteps());
      const older = history.fork();
      older.entries.splice(8);
      server.show(older);

      expect(alarmsOf(await eventsOf(inSteps({ state })))).toEqual(['rollback']);
    });

    it('waits for a copy of the log that is behind the one with which it began', async () => {
      const { state } = await firstPlace(inSteps());
      const older = history.fork();
      older.entries.splice(8);
      server.show(older);
      const events = eventsOf(inSteps({ state, patienceMs: 60_000 }));
      await until(() => server.requests.filter(({ path }) => path === '/log/checkpoint').length >= 3);
      server.show(history);

      expect(alarmsOf(await events)).toEqual([]);
    });
  });

  it('tells what is watched', async () => {
    const events = await afterwards(
      () => {
        history.addLink(bob, 'Bob-9'.toLowerCase());
        history.addLink(alice, 'alice-9');
      },
      { avatars: [alice.key.compressed], identities: ['github:BOB-9'] },
    );

    const watched = events.flatMap((event) => (event.type === 'watched' ? [event.record.identity] : []));
    expect(watched).toEqual(['bob-9', 'alice-9']);
  });

  it('goes on until it is told to stop', async () => {
    const stop = new AbortController();
    const one = monitor({ once: false, intervalMs: 5, signal: stop.signal });
    const sizes: number[] = [];
    const run = (async () => {
      for await (const event of one.follow()) {
        if (event.type !== 'checkpoint') continue;
        sizes.push(event.size);
        if (sizes.length === 1) history.addLink(alice, 'alice-5');
        if (event.size === 13) stop.abort(new Error('enough'));
      }
    })();

    await expect(run).rejects.toThrow('enough');
    expect(sizes[0]).toBe(12);
    expect(sizes.at(-1)).toBe(13);
  });

  it.each<[string, () => void | Promise<void>, string[]]>([
    ['a link that was removed', () => void history.links.splice(12, 1), ['content_missing']],
    [
      'a link that was changed',
      () => void Object.assign(history.links[12]!, { identity: 'mallory' }),
      ['content_changed', 'signature'],
    ],
    [
      'a link that was signed anew by another key',
      () => {
        const link = history.links[12]!;
        link.signature = signPersonal(link.signature_payload, bob.privateKey);
      },
      ['content_changed', 'signature'],
    ],
    [
      'two links that were exchanged',
      () => {
        const [one, other] = [history.links[11]!, history.links[12]!];
        [one.id, other.id] = [other.id, one.id];
        history.links.sort((a, b) => a.id - b.id);
      },
      ['content_changed', 'signature', 'content_changed', 'signature'],
    ],
  ])('notices %s', async (_what, change, codes) => {
    const events = await afterwards(async () => {
      for (let n = 5; n < 9; n++) history.addLink(alice, `alice-${n}`);
      await change();
    });

    expect(alarmsOf(events)).toEqual(expect.arrayContaining(codes));
    expect(events.at(-1)).toMatchObject({ type: 'checkpoint', alarms: alarmsOf(events).length });
  });

  it('notices a link that was inserted, whose number is not due', async () => {
    const events = await afterwards(() => {
      const link = { ...history.makeLink(alice, 'inserted'), id: 99 };
      history.links.push(link);
      history.entries.push(linkEntry(link, 1));
    });

    expect(alarmsOf(events)).toContain('order');
  });

  it('notices a log that was rewritten and signed anew, by its root', async () => {
    const events = await afterwards(() => {
      history.entries[3] = linkEntry({ ...history.links[3]!, identity: 'mallory' }, 1);
      history.addLink(alice, 'alice-5');
    });

    expect(alarmsOf(events)).toEqual(['fork']);
    const [alarm] = events.filter((event) => event.type === 'alarm');
    expect(alarm).toMatchObject({ shown: history.checkpoint() });
  });

  it('notices another tree of the same size', async () => {
    const events = await afterwards(() => {
      history.entries[3] = linkEntry({ ...history.links[3]!, identity: 'mallory' }, 1);
    });

    expect(alarmsOf(events)).toEqual(['fork']);
  });

  it('notices a log that was rolled back', async () => {
    const older = history.fork();
    const events = await afterwards(() => server.show(older), {}).then(async () => {
      const first = monitor();
      history.addLink(alice, 'alice-5');
      server.show(history);
      await eventsOf(first);
      server.show(older);
      return eventsOf(monitor({ state: first.state }));
    });

    expect(alarmsOf(events)).toEqual(['rollback']);
  });

  it('notices entries that are not those of the checkpoint', async () => {
    const honest = history.fork();
    const events = await afterwards(() => {
      honest.addLink(alice, 'alice-5');
      history.addLink(alice, 'alice-5');
      server.intercept(({ path }) => {
        if (!path.startsWith('/log/tile/entries')) return undefined;
        const changed = honest.fork();
        changed.entries[12] = linkEntry({ ...honest.links[10]!, identity: 'mallory' }, 1);
        return (response) => {
          void changed.file(path.slice('/log/'.length)).then((file) => response.end(Buffer.from(file!)));
        };
      });
    });

    expect(alarmsOf(events)).toContain('history_rewritten');
  });

  it('notices another key, and another name', async () => {
    const other = new History('other.example/log', 8);

    expect(alarmsOf(await afterwards(() => server.show(other)))).toEqual(['origin_changed']);
    server.show(history);
    history.signer = new History(history.origin, 8).signer;
    const wrong = monitor({ logKey: `${aHistory().verifierKey}` });
    expect(alarmsOf(await eventsOf(wrong))).toEqual(['log_signature']);
  });

  describe('with a policy that asks for a witness', () => {
    const witness = cosigner('witness.example/w', new Uint8Array(32).fill(9));
    const now = Math.floor(Date.now() / 1000);
    const cosigned = (from: History, time: number) => {
      const note = from.checkpoint();
      return note + witness.cosign(`${note.split('\n\n')[0]!}\n`, time);
    };
    const alarmsWith = async (shown: string | null) => {
      server.intercept(({ path }) =>
        path === '/log/cosigned/checkpoint' && shown !== null ? textReply(shown) : undefined,
      );
      const policy = `log ${history.verifierKey}\nwitness w ${writeVerifierKey(witness.key)}\nquorum w\n`;
      return alarmsOf(await eventsOf(monitor({ policy })));
    };

    it('follows a log whose newest checkpoint waits for the witness, which signed another one lately', async () => {
      const seen = cosigned(history, now - 60);
      history.addLink(alice, 'alice-5');

      expect(await alarmsWith(seen)).toEqual([]);
    });

    it('notices that the witness has signed nothing for an hour, or never did', async () => {
      const seen = cosigned(history, now - 3700);
      history.addLink(alice, 'alice-5');

      expect(await alarmsWith(seen)).toEqual(['witnesses']);
      expect(await alarmsWith(null)).toEqual(['witnesses']);
    });

    it('notices a log that stands still: the newest checkpoint has its witnesses, and they signed over an hour ago', async () => {
      const seen = cosigned(history, now - 3700);
      server.intercept(({ path }) =>
        path === '/log/checkpoint' || path === '/log/cosigned/checkpoint' ? textReply(seen) : undefined,
      );
      const policy = `log ${history.verifierKey}\nwitness w ${writeVerifierKey(witness.key)}\nquorum w\n`;

      expect(alarmsOf(await eventsOf(monitor({ policy })))).toEqual(['witnesses']);
      expect(alarmsOf(await eventsOf(monitor({ policy, witnessSeconds: 4000 })))).toEqual([]);
    });

    it('notices that the witness is shown another history', async () => {
      const forked = history.fork();
      forked.addLink(alice, 'mallory');
      const seen = cosigned(forked, now);
      history.addLink(alice, 'alice-5');

      expect(await alarmsWith(seen)).toEqual(['fork']);
    });

    it('tells once that witnesses are missing, however often it looks', async () => {
      const stop = new AbortController();
      const policy = `log ${history.verifierKey}\nwitness w ${writeVerifierKey(witness.key)}\nquorum w\n`;
      const codes: string[] = [];
      const run = (async () => {
        for await (const event of monitor({ policy, once: false, intervalMs: 1, signal: stop.signal }).follow()) {
          codes.push(event.type === 'alarm' ? event.code : event.type);
          if (codes.filter((code) => code === 'checkpoint').length === 3) stop.abort(new Error('enough'));
        }
      })();

      await expect(run).rejects.toThrow('enough');
      expect(codes.filter((code) => code === 'witnesses')).toHaveLength(1);
    });
  });

  describe('of a server that tells how its log is', () => {
    const tell = (info: () => object) =>
      server.intercept(({ path }) =>
        path === '/v1/log'
          ? jsonReply({ origin: history.origin, verifier_key: history.verifierKey, ...info() })
          : undefined,
      );
    const standstills = (events: MonitorEvent[]) =>
      events.flatMap((event) => (event.type === 'alarm' && event.code === 'standstill' ? [event.message] : []));

    it('notices one that refuses to sign, and says why', async () => {
      tell(() => ({ state: 'refused', problem: 'The witness w shows another history.', size: 12, waiting: 3 }));

      expect(standstills(await eventsOf(monitor()))).toEqual([
        'The log signs nothing any more: The witness w shows another history.',
      ]);
    });

    it('notices records that wait while the log does not grow', async () => {
      tell(() => ({ state: 'ok', problem: '', size: 12, waiting: 4 }));

      expect(standstills(await eventsOf(monitor({ patienceMs: 1200 })))).toEqual([
        '4 records wait to be logged, and the log has not grown for 1 seconds.',
      ]);
    });

    it('waits for records that come into the log, and for a log that takes in what there was before', async () => {
      let size = 12;
      tell(() => ({ state: 'ok', problem: '', size: size++, waiting: 4 }));
      expect(alarmsOf(await eventsOf(monitor({ patienceMs: 10_000 })))).toEqual([]);

      tell(() => ({ state: 'catching_up', problem: '', size: 0, waiting: 4000 }));
      expect(alarmsOf(await eventsOf(monitor()))).toEqual([]);
    });
  });

  describe('that looks at the times of entries', () => {
    const witness = cosigner('witness.example/w', new Uint8Array(32).fill(9));
    const now = Math.floor(Date.now() / 1000);
    const policy = () => `log ${history.verifierKey}\nwitness w ${writeVerifierKey(witness.key)}\nquorum w\n`;
    const cosign = (time: number) => {
      const note = history.checkpoint();
      const seen = note + witness.cosign(`${note.split('\n\n')[0]!}\n`, time);
      server.intercept(({ path }) => (path.endsWith('/checkpoint') ? textReply(seen) : undefined));
    };
    const timesOf = (events: MonitorEvent[]) =>
      events.flatMap((event) => (event.type === 'alarm' && event.code === 'time' ? [event.message] : []));

    it('has nothing to say where they go forward, with the clocks of servers five minutes apart', async () => {
      for (const time of [now - 900, now - 1200, now - 950]) history.addLink(alice, `at ${time}`, time);

      expect(alarmsOf(await eventsOf(monitor()))).toEqual([]);
    });

    it('notices one that goes back, and one in the future', async () => {
      for (const time of [now - 900, now - 1201, now + 900]) history.addLink(alice, `at ${time}`, time);

      expect(timesOf(await eventsOf(monitor()))).toEqual([
        expect.stringMatching(/^Entry 13 says that it was recorded at .*, and the one before it at /),
        expect.stringMatching(
          /^Entry 14 says .*, which is in the future: the clock of this machine says \d{4}-\S+Z\.$/,
        ),
      ]);
    });

    it('notices one from before a checkpoint that witnesses signed without it', async () => {
      cosign(now - 600);
      const events = await afterwards(
        () => {
          history.addLink(alice, 'late', now - 901);
          history.addLink(alice, 'in time', now - 800);
          cosign(now);
        },
        { policy: policy() },
      );

      expect(timesOf(events)).toEqual([
        expect.stringMatching(/^Entry 12 says .*, and witnesses signed the log without it at /),
      ]);
    });

    it('notices one from behind a checkpoint that witnesses signed with it', async () => {
      history.addLink(alice, 'early', now - 299);
      history.addLink(alice, 'in time', now - 301);
      cosign(now - 600);

      expect(timesOf(await eventsOf(monitor({ policy: policy() })))).toEqual([
        expect.stringMatching(/^Entry 12 says .*, and witnesses signed the log with it at /),
      ]);
    });
  });

  it('notices an entry that is none', async () => {
    history.entries.push('{"v":2}');

    expect(alarmsOf(await eventsOf(monitor()))).toEqual(['malformed_entry']);
  });

  it('keeps frontier hashes of 32 bytes', async () => {
    const one = monitor();
    await eventsOf(one);

    expect(one.state.frontier.map((hash) => Buffer.from(hash, 'base64').length)).toEqual([32, 32]);
    expect(encodeBase64(new Uint8Array(32))).toHaveLength(44);
  });
});
