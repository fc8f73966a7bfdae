import { describeUnless } from '../../../packages/verify/test/support/unless.js';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { linkWriter, patchWriter } from '../kill/writers.js';
import { problemsOfFeed, readFeed } from '../../support/chain-checks.js';
import { anAvatar } from '../../support/avatar.js';
import { kvPayload, submitKv } from '../../kv/kv-scenario.js';
import { expectRefusal } from '../../support/refusals.js';
import { type ServiceProcess, startService } from '../../support/service-process.js';
import { noMount, type SmallDiskPostgres, startOnSmallDisk } from './small-disk.js';

/** Half of a patch's limit, in text that does not compress, so that the tables really grow. */
const PATCH_CHARACTERS = 30_000;

describeUnless(noMount, 'a database whose disk is really full', () => {
  let postgres: SmallDiskPostgres;
  let service: ServiceProcess;

  beforeAll(async () => {
    postgres = await startOnSmallDisk(96);
    service = await startService({ DATABASE_URL: postgres.url });
  });
  afterAll(async () => {
    await service?.kill9();
    await postgres?.stop();
  });

  it('refuses writes with 503, keeps what it acknowledged, answers reads, and takes writes again when there is space', async () => {
    const random = new SeededRandom('full disk');
    const writers = [linkWriter('links', random), patchWriter('patches', random)];
    for (const writer of writers) for (let write = 0; write < 5; write += 1) await writer.write(service);
    await postgres.fill();

    const refusal = await writeUntilRefused(service, random);
    const reads = [
      await service.get('/v1/proofchain/changes?last_id=0'),
      await service.get(`/v1/kv?avatar=${anAvatar('patches').key.compressed}`),
    ];
    await postgres.empty();

    expectRefusal(refusal, { status: 503, code: 'storage_full', message: 'no room to write' });
    expect(service.output()).toContain('No space left on device');
    expect(reads.map(({ status }) => status)).toEqual([200, 200]);
    for (const writer of writers) for (let write = 0; write < 5; write += 1) await writer.write(service);
    expect((await Promise.all(writers.map((writer) => writer.check(service)))).flat()).toEqual([]);
    expect(problemsOfFeed(await readFeed(service))).toEqual([]);
  });
});

/** Patches that need new space; a table has some left over from before. */
async function writeUntilRefused(service: ServiceProcess, random: SeededRandom) {
  for (let number = 0; number < 100; number += 1) {
    const text = Array.from({ length: PATCH_CHARACTERS / 10 }, () =>
      random
        .below(2 ** 31)
        .toString(36)
        .padStart(10, '0'),
    );
    const patch = { [`key ${number}`]: text.join('') };
    const payload = await kvPayload(service, anAvatar('greedy'), patch);
    expect(payload.status).toBe(200);
    const answer = await submitKv(service, anAvatar('greedy'), payload.body, patch);
    if (answer.status !== 201) return answer;
  }
  throw new Error('The disk never got full.');
}
