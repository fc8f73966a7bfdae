import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A TCP port of loopback that nobody uses at this moment, for programs that cannot be told to take a free one
 * themselves.
 */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}
