import { kvPayload, readKvChain, submitKv, writeKv } from '../../kv/kv-scenario.js';
import { type RunningApp, startApp } from '../../support/app.js';
import { aWallet, anAvatar } from '../../support/avatar.js';
import { problemsOfFeed, readFeed } from '../../support/chain-checks.js';
import { type CommitCutter, startCommitCutter } from '../../support/commit-cutter.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { expectRefusal } from '../../support/refusals.js';
import { linkWallet, signedSubmit, walletPayload } from '../../support/scenario.js';
import { until } from '../../support/until.js';

const PATCH = { mood: 'calm' };

let database: TestDatabase;
let cutter: CommitCutter;
let running: RunningApp;

beforeAll(async () => {
  database = await createTestDatabase();
  cutter = await startCommitCutter(database.url);
  running = await startApp({ databaseUrl: cutter.url, env: { REVALIDATION: 'off' } });
});
afterAll(async () => {
  await running?.close();
  await cutter?.close();
  await database?.drop();
});

describe('the answer to a commit that is lost on its way', () => {
  it('is found out for a link, which gets its 201', async () => {
    const [avatar, wallet] = [anAvatar('lost link'), aWallet('lost link')];
    const { body } = await walletPayload(running, avatar, wallet);
    const submit = signedSubmit(body, avatar, wallet);

    cutter.cutCommitOf(body.uuid, 'after it is done');
    const answer = await running.post('/v1/proof', submit);

    expect(cutter.hasCut()).toBe(true);
    expect(answer.status).toBe(201);
    expectRefusal(await running.post('/v1/proof', submit), { status: 400, code: 'already_recorded', message: '' });
    expect(problemsOfFeed(await readFeed(running))).toEqual([]);
  });

  it('is found out for a patch, which gets its 201 with all content', async () => {
    const avatar = anAvatar('lost patch');
    await writeKv(running, avatar, { before: true });
    const { body } = await kvPayload(running, avatar, PATCH);

    cutter.cutCommitOf(body.uuid, 'after it is done');
    const answer = await submitKv(running, avatar, body, PATCH);

    expect(cutter.hasCut()).toBe(true);
    expect(answer.status).toBe(201);
    expect(answer.body.proofs[0].content).toEqual({ before: true, ...PATCH });
    expect(await readKvChain(running, avatar)).toHaveLength(2);
  });

  it.each([
    ['a link', 'link'],
    ['a patch', 'patch'],
  ])('says 503 for %s that never arrived, which can then be sent again', async (_what, kind) => {
    const [avatar, wallet] = [anAvatar(`never arrived ${kind}`), aWallet(`never arrived ${kind}`)];
    const { body } = await (kind === 'link'
      ? walletPayload(running, avatar, wallet)
      : kvPayload(running, avatar, PATCH));
    const send = () =>
      kind === 'link'
        ? running.post('/v1/proof', signedSubmit(body, avatar, wallet))
        : submitKv(running, avatar, body, PATCH);

    cutter.cutCommitOf(body.uuid, 'before it arrives');
    const answer = await send();

    expect(cutter.hasCut()).toBe(true);
    expectRefusal(answer, { status: 503, code: 'database_unavailable', message: 'try again' });
    expect(answer.headers.get('Retry-After')).toBe('5');
    expect((await send()).status).toBe(201);
  });

  it('is found out once the database can be reached again', async () => {
    const [avatar, wallet] = [anAvatar('away'), aWallet('away')];
    const { body } = await walletPayload(running, avatar, wallet);

    cutter.cutCommitOf(body.uuid, 'after it is done');
    const answer = running.post('/v1/proof', signedSubmit(body, avatar, wallet));
    await until(() => cutter.hasCut());
    cutter.shut();
    const meanwhile = await linkWallet(running, anAvatar('meanwhile'), aWallet('meanwhile'));
    cutter.open();

    expectRefusal(meanwhile, { status: 503, code: 'database_unavailable', message: 'try again' });
    expect((await answer).status).toBe(201);
  });
});
