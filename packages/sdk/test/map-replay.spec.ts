import { erasureEntry } from '@signet/verify/log';
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
    const notCompared = events.flatMap((event) => (event.type === 'checkpoint' ? [event.notCompared] : []))[0];
    return { state: JSON.parse(JSON.stringify(monitor.state)) as MonitorState, alarms, notCompared };
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

  describe('from which a link is missing for a while', () => {
    const MISSING = 'Since entry 13 no map is compared: the server does not show the link 11 as it was logged.';
    let before: MonitorState;
    beforeEach(async () => {
      before = (await look()).state;
      history.addLink(bob, 'bob-5');
      history.addMap();
    });
    const hide = () => history.links.pop()!;

    it.each([
      ['is not shown', ['content_missing'], () => hide()],
      ['is shown with another text', ['content_changed', 'signature'], () => (history.links.at(-1)!.identity = 'eve')],
    ])('goes on comparing when it is shown again: it %s', async (_what, codes, change) => {
      const link = structuredClone(history.links.at(-1)!);
      change();
      const blind = await look(before);
      history.links[10] = link;
      history.addPatch(alice, { c: 3 });
      history.addMap();
      const again = await look(blind.state);
      history.addLink(alice, 'alice-5');
      history.addMap({ root: 'ab'.repeat(32) });

      expect(codesOf(blind)).toEqual(codes);
      expect(blind.notCompared).toBe(MISSING);
      expect(again).toMatchObject({ alarms: [], notCompared: undefined });
      expect(again.state.map!.size).toBe(17);
      expect(again.state.mapQueue).toBeUndefined();
      expect((await look(again.state)).alarms).toMatchObject([{ code: 'map', index: 18 }]);
    });

    it('says so at each look while it is missing, and in an alarm of each run', async () => {
      hide();
      const first = await look(before);
      const second = await look(first.state);
      history.addMap();
      const third = await look(second.state);

      expect(codesOf(first)).toEqual(['content_missing']);
      for (const { alarms, notCompared } of [second, third]) {
        expect(alarms).toMatchObject([{ code: 'map_not_compared', message: MISSING }]);
        expect(notCompared).toBe(MISSING);
      }
    });

    it('compares the maps of the meantime, too', async () => {
      const link = hide();
      const blind = await look(before);
      history.addMap({ root: 'ab'.repeat(32) });
      history.addMap();
      const later = await look(blind.state);
      history.links.push(link);

      expect(codesOf(later)).toEqual(['map_not_compared']);
      // What signed the second of them had not the link either.
      expect((await look(later.state)).alarms).toMatchObject([{ code: 'map', index: 15 }]);
    });

    it('takes what an erasure has left of it, once the log has that', async () => {
      const link = hide();
      const blind = await look(before);
      history.links.push(link);
      history.eraseLink(11, false);
      const unlogged = await look(blind.state);
      history.entries.push(erasureEntry({ link: { ...link, erased: link.erased! } }));
      history.addMap();
      const logged = await look(unlogged.state);

      expect(unlogged.notCompared).toBe(MISSING);
      expect(codesOf(logged)).toEqual([]);
      expect(logged.notCompared).toBeUndefined();
    });

    it('asks for one of several at a time, and goes on from each', async () => {
      history.addLink(alice, 'alice-5');
      history.addMap();
      const links = history.links.splice(10);
      const blind = await look(before);
      history.links.push(links[0]!);
      const half = await look(blind.state);
      history.links.push(links[1]!);

      expect(codesOf(blind)).toEqual(['content_missing', 'content_missing']);
      expect(half.notCompared).toContain('Since entry 15 no map is compared');
      expect(await look(half.state)).toMatchObject({ alarms: [], notCompared: undefined });
    });
  });

  it('reads states of earlier versions, and says that it compares no map by those that may lack a link', async () => {
    const { state } = await look();
    const withoutMap = { ...state };
    delete withoutMap.map;
    history.addLink(bob, 'bob-5');
    history.addMap({ root: 'ab'.repeat(32) });

    for (const older of [{ ...state, toldMap: true }, withoutMap]) {
      const first = await look(older);
      const second = await look(first.state);
      for (const { alarms, notCompared } of [first, second]) {
        expect(alarms).toMatchObject([{ code: 'map_not_compared', message: notCompared }]);
        expect(notCompared).toMatch(/^No map is compared: the state is of an earlier version\./);
      }
    }
    expect(codesOf(await look({ ...state, ...{ toldNoMap: 12 } }))).toEqual(['map']);
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
