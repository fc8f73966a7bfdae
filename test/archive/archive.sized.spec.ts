import { DataSource } from 'typeorm';
import { ArchiveService } from '../../src/archive/archive.service.js';
import { addLinks, headsOf, problemsOfArchive, untilArchived, untilInHurry, verifyArchive } from './archive-scene.js';
import { ArweaveStandIn } from './arweave-stand-in.js';
import { type RunningApp, startApp, type StartOptions } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { ENGINES_OF_TIER } from '../support/engines.js';
import { linkWallet } from '../support/scenario.js';
import { openSse } from '../support/sse-client.js';

let network: ArweaveStandIn;
let running: RunningApp[];

const start = async (isUploading: boolean, { env, ...options }: StartOptions = {}): Promise<RunningApp> => {
  const app = await startApp({ ...options, env: { ...network.settings({ isUploading }), ...env } });
  running.push(app);
  return app;
};

beforeEach(async () => {
  running = [];
  network = await ArweaveStandIn.start();
});
afterEach(async () => {
  await Promise.all(running.map((app) => app.close()));
  await network.close();
});

describe.each(ENGINES_OF_TIER)('the archive on %s', (engine) => {
  it('keeps links in bundles that the wallet pays for', async () => {
    const app = await start(false, { engine, env: { ARCHIVE_BATCH_LINKS: '3' } });

    await addLinks(app, 2, 4);
    const links = await untilArchived(app, 8);

    expect(problemsOfArchive(network, links)).toEqual([]);
    expect(network.transactions.size).toBeGreaterThanOrEqual(3);
  });
});

describe('the archive', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()));
    await database.drop();
  });

  it('keeps links over an upload service', async () => {
    const app = await start(true, { databaseUrl: database.url });

    await addLinks(app, 2, 3);
    const links = await untilArchived(app, 6);

    expect(problemsOfArchive(network, links)).toEqual([]);
    expect(network.transactions.size).toBe(0);
  });

  it('does nothing unless it is switched on, and then takes what has gathered, the oldest link first', async () => {
    const off = await startApp({ databaseUrl: database.url });
    await addLinks(off, 2, 4);
    const statusWhileOff = await off.app.get(ArchiveService).status();
    await off.close();
    const askedWhileOff = network.gateway.requests.length;

    const links = await untilArchived(await start(false, { databaseUrl: database.url }), 8);

    expect(statusWhileOff).toMatchObject({ store: 'none', unsigned: 8, confirmed: 0, wallet_address: '' });
    expect(askedWhileOff).toBe(0);
    expect(problemsOfArchive(network, links)).toEqual([]);
    expect([...network.items.keys()]).toEqual(links.map(({ archive_id: id }) => id));
  });

  it('sends links together once there are enough of them, or once they have waited long enough', async () => {
    const env = { ARCHIVE_BATCH_LINKS: '4', ARCHIVE_BATCH_SECONDS: '3600' };
    const app = await start(false, { databaseUrl: database.url, env });
    const status = () => app.app.get(ArchiveService).status();
    const untilSigned = async (count: number) => {
      let ticks = 0;
      await untilInHurry(app, async () => (await status()).unsent === count && (ticks += 1) > 3);
    };

    await addLinks(app, 3, 1);
    await untilSigned(3);
    const sentWhileFew = network.transactions.size;
    await addLinks(app, 1, 1, 'fourth');
    await untilArchived(app, 4);
    const sentWhenFull = network.transactions.size;
    await addLinks(app, 1, 1, 'fifth');
    await untilSigned(1);
    const sentBeforeItsTime = network.transactions.size;
    await app.app.get(DataSource).query("update archive_item set signed_at = signed_at - interval '1 hour'");
    const links = await untilArchived(app, 5);

    expect([sentWhileFew, sentWhenFull, sentBeforeItsTime, network.transactions.size]).toEqual([0, 1, 1, 2]);
    expect(problemsOfArchive(network, links)).toEqual([]);
  });

  it('is shared by two servers without anything being done twice', async () => {
    const [one, other] = [
      await start(true, { databaseUrl: database.url }),
      await start(true, { databaseUrl: database.url }),
    ];

    await Promise.all([addLinks(one, 3, 4, 'first'), addLinks(other, 3, 4, 'second')]);
    const links = await untilArchived(other, 24);

    expect(problemsOfArchive(network, links)).toEqual([]);
  });

  it('tells of a link when the network serves it, and not before', async () => {
    const app = await start(false, { databaseUrl: database.url });
    const alice = anAvatar('alice');
    network.isConfirming = false;
    await linkWallet(app, alice, aWallet('alice'));
    const search = `/v1/proof?platform=ethereum&identity=${aWallet('alice').address}&exact=true`;
    const status = () => app.app.get(ArchiveService).status();

    await untilInHurry(app, async () => (await status()).unconfirmed === 1);
    const before = (await app.get(search)).body.ids[0].last_archive_id;
    network.isConfirming = true;
    const [link] = await untilArchived(app, 1);
    const after = (await app.get(search)).body.ids[0].last_archive_id;

    expect([before, after]).toEqual(['', link!.archive_id]);
    expect(await status()).toMatchObject({
      confirmed: 1,
      unsent: 0,
      unconfirmed: 0,
      unsigned: 0,
      oldest_signed_at: '',
    });
  });

  it('says nothing of the newest proof while the link at the head is on its way', async () => {
    const app = await start(true, { databaseUrl: database.url });
    const alice = anAvatar('alice');
    await linkWallet(app, alice, aWallet('first'));
    await untilArchived(app, 1);
    network.isConfirming = false;
    await linkWallet(app, alice, aWallet('second'));

    const { body } = await app.get(`/v1/proof?platform=ethereum&identity=${aWallet('first').address}&exact=true`);

    expect(body.ids[0].last_archive_id).toBe('');
  });

  it('announces each archived link once', async () => {
    const app = await start(true, { databaseUrl: database.url });
    await addLinks(app, 3, 2);
    const links = await untilArchived(app, 6);

    const stream = await openSse(app.baseUrl, '/v1/events?types=link.archived', { lastEventId: 0 });
    await stream.until(({ events }) => events.length >= 6);
    await linkWallet(app, anAvatar('somebody else'), aWallet('last'));
    await untilArchived(app, 7);
    await stream.until(({ events }) => events.length >= 7);
    stream.close();

    const newest = (await app.get('/v1/proofchain/changes?last_id=6&count=10')).body.links;
    const told = stream.events.map(({ data }) => `${data.avatar} ${data.link_id} ${data.uuid} ${data.archive_id}`);
    const expected = [...links, ...newest].map((link) => `${link.avatar} ${link.id} ${link.uuid} ${link.archive_id}`);
    expect(told.sort()).toEqual(expected.sort());
  });

  it('is verified by somebody who has nothing but an id', async () => {
    const app = await start(false, { databaseUrl: database.url });
    await addLinks(app, 2, 5);
    const links = await untilArchived(app, 10);

    const { code, stdout } = await verifyArchive(network.gateway.baseUrl, ...headsOf(links));

    expect(stdout.match(/VALID: 5 of 5 links are verified/g)).toHaveLength(2);
    expect(stdout).not.toMatch(/NOT VALID|^ {2}BAD|Note:/m);
    expect(code).toBe(0);
  });
});
