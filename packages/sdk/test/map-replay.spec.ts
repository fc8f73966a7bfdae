import { canonicalJson } from '@signet/verify';
import { anAvatar } from './support/people.js';
import { aHistory, type History, type LogServer, startLogServer } from './support/log-server.js';
import { LogMonitor, type MonitorEvent, type MonitorState } from '../src/log.js';

const alice = anAvatar('alice');
const bob = anAvatar('bob');

/** An operator who has the key of the log can sign any root; whoever reads the log finds it. */
describe('a monitor of a log with a map', () => {
  let server: LogServer;
  let history: History;
  beforeEach(async () => {
    history = aHistory();
    history.addMap();
    server = await startLogServer(history);
  });
  afterEach(() => server.close());

  const look = async (state?: MonitorState) => {
    const monitor = new LogMonitor({ baseUrl: server.baseUrl, once: true, retries: 0, patienceMs: 0, state });
    const events: MonitorEvent[] = [];
    for await (const event of monitor.follow()) events.push(event);
    const alarms = events.flatMap((event) => (event.type === 'alarm' ? [event] : []));
    const kinds = events.flatMap((event) => (event.type === 'unknown_kind' ? [event] : []));
    return { state: JSON.parse(JSON.stringify(monitor.state)) as MonitorState, alarms, kinds };
  };
  const codesOf = ({ alarms }: { alarms: { code: string }[] }) => alarms.map(({ code }) => code);

  it('compares each map with what the entries make, and goes on from what it kept', async () => {
    const first = await look();
    history.addLink(bob, 'bob-5');
    history.eraseLink(1);
    history.addMap();
    history.addPatch(alice, { c: 3 });
    history.addMap();

    const second = await look(first.state);

    expect(codesOf(first)).toEqual([]);
    expect(codesOf(second)).toEqual([]);
    expect(second.state.map!.size).toBe(18);
    expect(codesOf(await look())).toEqual([]);
  });

  it('names the first map of each look with another root, with both roots', async () => {
    const before = await look();
    history.addLink(bob, 'bob-5');
    const wrong = 'ab'.repeat(32);
    history.addMap({ root: wrong });
    history.addLink(bob, 'bob-6');
    history.addMap({ root: wrong });

    const { alarms, state } = await look(before.state);

    expect(alarms).toMatchObject([{ code: 'map', index: 14 }]);
    expect(alarms[0]!.message).toMatch(
      /^Entry 14 is the first of this look whose map is not that .* it has (ab){32}, and they make \w{64}/,
    );
    history.addLink(bob, 'bob-7');
    history.addMap({ root: wrong });
    expect((await look(state)).alarms).toMatchObject([{ code: 'map', index: 18 }]);
    expect(codesOf(await look())).toEqual(['map']);
  });

  it('compares the next map after a wrong one, which does not depend on it', async () => {
    const before = await look();
    history.addLink(bob, 'bob-5');
    history.addMap({ root: 'ab'.repeat(32) });
    const wrong = await look(before.state);
    history.addLink(bob, 'bob-6');
    history.addMap();
    const right = await look(wrong.state);
    history.addMap({ root: 'cd'.repeat(32) });

    expect(codesOf(wrong)).toEqual(['map']);
    expect(codesOf(right)).toEqual([]);
    expect((await look(right.state)).alarms).toMatchObject([{ code: 'map', index: 17 }]);
  });

  it('needs no feed for that: it compares maps by the entries alone, also where links are missing or changed', async () => {
    const before = await look();
    history.addLink(bob, 'bob-5');
    history.addLink(bob, 'bob-6');
    history.addMap();
    history.addLink(alice, 'alice-5');
    history.addMap({ root: 'ab'.repeat(32) });
    history.links[10]!.identity = 'eve';
    history.links.splice(11);

    const { alarms } = await look(before.state);

    expect(alarms.map(({ code, index }) => `${code} ${index}`)).toEqual([
      'content_changed 13',
      'signature 13',
      'content_missing 14',
      'content_missing 16',
      'map 17',
    ]);
  });

  it('refuses a state that has read entries and has no map of them', async () => {
    const { state } = await look();
    delete state.map;

    await expect(look(state)).rejects.toThrow('The state has no map of its entries: begin again without it.');
  });

  it('tells of a kind that it does not know, once and without an alarm, and counts what it has of each Avatar', async () => {
    const seat = { avatar: alice.key.compressed, kind: 'seat', threshold: 2 };
    history.entries.push(canonicalJson(seat), canonicalJson({ kind: 'note2', text: 'no Avatar' }));
    history.addMap();
    const first = await look();
    history.entries.push(canonicalJson(seat));
    history.addMap();

    const second = await look(first.state);

    const message = 'Entry 13 is of the kind seat, which this version does not know: what it says is not checked.';
    expect(first).toMatchObject({ alarms: [], kinds: [{ index: 13, kind: 'seat', message }, { kind: 'note2' }] });
    expect(second).toMatchObject({ alarms: [], kinds: [] });
    expect(second.state.map!.avatars.find(([avatar]) => avatar === seat.avatar)![5]).toEqual({ seat: 16, seats: 2 });
    expect(await look()).toMatchObject({ alarms: [], kinds: [{ kind: 'seat' }, { kind: 'note2' }] });
  });

  it('refuses maps that leave out a link, a patch or an erasure', async () => {
    const honest = aHistory();
    const whole = () => (JSON.parse(honest.entries.at(-1)!) as { root: string }).root;
    honest.addMap();
    for (const change of [
      (one: History) => one.addLink(bob, 'bob-5'),
      (one: History) => one.addPatch(alice, { c: 3 }),
      (one: History) => one.eraseLink(1),
    ]) {
      const one = aHistory();
      one.addMap();
      change(one);
      one.addMap({ root: whole() });
      server.show(one);

      expect(codesOf(await look())).toEqual(['map']);
    }
  });

  it('refuses a map that is not about the entries before it, and a second one of a size', async () => {
    history.addLink(bob, 'bob-5');
    history.addMap({ size: 12 });

    const { alarms } = await look();

    expect(alarms).toMatchObject([{ code: 'map_size', index: 14 }, { code: 'map_missing' }]);
    expect(alarms[0]!.message).toBe('Entry 14 is the map of 12 entries: it is not in its place.');
  });

  it('refuses a tree head that ends with another entry, once for each', async () => {
    history.addLink(bob, 'bob-5');

    const first = await look();
    expect(first.alarms).toMatchObject([{ code: 'map_missing', index: 13 }]);
    expect(first.alarms[0]!.message).toBe(
      'The tree head of 14 entries does not end with an entry of the map, as those before it do.',
    );
    expect(codesOf(await look(first.state))).toEqual([]);
    history.addMap();
    expect(codesOf(await look(first.state))).toEqual([]);
  });

  it('refuses an entry that calls itself one of the map and has the form of another', async () => {
    const link = JSON.parse(history.entries[0]!) as object;
    history.entries.push(JSON.stringify({ ...link, kind: 'map' }));
    history.addMap();

    expect(codesOf(await look())).toEqual(['malformed_entry']);
  });

  it('passes logs of servers without a map', async () => {
    server.show(aHistory());

    expect(codesOf(await look())).toEqual([]);
  });
});
