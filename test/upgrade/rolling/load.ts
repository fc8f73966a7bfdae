import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../../crypto/seeded-random.js';
import { linkWriter, patchWriter, type Writer } from '../../failures/kill/writers.js';
import { anAvatar } from '../../support/avatar.js';
import { openSse } from '../../support/sse-client.js';
import type { Fleet } from './fleet.js';

const PAUSE_MS = 50;
/**
 * Refusals that are in order where a connection broke after the request was sent, or where an old server ended in the
 * middle of it: whoever asks again is told that the write is there, or that the chain went on.
 */
const IN_ORDER = /"(stale_chain|already_recorded|database_slow|database_unavailable|overloaded)"/;

/** Writers, readers and a stream, all through the fleet. */
export class Load {
  readonly writers: Writer[];
  /** Compressed keys of those who write patches. */
  readonly patchAvatars: string[];
  /** All events that the stream told of, in order, over all servers. */
  readonly events: { id: string; position: number; uuid: string }[] = [];
  private isOver = false;
  private readonly work: Promise<void>[];

  constructor(
    private readonly fleet: Fleet,
    name: string,
    random: SeededRandom,
    count = 3,
  ) {
    this.writers = Array.from({ length: count }, (_, index) => [
      linkWriter(`${name} links ${index}`, random),
      patchWriter(`${name} patches ${index}`, random),
    ]).flat();
    this.patchAvatars = Array.from(
      { length: count },
      (_, index) => anAvatar(`${name} patches ${index}`).key.compressed,
    );
    const avatar = anAvatar(`${name} links 0`).key.compressed;
    const paths = [
      `/v1/proof?platform=self&identity=${avatar}`,
      `/v1/proofchain?public_key=${avatar}`,
      '/v1/proofchain/changes?last_id=0&count=100',
      '/v1/proof?identity=0x1',
      '/healthz',
    ];
    this.work = [
      ...this.writers.map((writer) => this.keepOn(() => writer.write(fleet))),
      this.keepOn(() => fleet.get(paths[random.below(paths.length)]!)),
      this.follow(),
    ];
    for (const work of this.work) work.catch(() => {});
  }

  acknowledged(): number[] {
    return this.writers.map((writer) => writer.acknowledged());
  }

  /** Runs beside whatever is waited for; ends with the error of whoever of the load failed. */
  failed(): Promise<never> {
    return Promise.all(this.work).then(() => new Promise<never>(() => {}));
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.work);
  }

  /** One event after the other, from the server that is there, connecting again behind the last id. */
  private async follow(): Promise<void> {
    let lastEventId = '0';
    while (!this.isOver) {
      const reader = await openSse(this.fleet.anyUrl(), '/v1/events', {
        lastEventId,
        onMessage: ({ id, event, data }) => {
          lastEventId = id;
          if (event === 'ready' || event === 'heartbeat') return;
          this.events.push({ id: data.id, position: data.position, uuid: data.uuid });
        },
      }).catch(() => null);
      const looks = setInterval(() => this.isOver && reader?.close(), PAUSE_MS);
      await reader?.ended;
      clearInterval(looks);
      await delay(PAUSE_MS);
    }
  }

  private async keepOn(act: () => Promise<unknown>): Promise<void> {
    while (!this.isOver) {
      await act().catch((error: Error) => {
        // What `fetch` throws when a connection breaks, and the refusals that follow from it.
        if (error.name !== 'TypeError' && !IN_ORDER.test(error.message)) throw error;
      });
      await delay(PAUSE_MS);
    }
  }
}
