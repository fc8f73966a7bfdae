import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { linkWriter, patchWriter, type Writer } from '../kill/writers.js';
import type { Answer } from '../../support/app.js';
import { aWallet, anAvatar } from '../../support/avatar.js';
import { problemsOfFeed, readFeed } from '../../support/chain-checks.js';
import { linkWallet, signedSubmit, walletPayload } from '../../support/scenario.js';
import { type ServiceProcess, startService } from '../../support/service-process.js';
import { openSse } from '../../support/sse-client.js';
import { StandbyPair } from '../../support/standby-pair.js';
import { until } from '../../support/until.js';

const FAILOVERS = Number(process.env.FAILOVERS ?? 10);
const TIMEOUT_MS = (FAILOVERS + 1) * 180_000;
/** Acknowledged writes of everybody before the next failover. */
const WRITES_BETWEEN = 3;
const LONGEST_LIFE_MS = 1_000;

let pair: StandbyPair;
let service: ServiceProcess;

beforeAll(async () => {
  pair = await StandbyPair.start();
  service = await startService({ DATABASE_URL: pair.url, DATABASE_POOL_SIZE: '6' });
}, TIMEOUT_MS);
afterAll(async () => {
  await service?.kill9();
  await pair?.stop();
});

/** Writes until `isOver`. */
async function keepWriting(writer: Writer, isOver: () => boolean): Promise<void> {
  while (!isOver()) if (!(await writer.write(service))) await delay(20);
}

/** Reads until `isOver`, and keeps one answer of every status in `answers`. */
async function keepReading(answers: Map<number, Answer>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const answer = await service.get('/v1/proofchain/changes?last_id=0');
    answers.set(answer.status, answer);
    await delay(20);
  }
}

it(
  'a primary that dies under load costs 503s until its synchronous standby is promoted, and no write that was acknowledged',
  async () => {
    const random = new SeededRandom('failover');
    const writers = [
      ...['a', 'b', 'c'].map((name) => linkWriter(`links ${name}`, random)),
      ...['d', 'e', 'f'].map((name) => patchWriter(`patches ${name}`, random)),
    ];
    const stream = await openSse(service.baseUrl, '/v1/events', { lastEventId: 0 });
    let [isOver, isStreamOver] = [false, false];
    void stream.ended.then(() => (isStreamOver = true));
    const writing = Promise.all(writers.map((writer) => keepWriting(writer, () => isOver)));
    const answers = new Map<number, Answer>();
    const reading = keepReading(answers, () => isOver);
    const acknowledged = () => writers.map((writer) => writer.acknowledged());
    const whileWriting = (isTrue: () => boolean) => Promise.race([until(isTrue), writing]);
    const allWroteMore = async () => {
      const before = acknowledged();
      await whileWriting(() => acknowledged().every((count, index) => count >= before[index]! + WRITES_BETWEEN));
    };
    const seconds: number[] = [];

    await allWroteMore();
    for (let failover = 0; failover < FAILOVERS; failover += 1) {
      await delay(random.below(LONGEST_LIFE_MS));
      answers.clear();
      await pair.killPrimary();
      await Promise.race([until(() => answers.has(503)), reading]);
      await pair.promote();
      const [promotedAt, before] = [performance.now(), acknowledged()];
      await whileWriting(() => acknowledged().some((count, index) => count > before[index]!));
      seconds.push((performance.now() - promotedAt) / 1000);
      await pair.bringBack();
      await allWroteMore();
    }
    isOver = true;
    await writing;
    const logged = async () => (await service.get('/v1/log')).body;
    await until(async () => (await logged()).waiting === 0);
    const { state } = await logged();
    await reading;
    const problems = [
      ...(await Promise.all(writers.map((writer) => writer.check(service)))).flat(),
      ...problemsOfFeed(await readFeed(service)),
    ];
    const total = acknowledged().reduce((sum, count) => sum + count);
    const times = seconds.map((each) => each.toFixed(1)).join(', ');
    process.stdout.write(
      `failover: ${FAILOVERS} times, ${total} acknowledged writes, ${problems.length} problems, first 201 after ${times} s\n`,
    );

    expect(problems).toEqual([]);
    expect(state).toBe('ok');
    expect([...answers.keys()].sort()).toEqual([200, 503]);
    expect(answers.get(503)!.body.code).toBe('database_unavailable');
    expect(answers.get(503)!.headers.get('Retry-After')).toBe('5');
    await stream.until(({ events }) => events.length >= total);
    expect(isStreamOver).toBe(false);
    expect(stream.positions).toEqual(stream.positions.map((_, index) => index + 1));
    stream.close();
    expect(service.output()).not.toContain('StrayErrors');
  },
  TIMEOUT_MS,
);

it(
  'a commit that no standby has confirmed is not acknowledged, and is one that is there once a standby has it',
  async () => {
    // Gives up a silent server soon after this time, and with it a commit that waits for a standby.
    const hasty = await startService({ DATABASE_URL: pair.url, DATABASE_STATEMENT_TIMEOUT_MS: '1000' });
    try {
      const [alice, wallet] = [anAvatar('unconfirmed'), aWallet('unconfirmed')];
      const { body } = await walletPayload(hasty, alice, wallet);
      const submit = signedSubmit(body, alice, wallet);

      await pair.killStandby();
      const sent = hasty.post('/v1/proof', submit);
      // The server then says that the commit is done.
      await until(() => pair.cancelWaitForStandby());
      const alone = await sent;
      await pair.bringBack();
      await until(async () => (await linkWallet(hasty, anAvatar('later'), aWallet('later'))).status === 201);

      expect(alone.status).toBe(503);
      expect(alone.body.code).toMatch(/^database_(unavailable|slow)$/);
      expect((await hasty.post('/v1/proof', submit)).body.code).toBe('already_recorded');
      expect(problemsOfFeed(await readFeed(hasty))).toEqual([]);
    } finally {
      await hasty.kill9();
    }
  },
  TIMEOUT_MS,
);
