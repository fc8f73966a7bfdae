import pg from 'pg';
import type { SeededRandom } from '../crypto/seeded-random.js';
import { anAvatar } from './avatar.js';

/** What a test wants of an event that it writes into the database itself. */
export interface WrittenEvent {
  name?: string;
  platform?: string;
  identity?: string;
}

/** Adds events as a change would: without a position, in the transaction of `client`. */
export async function writeEvents(client: pg.ClientBase, events: WrittenEvent[]): Promise<void> {
  const rows = events.map(({ name = 'proof.bound', platform = 'ethereum', identity = 'somebody' }) => ({
    name,
    payload: { avatar: anAvatar('alice').key.compressed, platform, identity },
  }));
  await client.query(
    'insert into domain_event (name, payload) select name, payload from jsonb_to_recordset($1) as r(name text, payload jsonb)',
    [JSON.stringify(rows)],
  );
}

/** A connection past the application. */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'event writer' });
  await client.connect();
  return client;
}

/**
 * Writes `count` events in many transactions on several connections at once. Some transactions stay open while later
 * ones commit, so that rows become visible in another order than they were inserted in.
 */
export async function writeInDisorder(url: string, count: number, random: SeededRandom): Promise<void> {
  let left = count;
  const names = ['proof.bound', 'proof.revoked', 'kv.patched'];
  const platforms = ['ethereum', 'github', 'dns'];
  const write = async (): Promise<void> => {
    const client = await connectTo(url);
    while (left > 0) {
      const size = Math.min(left, 1 + random.below(60));
      left -= size;
      await client.query('begin');
      await writeEvents(
        client,
        Array.from({ length: size }, () => ({ name: random.pick(names), platform: random.pick(platforms) })),
      );
      if (random.below(4) === 0) await client.query('select pg_sleep($1)', [random.below(200) / 1000]);
      await client.query('commit');
    }
    await client.end();
  };
  await Promise.all(Array.from({ length: 6 }, write));
}
