import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { SeededRandom } from '../../crypto/seeded-random.js';
import type { Writer } from '../kill/writers.js';
import { anAvatar } from '../../support/avatar.js';
import { atLock, locksOfWriters } from '../../support/locks.js';
import { type ServiceProcess, startService } from '../../support/service-process.js';

export const SERVERS = 3;
export const PAUSE_MS = 50;
/** Those that stand still lose their sessions as soon as they do outside of tests. */
const LIKE_SERVERS = { DATABASE_WRITE_PATIENCE: '1' };
/** How long a server is stopped (SIGSTOP); a machine that is moved or swaps takes as long. */
const SHORTEST_STOP_MS = 1000;

/** Several servers over one database; the entry of one that is away is empty. */
export class Fleet {
  readonly members: (ServiceProcess | undefined)[] = [];
  /** What those that were killed had said. */
  readonly outputs: string[] = [];
  kills = 0;
  stops = 0;
  jumps = 0;
  private stopped: Promise<void> = Promise.resolve();

  /** @param envOf the settings of each */
  constructor(
    private readonly envOf: (member: number) => Record<string, string>,
    private readonly random: SeededRandom,
  ) {}

  async start(): Promise<void> {
    const started = Array.from({ length: SERVERS }, (_, member) =>
      startService({ ...LIKE_SERVERS, ...this.envOf(member) }),
    );
    this.members.push(...(await Promise.all(started)));
  }

  any(): ServiceProcess | undefined {
    return this.random.pick(this.members);
  }

  /** kill -9 for one of them, and a new one in its place; resolves when that one is ready. */
  async killOne(): Promise<void> {
    const memberIndex = this.random.pick([...this.members.keys()].filter((index) => this.members[index] !== undefined));
    const victim = this.members[memberIndex];
    this.members[memberIndex] = undefined;
    await victim?.kill9();
    this.kills += 1;
    this.outputs.push(victim?.output() ?? '');
    this.members[memberIndex] = await startService({ ...LIKE_SERVERS, ...this.envOf(memberIndex) });
  }

  /**
   * SIGSTOP for one of them, in the middle of whatever it does or at the moment at which somebody gets a lock, and
   * SIGCONT up to `longestMs` later; until then nobody asks it. Does nothing while another one is away.
   */
  async stopOne(operator: pg.Client, longestMs: number): Promise<void> {
    const memberIndex = this.random.below(SERVERS);
    const victim = this.members[memberIndex];
    if (!victim || this.members.includes(undefined)) return;
    if (this.random.below(2) === 0) return;
    const lock = this.random.pick([undefined, ...locksOfWriters(anAvatar(`chaos patch 0`))]);
    const stop = (): void => victim.signal('SIGSTOP');
    await (lock === undefined ? stop() : atLock(operator, lock, stop));
    this.members[memberIndex] = undefined;
    this.stops += 1;
    this.stopped = delay(SHORTEST_STOP_MS + this.random.below(longestMs)).then(() => {
      victim.signal('SIGCONT');
      this.members[memberIndex] = victim;
    });
  }

  jumpOne(): void {
    this.any()?.signal('SIGUSR2');
    this.jumps += 1;
  }

  /** What servers, those that were killed too, have said of errors. */
  errors(): string[] {
    const outputs = [...this.outputs, ...this.members.map((member) => member?.output() ?? '')];
    return outputs.flatMap((output) => output.split('\n')).filter((line) => /"level":"(?:error|fatal)"/.test(line));
  }

  /** Resolves when nobody is stopped any more. */
  async allRun(): Promise<void> {
    await this.stopped;
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.flatMap((member) => (member ? [member.kill9()] : [])));
  }
}

/**
 * What a client may meet while servers die, stand still and jump in time: a broken connection, a head that moved by a
 * write whose answer was lost, a lock that is not given up at once, a payload whose time is over.
 */
function isInOrder(error: unknown): boolean {
  const { name, message } = error as Error;
  return name === 'TypeError' || /stale_chain|already_recorded|payload_expired|database_slow|overloaded/.test(message);
}

/** Writes to any of the servers until it is over. */
export async function keepWriting(writer: Writer, fleet: Fleet, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const server = fleet.any();
    const isUp =
      server &&
      (await writer.write(server).catch((error: unknown) => isInOrder(error) || Promise.reject(error as Error)));
    if (!isUp) await delay(PAUSE_MS);
  }
}
