import { LogMonitor } from '@signet/sdk/log';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { commit, say, succeed } from '../../keys/key-scenario.js';
import { kvPayload, submitKv, writeKv } from '../../kv/kv-scenario.js';
import type { Answer } from '../../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../../support/avatar.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/database.js';
import { linkWallet, signedSubmit, walletPayload } from '../../support/scenario.js';
import { until } from '../../support/until.js';
import { type Client, Fleet } from './fleet.js';

const [version, tree] = [process.env.RELEASE_VERSION!, process.env.RELEASE_TREE!];
const [paper, next] = [anAvatar('words on paper'), anAvatar('the next key')];

/** An answer, as an operator of both versions has to know it. */
const answered = ({ status, body }: Answer): string => `${status} ${String(body.code ?? '')}`.trim();

describe(`a server of ${version} beside one of today, with a frozen Avatar and one that was succeeded`, () => {
  let database: TestDatabase;
  let fleet: Fleet;
  let [old, today] = [] as unknown as [Client, Client];
  beforeAll(async () => {
    database = await createEmptyDatabase();
    fleet = await Fleet.create(tree, { DATABASE_URL: database.url }, new SeededRandom('frozen'));
    // The first makes the schema.
    await fleet.add('old');
    await fleet.add('new');
    [old, today] = fleet.oneOfEach() as [Client, Client];
  });
  afterAll(async () => {
    await fleet?.stop();
    await database?.drop();
  });

  /** A link and a patch by a server, each in both steps. */
  const writes = async (server: Client, avatar: TestAvatar, name: string): Promise<string[]> => {
    const wallet = aWallet(name);
    const [link, patch] = [await walletPayload(server, avatar, wallet), await kvPayload(server, avatar, { name })];
    return [
      link.status === 200
        ? answered(await server.post('/v1/proof', signedSubmit(link.body, avatar, wallet)))
        : answered(link),
      patch.status === 200 ? answered(await submitKv(server, avatar, patch.body, { name })) : answered(patch),
    ];
  };
  const alarms = async (client: Client): Promise<string[]> => {
    const { baseUrl } = client as Client & { baseUrl: string };
    const found: string[] = [];
    await until(async () => (await client.get('/v1/log')).body.waiting === 0);
    for await (const event of new LogMonitor({ baseUrl, once: true }).follow()) {
      if (event.type === 'alarm') found.push(event.message);
    }
    return found;
  };

  it('takes no link and no patch of either, takes those of all others, and takes them again behind a thaw', async () => {
    const [alice, bob, carol] = [anAvatar('frozen'), anAvatar('succeeded'), anAvatar('neither')];
    for (const avatar of [alice, bob]) {
      await commit(today, avatar, [paper]);
      expect(await writes(old, avatar, `${avatar.key.compressed} before`)).toEqual(['201', '201']);
    }
    await say(today, alice, { action: 'key.freeze' }, { by: paper });
    await succeed(today, bob, next, { also: paper });

    const byOld = [await writes(old, alice, 'frozen'), await writes(old, bob, 'succeeded')];
    const byToday = [await writes(today, alice, 'frozen'), await writes(today, bob, 'succeeded')];
    const others = [await writes(old, carol, 'by old'), await writes(today, carol, 'by today')];
    await say(today, alice, { action: 'key.thaw' }, { by: paper });
    const thawed = await writes(old, alice, 'thawed');
    const counts = await Promise.all(
      [alice, bob].map(async ({ key }) => {
        const { body } = await today.get(`/v1/proofchain?public_key=${key.compressed}`);
        const patches = await today.get(`/v1/kv/chain?avatar=${key.compressed}`);
        return [body.pagination.total, patches.body.pagination.total] as number[];
      }),
    );

    process.stdout.write(`${version} beside today: it answers ${JSON.stringify(byOld)} where writes are stopped\n`);
    expect(byToday).toEqual([
      ['400 avatar_frozen', '400 avatar_frozen'],
      ['400 avatar_succeeded', '400 avatar_succeeded'],
    ]);
    expect(byOld).toEqual([
      ['500 internal_error', '500 internal_error'],
      ['500 internal_error', '500 internal_error'],
    ]);
    expect([...others, thawed].flat()).toEqual(Array(6).fill('201'));
    expect(counts).toEqual([
      [2, 2],
      [1, 1],
    ]);
  });

  it('makes one log with it, also where it writes the log alone', async () => {
    expect(await alarms(today)).toEqual([]);

    await fleet.remove('new', 'SIGKILL');
    const dave = anAvatar('alone');
    expect(await linkWallet(old, dave, aWallet('alone'))).toMatchObject({ status: 201 });
    expect(await writeKv(old, dave, { n: 1 })).toMatchObject({ status: 201 });
    await until(async () => (await old.get('/v1/log')).body.waiting === 0);

    // A server of before shows links and patches as ever, and key events to nobody.
    for (const alarm of await alarms(old)) expect(alarm).toMatch(/^The server does not show the key event \d+ /);
    await fleet.add('new');
    [old, today] = fleet.oneOfEach() as [Client, Client];
    expect(await alarms(today)).toEqual([]);
  });
});
