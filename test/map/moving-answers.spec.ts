import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runHere } from '../../packages/cli/test/terminal.js';
import { PER_PAGE } from '../../src/domain/page.js';
import { startLyingProxy, type LyingProxy } from '../page/lying-proxy.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, type TestAvatar, type TestWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { completeClient, errorOf } from '../support/sdk-answers.js';
import { headOfRecords } from '../transparency-log/log-client.js';
import { avatarsNamed, seedHolders } from './seed-holders.js';

const [wallet, other, third] = [aWallet('crowded'), aWallet('other'), aWallet('third')];
const keyOf = ({ key }: TestAvatar) => key.compressed;

/** What changes between two requests of an answer is not taken for something that is left out. */
describe('long look-ups with demand: { complete: true }, and answers that change while they are read:', () => {
  /** Two pages. */
  const crowd = avatarsNamed('crowd', PER_PAGE + 5);
  /** The first is on the last page: lists begin with the newest. */
  const [oldest, newest] = [crowd[0]!, crowd.at(-1)!];
  let database: TestDatabase;
  let running: RunningApp;
  let proxy: LyingProxy;
  let records = crowd.length;
  beforeAll(async () => {
    database = await createTestDatabase();
    await seedHolders(database.url, crowd, wallet);
    running = await startApp({ databaseUrl: database.url });
    proxy = await startLyingProxy(running.baseUrl);
    await headOfRecords(running, records);
  });
  afterEach(() => {
    proxy.before = null;
  });
  afterAll(async () => {
    await proxy?.close();
    await running?.close();
    await database?.drop();
  });

  const client = () => completeClient(proxy.baseUrl);
  const bind = async (avatar: TestAvatar, action: 'create' | 'delete' = 'create', what = wallet) => {
    await linkWallet(running, avatar, what, { action });
    records += 1;
    await headOfRecords(running, records);
  };
  /** Lets something happen before the first requests of a path, one after the other. */
  const before = (path: RegExp, ...happens: (() => Promise<void>)[]): void => {
    proxy.before = async (asked) => {
      if (path.test(asked)) await happens.shift()?.();
    };
  };
  const question = { platform: 'ethereum', identity: wallet.address };
  const holds = (avatar: TestAvatar, what: TestWallet) => ({
    platform: 'ethereum',
    identity: what.address,
    avatar: keyOf(avatar),
  });
  const look = async () => (await client().proofs.find(question).toArray()).map(({ avatar }) => avatar);

  it('a look-up is read again when an Avatar has moved to the page before', async () => {
    before(/^\/v1\/proof\?.*page=2/, () => bind(newest, 'delete'));

    const avatars = await look();

    expect(avatars.sort()).toEqual(crowd.slice(0, -1).map(keyOf).sort());
  });

  it('a look-up is refused, in clear words, when it moves each time', async () => {
    const leaving = crowd.slice(-4, -1).reverse();
    before(/^\/v1\/proof\?.*page=2/, ...leaving.map((avatar) => () => bind(avatar, 'delete')));

    const { message } = await errorOf(look());

    expect(message).toMatch(
      /The binding ethereum "0x\w+" of 0x\w+ is left out, which entry \d+ made\. It was read 3 times, each time by a new map\.$/,
    );
  });

  it('a command that shows some of a complete list says so', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    const words = ['proofs', wallet.address, '--platform', 'ethereum', '--complete'];
    const shown = async (...more: string[]) => {
      const { code, text } = await runHere([...words, ...more], { HOME: home, SIGNET_SERVER: running.baseUrl });
      return { code, lines: text.split('\n').filter((line) => line.startsWith('ethereum')).length, text };
    };

    const all = await shown();
    expect(all).toMatchObject({ code: 0, text: expect.stringMatching(/\nNothing is left out: so says the map/) });
    expect(all.text).not.toContain('These are the first');
    expect(await shown('--limit', '3')).toMatchObject({
      code: 0,
      lines: 3,
      text: expect.stringContaining(`These are the first 3 of ${all.lines} Avatars: see --limit.`),
    });
  });

  it('a binding that is made or revoked before the map is asked for it', async () => {
    before(/^\/v1\/log\/map\?/, () => bind(oldest, 'create', other));
    expect(await client().proofs.exists(holds(oldest, other))).toMatchObject({ is_valid: true });

    before(/^\/v1\/log\/map\?/, () => bind(oldest, 'delete', other));
    expect(await client().proofs.exists(holds(oldest, other))).toBeNull();
  });

  it('the bindings of an Avatar, one of which is made behind the list of them', async () => {
    before(/^\/v1\/log\/proof\?/, () => bind(oldest, 'create', third));

    const { proofs } = (await client().proofs.of(keyOf(oldest)))!;

    expect(proofs.map(({ identity }) => identity).sort()).toEqual([wallet.address, third.address].sort());
  });
});
