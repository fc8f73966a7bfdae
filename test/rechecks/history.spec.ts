import { type GistWorld, hoursAfter, startGistWorld } from '../rechecks/bound-gist.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { expectRefusal } from '../support/refusals.js';
import { linkWallet } from '../support/scenario.js';

const GIST = 'abcdef0123456789abcdef0123456789';
const LOGIN = 'alice-demo';
const alice = anAvatar('alice');

let world: GistWorld;

beforeEach(async () => {
  world = await startGistWorld({ env: { RECHECK_HISTORY: '30' } });
});
afterEach(() => world.close());

const ask = (changes: Record<string, string> = {}) => {
  const names = { platform: 'github', identity: LOGIN, public_key: alice.key.compressed, ...changes };
  return world.app.get(`/v1/proof/history?${new URLSearchParams(names)}`);
};
/** Whole hours from `first` to a time as it is answered. The clock of a pass runs on while it asks. */
const hoursSince = (first: Date, text: string) =>
  Math.floor((Number(text) - Math.floor(first.getTime() / 1000)) / 3600);

/** Looks once an hour, whatever the schedule says. */
async function lookHourly(first: Date, times: number): Promise<void> {
  for (let hour = 0; hour < times; hour++) {
    await world.rechecks.sweep({ platform: 'github' }, hoursAfter(first, hour));
    await world.rechecks.checkDue(hoursAfter(first, hour));
  }
}

describe('GET /v1/proof/history', () => {
  it('begins with the create', async () => {
    await world.bind(alice, GIST, LOGIN);

    const { status, body } = await ask();

    const state = await world.app.get(
      `/v1/proof/exists?platform=github&identity=${LOGIN}&public_key=${alice.key.compressed}`,
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      pagination: { total: 1, per: 20, current: 1, next: 0 },
      checks: [{ checked_at: state.body.last_checked_at, outcome: 'valid', reason: '' }],
    });
  });

  it('is there for a wallet too, which has nothing but its create', async () => {
    await linkWallet(world.app, alice, aWallet('alice'));

    const { body } = await ask({ platform: 'ethereum', identity: aWallet('alice').address });

    expect(body.checks).toEqual([expect.objectContaining({ outcome: 'valid' })]);
  });

  it('tells the newest check first, with the reason', async () => {
    const first = await world.bind(alice, GIST, LOGIN);
    world.gists.delete(GIST);

    await lookHourly(first, 1);

    const { checks } = (await ask()).body;
    expect(checks).toEqual([
      { checked_at: expect.any(String), outcome: 'gone', reason: 'There is no such gist.' },
      expect.objectContaining({ outcome: 'valid' }),
    ]);
    expect(hoursSince(first, checks[0].checked_at)).toBe(0);
  });

  it('keeps only the newest checks, on pages', async () => {
    const first = await world.bind(alice, GIST, LOGIN);

    await lookHourly(first, 34);

    const { body: one } = await ask();
    const { body: two } = await ask({ page: '2' });
    expect(one.pagination).toEqual({ total: 30, per: 20, current: 1, next: 2 });
    expect(two.pagination).toEqual({ total: 30, per: 20, current: 2, next: 0 });
    const hours = [...one.checks, ...two.checks].map(({ checked_at: time }) => hoursSince(first, time));
    expect(hours).toEqual(Array.from({ length: 30 }, (_, index) => 33 - index));
    expect((await ask({ page: '3' })).body).toMatchObject({ checks: [], pagination: { next: 0 } });
  });

  it('goes on when the identity is bound again', async () => {
    const first = await world.bind(alice, GIST, LOGIN);
    await lookHourly(first, 1);

    await world.bind(alice, GIST, LOGIN);

    expect((await ask()).body.checks).toHaveLength(3);
  });

  it('ends with the binding, and a new one begins anew', async () => {
    await linkWallet(world.app, alice, aWallet('alice'));
    await linkWallet(world.app, alice, aWallet('alice'));
    const wallet = { platform: 'ethereum', identity: aWallet('alice').address };
    expect((await ask(wallet)).body.checks).toHaveLength(2);

    await linkWallet(world.app, alice, aWallet('alice'), { action: 'delete' });
    expectRefusal(await ask(wallet), { status: 404, code: 'identity_not_found', message: 'holds no binding' });
    expect(await world.sql('select 1 from proof_check')).toEqual([]);
    await linkWallet(world.app, alice, aWallet('alice'));

    expect((await ask(wallet)).body.checks).toHaveLength(1);
  });

  it('answers as exists does where there is no such binding', async () => {
    await linkWallet(world.app, alice, aWallet('alice'));

    expectRefusal(await ask(), { status: 404, code: 'identity_not_found', message: 'holds no binding' });
    expectRefusal(await ask({ public_key: anAvatar('mallory').key.compressed }), {
      status: 404,
      code: 'avatar_not_found',
      message: 'unknown',
    });
  });

  it.each([
    ['an unknown platform', { platform: 'myspace' }, 'unknown_platform', 'myspace'],
    ['no identity', { identity: '' }, 'invalid_request', 'identity'],
    ['a broken key', { public_key: '0x02' }, 'invalid_public_key', '66'],
    ['a negative page', { page: '-1' }, 'invalid_request', 'negative'],
    ['a page that is not a number', { page: 'two' }, 'invalid_request', 'whole number'],
  ])('refuses %s', async (_what, changes, code, message) => {
    expectRefusal(await ask(changes), { code, message });
  });
});
