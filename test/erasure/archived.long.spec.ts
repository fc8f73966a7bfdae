import { DataSource } from 'typeorm';
import { untilInHurry, verifyArchive } from '../archive/archive-scene.js';
import { ArweaveStandIn } from '../archive/arweave-stand-in.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { jsonReply } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { headOfRecords } from '../transparency-log/log-client.js';
import { runErase, tablesLeftWith } from './erase-command.js';

const alice = anAvatar('alice');
const [secret, other] = [aWallet('secret'), aWallet('other')];

let network: ArweaveStandIn;
let database: TestDatabase;
let app: RunningApp;

beforeEach(async () => {
  network = await ArweaveStandIn.start();
  database = await createTestDatabase();
});
afterEach(async () => {
  await app?.close();
  await database?.drop();
  await network?.close();
});

/** Binds and revokes the wallet that is to be erased, and binds another one. */
async function threeLinks(): Promise<void> {
  await linkWallet(app, alice, secret);
  await linkWallet(app, alice, secret, { action: 'delete' });
  await linkWallet(app, alice, other);
  await headOfRecords(app, 3);
}

const erase = (id: number) => runErase(database.url, ['--link', String(id), '--reason', 'an order', '--yes']);
const archiveIds = async (): Promise<string[]> =>
  (await app.get('/v1/proofchain/changes?last_id=0')).body.links.map((link: { archive_id: string }) => link.archive_id);
const documents = () => [...network.items.values()].map(({ data }) => data.toString());

describe('the archive and links that are erased', () => {
  it('gets a document without the texts where they were erased before it was signed, and its chain verifies', async () => {
    app = await startApp({ databaseUrl: database.url });
    await threeLinks();
    for (const id of [1, 2]) expect(await erase(id)).toMatchObject({ code: 0 });
    await app.close();

    app = await startApp({ databaseUrl: database.url, env: network.settings({ isUploading: true }) });
    await untilInHurry(app, async () => (await archiveIds()).every((id) => id !== ''));

    expect(documents().filter((text) => text.includes(secret.address))).toEqual([]);
    expect(documents().filter((text) => text.includes('"reason":"an order"'))).toHaveLength(2);
    const { code, stdout } = await verifyArchive(network.gateway.baseUrl, (await archiveIds())[2]!);
    expect({ code, stdout }).toMatchObject({ code: 0 });
  });

  it.each([
    ['over an upload service', true],
    ['in transactions of their own', false],
  ])('is not sent what was signed and is erased before it was sent %s', async (_, isUploading) => {
    const refuse = () => jsonReply({ error: 'down' }, 503);
    [network.uploadFault, network.gatewayFault] = [refuse, refuse];
    const env = { ...network.settings({ isUploading }), ARCHIVE_BATCH_SECONDS: '1' };
    app = await startApp({ databaseUrl: database.url, env });
    await threeLinks();
    const signed = () =>
      app.app.get(DataSource).query('select count(*)::int as count from archive_item where batch_id is not null');
    await until(async () => (await signed())[0].count === 3);
    for (const id of [1, 2])
      expect(await erase(id)).toMatchObject({ code: 0, said: expect.not.stringContaining('never forgets') });
    expect(await tablesLeftWith(database.url, secret.address)).toEqual([]);
    await app.close();

    [network.uploadFault, network.gatewayFault] = [() => null, () => null];
    app = await startApp({ databaseUrl: database.url, env });
    await untilInHurry(app, async () => (await archiveIds())[2] !== '');

    expect(await archiveIds()).toEqual(['', '', expect.stringMatching(/^.{43}$/)]);
    expect(documents()).toHaveLength(1);
    expect(network.complaints).toEqual([]);
    expect((await linkWallet(app, alice, aWallet('fourth'))).status).toBe(201);
    await untilInHurry(app, async () => (await archiveIds())[3] !== '');
  });

  it('keeps what was sent, which the operator is told', async () => {
    app = await startApp({ databaseUrl: database.url, env: network.settings({ isUploading: true }) });
    await threeLinks();
    await untilInHurry(app, async () => (await archiveIds()).every((id) => id !== ''));
    const [id] = await archiveIds();

    expect((await erase(1)).said).toContain(`Not erased: its document ${id} was sent to the archive`);
    expect((await archiveIds())[0]).toBe(id);
  });
});
