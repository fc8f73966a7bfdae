import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../crypto/seeded-random.js';
import { readKvChain, kvPayload, submitKv } from './kv-scenario.js';
import { flawOf, replay } from './replay.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { sized } from '../support/tier.js';

/** Each write that is acknowledged refuses those of all other writers. */
const WRITERS = sized('KV_WRITERS', { short: 8, long: 20 });
const PATCHES_EACH = 5;
/**
 * As good clients do, a writer that lost waits before it asks for a new payload: up to this long, and twice as long
 * each time in a row.
 */
const BACK_OFF_MS = 50;
const LONGEST_BACK_OFF_MS = 2000;

let database: TestDatabase;
let servers: RunningApp[];

beforeAll(async () => {
  database = await createTestDatabase();
  servers = await Promise.all([1, 2].map(() => startApp({ databaseUrl: database.url })));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await database.drop();
});

/** The feed of all patches, as one server has it now. */
async function readFeed(server: RunningApp): Promise<{ id: number; uuid: string }[]> {
  const seen: { id: number; uuid: string }[] = [];
  for (;;) {
    const { body } = await server.get(`/v1/kv/changes?last_id=${seen.at(-1)?.id ?? 0}&count=100`);
    if (body.patches.length === 0) return seen;
    seen.push(...body.patches.map(({ id, uuid }: { id: number; uuid: string }) => ({ id, uuid })));
  }
}

it(`loses no patch of ${WRITERS} writers on two servers that retry when the chain has moved on`, async () => {
  const alice = anAvatar('writers');
  const accepted: string[] = [];
  const refusals = new Map<string, number>();
  const random = new SeededRandom('kv writers');

  const writer = async (number: number) => {
    const server = servers[number % servers.length]!;
    let n = 0;
    let backOff = BACK_OFF_MS;
    while (n < PATCHES_EACH) {
      const patch = { [`writer ${number}`]: { [`patch ${n}`]: n }, last: [number, n] };
      const payload = await kvPayload(server, alice, patch);
      const { status, body } = await submitKv(server, alice, payload.body, patch);
      if (status === 201) {
        accepted.push(payload.body.uuid);
        backOff = BACK_OFF_MS;
        n++;
      } else {
        refusals.set(body.code, (refusals.get(body.code) ?? 0) + 1);
        await delay(random.below(backOff));
        backOff = Math.min(2 * backOff, LONGEST_BACK_OFF_MS);
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));

  const feed = await readFeed(servers[1]!);
  const chain = await readKvChain(servers[0]!, alice);
  const { body } = await servers[1]!.get(`/v1/kv?avatar=${alice.key.compressed}`);
  const { content } = body.proofs[0];
  expect([...refusals.keys()]).toEqual(['stale_chain']);
  expect(chain.map(({ uuid }) => uuid).sort()).toEqual([...accepted].sort());
  expect(chain).toHaveLength(WRITERS * PATCHES_EACH);
  expect(flawOf(chain, alice.key.compressed)).toBeNull();
  // What is acknowledged is in the feed at once: in the order of the chain, and without a gap.
  expect(feed).toEqual(chain.map(({ uuid }, index) => ({ id: index + 1, uuid })));
  expect(replay(chain)).toEqual(replay([{ ...body.proofs[0], patch: content }]));
  for (let number = 0; number < WRITERS; number++) {
    expect(Object.keys(content[`writer ${number}`])).toHaveLength(PATCHES_EACH);
  }
  process.stdout.write(`kv writers: ${refusals.get('stale_chain')} retries for ${chain.length} patches\n`);
});
