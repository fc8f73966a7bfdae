import { createClient } from '@signet/sdk';
import { DataSource } from 'typeorm';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { expectRefusal } from '../support/refusals.js';
import { linkWallet } from '../support/scenario.js';

/** As many Avatars of one name as are answered, and some more. */
const ANSWERED = 1000;
const HOLDERS = ANSWERED + 25;
const crowded = aWallet('crowded').address;
const rare = aWallet('rare');
const owner = anAvatar('owner of a rare name');
const writer = anAvatar('bound writer');
const keys = Array.from({ length: HOLDERS }, (_, index) => anAvatar(`holder ${index}`).key.compressed);

/** Bindings and content of `$1`, the last of which is the newest; all rest on links of the same numbers. */
const FILL = `
  with holder as (select avatar, 1000 + number as id from unnest($1::text[]) with ordinality as holder(avatar, number)),
  links as (
    insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload)
    select id, avatar, 1, 'create', 'ethereum', $2, now(), gen_random_uuid(), 's', 't' from holder
  ), entries as (
    insert into kv_entry (avatar, platform, identity, content, updated_at)
    select avatar, 'ethereum', $2, '{}', now() + make_interval(secs => id) from holder
  )
  insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
  select avatar, 'ethereum', $2, $2, id, now(), now(), true from holder`;

let running: RunningApp;
let source: DataSource;

beforeAll(async () => {
  running = await startApp({ env: { REVALIDATION: 'off', LOG: 'off', GITHUB_TOKEN: 'token' } });
  source = running.app.get(DataSource);
  await linkWallet(running, owner, rare);
  await source.query(FILL, [keys, crowded]);
});
afterAll(() => running.close());

const find = (query: Record<string, string>) =>
  running.get(`/v1/proof?${new URLSearchParams({ platform: 'ethereum', exact: 'true', ...query })}`);
const avatarsOf = (answers: Answer[]) =>
  answers.flatMap(({ body }) => body.ids.map(({ avatar }: { avatar: string }) => avatar) as string[]);
const pages = Array.from({ length: ANSWERED / 20 }, (_, index) => String(index + 1));

describe('a name that more Avatars hold than are answered', () => {
  it('is answered with the newest thousand, on fifty pages', async () => {
    const answers = await Promise.all(pages.map((page) => find({ identity: crowded, page })));

    expect(avatarsOf(answers)).toEqual(keys.slice(-ANSWERED).reverse());
    expect(answers.at(-1)!.body.pagination).toEqual({ total: ANSWERED, per: 20, current: 50, next: 0 });
  });

  it('has no further page, and the refusal says how to find more', async () => {
    expectRefusal(await find({ identity: crowded, page: '51' }), { code: 'page_too_deep', message: /1000.*by key/ });
  });

  it('is answered beside others as far as it is known who is newest, and the page behind is refused', async () => {
    const identity = `${crowded},${rare.address}`;

    const answers = await Promise.all(pages.map((page) => find({ identity, page })));

    expect(avatarsOf(answers)).toEqual(keys.slice(-ANSWERED).reverse());
    // A reader of all pages does not come to an end without the holder of the rare name.
    expect(answers.at(-1)!.body.pagination).toEqual({ total: ANSWERED + 1, per: 20, current: 50, next: 51 });
    expectRefusal(await find({ identity, page: '51' }), { code: 'page_too_deep', message: /one name on one platform/ });
  });

  it('does not hide those who hold another name that is asked for, where all are known', async () => {
    const [{ body }] = await Promise.all([find({ identity: `${rare.address},${aWallet('nobody').address}` })]);

    expect(body.pagination.total).toBe(1);
    expect(avatarsOf([{ status: 200, body } as Answer])).toEqual([owner.key.compressed]);
  });

  it('does not keep others from being found with it by the SDK', async () => {
    // Rows that were written at once have no signed texts.
    const { proofs } = createClient({ baseUrl: running.baseUrl, trustServer: true });
    const names = [crowded, rare.address, aWallet('nobody').address];

    const found = await proofs.findMany(names, { platform: 'ethereum' });

    expect(found.map(({ identity }) => identity)).toEqual(names);
    expect(found.map(({ groups }) => groups.length)).toEqual([ANSWERED, 1, 0]);
    expect(found[1]!.groups[0]!.avatar).toBe(owner.key.compressed);
  });

  it('is found by the SDK on each platform where no platform is named', async () => {
    const { proofs } = createClient({ baseUrl: running.baseUrl, trustServer: true });
    const holders = Array.from({ length: HOLDERS }, (_, index) => `0x03${String(index).padStart(64, '0')}`);
    const sql = FILL.replaceAll("'ethereum'", "'github'").replace('1000 +', '5000 +');
    await source.query(sql, [holders, 'crowd']);

    const [of, none] = await proofs.findMany(['crowd', 'nobody-here']);

    expect([of!.groups.length, none!.groups.length]).toEqual([ANSWERED, 0]);
  });

  it('has a badge: the newest valid binding, or that of the Avatar that is asked for, however old it is', async () => {
    const badge = async (query = '') =>
      (await fetch(`${running.baseUrl}/badge/ethereum/${crowded}.svg${query}`)).text();
    const newest = keys.at(-1)!;
    await source.query(`update proof set is_valid = false, invalid_reason = 'gone' where avatar = $1`, [newest]);

    const shown = [await badge(), await badge(`?avatar=${keys.at(-2)}`), await badge(`?avatar=${newest}`)];
    const oldest = await badge(`?avatar=${keys[0]}`);
    await source.query(`update proof set is_valid = true, invalid_reason = '' where avatar = $1`, [newest]);

    expect(shown[0]).toBe(shown[1]);
    expect(shown[0]).toContain(', valid ');
    expect(shown[2]).not.toContain(', valid ');
    expect(oldest).toContain(', valid ');
    expect(oldest).not.toBe(shown[0]);
  });
});

describe('an identity under which more Avatars wrote than are answered', () => {
  const write = (avatar: string, identity: string, age: string) =>
    source.query(
      `insert into kv_entry (avatar, platform, identity, content, updated_at) values ($1, 'ethereum', $2, '{}', now() - $3::interval)`,
      [avatar, identity, age],
    );
  const byIdentity = (identity: string, page: string) =>
    running.get(`/v1/kv/by_identity?${new URLSearchParams({ platform: 'ethereum', identity, page })}`);
  const fillEntries = (identity: string) =>
    source.query(
      `insert into kv_entry (avatar, platform, identity, content, updated_at)
       select avatar, 'ethereum', $2, '{}', now() + make_interval(secs => number)
       from unnest($1::text[]) with ordinality as holder(avatar, number)`,
      [keys, identity],
    );

  it('shows first who is bound to it, however old that content is, then the newest', async () => {
    await linkWallet(running, writer, rare);
    await write(writer.key.compressed, rare.address, '1 year');
    await fillEntries(rare.address);

    const answers = await Promise.all(pages.map((page) => byIdentity(rare.address, page)));
    const values = answers.flatMap(({ body }) => body.values as { avatar: string; is_bound: boolean }[]);

    expect(answers[49]!.body.pagination).toEqual({ total: ANSWERED, per: 20, current: 50, next: 0 });
    expect(values.map(({ is_bound }) => is_bound)).toEqual([true, ...Array<boolean>(ANSWERED - 1).fill(false)]);
    expect(values[0]!.avatar).toBe(writer.key.uncompressed);
    expect(values[1]!.avatar).toBe(anAvatar(`holder ${HOLDERS - 1}`).key.uncompressed);
    expect(new Set(values.map(({ avatar }) => avatar)).size).toBe(ANSWERED);
  });

  it('counts no more than a thousand where all of them are bound', async () => {
    const { body } = await byIdentity(crowded, '1');

    expect(body.pagination.total).toBe(ANSWERED);
    expect(body.values.every(({ is_bound }: { is_bound: boolean }) => is_bound)).toBe(true);
  });
});
