import { addLinks, headsOf, problemsOfArchive, untilArchived, verifyArchive } from './archive-scene.js';
import { ArweaveStandIn, type Fault } from './arweave-stand-in.js';
import { startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type ServiceProcess, startService } from '../support/service-process.js';

const AVATARS = 20;
const LINKS_EACH = 10;
const LINKS = AVATARS * LINKS_EACH;

let network: ArweaveStandIn;
let database: TestDatabase;
let service: ServiceProcess | undefined;

/**
 * A fault that lets the network take the `count`th such request, but never answers it; resolves `reached` when that is
 * so.
 */
function silentAfter(count: number, isMeant: Fault, take: Fault): { fault: Fault; reached: Promise<void> } {
  let seen = 0;
  let arrive!: () => void;
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const fault: Fault = async (request) => {
    if (!(await isMeant(request)) || (seen += 1) < count) return null;
    await take(request);
    arrive();
    return 'hang';
  };
  return { fault, reached };
}

const launch = async (isUploading: boolean, batchLinks: number) => {
  const env = {
    ...network.settings({ isUploading }),
    ARCHIVE_BATCH_LINKS: String(batchLinks),
    DATABASE_URL: database.url,
  };
  service = await startService(env);
  return service;
};

/** Lets a server run until it is in the middle of `fault`, and kills it there. */
async function killIn({ fault, reached }: ReturnType<typeof silentAfter>, isUploading: boolean, batchLinks: number) {
  network.gatewayFault = isUploading ? () => null : fault;
  network.uploadFault = isUploading ? fault : () => null;
  const victim = await launch(isUploading, batchLinks);
  await reached;
  await victim.kill9();
  network.gatewayFault = network.uploadFault = () => null;
}

beforeEach(async () => {
  network = await ArweaveStandIn.start();
  database = await createTestDatabase();
});
afterEach(async () => {
  await service?.kill9();
  service = undefined;
  await network.close();
  await database.drop();
});

describe(`${LINKS} links of ${AVATARS} Avatars, with the server killed in the middle and started again`, () => {
  it('are each archived once in the transactions of the wallet, and every chain verifies', async () => {
    const quiet = await startApp({ databaseUrl: database.url });
    await addLinks(quiet, AVATARS, LINKS_EACH - 1);
    await quiet.close();
    const answer: Fault = (request) => network.answerGateway(request);
    // The smaller of the two batches travels in one piece, so the network has all of it when the server dies.
    const isWhole: Fault = ({ path, body }) => (path === '/tx' && JSON.parse(body).data !== '' ? 'cut' : null);
    const isDocument: Fault = ({ path }) => (network.items.has(path.slice(1)) ? 'cut' : null);

    await killIn(silentAfter(1, isWhole, answer), false, 120);
    await killIn(silentAfter(30, isDocument, answer), false, 120);
    const survivor = await launch(false, 120);
    await addLinks(survivor, AVATARS, 1);
    const links = await untilArchived(survivor, LINKS);

    expect(problemsOfArchive(network, links)).toEqual([]);
    const { code, stdout } = await verifyArchive(network.gateway.baseUrl, ...headsOf(links));
    expect(stdout).not.toMatch(/NOT VALID|^ {2}BAD|Note:/m);
    expect([code, stdout.match(/VALID: 10 of 10 links are verified/g)?.length]).toEqual([0, AVATARS]);
  });

  it('are each archived once over an upload service, and every chain verifies', async () => {
    const quiet = await startApp({ databaseUrl: database.url });
    await addLinks(quiet, AVATARS, LINKS_EACH);
    await quiet.close();

    await killIn(
      silentAfter(
        70,
        () => 'cut',
        (request) => network.answerUpload(request),
      ),
      true,
      40,
    );
    const links = await untilArchived(await launch(true, 40), LINKS);

    expect(problemsOfArchive(network, links)).toEqual([]);
    const { code, stdout } = await verifyArchive(network.gateway.baseUrl, ...headsOf(links));
    expect(stdout).not.toMatch(/NOT VALID|^ {2}BAD|Note:/m);
    expect([code, stdout.match(/VALID: 10 of 10 links are verified/g)?.length]).toEqual([0, AVATARS]);
  });
});
