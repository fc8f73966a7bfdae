import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar, type TestAvatar } from '../support/avatar.js';
import { problemsOfChain, readChain } from '../support/chain-checks.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { countRows } from '../support/refusals.js';
import { linkWallet, signedSubmit, walletPayload } from '../support/scenario.js';

const AT_ONCE = 50;

/** Two servers over one PostgreSQL, each with its own pool. */
let database: TestDatabase;
let servers: RunningApp[];

beforeAll(async () => {
  database = await createTestDatabase();
  servers = [await startApp({ databaseUrl: database.url }), await startApp({ databaseUrl: database.url })];
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await database.drop();
});

/** Bodies of step 2 for as many wallets, all signed on the same head. */
async function submitsOnOneHead(avatar: TestAvatar): Promise<object[]> {
  const submits: object[] = [];
  for (let index = 0; index < AT_ONCE; index++) {
    const wallet = aWallet(`rival ${index}`);
    const { body: payload } = await walletPayload(servers[0]!, avatar, wallet);
    submits.push(signedSubmit(payload, avatar, wallet));
  }
  return submits;
}

const all = (among: RunningApp[], submits: object[]): Promise<Answer[]> =>
  Promise.all(submits.map((submit, index) => among[index % among.length]!.post('/v1/proof', submit)));

function expectOneWinner(answers: Answer[], code: string): void {
  const winners = answers.filter(({ status }) => status === 201);
  const losers = answers.filter(({ status }) => status !== 201);
  expect(winners).toHaveLength(1);
  expect([...new Set(losers.map(({ status, body }) => `${status} ${body.code}`))]).toEqual([`400 ${code}`]);
}

describe.each([
  ['one server', 1],
  ['two servers', 2],
])('fifty submits at once at %s', (_where, count) => {
  let among: RunningApp[];

  beforeAll(() => {
    among = servers.slice(0, count);
  });

  it('on the empty chain of one Avatar give one link', async () => {
    const avatar = anAvatar(`contested by ${count}`);
    const submits = await submitsOnOneHead(avatar);
    const before = await countRows(servers[0]!);

    const answers = await all(among, submits);

    expectOneWinner(answers, 'stale_chain');
    expect(await countRows(servers[0]!)).toEqual({
      links: before.links + 1,
      proofs: before.proofs + 1,
      events: before.events + 1,
    });
  });

  it('on the head of a longer chain give one link, and the chain stays linear', async () => {
    const avatar = anAvatar(`contested later by ${count}`);
    await linkWallet(servers[0]!, avatar, aWallet('first'));
    await linkWallet(servers[0]!, avatar, aWallet('second'));
    const submits = await submitsOnOneHead(avatar);

    const answers = await all(among, submits);

    expectOneWinner(answers, 'stale_chain');
    const chain = await readChain(servers[0]!, avatar.key.compressed);
    expect(chain).toHaveLength(3);
    expect(problemsOfChain(avatar.key.compressed, chain)).toEqual([]);
  });

  it('of one and the same body give one link', async () => {
    const avatar = anAvatar(`impatient at ${count}`);
    const { body: payload } = await walletPayload(servers[0]!, avatar, aWallet('impatient'));
    const submit = signedSubmit(payload, avatar, aWallet('impatient'));

    const answers = await all(
      among,
      Array.from({ length: AT_ONCE }, () => submit),
    );

    expectOneWinner(answers, 'already_recorded');
    expect(await readChain(servers[0]!, avatar.key.compressed)).toHaveLength(1);
  });

  it('by as many Avatars all succeed', async () => {
    const submits = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        const [avatar, wallet] = [anAvatar(`crowd ${count} ${index}`), aWallet('of the crowd')];
        const { body: payload } = await walletPayload(servers[0]!, avatar, wallet);
        return signedSubmit(payload, avatar, wallet);
      }),
    );

    const answers = await all(among, submits);

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: AT_ONCE }, () => 201));
  });

  it('that delete one binding delete it once', async () => {
    const [avatar, wallet] = [anAvatar(`leaving ${count}`), aWallet('leaving')];
    await linkWallet(servers[0]!, avatar, wallet);
    const submits: object[] = [];
    for (let index = 0; index < AT_ONCE; index++) {
      const { body: payload } = await walletPayload(servers[0]!, avatar, wallet, { action: 'delete' });
      submits.push(signedSubmit(payload, avatar, wallet, { action: 'delete' }));
    }

    const answers = await all(among, submits);

    expectOneWinner(answers, 'stale_chain');
    expect(await readChain(servers[0]!, avatar.key.compressed)).toHaveLength(2);
  });
});
