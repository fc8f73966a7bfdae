import { connect, createServer } from 'node:net';

/** Stands between a program and its database, and counts how often it sends something after an answer. */
export interface TripCounter {
  /** Of the database, through this. */
  url: string;
  /** Round trips of all connections so far. */
  trips(): number;
  /** Waits until all connections are closed. */
  close(): Promise<void>;
}

export async function startTripCounter(target: string): Promise<TripCounter> {
  const { hostname, port } = new URL(target);
  let trips = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    let isAnswered = true;
    for (const socket of [near, far]) socket.on('error', () => {});
    near
      .on('close', () => far.destroy())
      .on('data', (bytes) => {
        if (isAnswered) trips += 1;
        isAnswered = false;
        far.write(bytes);
      });
    far
      .on('close', () => near.destroy())
      .on('data', (bytes) => {
        isAnswered = true;
        near.write(bytes);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as { port: number }).port);
  const close = async () => {
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: url.href, trips: () => trips, close };
}
