import { execFileSync } from 'node:child_process';
import { ADVISORY_LOCKS, KV_CHAIN_LOCKS } from '../../src/database/advisory-locks.js';
import { AlreadyRecordedError, OverloadedError, StaleChainError } from '../../src/domain/domain-errors.js';
import type { NewPatch } from '../../src/kv/kv-feed.js';
import type { FeedPatchDto, KvPatchDto } from '../../src/kv/patches/kv-patches.dto.js';
import type { AvatarKey } from '../../src/domain/avatar-key.js';
import { anAvatar } from '../support/avatar.js';
import { until } from '../support/until.js';
import { aNewPatch, openKvStores } from './kv-stores.js';

type Stores = ReturnType<Awaited<ReturnType<typeof openKvStores>>['newStores']>;

const people = ['alice', 'bob', 'carol', 'dave'].map((name) => anAvatar(name).key);
const [alice, bob, carol, dave] = people as [AvatarKey, AvatarKey, AvatarKey, AvatarKey];
const CREATED = new Date('2026-11-22T00:00:00Z');

let opened: Awaited<ReturnType<typeof openKvStores>>;
let stores: Stores;
beforeAll(async () => {
  opened = await openKvStores({ KV_WRITE_POLICY: 'bound' });
});
afterAll(() => opened.close());
beforeEach(async () => {
  await opened.source.query('truncate kv_patch, kv_entry, proof, chain_link, domain_event restart identity cascade');
  stores = opened.newStores();
});

/** Lets an Avatar hold a proof. */
async function bind(avatar: AvatarKey, identity: string, isValid = true): Promise<void> {
  await opened.source.query(
    `with link as (
       insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload)
       select coalesce(max(id), 0) + 1, $1, 1, 'create', 'github', $2, now(), gen_random_uuid(), '', '' from chain_link returning id
     )
     insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid, invalid_reason)
     select $1, 'github', $2, $2, id, now(), now(), $3, case when $3 then '' else 'gone' end from link`,
    [avatar.compressed, identity, isValid],
  );
}

const feedPage = async () => JSON.parse((await stores.feed.changesAfter(0, 10)).items.text) as FeedPatchDto[];
/** Records patches at once: the first one is alone, and the others are the next batch. */
const recordAll = async (...patches: NewPatch[]) =>
  (await Promise.allSettled(patches.map((patch) => stores.recorder.record(patch)))).map((result) =>
    result.status === 'fulfilled' ? result.value.entries.map(({ content }) => content) : (result.reason as Error),
  );
/** Adds content as if it had been written before. */
const addContent = (avatar: AvatarKey, bytes: number, identity = 'before') =>
  opened.source.query(`insert into kv_entry (avatar, platform, identity, content) values ($1, 'github', $2, $3)`, [
    avatar.compressed,
    identity,
    JSON.stringify({ a: 'x'.repeat(bytes - 8) }),
  ]);
const rows = <Row>(sql: string): Promise<Row[]> => opened.source.query(sql);

describe('patches that are recorded together', () => {
  it('each have their row, their entry, their event and their number', async () => {
    const patches = [alice, bob, carol].map((avatar, index) => aNewPatch(avatar, { index }));

    expect(await recordAll(...patches)).toEqual([['{"index":0}'], ['{"index":1}'], ['{"index":2}']]);

    expect(await rows('select feed_id::int as id, avatar, uuid, position_in_chain as place from kv_patch order by feed_id'))
      .toEqual(patches.map(({ avatar, uuid }, index) => ({ id: index + 1, avatar: avatar.compressed, uuid, place: 1 }))); // prettier-ignore
    const [, second] = await feedPage();
    expect(second).toMatchObject({
      platform: 'self',
      identity: bob.uncompressed,
      patch: { index: 1 },
      created_at: CREATED.getTime() / 1000,
      signature: patches[1]!.signature,
      signature_payload: patches[1]!.signaturePayload,
    });
    expect(await rows(`select count(distinct xmin::text)::int as transactions from kv_patch`)).toEqual([
      { transactions: 2 },
    ]);
    const events = await rows<{ payload: object }>('select payload from domain_event order by draw');
    expect(events.map(({ payload }) => payload)).toEqual(
      patches.map(({ avatar, platform, identity, uuid }, index) => ({
        avatar: avatar.compressed,
        platform,
        identity,
        uuid,
        created_at: CREATED.getTime() / 1000,
        patch_id: index + 1,
      })),
    );
  });

  it('may follow each other in one chain, and are judged one after the other', async () => {
    const first = aNewPatch(bob, { a: 1 });
    const second = aNewPatch(bob, { b: 2 }, { previous: first.signature });
    const stale = aNewPatch(bob, { never: 1 });

    const answers = await recordAll(aNewPatch(alice, {}), first, stale, first, second, aNewPatch(carol, { c: 3 }));

    expect(answers).toEqual([
      ['{}'],
      ['{"a":1}'],
      expect.any(StaleChainError),
      expect.any(AlreadyRecordedError),
      ['{"a":1,"b":2}'],
      ['{"c":3}'],
    ]);
    const chain = await stores.feed.page(bob, 1);
    expect((JSON.parse(chain.items.text) as KvPatchDto[]).map(({ uuid }) => uuid)).toEqual(
      [first, second].map(({ uuid }) => uuid),
    );
    expect((await feedPage()).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  });

  it('need a valid proof of what they are written under, except for the key itself', async () => {
    await bind(bob, 'bob');
    await bind(dave, 'dave', false);
    const under = (avatar: AvatarKey, identity: string) => aNewPatch(avatar, {}, { platform: 'github', identity });

    const answers = await recordAll(
      under(alice, 'bob'),
      under(bob, 'bob'),
      under(carol, 'bob'),
      under(dave, 'dave'),
      aNewPatch(alice, { own: true }),
    );

    const notBound = expect.objectContaining({ code: 'not_bound' });
    expect(answers).toEqual([notBound, ['{}'], notBound, notBound, ['{"own":true}']]);
    expect(await rows('select avatar, platform from kv_entry order by platform')).toEqual([
      { avatar: bob.compressed, platform: 'github' },
      { avatar: alice.compressed, platform: 'self' },
    ]);
  });

  it('are refused where they are recorded already, and bound where they are written under a proved identity', async () => {
    await bind(bob, 'bob');
    const patch = aNewPatch(bob, { b: 1 }, { platform: 'github', identity: 'bob' });

    expect((await stores.recorder.record(patch)).entries).toMatchObject([{ identity: 'bob', isBound: true }]);
    await expect(stores.recorder.record(patch)).rejects.toBeInstanceOf(AlreadyRecordedError);
  });

  it('answer all entries of their Avatar, and whether each is bound', async () => {
    await bind(bob, 'bob');
    await addContent(bob, 20, 'bob');
    await addContent(bob, 20, 'somebody');

    const { entries } = await stores.recorder.record(aNewPatch(bob, { own: true }));

    expect(entries.map(({ platform, identity, isBound }) => [platform, identity, isBound])).toEqual([
      ['github', 'bob', true],
      ['github', 'somebody', false],
      ['self', bob.uncompressed, true],
    ]);
    expect(entries).toEqual(await stores.queries.getEntries(bob));
  });

  it('are fewer of one transaction where their Avatars have much content, and at least one', async () => {
    await addContent(bob, 1_500_000);
    await addContent(carol, 2_500_000);
    await addContent(dave, 400_000);

    const answers = await recordAll(...people.map((avatar) => aNewPatch(avatar, { a: 1 })));

    expect(answers.map((contents) => (contents as string[]).map(({ length }) => length))).toEqual([
      [7],
      [1_500_000, 7],
      [2_500_000, 7],
      [400_000, 7],
    ]);
    const transactions = await rows<{ xmin: string }>('select xmin::text from kv_patch order by feed_id');
    expect(new Set(transactions.map(({ xmin }) => xmin)).size).toBe(4);
    expect((await feedPage()).map(({ avatar }) => avatar)).toEqual(people.map(({ compressed }) => compressed));
  });

  it('are refused by themselves where more of them wait than may', async () => {
    const large = aNewPatch(alice, {}, { patchText: 'x'.repeat(33_000_000) });

    await expect(stores.recorder.record(large)).rejects.toBeInstanceOf(OverloadedError);
  });
});

describe('the locks of other writers', () => {
  /** Holds a lock as another server would, until `work` is done. */
  async function holding(lock: string, work: () => Promise<void>): Promise<void> {
    await opened.source.transaction(async (other) => {
      await other.query(`select pg_advisory_xact_lock(${lock})`);
      await work();
    });
  }
  /** Whether somebody has waited for a lock for so many milliseconds in one statement. */
  const hasWaited = async (ms: number) =>
    (
      await opened.source.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       and clock_timestamp() - query_start > $1::int * interval '1 millisecond'`,
        [ms],
      )
    ).length > 0;

  it('hold up nobody but the Avatar whose chain it is, however long it takes', async () => {
    const lockOfBob = `${KV_CHAIN_LOCKS}, hashtext('${bob.compressed}')`;
    let waiting: Promise<unknown> | undefined;
    await holding(lockOfBob, async () => {
      waiting = recordAll(aNewPatch(bob, { b: 1 }), aNewPatch(carol, { c: 1 }));
      await until(async () => (await stores.feed.items.length(carol)) === 1);
      await until(() => hasWaited(400));
      expect(await stores.feed.items.length(bob)).toBe(0);
    });
    expect(await waiting).toEqual([['{"b":1}'], ['{"c":1}']]);
  });

  it('on numbers are waited for by whoever gets a number, and by nobody else', async () => {
    const older = aNewPatch(bob, {});
    await opened.source.query(
      `insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload)
       values ($1, 1, 'self', 'x', '{}', now(), $2, $3, '')`,
      [bob.compressed, older.uuid, older.signature],
    );
    const next = aNewPatch(bob, {}, { previous: older.signature });
    let waiting: Promise<unknown> | undefined;
    await holding(String(ADVISORY_LOCKS.patchNumbers), async () => {
      await stores.recorder.record(next);
      waiting = recordAll(aNewPatch(alice, {}));
      await until(() => hasWaited(0));
      expect(await stores.feed.items.length(alice)).toBe(0);
    });
    await waiting;
    await holding(String(ADVISORY_LOCKS.patchNumbers), async () => {
      // The first of these is alone, and refused; the others are one batch, of which one gets a number.
      waiting = recordAll(next, aNewPatch(bob, {}, { previous: next.signature }), aNewPatch(carol, {}));
      await until(() => hasWaited(0));
      expect(await stores.feed.items.length(carol)).toBe(0);
    });
    await waiting;
    expect((await feedPage()).map(({ avatar }) => avatar)).toEqual([alice.compressed, carol.compressed]);
  });

  it('on numbers that are not given up are the error, also for a busy process that reads all answers at once', async () => {
    let waiting: Promise<unknown> | undefined;
    await holding(String(ADVISORY_LOCKS.patchNumbers), async () => {
      waiting = recordAll(aNewPatch(alice, {}));
      await until(() => hasWaited(0));
      execFileSync(process.execPath, ['--input-type=module', '-e', UNTIL_ANSWERED, opened.url]);
      expect(await waiting).toEqual([expect.objectContaining({ message: 'canceling statement due to lock timeout' })]);
    });
  });
});

/** Ends when the database has answered all that was sent to it. */
const UNTIL_ANSWERED = `
  import pg from 'pg';
  const client = new pg.Client(process.argv[1]);
  await client.connect();
  const open = "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state in ('active', 'idle in transaction (aborted)')";
  while ((await client.query(open)).rows.length > 0);
  await client.end();`;

describe('the numbers in the feed', () => {
  it('are left to the log where an older patch of the chain has none', async () => {
    const older = aNewPatch(bob, {});
    await opened.source.query(
      `insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload)
       values ($1, 1, 'self', 'x', '{}', now(), $2, $3, '')`,
      [bob.compressed, older.uuid, older.signature],
    );

    await recordAll(aNewPatch(alice, {}), aNewPatch(bob, {}, { previous: older.signature }), aNewPatch(carol, {}));

    expect(await rows('select feed_id::int as id, avatar from kv_patch order by kv_patch.id')).toEqual([
      { id: null, avatar: bob.compressed },
      { id: 1, avatar: alice.compressed },
      { id: null, avatar: bob.compressed },
      { id: 2, avatar: carol.compressed },
    ]);
  });

  it('are left to the log while the feed has no indexes', async () => {
    await opened.source.query(`update upgrade_step set due_at = now(), finished_at = null where id = 'kv_patch_feed'`);

    await recordAll(aNewPatch(alice, {}), aNewPatch(bob, {}));

    await opened.source.query(`update upgrade_step set due_at = null, finished_at = now() where id = 'kv_patch_feed'`);
    expect(await rows('select feed_id from kv_patch')).toEqual([{ feed_id: null }, { feed_id: null }]);
  });
});

it('a commit whose answer was lost is asked for: what is recorded is answered, and the rest is not known', async () => {
  const recorded = aNewPatch(bob, { b: 1 });
  await recordAll(aNewPatch(alice, { a: 1 }));
  stores.events.forgets = true;

  const answers = await recordAll(aNewPatch(carol, { c: 1 }), aNewPatch(alice, { stale: true }), recorded);

  expect(answers).toEqual([
    ['{"c":1}'],
    expect.objectContaining({ message: 'The answer to a commit was lost: the connection was cut' }),
    ['{"b":1}'],
  ]);
});

describe('content', () => {
  it('is not found for an Avatar that never wrote', async () => {
    await expect(stores.queries.getEntries(alice)).rejects.toMatchObject({ code: 'kv_not_found' });
  });

  it('is answered in order and whole, however much there is', async () => {
    await addContent(alice, 60_000, 'b');
    await addContent(alice, 30, 'a');
    const lengths = async () => (await stores.queries.getEntries(alice)).map(({ content }) => content.length);

    expect(await lengths()).toEqual([30, 60_000]);
    await addContent(alice, 60_000, 'c');
    expect(await lengths()).toEqual([30, 60_000, 60_000]);
  });

  it('under one identity is that of everybody, those first who hold a proof, page by page', async () => {
    await bind(bob, 'x');
    for (const avatar of people) await addContent(avatar, 20, 'x');
    for (let index = 0; index < 18; index += 1) await addContent(anAvatar(`other ${index}`).key, 20, 'x');
    const page = async (number: number) => stores.queries.findByIdentity('github', 'x', number);

    const [first, second, third] = [await page(1), await page(2), await page(3)];

    expect([first, second, third].map(({ items, ...rest }) => [items.length, rest])).toEqual([
      [20, { total: 22, current: 1 }],
      [2, { total: 22, current: 2 }],
      [0, { total: 22, current: 3 }],
    ]);
    const { compressed: avatar } = bob;
    const content: unknown = expect.any(String);
    expect(first.items[0]).toEqual({
      total: 22,
      avatar,
      content,
      contentBytes: 20,
      isBound: true,
      isIncomplete: false,
    });
    expect([...first.items.slice(1), ...second.items].every(({ isBound }) => !isBound)).toBe(true);
    const avatars = [...first.items, ...second.items].map((item) => item.avatar);
    expect(new Set(avatars).size).toBe(22);
  });

  it('under one identity is not shown where it is longer than 64 KiB', async () => {
    await addContent(alice, 65_536, 'x');
    await addContent(bob, 65_537, 'x');

    const { items } = await stores.queries.findByIdentity('github', 'x', 1);

    expect(items.map(({ content, contentBytes }) => [content?.length, contentBytes])).toEqual([
      [undefined, 65_537],
      [65_536, 65_536],
    ]);
  });

  it('is nothing under an identity that cannot be', async () => {
    expect(await stores.queries.findByIdentity('github', 'no such name!', 2)).toEqual({
      items: [],
      total: 0,
      current: 2,
    });
  });
});
