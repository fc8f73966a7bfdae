import type { Socket } from 'node:net';
import type pg from 'pg';
import { connectionOf } from './server-state.js';
import type { PrimaryFinder } from './primary-finder.js';

/** Milliseconds of silence after which it is asked whether another host has become the primary. */
const LOOK_MS = 2000;

export interface Silence {
  /** Milliseconds after which a connection is cut off that is in use and hears nothing; 0 waits for ever. */
  silenceMs: number;
  /** Who knows whether the primary has moved to another host. */
  finder?: PrimaryFinder;
}

/** Destroys connections that are in use and hear nothing for too long, or sooner if the primary has moved. */
export function endSilentConnections(pool: pg.Pool, { silenceMs, finder }: Silence): void {
  const looksMs = finder?.hasSeveral ? LOOK_MS : silenceMs;
  if (looksMs === 0) return;
  const watched = new WeakMap<Socket, () => void>();
  pool.on('acquire', (client: pg.Client) => {
    const socket = connectionOf(client).stream;
    const seen = { bytes: socket.bytesRead, at: performance.now() };
    const look = (): void => {
      if (socket.bytesRead !== seen.bytes) Object.assign(seen, { bytes: socket.bytesRead, at: performance.now() });
      if (silenceMs > 0 && performance.now() - seen.at >= silenceMs - TIMER_MS) return void socket.destroy();
      socket.setTimeout(looksMs, look);
      if (finder?.hasSeveral) void destroyIfMoved(finder, client, socket);
    };
    watched.set(socket, look);
    socket.setTimeout(looksMs, look);
  });
  pool.on('release', (_error: unknown, client: pg.Client) => {
    const socket = connectionOf(client).stream;
    const look = watched.get(socket);
    if (look) socket.setTimeout(0, look);
  });
}

/** Timers of Node may end so much early. */
const TIMER_MS = 5;

async function destroyIfMoved(finder: PrimaryFinder, { host, port }: pg.Client, socket: Socket): Promise<void> {
  try {
    if (!(await finder.isAt(host, port))) socket.destroy();
  } catch {
    // There is no primary now: a statement that waits may still get its answer.
  }
}
