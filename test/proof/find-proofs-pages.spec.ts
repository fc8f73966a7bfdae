import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { expectRefusal } from '../support/refusals.js';
import { linkWallet } from '../support/scenario.js';

const AVATARS = 41;
const PER_PAGE = 20;
const popular = aWallet('popular');
const names = Array.from({ length: AVATARS }, (_, index) => `follower ${index + 1}`);

let running: RunningApp;

beforeAll(async () => {
  running = await startApp({ env: { SERVICE_NAME: 'acme' } });
  for (const name of names) await linkWallet(running, anAvatar(name), popular);
});
afterAll(() => running.close());

const find = (query: Record<string, string>) => running.get(`/v1/proof?${new URLSearchParams(query)}`);
const page = async (number: string) => (await find({ identity: popular.address, page: number })).body;

describe('the pages of GET /v1/proof', () => {
  it('hold twenty Avatars each, every one of them once, the newest first', async () => {
    const pages = [await page('1'), await page('2'), await page('3')];

    expect(pages.map(({ pagination }) => pagination)).toEqual([
      { total: AVATARS, per: PER_PAGE, current: 1, next: 2 },
      { total: AVATARS, per: PER_PAGE, current: 2, next: 3 },
      { total: AVATARS, per: PER_PAGE, current: 3, next: 0 },
    ]);
    expect(pages.flatMap(({ ids }) => ids.map(({ avatar }: { avatar: string }) => avatar))).toEqual(
      names.map((name) => anAvatar(name).key.compressed).reverse(),
    );
  });

  it.each([
    ['missing', {}],
    ['empty', { page: '' }],
    ['0', { page: '0' }],
    ['00', { page: '00' }],
    ['1', { page: '1' }],
  ])('start with the first where page is %s', async (_what, query) => {
    const { body } = await find({ identity: popular.address, ...query });

    expect(body.pagination).toEqual({ total: AVATARS, per: PER_PAGE, current: 1, next: 2 });
    expect(body.ids).toHaveLength(PER_PAGE);
  });

  it.each([
    [4, {}],
    [50, {}],
    [51, { exact: 'true', platform: 'ethereum' }],
    [100_000_000, { exact: 'true' }],
  ])('past the end are empty: page %i %o', async (number, how) => {
    const { body } = await find({ identity: popular.address, page: String(number), ...how });

    expect(body).toEqual({
      pagination: { total: AVATARS, per: PER_PAGE, current: number, next: 0 },
      ids: [],
    });
  });

  it('end at the fiftieth where the match is ambiguous, and the refusal says how to find more', async () => {
    const answer = await find({ identity: popular.address, page: '51' });

    expectRefusal(answer, { code: 'page_too_deep', message: /exact=true.*platform=acme/ });
  });

  it('have no next one where the last is full', async () => {
    const identity = names
      .slice(0, PER_PAGE)
      .map((name) => anAvatar(name).key.compressed)
      .join(',');

    const { body } = await find({ platform: 'acme', identity });

    expect(body.pagination).toEqual({ total: PER_PAGE, per: PER_PAGE, current: 1, next: 0 });
  });

  it.each(['-1', 'two', '1.5', '1e1', '0x1', ' 1', '99999999999999999999', '1;drop'])(
    'cannot be numbered %s',
    async (number) => {
      expectRefusal(await find({ identity: popular.address, page: number }), {
        code: 'invalid_request',
        message: /page must/,
      });
    },
  );
});

describe('GET /v1/proof', () => {
  it('searches for fifty identities at once', async () => {
    const identities = Array.from({ length: 49 }, (_, index) => aWallet(`stranger ${index}`).address);

    const { body } = await find({ identity: [...identities, popular.address].join(','), exact: 'true' });

    expect(body.pagination.total).toBe(AVATARS);
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['no identity', {}, 'invalid_request', 'identity is missing'],
    ['an empty identity', { identity: '' }, 'invalid_request', 'identity is empty'],
    ['identities that are all empty', { identity: ' ,,' }, 'invalid_request', 'identity is empty'],
    [
      'fifty-one identities',
      { identity: Array.from({ length: 51 }, (_, index) => `a${index}`).join(',') },
      'invalid_request',
      'There are 51 identities; at most 50',
    ],
    ['an identity of 257 characters', { identity: `a,${'b'.repeat(257)}` }, 'invalid_request', '257 characters'],
    [
      'more than 12 KiB of identities',
      { identity: Array.from({ length: 49 }, () => 'a'.repeat(255)).join(',') },
      'invalid_request',
      'at most 12288',
    ],
    ['an unknown platform', { identity: 'a', platform: 'myspace' }, 'unknown_platform', '"myspace"'],
    ['an unknown platform, exactly', { identity: 'a', platform: 'x', exact: 'true' }, 'unknown_platform', '"x"'],
    [
      'an unknown platform with a text that matches nothing',
      { identity: '\0', platform: 'myspace' },
      'unknown_platform',
      '"myspace"',
    ],
    ['exact=yes', { identity: 'a', exact: 'yes' }, 'invalid_request', 'exact must be true or false'],
    ['exact=1', { identity: 'a', exact: '1' }, 'invalid_request', 'exact must be true or false'],
    ['self, where the service has another name', { identity: 'a', platform: 'self' }, 'unknown_platform', '"self"'],
  ])('refuses %s', async (_what, query, code, message) => {
    expectRefusal(await find(query), { code, message });
  });

  it.each([
    'identity=a&identity=b',
    'identity=a&page=1&page=2',
    'identity=a&platform=x&platform=y',
    'identity=a&exact=true&exact=false',
  ])('refuses a parameter that is given twice: %s', async (query) => {
    expectRefusal(await running.get(`/v1/proof?${query}`), { code: 'invalid_request', message: / must be / });
  });

  it('looks up by public key under the name that the operator gave the service', async () => {
    const { body } = await find({ platform: 'acme', identity: anAvatar(names[0]).key.uncompressed });

    expect(body.ids).toHaveLength(1);
  });

  it('ignores parameters it does not know', async () => {
    const { status } = await find({ identity: 'a', sort: 'activated_at', reverse: 'true' });

    expect(status).toBe(200);
  });
});
