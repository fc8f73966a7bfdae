/** `signet monitor` over hours: servers that restart, full disks, and files that are those of something else. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { aHistory, type History, type LogServer, startLogServer } from '../../sdk/test/support/log-server.js';
import { anAvatar } from '../../sdk/test/support/people.js';
import { until } from '../../sdk/test/support/until.js';
import { jsonReply } from '../../sdk/test/support/stand-in.js';
import { atTerminal, runHere, type Terminal } from './terminal.js';

const alice = anAvatar('alice');
let home: string;
let history: History;
let server: LogServer;
let stopped: AbortController;

beforeEach(async () => {
  stopped = new AbortController();
  home = mkdtempSync(path.join(tmpdir(), 'signet-monitor-'));
  history = aHistory();
  server = await startLogServer(history);
});
afterEach(async () => {
  stopped.abort();
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

const env = () => ({ HOME: home, SIGNET_SERVER: server.baseUrl });
const inHome = (name: string) => path.join(home, name);
const monitor = (...words: string[]): Terminal =>
  atTerminal(['monitor', '--interval', '0.02', ...words], { env: env(), signal: stopped.signal });

/** Makes a folder; false where a file has the name. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

async function end(running: Terminal): Promise<void> {
  stopped.abort();
  expect(await running.code).toBe(130);
}

describe('a monitor that goes on', () => {
  it('goes on through a break of the server, tells it once, and tells no false alarm of what it read half', async () => {
    const running = monitor('--identity', 'github:behind-the-break');
    await running.sees('log: 12 entries');

    history.addLink(alice, 'before-the-break');
    history.addLink(alice, 'behind-the-break');
    // The entries are read and judged by the first page of links; what follows fails.
    let isBroken = false;
    server.intercept(({ path: asked }) => {
      isBroken ||= asked === '/v1/kv/changes';
      return isBroken ? jsonReply({ message: 'It restarts.', code: 'busy' }, 503) : undefined;
    });
    await running.sees('It is asked again every 0.02 seconds.');
    server.intercept(() => undefined);
    await running.sees('The server answers again.');
    await end(running);

    expect(running.screen().match(/It is asked again/g)).toHaveLength(1);
    expect(running.screen()).toContain('new    create github behind-the-break');
    expect(running.screen()).not.toContain('ALARM');
  });

  it('goes on where its place cannot be kept any more, and tells it once', async () => {
    const [state, unwritten] = [inHome('state.json'), 'state.json cannot be written'];
    const running = monitor('--state', state);
    await until(() => existsSync(state));

    // Something else has the name, as soon as the monitor leaves it alone for a moment.
    await until(() => {
      rmSync(state, { force: true });
      return isMade(state);
    });
    await running.sees(unwritten);
    history.addLink(alice, 'later');
    await running.sees('log: 13 entries');
    rmSync(state, { recursive: true });
    history.addLink(alice, 'later-still');
    await running.sees('log: 14 entries');
    await until(() => existsSync(state));
    await end(running);

    expect(running.screen().split(unwritten)).toHaveLength(2);
    expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ frontier: expect.any(Array) });
  });

  it('ends at once where the server was never reached, or the place can never be kept', async () => {
    writeFileSync(inHome('file'), '');
    const away = monitor('http://127.0.0.1:1');
    const below = monitor('--state', inHome('file/state.json'));

    expect(await away.code).toBe(3);
    expect(await below.code).toBe(2);
  });
});

describe('a file of the command that holds something else', () => {
  const whole = { v: 1, verifierKey: '', note: '', size: 0, frontier: [], lastLinkId: 0, lastPatchId: 0 };

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['a package', { name: 'my project', version: '1.0.0' }],
    ['a state without chains', { ...whole, alarms: 0 }],
    ['a state without a count of alarms', { ...whole, chains: {} }],
    ['a state with another frontier', { ...whole, chains: {}, alarms: 0, frontier: [5] }],
  ])('is no state of a monitor: %s', async (_what, content) => {
    writeFileSync(inHome('state.json'), JSON.stringify(content));

    const { code, text } = await runHere(['monitor', '--once', '--state', inHome('state.json')], env());

    expect({ code, text }).toEqual({
      code: 2,
      text: 'signet: The state is not one that a monitor has kept: begin again without it.\n',
    });
  });

  it.each<[string, string, string[], unknown]>([
    ['no heads', 'log-heads.json', ['log', 'checkpoint'], {}],
    ['heads of another form', 'log-heads.json', ['log', 'checkpoint'], { note: 5, verifierKey: 'x' }],
    ['no list of receipts', 'log-receipts.json', ['log', 'receipts'], {}],
    ['receipts of another form', 'log-receipts.json', ['log', 'receipts'], [{ uuid: 'x' }]],
  ])('is named: %s', async (_what, name, words, kept) => {
    mkdirSync(inHome('.config/signet'), { recursive: true });
    writeFileSync(inHome(`.config/signet/${name}`), JSON.stringify({ [server.baseUrl]: kept }));

    const { code, text } = await runHere(words, env());

    expect(code).toBe(2);
    expect(text).toContain(`${name} is not a file that this command has written: name another one, or remove it.`);
  });
});
