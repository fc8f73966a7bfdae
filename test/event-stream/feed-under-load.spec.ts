import pg from 'pg';
import { DataSource } from 'typeorm';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar, type TestAvatar } from '../support/avatar.js';
import { type AnsweredLink, problemsOfChain, problemsOfFeed, readChain, readFeed } from '../support/chain-checks.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';

/** Two servers over one PostgreSQL, each with its own pool, and a look at the database from outside. */
let database: TestDatabase;
let servers: [RunningApp, RunningApp];
let outside: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  servers = [await startApp({ databaseUrl: database.url }), await startApp({ databaseUrl: database.url })];
  outside = new pg.Client({ connectionString: database.url });
  await outside.connect();
});
afterEach(async () => {
  await outside.end();
  for (const server of servers) await server.close();
  await database.drop();
});

const idsOf = (links: AnsweredLink[]) => links.map(({ id }) => id);

describe('the feed while a slow transaction is open', () => {
  /** What every server does to append, whatever its version: the lock, then the next id. */
  const APPEND = `
    insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature,
      signature_payload)
    select max(id) + 1, $1, 1, 'create', 'ethereum', $2, now(), gen_random_uuid(), 'slow', '{}' from chain_link`;

  /** Appends on the first server and stays open until `finish` is called. */
  async function openSlowAppend(): Promise<{ finish(how: 'commit' | 'roll back'): Promise<void> }> {
    let finish!: (how: 'commit' | 'roll back') => void;
    const told = new Promise<'commit' | 'roll back'>((resolve) => (finish = resolve));
    let done!: Promise<unknown>;
    await new Promise<void>((appended, reject) => {
      done = servers[0].app.get(DataSource).transaction(async (manager) => {
        await manager.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.append]);
        await manager.query(APPEND, [anAvatar('slow').key.compressed, aWallet('slow').address]);
        appended();
        if ((await told) === 'roll back') throw new Error('rolled back');
      });
      done.catch(reject);
    });
    return {
      finish: async (how) => {
        finish(how);
        await done.catch((error: Error) => expect(error.message).toBe('rolled back'));
      },
    };
  }

  async function somebodyWaits(): Promise<void> {
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await outside.query(waiting)).rowCount === 0);
  }

  it.each([
    ['commit', [1, 2, 3]],
    ['roll back', [1, 2]],
  ] as const)('shows no later link first, and leaves no gap after a %s', async (how, expected) => {
    await linkWallet(servers[1], anAvatar('early'), aWallet('early'));
    const slow = await openSlowAppend();

    const fast = linkWallet(servers[1], anAvatar('fast'), aWallet('fast'));
    await somebodyWaits();
    const meanwhile = await readFeed(servers[1]);
    await slow.finish(how);
    const { status } = await fast;

    expect(status).toBe(201);
    expect(idsOf(meanwhile)).toEqual([1]);
    expect(idsOf(await readFeed(servers[1], 1))).toEqual(expected.slice(1));
  });
});

describe('the feed while two servers append and every third insert is slow', () => {
  const WRITERS = 6;
  const LINKS_EACH = 8;

  beforeEach(async () => {
    // Between the moment in which an id is drawn and the commit.
    await outside.query(`
      create function dawdle() returns trigger language plpgsql as $$
      begin
        if new.uuid::text < '55' then perform pg_sleep(0.02); end if;
        return new;
      end $$`);
    await outside.query(`create trigger dawdle before insert on chain_link for each row execute function dawdle()`);
  });

  /** Follows the cursor as an indexer does, until told that nothing more will come. */
  async function follow(server: RunningApp, isOver: () => boolean): Promise<AnsweredLink[]> {
    const seen: AnsweredLink[] = [];
    for (;;) {
      const wasOver = isOver();
      const { body } = await server.get(`/v1/proofchain/changes?last_id=${seen.at(-1)?.id ?? 0}&count=10`);
      seen.push(...body.links);
      if (wasOver && body.links.length === 0) return seen;
    }
  }

  /**
   * Links wallets one after another at either server, and looks for each link in the feed of the other as soon as it
   * has its 201.
   */
  async function write(avatar: TestAvatar, number: number): Promise<void> {
    let cursor = 0;
    for (let index = 0; index < LINKS_EACH; index++) {
      const server = servers[(number + index) % 2]!;
      const other = servers[(number + index + 1) % 2]!;
      const { status } = await linkWallet(server, avatar, aWallet(`${number} of ${index}`));
      expect(status).toBe(201);

      const mine = (await readFeed(other, cursor)).filter((link) => link.avatar === avatar.key.compressed);
      expect(mine).toHaveLength(1);
      cursor = mine[0]!.id;
    }
  }

  it('shows followers at both every link exactly once, and each as soon as it was acknowledged', async () => {
    const avatars = Array.from({ length: WRITERS }, (_, number) => anAvatar(`writer ${number}`));
    let isOver = false;
    const followers = servers.map((server) => follow(server, () => isOver));

    await Promise.all(avatars.map(write)).finally(() => (isOver = true));

    for (const seen of await Promise.all(followers)) {
      expect(seen).toHaveLength(WRITERS * LINKS_EACH);
      expect(problemsOfFeed(seen)).toEqual([]);
    }
    for (const { key } of avatars) {
      const chain = await readChain(servers[0], key.compressed);
      expect(chain).toHaveLength(LINKS_EACH);
      expect(problemsOfChain(key.compressed, chain)).toEqual([]);
    }
  });
});
