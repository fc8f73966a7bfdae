import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import type { SystemDns } from '../web/fetcher.js';

const TRIES = 2; // per server
const LENGTH_BYTES = 2; // in front of each message over TCP (RFC 1035 4.2.2)
const PORT = 53;

/** c-ares, which Node brings along, over UDP, and TCP where an answer is cut; without search lists. */
export const systemDns: SystemDns = {
  async resolveTxt(domain, { server, timeoutMs }) {
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / TRIES), tries: TRIES });
    if (server !== undefined) resolver.setServers([server]);
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      return (await resolver.resolveTxt(domain)).map((strings) => strings.join(''));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === NOTFOUND || code === NODATA) return [];
      throw error;
    } finally {
      clearTimeout(timer);
    }
  },

  exchange: (message, { server, timeoutMs }) =>
    new Promise((resolve, reject) => {
      const { host, port } = addressOf(server ?? new Resolver().getServers()[0] ?? '');
      const socket = connect({ host, port });
      const timer = setTimeout(() => socket.destroy(new Error('The DNS server did not answer in time.')), timeoutMs);
      let received = Buffer.alloc(0);
      socket.on('data', (part) => {
        received = Buffer.concat([received, part]);
        const length = received.length < LENGTH_BYTES ? Infinity : received.readUInt16BE();
        if (received.length < LENGTH_BYTES + length) return;
        resolve(received.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
        socket.destroy();
      });
      socket.on('error', reject);
      socket.on('close', () => {
        clearTimeout(timer);
        // Nothing more is said where an answer came before.
        reject(new Error('The DNS server closed the connection.'));
      });
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(message.length);
      socket.write(Buffer.concat([length, message]));
    }),

  areAddresses(servers) {
    try {
      new Resolver().setServers(servers);
      return true;
    } catch {
      return false;
    }
  },
};

/** The parts of `ip`, `ip:port` or `[ip]:port`. */
function addressOf(server: string): { host: string; port: number } {
  const [, bracketed, port] = /^\[(.+)\](?::(\d+))?$/.exec(server) ?? [];
  if (bracketed !== undefined) return { host: bracketed, port: Number(port ?? PORT) };
  const [host, own, ...others] = server.split(':');
  return others.length > 0 ? { host: server, port: PORT } : { host: host!, port: Number(own ?? PORT) };
}
