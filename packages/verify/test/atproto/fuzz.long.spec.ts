import { encodeBase64 } from '../../src/text/encoding.js';
import { MAX_CAR_BYTES, verifyAtprotoProof } from '../../src/atproto/atproto.js';
import { AtprotoAccount } from '../support/atproto-account.js';
import { changedBytes } from '../support/changed-bytes.js';
import { SeededRandom } from '../support/seeded-random.js';

const POSTS = 'app.bsky.feed.post';
const RKEY = '3lprcc55bb222';
const ROUNDS = 10_000;

describe('changed files of a repository', () => {
  it(`show nothing else in ${ROUNDS} rounds, and cost at most 50 ms of the processor`, async () => {
    const account = await AtprotoAccount.create();
    for (let other = 0; other < 200; other += 1) await account.put(POSTS, `3lprcc55bb2${other + 100}`, { other });
    await account.put(POSTS, RKEY, { text: 'A post.' });
    const car = await account.carOf(POSTS, RKEY);
    const random = new SeededRandom('changed files of a repository');
    const accepted: number[] = [];
    let most = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const proof = {
        type: 'atproto' as const,
        car: encodeBase64(changedBytes(car, random)),
        operations: account.operations,
      };
      const before = process.cpuUsage();
      const { ok, record } = await verifyAtprotoProof(proof, { did: account.did, collection: POSTS, rkey: RKEY });
      const { user } = process.cpuUsage(before);
      // The first rounds compile.
      if (round > 100) most = Math.max(most, user / 1000);
      if (ok && JSON.stringify(record) !== '{"text":"A post."}') accepted.push(round);
    }
    process.stdout.write(`changed CARs: ${ROUNDS}, accepted: ${accepted.length}, at most ${most.toFixed(1)} ms each\n`);
    expect(accepted).toEqual([]);
    expect(most).toBeLessThan(50);
  });

  it.each([
    ['deep lists', Buffer.alloc(MAX_CAR_BYTES - 8, 0x81)],
    ['deep maps', Buffer.alloc(MAX_CAR_BYTES - 8, Buffer.from([0xa1, 0x61, 0x61]))],
    ['zeros', Buffer.alloc(MAX_CAR_BYTES)],
  ])('of %s are refused', async (_, body) => {
    const car = encodeBase64(Buffer.concat([Buffer.from([0xf8, 0xff, 0x03]), body]).subarray(0, MAX_CAR_BYTES));
    const place = { did: `did:plc:${'a'.repeat(24)}`, collection: POSTS, rkey: RKEY };
    const { ok } = await verifyAtprotoProof({ type: 'atproto', car, operations: [] }, place);
    expect(ok).toBe(false);
  });
});
