import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { linkWriter, patchWriter, type Writer } from '../kill/writers.js';
import { problemsOfFeed, readFeed } from '../../support/chain-checks.js';
import { type ServiceProcess, startService } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { PatroniCluster } from './patroni-cluster.js';

const TIMEOUT_MS = 60 * 60_000;
const EACH = 5;
/** Acknowledged writes of everybody between two changes of the primary. */
const WRITES_BETWEEN = 5;

let cluster: PatroniCluster;
const servers: ServiceProcess[] = [];

beforeAll(async () => {
  cluster = await PatroniCluster.start();
  // One server behind the address that follows the primary, two that know all hosts.
  const urls = [cluster.proxyUrl, cluster.hostsUrl, cluster.hostsUrl];
  for (const url of urls) servers.push(await startService({ DATABASE_URL: url, DATABASE_POOL_SIZE: '5' }));
}, TIMEOUT_MS);
afterAll(async () => {
  for (const server of servers) await server.kill9();
  await cluster?.stop();
}, TIMEOUT_MS);

async function keepWriting(writer: Writer, server: ServiceProcess, isOver: () => boolean): Promise<void> {
  while (!isOver()) if (!(await writer.write(server))) await delay(50);
}

it(
  'five switches over and five kills of the primary lose nothing that was acknowledged on three servers',
  async () => {
    const random = new SeededRandom('patroni');
    const writers = servers.flatMap((_, index) => [
      linkWriter(`links ${index}`, random),
      patchWriter(`patches ${index}`, random),
    ]);
    const counts = () => writers.map((writer) => writer.acknowledged());
    const serverOf = (index: number) => Math.floor(index / 2);
    let isOver = false;
    const writing = Promise.all(
      writers.map((writer, index) => keepWriting(writer, servers[serverOf(index)]!, () => isOver)),
    );
    const whileWriting = (isTrue: () => boolean) => Promise.race([until(isTrue), writing]);
    const allWroteMore = async (more: number) => {
      const before = counts();
      await whileWriting(() => counts().every((count, index) => count >= before[index]! + more));
    };
    const seconds: Record<string, number[]> = { 'switch over': [], kill: [] };

    for (let number = 0; number < 2 * EACH; number += 1) {
      await cluster.whenWhole();
      await allWroteMore(WRITES_BETWEEN);
      const kind = number % 2 === 0 ? 'switch over' : 'kill';
      const ledFrom = await (kind === 'kill' ? cluster.killLeader() : cluster.switchOver());
      const before = counts();
      await whileWriting(() => counts().some((count, index) => count > before[index]!));
      seconds[kind]!.push((performance.now() - ledFrom) / 1000);
      await allWroteMore(1);
    }
    isOver = true;
    await writing;

    const problems = [
      ...(await Promise.all(writers.map((writer) => writer.check(servers[0]!)))).flat(),
      ...problemsOfFeed(await readFeed(servers[0]!)),
    ];
    const total = counts().reduce((sum, count) => sum + count);
    const times = Object.entries(seconds).map(
      ([kind, each]) => `${kind}: ${each.map((time) => time.toFixed(1)).join(', ')} s`,
    );
    process.stdout.write(
      `patroni: ${2 * EACH} changes of the primary, ${total} acknowledged writes on ${servers.length} servers, ` +
        `${problems.length} problems; from the promotion to the first 201, ${times.join('; ')}\n`,
    );
    expect(problems).toEqual([]);
  },
  TIMEOUT_MS,
);
