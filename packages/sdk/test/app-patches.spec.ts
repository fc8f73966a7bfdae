import { appKeyOf } from '@signet/verify/sign';
import { KEY_ENTRIES } from '@signet/verify/log';
import { FOLLOWED_KINDS, type FollowedKind } from '../src/log/record-kinds.js';
import { LogMonitor, type MonitorEvent, type MonitorState } from '../src/log.js';
import { History, type LogServer, startLogServer } from './support/log-server.js';
import { anAvatar } from './support/people.js';

/** A monitor of a log that has patches of keys of apps: docs/keys.md, "Keys of apps". */
describe('a monitor checks the patches of keys of apps', () => {
  const alice = anAvatar('alice');
  const NOW = 1_700_000_000;
  const app = appKeyOf('ed25519', anAvatar('app').privateKey);
  const other = appKeyOf('es256', anAvatar('other app').privateKey);
  const add = {
    action: 'key.add' as const,
    fields: { expires_at: NOW + 1_000, key: app.key, origin: null, scopes: ['kv'] },
  };
  const revoke = { action: 'key.revoke' as const, fields: { key: app.key } };
  let history: History;
  let server: LogServer;
  beforeEach(async () => {
    history = new History();
    server = await startLogServer(history);
  });
  afterEach(() => server.close());

  const follow = async (state?: MonitorState, kinds?: readonly FollowedKind[]) => {
    const monitor = new LogMonitor({ baseUrl: server.baseUrl, once: true, retries: 0, patienceMs: 0, state }, kinds);
    const events: MonitorEvent[] = [];
    for await (const event of monitor.follow()) events.push(event);
    const ofType = (type: MonitorEvent['type']) => events.filter((event) => event.type === type);
    const [alarms, notices] = [ofType('alarm'), ofType('read_again')];
    return { alarms, notices, state: JSON.parse(JSON.stringify(monitor.state)) as MonitorState };
  };
  const failure = (sentence: RegExp) => [{ code: 'signature', message: expect.stringMatching(sentence) }];

  it('follows them as it follows those of Avatars, from one state to the next', async () => {
    history.addPatch(alice, { a: 0 });
    history.addKey(alice, add, { by: app });
    history.addPatch(alice, { a: 1 }, { by: app });
    history.addMap();
    const first = await follow();
    history.addPatch(alice, { a: 2 }, { by: app });
    history.addPatch(alice, { a: 3 });
    history.addKey(alice, revoke);
    history.addMap();
    const second = await follow(first.state);
    history.addPatch(alice, { a: 4 });
    history.addMap();
    const third = await follow(second.state);

    expect([first, second, third].map(({ alarms }) => alarms)).toEqual([[], [], []]);
    // Of what is past, one state is kept.
    expect(third.state.apps).toEqual({
      ...{ waiting: [], keys: { [alice.key.compressed]: [expect.objectContaining({ patches: 4 })] } },
    });
  });

  it('goes by the counts of key events, which the log has behind the patches of the same second', async () => {
    history.addPatch(alice, { a: 1 }, { by: app });
    history.addPatch(alice, { a: 2 });
    history.addKey(alice, add, { by: app, patches: 0 });
    history.addKey(alice, revoke, { patches: 1 });
    history.addMap();

    expect((await follow()).alarms).toEqual([]);
  });

  it('goes by them also where the log has a key event long before patches that were recorded first', async () => {
    history.addKey(alice, add, { by: app });
    history.addMap();
    const first = await follow();
    history.addKey(alice, revoke, { patches: 1 });
    history.addMap();
    const second = await follow(first.state);
    history.addPatch(alice, { a: 1 }, { by: app });
    history.addMap();
    const third = await follow(second.state);
    history.addPatch(alice, { a: 2 }, { by: app });
    history.addMap();

    expect([first, second, third].map(({ alarms }) => alarms)).toEqual([[], [], []]);
    expect(third.state.apps!.keys[alice.key.compressed]).toHaveLength(1);
    expect((await follow(third.state)).alarms).toMatchObject(failure(/revoked/));
  });

  it.each<[string, () => void, RegExp]>([
    ['that no one added', () => history.addPatch(alice, { a: 1 }, { by: other }), /has not added this key/],
    [
      'that was forged',
      () => history.addPatch(alice, { a: 1 }, { by: { key: app.key, sign: other.sign } }),
      /was not made by the key ed25519:0x/,
    ],
    [
      'behind its revoke',
      () => {
        history.addKey(alice, revoke);
        history.addPatch(alice, { a: 1 }, { by: app });
      },
      /revoked/,
    ],
    [
      'behind a revoke that the log has later',
      () => {
        history.addPatch(alice, { a: 1 }, { by: app });
        history.addKey(alice, revoke, { patches: 0 });
      },
      /revoked/,
    ],
    [
      'before it was added',
      () => {
        history.addPatch(alice, { a: 1 }, { by: other });
        const fields = { ...add.fields, key: other.key };
        history.addKey(alice, { ...add, fields }, { by: other });
      },
      /has not added this key/,
    ],
    [
      'out of its scopes',
      () => {
        history.addKey(alice, { ...add, fields: { ...add.fields, scopes: ['kv:github:bob'] } }, { by: app });
        history.addPatch(alice, { a: 1 }, { by: app });
      },
      /may not sign for this identity/,
    ],
    [
      'with a text behind its end',
      () => history.addPatch(alice, { a: 1 }, { by: app, created_at: NOW + 1_000 }),
      /time of this key is over/,
    ],
    [
      'recorded behind its end',
      () => history.addPatch(alice, { a: 1 }, { by: app, recordedAt: NOW + 1_300 }),
      /time of this key is over/,
    ],
  ])('and raises an alarm about one %s', async (_what, write, sentence) => {
    history.addKey(alice, add, { by: app });
    history.addMap();
    const { alarms: before, state } = await follow();
    write();
    history.addMap();

    expect(before).toEqual([]);
    expect((await follow(state)).alarms).toMatchObject(failure(sentence));
    expect((await follow()).alarms).toMatchObject(failure(sentence));
  });

  it('and reads all entries again where an earlier version has passed over key events, which it says', async () => {
    history.addKey(alice, add, { by: app });
    history.addPatch(alice, { a: 1 }, { by: other });
    history.addMap();
    const before = FOLLOWED_KINDS.filter(({ entry }) => entry !== KEY_ENTRIES);
    const { state } = await follow(undefined, before);
    history.addPatch(alice, { a: 2 }, { by: app });
    history.addMap();

    const again = await follow({ ...state, alarms: 0 });

    expect(state).toMatchObject({ otherKinds: ['key'], size: 3 });
    expect(again.notices).toEqual([
      { type: 'read_again', kind: 'key', message: expect.stringMatching(/of the kind key .* are read again/) },
    ]);
    expect(again.alarms).toMatchObject(failure(/has not added this key/));
    const anew = await follow();
    expect(again.state).toEqual(anew.state);
    expect((await follow(again.state)).notices).toEqual([]);
  });

  it('and finds another history behind a state that is read again', async () => {
    history.addKey(alice, add, { by: app });
    history.addMap();
    const { state } = await follow(undefined, FOLLOWED_KINDS.slice(0, 2));
    history.entries.pop();
    history.addPatch(alice, { a: 1 });
    history.addMap();

    expect((await follow(state)).alarms).toMatchObject([{ code: 'fork' }]);
  });
});
