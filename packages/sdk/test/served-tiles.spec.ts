import { encodeBundle } from '@signet/verify/internal/log';
import { LogMonitor, type MonitorEvent, type MonitorOptions } from '../src/log.js';
import { aHistory, type History, type LogServer, startLogServer } from './support/log-server.js';
import { anAvatar } from './support/people.js';
import { jsonReply } from './support/stand-in.js';

const bob = anAvatar('bob');

describe('a monitor compares the tiles that are served with those that it computes', () => {
  let server: LogServer;
  let history: History;
  beforeEach(async () => {
    history = aHistory();
    server = await startLogServer(history);
  });
  afterEach(() => server.close());

  const eventsOf = async (one: LogMonitor) => {
    const events: MonitorEvent[] = [];
    for await (const event of one.follow()) events.push(event);
    return events;
  };
  /** What a monitor says that goes on from `state`, or begins. */
  const look = async (options: Partial<MonitorOptions> = {}) => {
    const one = new LogMonitor({ baseUrl: server.baseUrl, once: true, retries: 3, patienceMs: 0, ...options });
    const events = await eventsOf(one);
    const alarms = events.flatMap((event) => (event.type === 'alarm' ? [`${event.code}: ${event.message}`] : []));
    const state = JSON.parse(JSON.stringify(one.state)) as LogMonitor['state'];
    return { alarms, state, isRead: events.at(-1)?.type === 'checkpoint' };
  };
  const grow = (count: number) => {
    const first = history.links.length;
    for (let n = first; n < first + count; n++) history.addLink(bob, `bob-${n}`);
  };
  /** Tiles whose path begins so are served with another first byte, or not at all. */
  const spoil = (start: string, how: 'changed' | 'missing' = 'changed') =>
    server.intercept(({ path }) => {
      if (!path.startsWith(`/log/tile/${start}`)) return undefined;
      if (how === 'missing') return jsonReply({ message: 'No such thing.', code: 'tile_not_found' }, 404);
      return (response) => {
        void history.file(path.slice('/log/'.length)).then((file) => {
          if (!file) return response.writeHead(404).end();
          const bytes = Buffer.from(file);
          bytes[0]! ^= 1;
          return response.end(bytes);
        });
      };
    });
  const tilesAsked = (before: number) =>
    server.requests.slice(before).flatMap(({ path }) => (/^\/log\/tile\/\d/.test(path) ? [path] : []));

  it('and tells of one that differs, once, although it grows; that is no fork', async () => {
    spoil('0/');
    const first = await look();
    grow(2);
    const second = await look({ state: first.state });

    expect(first.alarms).toEqual([
      expect.stringMatching(/^tile: The tile\/0\/000\.p\/12 that the server shows is not/),
    ]);
    expect(first.isRead).toBe(true);
    expect(second).toMatchObject({ alarms: [], isRead: true, state: { size: 14, reportedTiles: ['0/0'] } });
  });

  it('and calls it no fork where one differs that it goes on from, or is not served', async () => {
    const { state } = await look();
    grow(1);
    spoil('0/');
    const changed = await look({ state });
    spoil('0/', 'missing');
    const missing = await look({ state });

    expect(changed.alarms).toEqual([expect.stringMatching(/^tile: The tile\/0\/000\.p\/13 that/)]);
    expect(missing.alarms).toEqual(['tile: The log does not serve its tile/0/000.p/13.']);
    expect([changed.isRead, missing.isRead]).toEqual([true, true]);
  });

  it('and reads only those that are new, of each level', async () => {
    grow(242);
    const first = await look();
    const before = server.requests.length;
    const idle = await look({ state: first.state });
    const asked = tilesAsked(before);
    grow(4);
    const last = server.requests.length;
    spoil('1/');
    const full = await look({ state: first.state });
    const tiles = new Set(tilesAsked(last));
    server.intercept(() => undefined);
    const later = server.requests.length;
    grow(1);
    const after = await look({ state: full.state });

    expect([first.alarms, idle.alarms, asked]).toEqual([[], [], []]);
    expect(full.alarms).toEqual([expect.stringMatching(/^tile: The tile\/1\/000\.p\/1 that/)]);
    expect(tiles).toEqual(new Set(['/log/tile/0/000', '/log/tile/0/001.p/2', '/log/tile/1/000.p/1']));
    expect(after.alarms).toEqual([]);
    expect(tilesAsked(later)).not.toContain('/log/tile/0/000');
  });

  it('and still tells of what it finds on its way through a log whose tiles prove nothing', async () => {
    Object.assign(history.links[1]!, { proof_location: 'elsewhere' });
    spoil('0/');

    const { alarms, isRead } = await look({ stepEntries: 5 });

    expect(alarms.map((text) => text.split(':')[0])).toEqual(['content_changed', 'tile']);
    expect(isRead).toBe(true);
  });

  it('and still calls a fork what is one, where tiles and entries are withheld', async () => {
    const { state } = await look();
    const other = history.fork();
    other.entries.splice(3, 1, other.entries[4]!);
    other.addLink(bob, 'other');
    server.show(other);
    const shown = await look({ state });
    spoil('', 'missing');
    const withheld = await look({ state });

    expect(shown.alarms).toEqual([expect.stringMatching(/^fork: The log of 13 entries does not continue that of 12/)]);
    expect(withheld.alarms).toEqual(shown.alarms);
  });

  it('and is not misled by tiles that fit entries which the checkpoint does not have', async () => {
    const other = history.fork();
    other.entries.splice(3, 1, other.entries[4]!);
    server.intercept(({ path }) => {
      if (!path.startsWith('/log/tile/entries/')) return undefined;
      return (response) =>
        void response.end(Buffer.from(encodeBundle(other.entries.map((entry) => new TextEncoder().encode(entry)))));
    });

    expect((await look()).alarms).toEqual([expect.stringMatching(/^history_rewritten/)]);
  });
});
