import { LogMonitor, type MonitorEvent, type MonitorState } from '../src/log.js';
import { History, type LogServer, startLogServer } from './support/log-server.js';
import { anAvatar } from './support/people.js';

const FROZEN_SECONDS = 7 * 24 * 3600;

/** A monitor of a log that comes with patches later than with key events which were recorded behind them. */
describe('a monitor checks what was recorded while keys had stopped it', () => {
  const alice = anAvatar('alice');
  const AVATAR = alice.key.compressed;
  let history: History;
  let server: LogServer;
  beforeEach(async () => {
    history = new History();
    server = await startLogServer(history);
  });
  afterEach(() => server.close());

  const follow = async (state?: MonitorState) => {
    history.addMap();
    const monitor = new LogMonitor({ baseUrl: server.baseUrl, once: true, retries: 0, patienceMs: 0, state });
    const alarms: MonitorEvent[] = [];
    for await (const event of monitor.follow()) if (event.type === 'alarm') alarms.push(event);
    return { alarms, state: JSON.parse(JSON.stringify(monitor.state)) as MonitorState };
  };
  const freeze = (patches: number) =>
    history.addKey(alice, { action: 'key.freeze', fields: {} }, { patches, dueIn: FROZEN_SECONDS });
  const thaw = (patches: number) => history.addKey(alice, { action: 'key.thaw', fields: {} }, { patches });

  it('and says nothing of patches from before a freeze and from behind its end, whenever the log has them', async () => {
    history.addPatch(alice, { a: 1 });
    freeze(2);
    const first = await follow();
    thaw(2);
    const second = await follow(first.state);
    history.addPatch(alice, { a: 2 });
    history.addPatch(alice, { a: 3 });
    const third = await follow(second.state);

    expect([first, second, third].map(({ alarms }) => alarms)).toEqual([[], [], []]);
    expect(third.state.held).toEqual({});
  });

  it('and finds a patch from within a freeze that the log has behind its end', async () => {
    history.addPatch(alice, { a: 1 });
    freeze(1);
    const first = await follow();
    thaw(2);
    const second = await follow(first.state);
    history.addPatch(alice, { a: 2 });
    const third = await follow(second.state);

    expect([first, second].map(({ alarms }) => alarms)).toEqual([[], []]);
    expect(third.alarms).toMatchObject([
      { code: 'held', message: expect.stringMatching(`^Patch 2 of ${AVATAR} was recorded while key event `) },
    ]);
    expect((await follow(third.state)).alarms).toEqual([]);
  });
});
