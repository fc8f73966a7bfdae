import { readFileSync } from 'node:fs';
import { ArchiveService } from '../../src/archive/archive.service.js';
import { ArweaveWallet } from '../../src/archive/arweave/arweave-wallet.js';
import { addLinks, problemsOfArchive, untilArchived, untilInHurry } from './archive-scene.js';
import { ArweaveStandIn } from './arweave-stand-in.js';
import { ADMIN_TOKEN } from '../support/admin.js';
import { type RunningApp, startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { messagesIn, runService, startService } from '../support/service-process.js';
import { type StandInReply, textReply } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';

let network: ArweaveStandIn;
let app: RunningApp;

const start = async (isUploading: boolean, env: Record<string, string> = {}) => {
  app = await startApp({ env: { ...network.settings({ isUploading }), ...env } });
};
const status = () => app.app.get(ArchiveService).status();
const untilFailed = (words: string) => until(async () => (await status()).last_error.includes(words));

describe.each<[string, boolean, [string, StandInReply, RegExp][]]>([
  [
    'an upload service',
    true,
    [
      ['is down', 'cut', /could not be reached|cannot be used/],
      ['never answers', 'hang', /did not answer in time/],
      ['answers 400', textReply('Invalid Data Item!', 400), /answered 400/],
      ['wants money', textReply('Insufficient balance', 402), /answered 402/],
      ['answers 503', textReply('busy', 503), /answered 503/],
    ],
  ],
  [
    'a gateway',
    false,
    [
      ['is down', 'cut', /could not be reached|cannot be used/],
      ['never answers', 'hang', /did not answer in time/],
      ['answers 400', textReply('nonsense', 400), /answered .*400/],
      ['answers 429', textReply('slow down', 429), /answered .*429/],
    ],
  ],
])('while %s', (_who, isUploading, faults) => {
  beforeAll(async () => {
    network = await ArweaveStandIn.start();
    await start(isUploading);
  });
  afterAll(async () => {
    await app.close();
    await network.close();
  });

  it.each(faults)('%s, links wait, and nothing is lost', async (what, fault, words) => {
    const { confirmed } = await status();
    network.gatewayFault = network.uploadFault = () => fault;

    await addLinks(app, 2, 2, what);
    await until(async () => {
      const { unsent, last_error: problem } = await status();
      return unsent === 4 && words.test(problem);
    });
    network.gatewayFault = network.uploadFault = () => null;
    const links = await untilArchived(app, confirmed + 4);
    await until(async () => (await status()).last_error === '');

    expect(problemsOfArchive(network, links)).toEqual([]);
    expect(await status()).toMatchObject({ confirmed: confirmed + 4, unsent: 0, unconfirmed: 0, unsigned: 0 });
  });
});

describe('nothing is lost, and the backlog drains', () => {
  beforeEach(async () => {
    network = await ArweaveStandIn.start();
  });
  afterEach(async () => {
    await app.close();
    await network.close();
  });

  it('after an upload service took items and forgot some', async () => {
    await start(true, { ARCHIVE_RESEND_SECONDS: '1' });
    network.toLose = 2;

    await addLinks(app, 2, 2);
    const links = await untilArchived(app, 4);

    expect(problemsOfArchive(network, links)).toEqual([]);
  });

  it('after an upload service refused some items and took others', async () => {
    await start(true, { ARCHIVE_BATCH_SECONDS: '2' });
    let refusals = 3;
    network.uploadFault = () => (refusals-- > 0 ? textReply('Invalid Data Item!', 400) : null);

    await addLinks(app, 3, 3);
    const links = await untilArchived(app, 9);

    expect(problemsOfArchive(network, links)).toEqual([]);
  });

  it('after the network forgot a transaction, which is sent again as it was', async () => {
    await start(false, { ARCHIVE_RESEND_SECONDS: '1' });
    network.toLose = 1;

    await addLinks(app, 1, 2);
    const links = await untilArchived(app, 2);

    const posts = network.gateway.requests.filter(({ method, path }) => method === 'POST' && path === '/tx');
    const first = JSON.parse(posts[0]!.body) as { id: string };
    expect(posts.filter(({ body }) => (JSON.parse(body) as { id: string }).id === first.id).length).toBeGreaterThan(1);
    expect(problemsOfArchive(network, links)).toEqual([]);
  });

  it('after a forgotten transaction grew too old, and another one takes its items under the same ids', async () => {
    await start(false, { ARCHIVE_RESEND_SECONDS: '1' });
    network.toLose = 1;
    network.gatewayFault = ({ path }) => {
      if (network.toLose === 0 && path.endsWith('/status')) network.letAnchorsAge();
      return null;
    };
    await addLinks(app, 1, 2);
    await untilFailed('answered 400');
    network.gatewayFault = () => null;

    const links = await untilArchived(app, 2);

    expect(problemsOfArchive(network, links)).toEqual([]);
  });

  it('after the gateway was slow to serve, without anything being sent again', async () => {
    await start(false);
    network.isConfirming = false;

    await addLinks(app, 1, 2);
    await untilInHurry(app, async () => (await status()).unconfirmed === 2);
    const posts = () => network.gateway.requests.filter(({ method }) => method === 'POST').length;
    const postsBefore = posts();
    await untilInHurry(app, () => network.gateway.requests.filter(({ path }) => path.endsWith('/status')).length >= 3);
    network.isConfirming = true;
    const links = await untilArchived(app, 2);

    expect(posts()).toBe(postsBefore);
    expect(problemsOfArchive(network, links)).toEqual([]);
  });

  it('after the gateway served something else under an id, which does not count', async () => {
    await start(true);
    const isDocument = (path: string) => network.items.has(path.slice(1));
    network.gatewayFault = ({ path }) => (isDocument(path) ? textReply('<h1>Welcome</h1>', 200, 'text/html') : null);

    await addLinks(app, 1, 2);
    await untilInHurry(app, () => network.gateway.requests.filter(({ path }) => isDocument(path)).length >= 6);
    const during = await status();
    network.gatewayFault = () => null;
    const links = await untilArchived(app, 2);

    expect(during).toMatchObject({ unconfirmed: 2, confirmed: 0 });
    expect(problemsOfArchive(network, links)).toEqual([]);
  });
});

describe('the operator', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    network = await ArweaveStandIn.start();
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await network.close();
    await database.drop();
  });

  it('sees that the wallet runs low, and never its key', async () => {
    network.balance = 99_999_999_999n;
    const settings = network.settings({ isUploading: false });
    const { d: secret } = JSON.parse(readFileSync(settings.ARWEAVE_WALLET!, 'utf8')) as { d: string };

    const service = await startService({
      ...settings,
      LOG_LEVEL: 'debug',
      ADMIN_TOKEN,
      DATABASE_URL: database.url,
    });
    try {
      await until(() => service.output().includes('holds 0.099999999999 AR, less than 0.1'));
      const { body } = await service.get('/admin/v1/archive', { Authorization: `Bearer ${ADMIN_TOKEN}` });

      expect(body).toEqual({
        store: 'arweave',
        confirmed: 0,
        unconfirmed: 0,
        unsent: 0,
        unsigned: 0,
        oldest_signed_at: '',
        wallet_address: ArweaveWallet.load(settings.ARWEAVE_WALLET).address,
        wallet_balance: '0.099999999999',
        is_balance_low: true,
        last_error: '',
        last_error_at: '',
      });
      expect(service.output()).not.toContain(secret.slice(0, 20));
      const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
      expect(metrics).toMatch(/^signet_archive_wallet_ar 0\.099999999999$/m);
      expect(metrics).toMatch(/^signet_archive_wallet_low 1$/m);
    } finally {
      await service.kill9();
    }
  });

  it('sees the last known balance while the gateway is silent, and no balance before it is known', async () => {
    network.balance = 2_500_000_000_000n;
    let speak = () => {};
    const spoken = new Promise<null>((resolve) => (speak = () => resolve(null)));
    network.gatewayFault = () => spoken;
    await start(false, { OUTBOUND_TIMEOUT_MS: '120000' });
    const archive = app.app.get(ArchiveService);

    const metrics = await (await fetch(`${app.baseUrl}/metrics`)).text();
    const unknown = (await status()).wallet_balance;
    speak();
    await archive.askBalance();
    network.gatewayFault = () => 'cut';
    await archive.askBalance();

    expect(metrics).toMatch(/^signet_database_up 1$/m);
    expect(metrics).toMatch(/^signet_archive_wallet_low 0$/m);
    expect(metrics).not.toMatch(/^signet_archive_wallet_ar \d/m);
    expect([unknown, (await status()).wallet_balance]).toEqual(['', '2.5']);
    await app.close();
  });

  it.each([
    ['missing', '', 'is missing: ARCHIVE=arweave needs the key that signs'],
    ['unusable', '{"kty":"RSA","d":"secret"}', 'is not an Arweave key'],
  ])('is told at the start that a wallet is %s', async (_what, wallet, reason) => {
    const { code, output } = await runService({
      ARCHIVE: 'arweave',
      ARWEAVE_WALLET: wallet,
      DATABASE_URL: database.url,
    });

    expect(code).toBe(1);
    expect(messagesIn(output)).toContain(`The settings cannot be used:\n  - ARWEAVE_WALLET ${reason}`);
    expect(messagesIn(output)).not.toMatch(/secret|\n *at /);
  });
});
